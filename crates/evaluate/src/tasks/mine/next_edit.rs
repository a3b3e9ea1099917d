//! Makes next-edit tasks: part of a commit's edits is applied, and the others must be found. As in an edit session
//! ([`super::session`]), the order is stated and plausible; here each hunk counts, whether it adds, replaces or removes
//! lines.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use foreword_engine::next::Edit;

use super::history::{Commit, History};
use super::hunks::{ChangedFile, HunkId};
use super::order::order;
use super::session::{MOST_HUNKS, is_written};
use crate::random::Random;

/// Lines of a file that a remaining hunk changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// From the repository's root.
    pub(crate) path: String,
    /// First replaced line, 1-based, in the current file; for an insertion, the line before.
    pub(crate) start_line: u32,
    /// The last line, inclusive.
    pub(crate) end_line: u32,
}

/// A state in the middle of a commit.
#[derive(Clone, Debug)]
pub struct EditStep {
    /// The files that differ from the parent, with their texts.
    pub(crate) files: Vec<(String, String)>,
    /// The applied edits, newest first.
    pub(crate) edits: Vec<Edit>,
    /// The remaining edits to existing files, in their order; never empty.
    pub(crate) targets: Vec<Target>,
}

/// The states after one edit, after half of them, and before the last one, each once. Returns none for commits with a
/// single hunk, too many hunks, deleted files or missing objects.
pub fn steps(git_dir: &Path, parent: &str, id: &str, seed: u64) -> Result<Vec<EditStep>> {
    let commit = Commit { id: id.to_owned(), parent: parent.to_owned() };
    let history = History::open(git_dir)?;
    let Ok(files) = history.changed_files(&commit, is_written)? else { return Ok(Vec::new()) };
    let n: usize = files.iter().map(|it| it.hunks.len()).sum();
    if !(2..=MOST_HUNKS).contains(&n) {
        return Ok(Vec::new());
    }
    let order = order(&files, Random::of_name(&format!("session {seed} {id}")));
    let places = BTreeSet::from([1, n / 2, n - 1]);
    let step = |at: usize| step(&files, &order[..at], &order[at..]);
    Ok(places.into_iter().filter(|it| *it > 0).filter_map(step).collect())
}

fn step(files: &[ChangedFile], before: &[HunkId], after: &[HunkId]) -> Option<EditStep> {
    let is_applied = |file: usize| move |hunk: usize| before.contains(&HunkId { file, hunk });
    let changed: BTreeSet<usize> = before.iter().map(|it| it.file).collect();
    let text = |file: usize| files[file].with(is_applied(file));
    let line = |it: &HunkId| files[it.file].lines_before(it.hunk, is_applied(it.file));
    let edit = |it: &HunkId| {
        let (file, text) = (&files[it.file], text(it.file));
        let starts = text.match_indices('\n').map(|it| it.0 + 1);
        let start = std::iter::once(0).chain(starts).nth(line(it)).unwrap_or(text.len());
        let range = start..start + file.added(it.hunk).len();
        Edit { path: file.path.clone(), range, removed: file.removed(it.hunk).to_owned() }
    };
    let target = |it: &HunkId| {
        let (file, above) = (&files[it.file], line(it) as u32);
        // Positions in a new file cannot be predicted.
        file.old.as_ref()?;
        let removed = file.removed(it.hunk).lines().count() as u32;
        let start_line = if removed > 0 { above + 1 } else { above.max(1) };
        let end_line = start_line + removed.saturating_sub(1);
        Some(Target { path: file.path.clone(), start_line, end_line })
    };
    let targets: Vec<Target> = after.iter().filter_map(target).collect();
    (!targets.is_empty()).then(|| EditStep {
        files: changed.iter().map(|it| (files[*it].path.clone(), text(*it))).collect(),
        edits: before.iter().rev().map(edit).collect(),
        targets,
    })
}
