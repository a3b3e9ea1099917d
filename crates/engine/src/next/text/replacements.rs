//! Lines that the edits replaced by others.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::index::Snapshot;
use crate::next::Edit;
use crate::next::change::{EditedFile, EditedFiles, words};

/// Replacements of the edits; those that disagree are empty.
#[derive(Default)]
pub(in crate::next) struct Replacements {
    /// What replaced a line, by that line without indentation.
    pub(in crate::next) lines: FxHashMap<String, Option<Replacement>>,
}

/// What replaced a line.
pub(in crate::next) struct Replacement {
    /// Without indentation.
    pub(in crate::next) line: String,
    /// Names that it adds and that are local ones where it was written.
    pub(in crate::next) locals: Vec<String>,
}

impl Replacements {
    pub(in crate::next) fn new(snapshot: &Snapshot, edited: &EditedFiles, edits: &[Edit]) -> Self {
        let mut res = Self::default();
        for edit in edits {
            let Some(file) = snapshot.file(&edit.path).and_then(|it| edited.get(it)) else {
                continue;
            };
            let Some(added) = file.text.get(edit.range.clone()) else { continue };
            if edit.removed.lines().count() == added.lines().count() {
                let locals = locals(snapshot, file);
                let pairs = edit.removed.lines().map(str::trim).zip(added.lines().map(str::trim));
                pairs.filter(|(a, b)| a != b).for_each(|(a, b)| res.add(a, b, &locals));
            }
        }
        res
    }

    fn add(&mut self, old: &str, new: &str, locals: &FxHashSet<String>) {
        let line = self.lines.entry(old.to_owned()).or_insert_with(|| {
            let had: FxHashSet<&str> = words(old).into_iter().collect();
            let added = words(new).into_iter().filter(|it| !had.contains(it));
            let locals = added.filter(|it| locals.contains(*it)).map(str::to_owned).collect();
            Some(Replacement { line: new.to_owned(), locals })
        });
        if line.as_ref().is_some_and(|it| it.line != new) {
            *line = None;
        }
    }
}

/// The names of the local variables and parameters of a file.
fn locals(snapshot: &Snapshot, file: &EditedFile) -> FxHashSet<String> {
    let all = snapshot.mentions_in(file.file);
    all.locals.iter().filter_map(|it| Some(file.text.get(it.range())?.to_owned())).collect()
}
