//! Texts that follow from the latest edits: the same replacement again, and a new name where the old one was.

use std::collections::BTreeMap;
use std::ops::Range;

use foreword_chunk::{Language, Parse};
use rustc_hash::FxHashMap;

use super::change::{ChangeKind, words};
use super::group::{Group, OneFile};
use super::hit::{Hit, Mention};
use super::reason::NextReason;
use super::suggestion::{Place, ProposedEdit};
use crate::index::Snapshot;
use crate::preset::constants::next::{MOST_AGAIN, SHORTEST_LIKE_LINE};

/// The edits of a place, one a line.
pub(super) fn propose(file: &OneFile<'_>, group: &Group) -> Vec<ProposedEdit> {
    let mut by_line: BTreeMap<usize, Vec<&Hit>> = BTreeMap::new();
    for it in group.hits.iter().filter(|it| !it.is_text) {
        by_line.entry(it.line.start).or_default().push(it);
    }
    by_line.values().filter_map(|it| of_line(file, it)).collect()
}

fn of_line(file: &OneFile<'_>, hits: &[&Hit]) -> Option<ProposedEdit> {
    let range = hits[0].line.clone();
    let line = &file.text[range.clone()];
    let replacements = &file.context.replacements;
    let trimmed = line.trim();
    if let Some(Some(new)) = replacements.lines.get(trimmed)
        && trimmed.len() >= SHORTEST_LIKE_LINE
        && is_like(trimmed, new)
        && !defines(file, &range)
    {
        return Some(ProposedEdit { kind: "again", range, text: line.replacen(trimmed, new, 1) });
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
pub(super) fn is_like(old: &str, new: &str) -> bool {
    let (old, new) = (words(old), words(new));
    let common = old.iter().filter(|it| new.contains(it)).count();
    common * 2 >= old.len().max(new.len())
}

/// A line that names a definition: an equal line elsewhere names another one.
fn defines(file: &OneFile<'_>, line: &Range<usize>) -> bool {
    file.record.symbols.definitions.iter().any(|it| line.contains(&(it.name.start as usize)))
}

/// Position, old and new name where a use refers to a renamed definition.
fn renamed<'h>(file: &OneFile<'_>, hit: &'h Hit) -> Option<(usize, &'h str, &'h str)> {
    let NextReason::Name { name, change: ChangeKind::Renamed(new) } = &hit.reason else {
        return None;
    };
    let is_sure = matches!(hit.mention, Mention::Sure | Mention::Broken);
    (is_sure && file.text[hit.at..].starts_with(name.as_str())).then_some((hit.at, name, new))
}

/// Removes replacements that many equal lines would have, since their edit was meant for one place, and all edits of a
/// file that would have more syntax errors with them.
pub(super) fn check(snapshot: &Snapshot, places: &mut [Place]) {
    let mut again: FxHashMap<String, usize> = FxHashMap::default();
    for it in places.iter().flat_map(|it| &it.edits).filter(|it| it.kind == "again") {
        *again.entry(it.text.trim().to_owned()).or_default() += 1;
    }
    let is_rare = |it: &ProposedEdit| again.get(it.text.trim()).is_none_or(|it| *it <= MOST_AGAIN);
    let mut by_file: BTreeMap<String, Vec<(Range<usize>, String)>> = BTreeMap::new();
    for place in places.iter_mut() {
        place.edits.retain(is_rare);
        let edits = place.edits.iter().map(|it| (it.range.clone(), it.text.clone()));
        by_file.entry(place.path.clone()).or_default().extend(edits);
    }
    for (path, mut edits) in by_file.into_iter().filter(|it| !it.1.is_empty()) {
        let Some(file) = snapshot.file(&path) else { continue };
        let text = snapshot.text(file);
        edits.sort_by_key(|it| std::cmp::Reverse(it.0.start));
        let mut after = text.to_string();
        edits.iter().for_each(|(range, new)| after.replace_range(range.clone(), new));
        let language = snapshot.language(file);
        if defects(&after, language) > defects(&text, language) {
            places.iter_mut().filter(|it| it.path == path).for_each(|it| it.edits.clear());
        }
    }
}

/// Number of syntax errors.
pub(super) fn defects(text: &str, language: Option<Language>) -> usize {
    Parse::new(text.as_bytes(), language).defects().map_or(0, |it| it.len())
}
