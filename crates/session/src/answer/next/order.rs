//! The order of edits: the latest first, as far as it is known.

use std::ops::Range;

use foreword_chunk::LineIndex;
use foreword_engine::index::Snapshot;
use foreword_engine::next::Edit;
use foreword_engine::sorting::sort_by_key;

/// Bytes of a file that the user wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenRange {
    /// The file, relative to the root.
    pub path: String,
    /// In the current text; empty where something was deleted.
    pub range: Range<usize>,
}

/// Sorts edits in `written` first, in its order; the others keep theirs.
pub(super) fn in_time(edits: &mut [Edit], written: &[WrittenRange]) {
    let touches = |edit: &Edit, it: &WrittenRange| {
        it.path == edit.path && it.range.start <= edit.range.end && edit.range.start <= it.range.end
    };
    sort_by_key(edits, |edit| {
        written.iter().position(|it| touches(edit, it)).unwrap_or(usize::MAX)
    });
}

/// Sorts the edits of the cursor's file first, nearest first. Without edits, the cursor's line counts as one.
pub(super) fn towards(snapshot: &Snapshot, edits: &mut Vec<Edit>, (path, line): (&str, u32)) {
    let Some(file) = snapshot.file(path) else { return };
    let text = snapshot.text(file);
    let at = LineIndex::new(text.as_bytes()).start_of(line).min(text.len());
    if edits.is_empty() {
        let line = text[at..].split_inclusive('\n').next().unwrap_or_default();
        let range = at..at + line.len();
        edits.push(Edit { path: path.to_owned(), range, removed: line.to_owned() });
    }
    sort_by_key(edits, |it| match it.path == path {
        true => (0, it.range.start.abs_diff(at)),
        false => (1, 0),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_last_comes_first_and_the_rest_keeps_its_order() {
        let edit = |path: &str, range: Range<usize>| Edit {
            path: path.to_owned(),
            range,
            removed: String::new(),
        };
        let mut edits = vec![
            edit("a", 0..10),
            edit("a", 50..60),
            edit("b", 0..10),
            edit("c", 5..5),
            edit("d", 0..1),
        ];
        let at = |path: &str, range: Range<usize>| WrittenRange { path: path.to_owned(), range };
        in_time(&mut edits, &[at("c", 5..5), at("a", 55..56), at("b", 3..4), at("a", 58..60)]);
        let order: Vec<(&str, usize)> =
            edits.iter().map(|it| (it.path.as_str(), it.range.start)).collect();
        assert_eq!(order, [("c", 5), ("a", 50), ("b", 0), ("a", 0), ("d", 0)]);
    }
}
