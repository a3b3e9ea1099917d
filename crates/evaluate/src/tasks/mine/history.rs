//! Reads commits and files of a history with the `git` command.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use foreword_load::decode;

use super::filter::is_generated;
use super::grain::{Hole, holes};
use super::patch::{Insertion, Patch};
use super::request::Grain;

/// A commit with one parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) parent: String,
}

/// A repository.
pub(super) struct History {
    dir: PathBuf,
}

impl History {
    pub(super) fn open(dir: &Path) -> Result<Self> {
        let res = Self { dir: dir.to_owned() };
        res.git(&["rev-parse", "--git-dir"])
            .with_context(|| format!("{} is no git directory", dir.display()))?;
        Ok(res)
    }

    /// The full hash of a revision.
    pub(super) fn resolve(&self, revision: &str) -> Result<String> {
        let commit = format!("{revision}^{{commit}}");
        let name = self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
        let name = name.with_context(|| format!("{} has no {revision}", self.dir.display()))?;
        Ok(String::from_utf8_lossy(&name).trim().to_owned())
    }

    /// The last `n` commits that are no merges, the latest first.
    pub(super) fn commits(&self, last: &str, n: usize) -> Result<Vec<Commit>> {
        let most = format!("--max-count={n}");
        let list = self.git(&["log", "--no-merges", "--format=%H %P", &most, last])?;
        let commit = |line: &str| {
            let (id, parents) = line.split_once(' ')?;
            let is_one = !parents.is_empty() && !parents.contains(' ');
            is_one.then(|| Commit { id: id.to_owned(), parent: parents.to_owned() })
        };
        Ok(String::from_utf8_lossy(&list).lines().filter_map(commit).collect())
    }

    /// The patch of a commit.
    pub(super) fn patch(&self, commit: &Commit) -> Result<Patch> {
        let args = ["-c", "core.quotePath=false", "diff-tree", "-r", "-p", "-U0", "--no-renames"];
        let more = ["--no-color", "--no-ext-diff", "--no-textconv", &commit.parent, &commit.id];
        let patch = self.git(&[&args[..], &more[..]].concat())?;
        Ok(Patch::parse(&String::from_utf8_lossy(&patch)))
    }

    /// The holes of an insertion, or the reason why there are none.
    pub(super) fn holes(
        &self,
        commit: &Commit,
        insertion: &Insertion,
        grain: Grain,
    ) -> Result<Result<Vec<Hole>, &'static str>> {
        let texts =
            (self.text(&commit.parent, &insertion.path)?, self.text(&commit.id, &insertion.path)?);
        let (Some(old), Some(new)) = texts else { return Ok(Err("no text")) };
        if is_generated(&old) {
            return Ok(Err("vendored, generated or minified"));
        }
        Ok(holes(insertion, &old, &new, grain))
    }

    fn text(&self, revision: &str, path: &str) -> Result<Option<String>> {
        let bytes = self.git(&["cat-file", "blob", &format!("{revision}:{path}")])?;
        Ok(decode(bytes).ok().map(|it| it.0))
    }

    fn git(&self, args: &[&str]) -> Result<Vec<u8>> {
        let mut command = Command::new("git");
        let output = command.arg("--git-dir").arg(&self.dir).args(args).output();
        let output = output.context("cannot run git; is it installed?")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "git {}: {}", args.join(" "), said.trim());
        Ok(output.stdout)
    }
}
