//! Edits since the commit, newest first, each with surrounding lines, as in an editor that puts its diff before the
//! model. Empty without edits.

use std::ops::Range;

use super::input::BaselineInput;
use super::offer::{Offer, Overflow, Piece};

/// Lines shown on each side of an edit.
const AROUND: usize = 10;

/// Above the capacity of any budget here.
const MOST: usize = 100;

/// The edits outside of the window around the cursor.
pub(super) fn offer(at: &BaselineInput<'_>) -> Offer {
    let mut shown: Vec<(&str, Range<usize>)> = Vec::new();
    let mut pieces = Vec::new();
    for edit in at.edits {
        let Some(file) = at.snapshot.file(&edit.path) else { continue };
        let text = at.snapshot.text(file);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let first = (edit.line as usize).saturating_sub(1).min(lines.len());
        let last = (first + edit.added.lines().count() + AROUND).min(lines.len());
        let range = first.saturating_sub(AROUND)..last;
        let start = lines[..range.start].iter().map(|it| it.len()).sum::<usize>();
        let piece = lines[range.clone()].concat();
        let is_known = |it: &(&str, Range<usize>)| {
            it.0 == edit.path && it.1.start < range.end && range.start < it.1.end
        };
        if piece.trim().is_empty()
            || shown.iter().any(is_known)
            || at.is_shown(file, &(start..start + piece.len()))
        {
            continue;
        }
        pieces.push(Piece {
            path: edit.path.clone(),
            start_line: range.start as u32 + 1,
            end_line: range.end as u32,
            text: piece,
            overflow: Overflow::KeepStart,
        });
        shown.push((&edit.path, range));
    }
    pieces.truncate(MOST);
    Offer { pieces, ..Offer::default() }
}
