//! Texts that follow from the latest edits: the same replacement again, and a new name where the old one was.

mod again;
mod new_names;
mod replacements;
mod written;

use std::collections::BTreeMap;

use foreword_chunk::{Language, Parse};
use rustc_hash::{FxHashMap, FxHashSet};

use self::new_names::renamed;
pub(super) use self::replacements::Replacements;
pub use self::written::{WrittenFault, written_edit};
use super::change::{EditedFiles, words};
use super::group::{Group, OneFile};
use super::hit::Hit;
use super::suggestion::{Place, ProposedEdit};
use crate::index::Snapshot;
use crate::index::terms::identifiers;
use crate::preset::constants::next::MOST_AGAIN;

/// The edits of a place, one a line.
pub(super) fn propose(file: &OneFile<'_>, group: &Group) -> Vec<ProposedEdit> {
    let mut by_line: BTreeMap<usize, Vec<&Hit>> = BTreeMap::new();
    for it in group.hits.iter().filter(|it| !it.is_text) {
        by_line.entry(it.line.start).or_default().push(it);
    }
    let res: Vec<ProposedEdit> = by_line.values().filter_map(|it| of_line(file, it)).collect();
    let is_bound: Vec<bool> = res.iter().map(|it| again::has_names(file, it, &res)).collect();
    res.into_iter().zip(is_bound).filter(|it| it.1).map(|it| it.0).collect()
}

fn of_line(file: &OneFile<'_>, hits: &[&Hit]) -> Option<ProposedEdit> {
    let range = hits[0].line.clone();
    let line = &file.text[range.clone()];
    if let Some(text) = again::replaced(file, &range) {
        return Some(ProposedEdit { kind: "again", range, text });
    }
    let mut names: Vec<(usize, &str, &str)> =
        hits.iter().filter_map(|it| renamed(file, it)).collect();
    names.sort_unstable();
    names.dedup_by_key(|it| it.0);
    if names.is_empty() {
        return None;
    }
    let mut text = line.to_owned();
    for (at, old, new) in names.into_iter().rev() {
        let at = at - range.start;
        text.replace_range(at..at + old.len(), new);
    }
    Some(ProposedEdit { kind: "rename", range, text })
}

/// Two lines are versions of one if half of their words are in both.
fn is_like(old: &str, new: &str) -> bool {
    let (old, new) = (words(old), words(new));
    let known: FxHashSet<&str> = new.iter().copied().collect();
    let common = old.iter().filter(|it| known.contains(*it)).count();
    common * 2 >= old.len().max(new.len())
}

/// Removes replacements that many equal lines would have, since their edit was meant for one place, and all edits of a
/// file that would have more syntax errors with them. A name in place of another changes no syntax.
pub(super) fn check(snapshot: &Snapshot, edited: &EditedFiles, places: &mut [Place]) {
    let mut again: FxHashMap<String, usize> = FxHashMap::default();
    for it in places.iter().flat_map(|it| &it.edits).filter(|it| it.kind == "again") {
        *again.entry(it.text.trim().to_owned()).or_default() += 1;
    }
    let is_rare = |it: &ProposedEdit| again.get(it.text.trim()).is_none_or(|it| *it <= MOST_AGAIN);
    let mut by_file: BTreeMap<String, Vec<ProposedEdit>> = BTreeMap::new();
    for place in places.iter_mut() {
        place.edits.retain(is_rare);
        by_file.entry(place.path.clone()).or_default().extend(place.edits.iter().cloned());
    }
    for (path, mut edits) in by_file.into_iter().filter(|it| !it.1.is_empty()) {
        let Some(file) = snapshot.file(&path) else { continue };
        let (text, language) = (snapshot.text(file), snapshot.language(file));
        let is_known = edited.iter().any(|it| it.record.language == language);
        if is_known && edits.iter().all(|it| it.kind == "rename" && renames(&text, it)) {
            continue;
        }
        edits.sort_by_key(|it| std::cmp::Reverse(it.range.start));
        let mut after = text.to_string();
        edits.iter().for_each(|it| after.replace_range(it.range.clone(), &it.text));
        let found = defects(&after, language);
        if found > 0 && found > defects(&text, language) {
            places.iter_mut().filter(|it| it.path == path).for_each(|it| it.edits.clear());
        }
    }
}

/// Whether an edit has names in place of names, and nothing else.
fn renames(text: &str, edit: &ProposedEdit) -> bool {
    fn shape(text: &str) -> Vec<(bool, &str)> {
        let (mut res, mut behind) = (Vec::new(), 0);
        identifiers(text, |start, end| {
            res.push((text.as_bytes()[start].is_ascii_digit(), &text[behind..start]));
            behind = end;
        });
        res.push((false, &text[behind..]));
        res
    }
    shape(&text[edit.range.clone()]) == shape(&edit.text)
}

/// Number of syntax errors.
fn defects(text: &str, language: Option<Language>) -> usize {
    Parse::new(text.as_bytes(), language).defects().map_or(0, |it| it.len())
}
