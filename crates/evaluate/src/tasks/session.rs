//! Edits before a hole: in earlier commits, and, in a task with a session, since the commit.
//!
//! An editor knows which files were open and where they were edited. The history is a coarser substitute; only earlier
//! commits are read, so it contains nothing of the task's own commit. The task lists the edits since the commit
//! ([`SessionEdit`]); [`check`] verifies that they are the only differences between its code and the commit.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::scope::Activity;

use crate::tasks::task::{SessionEdit, Task};

/// Number of commits to read.
const COMMITS: usize = 20;

/// The largest number of edits in a session.
const PLACES: usize = 32;

/// The position of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditLocation {
    /// Path from the repository's root.
    pub(crate) path: String,
    /// First line of the first change, 1-based, right after that change.
    pub(crate) line: u32,
}

/// The locations of edits, in their order.
pub fn locations(edits: &[SessionEdit]) -> impl Iterator<Item = EditLocation> {
    edits.iter().map(|it| EditLocation { path: it.path.clone(), line: it.line })
}

/// The editor activity that edits imply at a cursor in `path`: positions in other files and the text written there,
/// newest first.
pub fn activity(edits: &[SessionEdit], path: &str) -> Activity {
    let others = || edits.iter().filter(|it| it.path != path);
    Activity {
        visited: others().map(|it| (it.path.clone(), it.line)).collect(),
        edited: others().flat_map(|it| it.added.lines().map(str::to_owned)).collect(),
    }
}

/// The task's file without its hole and the typed text around it.
pub fn text_before_hole(task: &Task) -> Result<String> {
    let [prefix, suffix] = [&task.prefix, &task.suffix].map(|it| it.as_deref().unwrap_or_default());
    let before = prefix.len().checked_sub(task.meta.typed_before).and_then(|it| prefix.get(..it));
    let after = suffix.get(task.meta.typed_after..);
    let (before, after) = before.zip(after).context("more is typed than there is")?;
    Ok(format!("{before}{after}"))
}

/// A file before the edits of a session.
pub fn without_edits(text: &str, path: &str, edits: &[SessionEdit]) -> Result<String> {
    let mut of_file: Vec<&SessionEdit> = edits.iter().filter(|it| it.path == path).collect();
    // From the bottom, so that the lines above keep their numbers.
    of_file.sort_by_key(|it| std::cmp::Reverse(it.line));
    let mut res = text.to_owned();
    for it in of_file {
        let breaks = res.match_indices('\n').map(|it| it.0 + 1);
        let start = std::iter::once(0).chain(breaks).nth(it.line.saturating_sub(1) as usize);
        let start = start.with_context(|| format!("{path} has no line {}", it.line))?;
        let is_there = res[start..].starts_with(&it.added);
        ensure!(is_there, "{path}:{} is not what the session wrote there", it.line);
        res.replace_range(start..start + it.added.len(), &it.removed);
    }
    Ok(res)
}

/// Checks that the edited files differ from those of the commit by the session's edits only, so that they contain no
/// later change. `committed` returns the commit's texts.
pub fn check(task: &Task, mut committed: impl FnMut(&str) -> Result<Option<String>>) -> Result<()> {
    let target = task.target_file.as_deref().unwrap_or_default();
    let edited = task.session.iter().map(|it| it.path.as_str());
    let saved = task.corpus.edits.iter().map(|it| it.path.as_str());
    let paths: BTreeSet<&str> = edited.chain(saved).chain([target]).collect();
    for path in paths {
        let is_saved = task.corpus.edits.iter().rfind(|it| it.path == path);
        let text = match is_saved {
            Some(it) => it.text.clone().unwrap_or_default(),
            None => {
                ensure!(
                    path == target,
                    "the session edits {path}, and the corpus does not have that"
                );
                text_before_hole(task)?
            }
        };
        ensure!(is_saved.is_none() || path != target, "the text of the cursor's file is unsaved");
        let before = without_edits(&text, path, &task.session)?;
        ensure!(
            before == committed(path)?.unwrap_or_default(),
            "{path} has more than the commit and the session: the hole may be in the corpus"
        );
    }
    Ok(())
}

/// The edits of the last commits up to `revision`, newest first, one per file.
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

/// The new line of a hunk header: 3 for `-1,2 +3,4 @@ …`.
fn first_line(hunk: &str) -> u32 {
    let new = hunk.split(' ').find_map(|it| it.strip_prefix('+'));
    let line = new.and_then(|it| it.split(',').next()).and_then(|it| it.parse().ok());
    line.unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(path: &str, line: u32, removed: &str, added: &str) -> SessionEdit {
        SessionEdit { path: path.into(), line, removed: removed.into(), added: added.into() }
    }

    #[test]
    fn edits_are_undone_from_below() {
        let edits =
            [edit("a", 1, "", "x\ny\n"), edit("b", 1, "", "z"), edit("a", 4, "c\n", "C\nd\n")];
        assert_eq!(without_edits("x\ny\nb\nC\nd\n", "a", &edits).unwrap(), "b\nc\n");
        let error = without_edits("b\nc\n", "a", &edits).unwrap_err().to_string();
        assert!(error.contains("a has no line 4"), "{error}");
        let error = without_edits("x\n\n\nD\n", "a", &edits).unwrap_err().to_string();
        assert!(error.contains("a:4"), "{error}");
    }

    #[test]
    fn what_is_told_of_other_files_comes_latest_first() {
        let edits = [edit("b", 3, "", "x\ny\n"), edit("a", 1, "", "z\n"), edit("c", 9, "", "w\n")];
        let told = activity(&edits, "a");
        assert_eq!(told.visited, [("b".to_owned(), 3), ("c".to_owned(), 9)]);
        assert_eq!(told.edited, ["x", "y", "w"]);
    }

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
