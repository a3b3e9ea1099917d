//! Subjects of commits and the definitions that they change.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use foreword_chunk::LineIndex;
use foreword_engine::source::Source;

use super::is_wanted;
use super::row::{PairKind, Row};
use super::units::{Unit, units};
use crate::tasks::git::Git;

/// A commit that changes more files than this is about no definition.
const MOST_FILES: usize = 4;

/// Nor is one that changes more definitions.
const MOST_DEFINITIONS: usize = 4;

/// Subjects with one of these words say what was done to a project, not to its code.
const CHORES: [&str; 16] = [
    "bump",
    "release",
    "version",
    "merge",
    "changelog",
    "typo",
    "typos",
    "readme",
    "docs",
    "lint",
    "revert",
    "format",
    "rubocop",
    "dependabot",
    "deps",
    "ci",
];

/// What begins a commit in the log: a byte that no text has.
const COMMIT: char = '\u{1}';

/// A commit: its subject, its parent, and the lines of the parent's files that it changes.
struct Commit<'l> {
    subject: &'l str,
    parent: &'l str,
    hunks: Vec<(&'l str, u32, u32)>,
}

/// Calls `found` with the pairs of the last `n` commits.
pub(super) fn pairs(
    source: &str,
    git_dir: &Path,
    revision: &str,
    n: usize,
    found: &mut dyn FnMut(Row),
) -> Result<()> {
    if n == 0 {
        return Ok(());
    }
    let log = log(git_dir, revision, n)?;
    let mut git = Git::open(git_dir)?;
    for commit in log.split(COMMIT).filter_map(Commit::parse) {
        let Some(text) = subject(commit.subject) else { continue };
        let mut rows = Vec::new();
        let mut paths: Vec<&str> = commit.hunks.iter().map(|it| it.0).collect();
        paths.dedup();
        for path in paths {
            let old = git.text(&format!("{}:{path}", commit.parent))?;
            let Some(old) = old else { continue };
            let file = Source { path: path.to_owned(), text: old };
            for unit in changed(&file, &commit.hunks) {
                rows.push(unit.row(source, PairKind::Commit, text.clone()));
            }
        }
        if rows.len() <= MOST_DEFINITIONS {
            rows.into_iter().for_each(&mut *found);
        }
    }
    Ok(())
}

/// The last `n` commits with one parent, each with its patch without context.
fn log(git_dir: &Path, revision: &str, n: usize) -> Result<String> {
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(git_dir).args([
        "-c",
        "core.quotePath=false",
        "log",
        "--no-merges",
    ]);
    command.args(["--min-parents=1", "-p", "-U0", "--no-renames", "--no-color", "--no-ext-diff"]);
    command.arg(format!("--format={COMMIT}%P%n%s")).arg(format!("--max-count={n}")).arg(revision);
    let output = command.output().context("cannot run git; is it installed?")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(log);
    }
    // A partial clone lacks objects of some commits: those before are whole.
    let whole = log.rfind(COMMIT).map_or("", |at| &log[..at]);
    ensure!(!whole.is_empty(), "git log of {}: {}", git_dir.display(), said.trim());
    Ok(whole.to_owned())
}

impl<'l> Commit<'l> {
    /// A commit of the log; `None` if it changes too much, or no code.
    fn parse(text: &'l str) -> Option<Self> {
        let mut lines = text.lines();
        let (parent, subject) = (lines.next()?, lines.next()?);
        let (mut hunks, mut path, mut files) = (Vec::new(), None, 0);
        for line in lines {
            if let Some(name) = line.strip_prefix("--- ") {
                path = name.strip_prefix("a/").filter(|it| is_wanted(it));
                files += usize::from(path.is_some());
            } else if let (Some(header), Some(path)) = (line.strip_prefix("@@ -"), path) {
                let (first, n) = old_lines(header)?;
                hunks.push((path, first, first + n.max(1) - 1));
            }
        }
        let is_small = (1..=MOST_FILES).contains(&files);
        is_small.then_some(Self { subject, parent, hunks })
    }
}

/// The first line and the number of lines of `12,3 +…`.
fn old_lines(header: &str) -> Option<(u32, u32)> {
    let range = header.split(' ').next()?;
    let (first, n) = range.split_once(',').unwrap_or((range, "1"));
    Some((first.parse().ok()?, n.parse().ok()?))
}

/// The innermost definitions that a commit changes in a file.
fn changed<'s>(file: &'s Source, hunks: &[(&str, u32, u32)]) -> Vec<Unit<'s>> {
    let lines = LineIndex::new(file.text.as_bytes());
    let all: Vec<Unit<'_>> = units(file);
    let here = hunks.iter().filter(|it| it.0 == file.path);
    let touched = |&(_, first, last): &(&str, u32, u32)| {
        let holds = |it: &Unit<'_>| {
            let (from, to) = lines.lines_of(it.span);
            from <= last && first <= to
        };
        all.iter().rposition(holds)
    };
    let mut places: Vec<usize> = here.filter_map(touched).collect();
    places.sort_unstable();
    places.dedup();
    let chosen = |(at, _): &(usize, Unit<'_>)| places.binary_search(at).is_ok();
    all.into_iter().enumerate().filter(chosen).map(|it| it.1).collect()
}

/// What a subject says, without the marks of its project; `None` if it says nothing of code.
fn subject(text: &str) -> Option<String> {
    let text = text.split(" (#").next()?.trim();
    let text = match text.split_once(": ") {
        Some((mark, rest)) if mark.split_whitespace().count() == 1 => rest,
        _ => text,
    };
    let words: Vec<&str> =
        text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let is_chore = |it: &&str| CHORES.contains(&it.to_lowercase().as_str());
    (words.len() >= 3 && !words.iter().any(is_chore)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_loses_the_marks_of_its_project() {
        assert_eq!(
            subject("fix: Keep the cookie on redirects (#12)").unwrap(),
            "Keep the cookie on redirects"
        );
        assert_eq!(subject("Bump the parser to 2"), None);
        assert_eq!(subject("Fix it"), None);
    }

    #[test]
    fn a_commit_is_read_with_the_lines_that_it_changes() {
        let text = "p1\nKeep the cookie\n\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -4,2 +4 @@ def a\n-x\n@@ -9,0 +9 @@\n+y\n";
        let commit = Commit::parse(text).unwrap();
        assert_eq!((commit.parent, commit.subject), ("p1", "Keep the cookie"));
        assert_eq!(commit.hunks, [("x.py", 4, 5), ("x.py", 9, 9)]);
    }

    #[test]
    fn the_innermost_definition_is_changed() {
        let text = "class A:\n    def one(self, value):\n        return self.parse(value) + 1\n\n    \
            def two(self, value):\n        return self.parse(value) + 2\n";
        let file = Source { path: "x.py".into(), text: text.into() };
        let found = changed(&file, &[("x.py", 6, 6)]);
        assert_eq!(found.iter().map(|it| it.short_name).collect::<Vec<_>>(), ["two"]);
    }
}
