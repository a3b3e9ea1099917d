//! Makes next-edit tasks: part of a commit's edits is applied, and the others must be found. As in an edit session
//! ([`super::session`]), the order is stated and plausible; here each hunk counts, whether it adds, replaces or removes
//! lines.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use foreword_engine::next::Edit;

use super::history::{Commit, History};
use super::hunks::{ChangedFile, HunkId};
use super::order::order;
use super::session::{MOST_HUNKS, is_written};
use crate::random::Random;

/// Hunks with at most this many lines between them are one step of work: whoever is at one sees the other.
pub(crate) const NEAR: u32 = 10;

/// A step of work that remains: a hunk, or several near ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// From the repository's root.
    pub(crate) path: String,
    /// First replaced line, 1-based, in the current file; for an insertion, the line before.
    pub(crate) start_line: u32,
    /// The last line, inclusive.
    pub(crate) end_line: u32,
}

/// A state in the middle or at the end of a commit.
#[derive(Clone, Debug)]
pub struct EditStep {
    /// The files that differ from the parent, with their texts.
    pub(crate) files: Vec<(String, String)>,
    /// The applied edits, newest first; near ones are still apart.
    pub(crate) edits: Vec<Edit>,
    /// Number of the edits that belong to the last step.
    pub(crate) last: usize,
    /// The remaining steps in existing files, in their order; empty only after the last one.
    pub(crate) targets: Vec<Target>,
    /// The remaining hunks: in the current files, the first replaced line, the lines and what they become.
    pub(crate) hunks: Vec<RemainingHunk>,
}

/// A hunk that is not applied yet.
#[derive(Clone, Debug)]
pub struct RemainingHunk {
    pub(crate) path: String,
    /// First replaced line, 1-based.
    pub(crate) line: u32,
    pub(crate) removed: String,
    pub(crate) added: String,
}

/// A commit by its hash and that of its parent.
#[derive(Clone, Debug)]
pub struct PastCommit {
    pub(crate) id: String,
    pub(crate) parent: String,
}

/// The last `n` commits without merges whose message has a text, in upper or lower case, newest first.
pub fn commits(git_dir: &Path, n: usize, text: &str) -> Result<Vec<PastCommit>> {
    let history = History::open(git_dir)?;
    let all = history.commits_about(&history.resolve("HEAD")?, n, text)?;
    Ok(all.into_iter().map(|it| PastCommit { id: it.id, parent: it.parent }).collect())
}

/// The states after one step, after half of them, before and after the last one, each once. Returns none for commits with
/// a single step, too many hunks, deleted files or missing objects.
pub fn steps(git_dir: &Path, commit: &PastCommit, seed: u64) -> Result<Vec<EditStep>> {
    let PastCommit { id, parent } = commit;
    let commit = Commit { id: id.clone(), parent: parent.clone() };
    let history = History::open(git_dir)?;
    let Ok(files) = history.changed_files(&commit, is_written)? else { return Ok(Vec::new()) };
    let n: usize = files.iter().map(|it| it.hunks.len()).sum();
    if n > MOST_HUNKS {
        return Ok(Vec::new());
    }
    let groups: Vec<Vec<Range<usize>>> = files.iter().map(groups).collect();
    let merged: Vec<ChangedFile> =
        files.iter().zip(&groups).map(|(it, of)| merge(it, of)).collect();
    let order = order(&merged, Random::of_name(&format!("session {seed} {id}")));
    let n = order.len();
    let step = |it: &HunkId| Step { file: it.file, hunks: groups[it.file][it.hunk].clone() };
    let order: Vec<Step> = order.iter().map(step).collect();
    if n < 2 {
        return Ok(Vec::new());
    }
    let places = BTreeSet::from([1, n / 2, n - 1, n]);
    let state = |at: usize| state(&files, &order[..at], &order[at..]);
    Ok(places.into_iter().filter_map(state).collect())
}

/// Near hunks of a file.
struct Step {
    file: usize,
    hunks: Range<usize>,
}

/// The hunks of a file by steps.
fn groups(file: &ChangedFile) -> Vec<Range<usize>> {
    let old = file.old.as_deref().unwrap_or_default();
    let mut res: Vec<Range<usize>> = Vec::new();
    for (idx, hunk) in file.hunks.iter().enumerate() {
        let lines = |from: usize| old[from..hunk.old.start].lines().count() as u32;
        match res.last_mut() {
            Some(it) if lines(file.hunks[it.end - 1].old.end) <= NEAR => it.end = idx + 1,
            _ => res.push(idx..idx + 1),
        }
    }
    res
}

/// The file with one hunk for each step.
fn merge(file: &ChangedFile, groups: &[Range<usize>]) -> ChangedFile {
    let whole = |it: &Range<usize>| {
        let (first, last) = (&file.hunks[it.start], &file.hunks[it.end - 1]);
        let (old, new) = (first.old.start..last.old.end, first.new.start..last.new.end);
        super::hunks::Hunk { old, new }
    };
    ChangedFile { hunks: groups.iter().map(whole).collect(), ..file.clone() }
}

fn state(files: &[ChangedFile], before: &[Step], after: &[Step]) -> Option<EditStep> {
    let has = |file: usize, hunk: usize| {
        before.iter().any(|it| it.file == file && it.hunks.contains(&hunk))
    };
    let is_applied = |file: usize| move |hunk: usize| has(file, hunk);
    let changed: BTreeSet<usize> = before.iter().map(|it| it.file).collect();
    let text = |file: usize| files[file].with(is_applied(file));
    let line = |file: usize, hunk: usize| files[file].lines_before(hunk, is_applied(file));
    let edit = |(at, hunk): (usize, usize)| {
        let (file, text) = (&files[at], text(at));
        let starts = text.match_indices('\n').map(|it| it.0 + 1);
        let start = std::iter::once(0).chain(starts).nth(line(at, hunk)).unwrap_or(text.len());
        let range = start..start + file.added(hunk).len();
        Edit { path: file.path.clone(), range, removed: file.removed(hunk).to_owned() }
    };
    let removed = |it: &Step, hunk: usize| files[it.file].removed(hunk).lines().count() as u32;
    let target = |it: &Step| {
        // Positions in a new file cannot be predicted.
        files[it.file].old.as_ref()?;
        let last = it.hunks.end - 1;
        let above = line(it.file, it.hunks.start) as u32;
        let is_insertion = removed(it, it.hunks.start) == 0;
        let start_line = if is_insertion { above.max(1) } else { above + 1 };
        let end_line = (line(it.file, last) as u32 + removed(it, last)).max(start_line);
        Some(Target { path: files[it.file].path.clone(), start_line, end_line })
    };
    let hunk = |(file, hunk): (usize, usize)| RemainingHunk {
        path: files[file].path.clone(),
        line: line(file, hunk) as u32 + 1,
        removed: files[file].removed(hunk).to_owned(),
        added: files[file].added(hunk).to_owned(),
    };
    let targets: Vec<Target> = after.iter().filter_map(target).collect();
    (after.is_empty() || !targets.is_empty()).then(|| EditStep {
        files: changed.iter().map(|it| (files[*it].path.clone(), text(*it))).collect(),
        edits: before.iter().rev().flat_map(|it| it.hunks().rev()).map(edit).collect(),
        last: before.last().map_or(0, |it| it.hunks.len()),
        targets,
        hunks: after.iter().flat_map(Step::hunks).map(hunk).collect(),
    })
}

impl Step {
    /// Its file and each hunk.
    fn hunks(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
        let file = self.file;
        self.hunks.clone().map(move |hunk| (file, hunk))
    }
}
