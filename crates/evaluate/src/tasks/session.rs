//! The editing session before a commit, reconstructed from the commits before it.
//!
//! An editor knows which files were open and where they were edited. The history tells the same, more coarsely; and as
//! only earlier commits are read, nothing of the task's own commit is in it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// How many commits are read.
const COMMITS: usize = 20;

/// The largest number of edits in a session.
const PLACES: usize = 32;

/// Where a file was edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditLocation {
    /// The file, from the repository's root.
    pub path: String,
    /// The first line of the first change, 1-based, as it was after that change.
    pub line: u32,
}

/// The edits of the last commits up to `revision`, the latest first, each file once.
pub fn session(git_dir: &Path, revision: &str) -> Result<Vec<EditLocation>> {
    let output = Command::new("git")
        .args(["-c", "core.quotePath=false", "--git-dir"])
        .arg(git_dir)
        .args(["log", "--no-merges", "--no-color", "--no-ext-diff", "-p", "-U0", "--format="])
        .arg(format!("--max-count={COMMITS}"))
        .args(["--end-of-options", revision])
        .output()
        .context("cannot run git; is it installed?")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let shown = git_dir.display();
    ensure!(output.status.success(), "git log {revision} in {shown}: {}", said.trim());
    Ok(places(&String::from_utf8_lossy(&output.stdout)))
}

/// The edits of a patch without context lines.
fn places(patch: &str) -> Vec<EditLocation> {
    let mut res: Vec<EditLocation> = Vec::new();
    let (mut path, mut in_header): (Option<&str>, bool) = (None, false);
    for line in patch.lines() {
        if line.starts_with("diff --git ") {
            (path, in_header) = (None, true);
        } else if let Some(name) = line.strip_prefix("+++ ").filter(|_| in_header) {
            path = name.trim_end_matches('\t').strip_prefix("b/");
        } else if let Some(hunk) = line.strip_prefix("@@ ") {
            in_header = false;
            let Some(path) = path.take() else { continue };
            if res.iter().all(|it| it.path != path) {
                res.push(EditLocation { path: path.to_owned(), line: first_line(hunk) });
            }
            if res.len() == PLACES {
                break;
            }
        }
    }
    res
}

/// The new line of a hunk header: of `-1,2 +3,4 @@ …`, 3.
fn first_line(hunk: &str) -> u32 {
    let new = hunk.split(' ').find_map(|it| it.strip_prefix('+'));
    let line = new.and_then(|it| it.split(',').next()).and_then(|it| it.parse().ok());
    line.unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_once_at_its_latest_change() {
        let patch = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,0 +8,2 @@ def a\n+@@ -1 +99 @@\n\
            @@ -30 +40 @@\n+x\ndiff --git a/old.py b/old.py\n--- a/old.py\n+++ /dev/null\n@@ -1,3 +0,0 @@\n\
            diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -5 +5 @@\n\
            diff --git a/y z.py b/y z.py\n--- /dev/null\n+++ b/y z.py\t\n@@ -0,0 +1 @@\n";
        let got: Vec<(String, u32)> =
            places(patch).into_iter().map(|it| (it.path, it.line)).collect();
        assert_eq!(got, [("x.py".to_owned(), 8), ("y z.py".to_owned(), 1)]);
    }
}
