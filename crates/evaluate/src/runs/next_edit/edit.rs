//! Judges the text of a proposed edit against the hunks of the commit that are left.

use std::collections::BTreeMap;

use foreword_chunk::LineIndex;
use foreword_engine::index::Snapshot;
use foreword_engine::next::{Place, ProposedEdit};

use super::outcome::JudgedEdit;
use crate::measures::chrf;
use crate::tasks::mine::RemainingHunk;

/// An edit at a place against the remaining hunks.
pub(super) fn judge(
    snapshot: &Snapshot,
    (place, edit): (&Place, &ProposedEdit),
    hunks: &[RemainingHunk],
) -> JudgedEdit {
    let text = snapshot.file(&place.path).map(|it| snapshot.text(it)).unwrap_or_default();
    let first = LineIndex::new(text.as_bytes()).line_of(edit.range.start);
    let old = text.get(edit.range.clone()).unwrap_or_default();
    let holds = |it: &&RemainingHunk| {
        let n = it.removed.lines().count() as u32;
        it.path == place.path && it.line <= first && first < it.line + n
    };
    let hunk = hunks.iter().find(holds);
    let last = hunk.map_or_else(|| old.to_owned(), |it| committed(it, first, &edit.text));
    JudgedEdit {
        place: format!("{}:{first}", place.path),
        kind: edit.kind,
        old: old.to_owned(),
        new: edit.text.clone(),
        is_changed: hunk.is_some(),
        is_right: hunk.is_some() && last.lines().eq(edit.text.lines()),
        kept: kept(old, &edit.text, &last),
        chrf_gain: chrf(&edit.text, &last) - chrf(old, &last),
    }
}

/// The lines of the commit in place of those from `first` on that a hunk replaces. If it replaces them by more or fewer,
/// these are as many of its lines as `new` has, those most like it.
fn committed(hunk: &RemainingHunk, first: u32, new: &str) -> String {
    let added: Vec<&str> = hunk.added.lines().collect();
    let n = new.lines().count().max(1);
    if hunk.removed.lines().count() == added.len() {
        let at = (first - hunk.line) as usize;
        return added.get(at..at + n).unwrap_or(&added[at..]).join("\n");
    }
    let windows: Vec<String> =
        added.windows(n.min(added.len()).max(1)).map(|it| it.join("\n")).collect();
    // chrF knows no white space.
    let exact = windows.iter().find(|it| it.lines().eq(new.lines()));
    let alike = || windows.iter().max_by(|a, b| chrf(new, a).total_cmp(&chrf(new, b)));
    exact.or_else(alike).cloned().unwrap_or_default()
}

/// The share of the words which `new` adds to `old` that `last` adds, too.
fn kept(old: &str, new: &str, last: &str) -> Option<f64> {
    let (proposed, committed) = (added_words(old, new), added_words(old, last));
    let n: usize = proposed.values().sum();
    let both = proposed.iter().map(|(word, n)| (*n).min(committed.get(word).copied().unwrap_or(0)));
    let both: usize = both.sum();
    (n > 0).then(|| both as f64 / n as f64)
}

/// The words of `new` with their numbers above those in `old`.
fn added_words<'t>(old: &str, new: &'t str) -> BTreeMap<&'t str, usize> {
    let mut res: BTreeMap<&str, usize> = BTreeMap::new();
    for word in words(new) {
        *res.entry(word).or_default() += 1;
    }
    for word in words(old) {
        if let Some(n) = res.get_mut(word) {
            *n = n.saturating_sub(1);
        }
    }
    res
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunk(line: u32, removed: &str, added: &str) -> RemainingHunk {
        RemainingHunk { path: "a.py".into(), line, removed: removed.into(), added: added.into() }
    }

    #[test]
    fn the_lines_of_the_commit_stand_at_the_same_place_or_are_the_most_alike() {
        let even = hunk(5, "a\nb\n", "c\nd\n");
        assert_eq!(committed(&even, 6, "x"), "d");
        assert_eq!(committed(&even, 6, "x\ny"), "d");
        let longer = hunk(5, "call(a)\n", "first()\ncall(a, b)\n");
        assert_eq!(committed(&longer, 5, "call(a, c)"), "call(a, b)");
        assert_eq!(committed(&hunk(5, "gone\n", ""), 5, "x"), "");
    }

    #[test]
    fn only_added_words_are_kept_or_lost() {
        assert_eq!(kept("call(a)", "call(a, b)", "call(a, b)"), Some(1.0));
        assert_eq!(kept("call(a)", "call(b, c)", "call(b)"), Some(0.5));
        assert_eq!(kept("call(a)", "call(b)", "call(a)"), Some(0.0));
        assert_eq!(kept("call(a, b)", "call(a)", "call(a)"), None);
    }
}
