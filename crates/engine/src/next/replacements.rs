//! Lines that the edits replaced by others.

use rustc_hash::FxHashMap;

use super::Edit;
use super::change::EditedFiles;
use crate::index::Snapshot;

/// Replacements of the edits; those that disagree are empty.
#[derive(Default)]
pub(super) struct Replacements {
    /// New lines by the replaced ones, both without indentation.
    pub(super) lines: FxHashMap<String, Option<String>>,
}

impl Replacements {
    pub(super) fn new(snapshot: &Snapshot, edited: &EditedFiles, edits: &[Edit]) -> Self {
        let mut res = Self::default();
        for edit in edits {
            let Some(file) = snapshot.file(&edit.path).and_then(|it| edited.get(it)) else {
                continue;
            };
            let Some(added) = file.text.get(edit.range.clone()) else { continue };
            if edit.removed.lines().count() == added.lines().count() {
                let pairs = edit.removed.lines().zip(added.lines());
                pairs.filter(|(a, b)| a.trim() != b.trim()).for_each(|(a, b)| res.add(a, b));
            }
        }
        res
    }

    fn add(&mut self, old: &str, new: &str) {
        let line = self.lines.entry(old.trim().to_owned()).or_insert(Some(new.trim().to_owned()));
        if line.as_deref() != Some(new.trim()) {
            *line = None;
        }
    }
}
