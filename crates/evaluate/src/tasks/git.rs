//! Indexes the tree of a commit directly from git's objects, without a checkout.
//!
//! Skips the files that an index skips: those that `foreword_load::decode` refuses or that exceed its size limit,
//! hidden and vendored directories, lock files and minified files. Ignores ignore files, since committed files were
//! wanted, and keeps generated files.
//!
//! Keeps one snapshot between tasks and applies the next revision to it as changes while these are few, so that a
//! snapshot has at most two segments.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use foreword_engine::index::{Change, IndexConfig, Snapshot};
use foreword_engine::source::Source;
use foreword_load::{DEFAULT_MAX_FILE_SIZE, decode};

use crate::tasks::corpus::source_paths::is_source;

/// Object names by path.
type Tree = BTreeMap<String, String>;

/// Rebuilds a snapshot when more than one file in this number differs from the base.
const REBUILD: usize = 10;

/// A bare repository and its most recent snapshot.
pub struct Git {
    dir: PathBuf,
    reader: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// The revision that was indexed completely.
    base: Option<(Tree, Arc<Snapshot>)>,
    last: Option<(String, Arc<Snapshot>)>,
}

impl Git {
    /// Opens the bare repository at `dir`.
    pub fn open(dir: &Path) -> Result<Self> {
        let mut reader = Command::new("git")
            .arg("--git-dir")
            .arg(dir)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot run git")?;
        let requests = reader.stdin.take().context("cannot open the input of git")?;
        let answers = reader.stdout.take().context("cannot open the output of git")?;
        let answers = BufReader::new(answers);
        Ok(Self { dir: dir.to_owned(), reader, requests, answers, base: None, last: None })
    }

    /// Returns the snapshot of a commit.
    pub fn snapshot(&mut self, revision: &str) -> Result<Arc<Snapshot>> {
        if let Some((_, known)) = self.last.as_ref().filter(|it| it.0 == revision) {
            return Ok(Arc::clone(known));
        }
        let tree = self.tree(revision)?;
        let made = match self.base.take() {
            Some((base, snapshot)) if is_near(&base, &tree) => {
                let changes = self.changes(&base, &tree)?;
                let changed = snapshot.with_changes(changes).context("cannot index the changes")?;
                self.base = Some((base, snapshot));
                Arc::new(changed)
            }
            _ => {
                let changes = self.changes(&Tree::new(), &tree)?;
                let empty = Snapshot::empty(IndexConfig::default());
                let made = Arc::new(empty.with_changes(changes).context("cannot index the tree")?);
                self.base = Some((tree, Arc::clone(&made)));
                made
            }
        };
        self.last = Some((revision.to_owned(), Arc::clone(&made)));
        Ok(made)
    }

    /// Reads a file of a commit; `None` when it is absent or not text.
    pub fn file(&mut self, revision: &str, path: &str) -> Result<Option<String>> {
        ensure!(!path.contains('\n'), "{path:?} is no path");
        ensure!(self.has(revision)?, "{} has no commit {revision}", self.dir.display());
        self.text(&format!("{revision}:{path}"))
    }

    /// Whether the commit exists.
    pub fn has(&self, revision: &str) -> Result<bool> {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(&self.dir).args(["cat-file", "-e"]);
        let commit = format!("{revision}^{{commit}}");
        let output = command.arg(commit).output().context("cannot run git")?;
        Ok(output.status.success())
    }

    fn tree(&self, revision: &str) -> Result<Tree> {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(&self.dir).args(["ls-tree", "-r", "-z", revision]);
        let output = command.output().context("cannot run git")?;
        ensure!(output.status.success(), "{} has no commit {revision}", self.dir.display());
        Ok(parse_tree(&String::from_utf8_lossy(&output.stdout)))
    }

    /// The changes from one tree to another. Removes files that are not text in the second.
    fn changes(&mut self, from: &Tree, to: &Tree) -> Result<Vec<Change>> {
        let gone = from.keys().filter(|path| !to.contains_key(*path));
        let mut res: Vec<Change> = gone.map(|path| Change::Remove(path.clone())).collect();
        for (path, object) in to.iter().filter(|(path, object)| from.get(*path) != Some(object)) {
            res.push(match self.text(object)? {
                Some(text) => Change::Write(Source { path: path.clone(), text }),
                None => Change::Remove(path.clone()),
            });
        }
        Ok(res)
    }

    /// Reads an object; `None` when it is absent, too large or not text.
    pub(crate) fn text(&mut self, object: &str) -> Result<Option<String>> {
        writeln!(self.requests, "{object}").context("git closed its input")?;
        self.requests.flush().context("git closed its input")?;
        let mut header = String::new();
        self.answers.read_line(&mut header).context("git closed its output")?;
        if header.trim_end().ends_with(" missing") {
            return Ok(None);
        }
        let Some(size) = header.split_whitespace().nth(2).and_then(|it| it.parse::<usize>().ok())
        else {
            bail!("unexpected answer of git for {object}: {header:?}");
        };
        let mut bytes = vec![0; size + 1];
        self.answers.read_exact(&mut bytes).context("git closed its output")?;
        bytes.pop();
        let fits = size as u64 <= DEFAULT_MAX_FILE_SIZE;
        Ok(fits.then(|| decode(bytes).ok().map(|it| it.0)).flatten())
    }
}

/// The ancestor `commits` commits earlier along first parents; `None` before the beginning of history.
pub(crate) fn earlier(dir: &Path, revision: &str, commits: usize) -> Result<Option<String>> {
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(dir).args(["rev-list", "--first-parent", "-n", "1"]);
    let output = command
        .arg(format!("--skip={commits}"))
        .arg(revision)
        .output()
        .context("cannot run git")?;
    ensure!(output.status.success(), "{} has no commit {revision}", dir.display());
    let found = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(Some(found).filter(|it| !it.is_empty()))
}

/// The text of a file at a revision.
pub(crate) fn file_at(dir: &Path, revision: &str, path: &str) -> Result<String> {
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(dir).arg("show").arg(format!("{revision}:{path}"));
    let output = command.output().context("cannot run git")?;
    ensure!(output.status.success(), "{} has no {path} at {revision}", dir.display());
    Ok(String::from_utf8(output.stdout)?)
}

impl Drop for Git {
    fn drop(&mut self) {
        // The process also exits when its input closes; its exit status does not matter.
        let _ = self.reader.kill();
        let _ = self.reader.wait();
    }
}

fn is_near(base: &Tree, tree: &Tree) -> bool {
    let same = tree.iter().filter(|(path, object)| base.get(*path) == Some(object)).count();
    let changed = tree.len() - same + base.len().saturating_sub(same);
    changed * REBUILD <= tree.len()
}

/// Regular files of `git ls-tree -r -z`: `mode type object\tpath\0`.
fn parse_tree(listing: &str) -> Tree {
    let entry = |it: &str| {
        let (meta, path) = it.split_once('\t')?;
        let mut meta = meta.split(' ');
        let (mode, object) = (meta.next()?, meta.nth(1)?);
        mode.starts_with("100").then(|| (path.to_owned(), object.to_owned()))
    };
    let all: Tree = listing.split('\0').filter_map(entry).collect();
    let has = |path: &str| all.contains_key(path);
    let kept = |path: &String| is_source(path, &has);
    all.iter().filter(|it| kept(it.0)).map(|it| (it.0.clone(), it.1.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_listing_only_readable_source_is_kept() {
        let listing = [
            "100644 blob aaa\tsrc/a.go",
            "120000 blob bbb\tsrc/link.go",
            "160000 commit ccc\tmodule",
            "100755 blob ddd\tvendor/modules.txt",
            "100644 blob eee\tvendor/x/x.go",
            "100644 blob fff\t.idea/x.xml",
            "100644 blob ggg\t.github/workflows/ci.yml",
            "100644 blob hhh\tgo.sum",
            "100644 blob iii\tpkg/vendor/y.go",
        ];
        let tree = parse_tree(&(listing.join("\0") + "\0"));
        let paths: Vec<&str> = tree.keys().map(String::as_str).collect();
        assert_eq!(paths, [".github/workflows/ci.yml", "pkg/vendor/y.go", "src/a.go"]);
        assert_eq!(tree["src/a.go"], "aaa");
    }

    #[test]
    fn trees_are_near_while_few_files_differ() {
        let tree = |n: usize, changed: usize| -> Tree {
            (0..n)
                .map(|it| (it.to_string(), if it < changed { "new" } else { "old" }.to_owned()))
                .collect()
        };
        assert!(is_near(&tree(100, 0), &tree(100, 5)));
        assert!(!is_near(&tree(100, 0), &tree(100, 6)));
        assert!(!is_near(&tree(0, 0), &tree(10, 0)));
    }
}
