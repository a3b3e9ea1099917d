//! Lines that the edits replaced by others.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::index::Snapshot;
use crate::index::terms::identifiers;
use crate::next::Edit;
use crate::next::change::{EditedFile, EditedFiles, words};

/// Lines of the latest edits that are compared with the lines that they replaced.
const MAX_PAIRS: usize = 200;

/// Replacements of the edits; those that disagree are empty.
#[derive(Default)]
pub(in crate::next) struct Replacements {
    /// What replaced a line, by that line without indentation.
    pub(in crate::next) lines: FxHashMap<String, Option<Replacement>>,
    /// Lines that were replaced by others and neither define nor import a name, before and after.
    pairs: Vec<(String, String)>,
    /// Names of definitions on lines that the edits wrote.
    defined: FxHashSet<String>,
    /// By old and new name, what [`Self::are_only_renamed`] found: it is asked for each use.
    only_renamed: RefCell<FxHashMap<(String, String), bool>>,
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
        let defined = edited.iter().flat_map(EditedFile::defined_names).collect();
        let mut res = Self { defined, ..Self::default() };
        for edit in edits {
            let Some(file) = snapshot.file(&edit.path).and_then(|it| edited.get(it)) else {
                continue;
            };
            let Some(added) = file.text.get(edit.range.clone()) else { continue };
            if edit.removed.lines().count() == added.lines().count() {
                let locals = locals(snapshot, file);
                let mut at = edit.range.start;
                for (old, new) in edit.removed.lines().zip(added.split_inclusive('\n')) {
                    let line = at..at + new.len();
                    at = line.end;
                    let (old, new) = (old.trim(), new.trim());
                    if old != new {
                        res.add(old, new, &locals);
                        if res.pairs.len() < MAX_PAIRS && !file.binds(&line) {
                            res.pairs.push((old.to_owned(), new.to_owned()));
                        }
                    }
                }
            }
        }
        res
    }

    /// Whether the other uses of a renamed definition are likely to get its new name and nothing else. They are not if the
    /// edits also define the old name, as an alias, or if most of the lines on which the edits have put the new name have
    /// further changes.
    pub(super) fn are_only_renamed(&self, old: &str, new: &str) -> bool {
        let names = (old.to_owned(), new.to_owned());
        let known = self.only_renamed.borrow().get(&names).copied();
        known.unwrap_or_else(|| {
            let found = !self.defined.contains(old) && self.lines_keep_rest(old, new);
            self.only_renamed.borrow_mut().insert(names, found);
            found
        })
    }

    fn lines_keep_rest(&self, old: &str, new: &str) -> bool {
        let renamed = self
            .pairs
            .iter()
            .filter(|(before, after)| words(before).contains(&old) && words(after).contains(&new));
        let (mut all, mut alone) = (0, 0);
        for (before, after) in renamed {
            all += 1;
            alone += usize::from(with_name(before, old, new) == *after);
        }
        alone * 2 >= all
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

/// A line with a name in place of another wherever it stands alone.
fn with_name(line: &str, old: &str, new: &str) -> String {
    let (mut res, mut behind) = (String::new(), 0);
    identifiers(line, |start, end| {
        res.push_str(&line[behind..start]);
        res.push_str(if &line[start..end] == old { new } else { &line[start..end] });
        behind = end;
    });
    res + &line[behind..]
}
