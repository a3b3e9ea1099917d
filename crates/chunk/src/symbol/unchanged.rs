//! Nodes of a syntax tree that did not change since the previous version of the text.

use std::ops::Range;

use super::candidates::SymbolCandidates;
use crate::span::Span;

/// Unchanged nodes of a tree, with their earlier candidates.
pub(crate) struct UnchangedNodes<'p> {
    /// The candidates of the previous version.
    pub(super) candidates: &'p SymbolCandidates,
    /// Changed bytes of the new text and a margin around them, sorted and disjoint.
    dirty: Vec<Range<usize>>,
    /// Nodes from this byte of the new text on are shifted.
    shifted_from: usize,
    /// Number of bytes by which they moved.
    shift: i64,
}

impl<'p> UnchangedNodes<'p> {
    /// Everything outside the `changed` ranges is unchanged; nodes from `shifted_from` on moved by `shift` bytes.
    pub(crate) fn new(
        candidates: &'p SymbolCandidates,
        mut changed: Vec<Range<usize>>,
        (shifted_from, shift): (usize, i64),
    ) -> Self {
        changed.sort_unstable_by_key(|it| it.start);
        changed.dedup_by(|next, last| {
            let touch = next.start <= last.end;
            last.end = if touch { last.end.max(next.end) } else { last.end };
            touch
        });
        Self { candidates, dirty: changed, shifted_from, shift }
    }

    /// The previous span of a node of the new tree, and its shift; `None` if it may have changed.
    pub(super) fn previous_span(&self, node: Range<usize>) -> Option<(Span, i64)> {
        let next = self.dirty.partition_point(|it| it.end <= node.start);
        let is_dirty = self.dirty.get(next).is_some_and(|it| it.start < node.end);
        if node.is_empty() || is_dirty {
            return None;
        }
        let shift = if node.start < self.shifted_from { 0 } else { self.shift };
        Some((Span::new(node.start, node.end).moved(-shift), shift))
    }
}
