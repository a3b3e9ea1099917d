//! Reads commits and files of a history with the `git` command.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use foreword_load::decode;

use super::filter::is_generated;
use super::grain::{Hole, holes};
use super::hunks::{ChangedFile, headers};
use super::patch::{Insertion, Patch};
use super::request::Grain;

/// A commit with one parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) parent: String,
}

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

    /// The last `n` commits without merges, newest first.
    pub(super) fn commits(&self, last: &str, n: usize) -> Result<Vec<Commit>> {
        self.commits_about(last, n, "")
    }

    /// The last `n` commits without merges whose message has a text, in upper or lower case, newest first.
    pub(super) fn commits_about(&self, last: &str, n: usize, text: &str) -> Result<Vec<Commit>> {
        let (most, wanted) = (format!("--max-count={n}"), format!("--grep={text}"));
        let chosen = ["--no-merges", "--fixed-strings", "--regexp-ignore-case", &most, &wanted];
        let list = self.git(&[&["log", "--format=%H %P"], &chosen[..], &[last]].concat())?;
        let commit = |line: &str| {
            let (id, parents) = line.split_once(' ')?;
            let is_one = !parents.is_empty() && !parents.contains(' ');
            is_one.then(|| Commit { id: id.to_owned(), parent: parents.to_owned() })
        };
        Ok(String::from_utf8_lossy(&list).lines().filter_map(commit).collect())
    }

    /// The files of a commit that `is_wanted` accepts, with their hunks; or the reason for rejecting the commit.
    pub(super) fn changed_files(
        &self,
        commit: &Commit,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Result<Vec<ChangedFile>, &'static str>> {
        let Some(headers) = headers(&self.patch_text(commit)?) else {
            return Ok(Err("commits that delete files"));
        };
        let mut res = Vec::new();
        for header in headers.into_iter().filter(|it| is_wanted(&it.path)) {
            let old = match header.is_added {
                true => None,
                false => match self.text(&commit.parent, &header.path)? {
                    None => continue,
                    old => old,
                },
            };
            let Some(new) = self.text(&commit.id, &header.path)? else { continue };
            match ChangedFile::new(header, old, new) {
                Some(file) => res.push(file),
                None => return Ok(Err("does not line up")),
            }
        }
        Ok(Ok(res))
    }

    pub(super) fn patch(&self, commit: &Commit) -> Result<Patch> {
        Ok(Patch::parse(&self.patch_text(commit)?))
    }

    fn patch_text(&self, commit: &Commit) -> Result<String> {
        let args = ["-c", "core.quotePath=false", "diff-tree", "-r", "-p", "-U0", "--no-renames"];
        let more = ["--no-color", "--no-ext-diff", "--no-textconv", &commit.parent, &commit.id];
        let patch = self.git(&[&args[..], &more[..]].concat())?;
        Ok(String::from_utf8_lossy(&patch).into_owned())
    }

    /// The holes of an insertion, or the reason for rejecting it.
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
