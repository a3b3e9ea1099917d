//! Fences of the published methods, which exist for comparison: around every node that fits (the split step of cAST
//! alone), or around greedily merged children of one node, left to right (cAST as its authors describe it, arXiv
//! 2506.15655 §3).

use tree_sitter::{Tree, TreeCursor};

use crate::line::line_start;
use crate::size::Sizes;

/// Which neighbours share a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Merging {
    /// Every node is a chunk of its own.
    Never,
    /// Children of one node, from left to right, while they fit.
    Siblings,
}

/// Nodes deeper than this below opened nodes are treated as leaves, as in `tree`.
const MAX_DEPTH: usize = 500;

/// Mandatory cuts, ascending.
pub(crate) fn fences(
    text: &[u8],
    sizes: &Sizes,
    tree: &Tree,
    max: u32,
    merging: Merging,
) -> Vec<u32> {
    let mut walk = Walk { text, sizes, max, merging, group: None, fences: Vec::new() };
    walk.run(&mut tree.walk());
    walk.fences
}

struct Walk<'a> {
    text: &'a [u8],
    sizes: &'a Sizes,
    max: u32,
    merging: Merging,
    /// Start of the group that the next sibling may join.
    group: Option<usize>,
    fences: Vec<u32>,
}

impl Walk<'_> {
    fn run(&mut self, cursor: &mut TreeCursor<'_>) {
        let mut depth = 0;
        loop {
            let (start, end) = (cursor.node().start_byte(), cursor.node().end_byte());
            let is_too_large = self.sizes.of(start..end) > self.max;
            if is_too_large && depth < MAX_DEPTH && cursor.goto_first_child() {
                // The first node inside or after an opened one begins a new group.
                self.group = None;
                depth += 1;
                continue;
            }
            self.visit(start, end);
            while !cursor.goto_next_sibling() {
                self.group = None;
                if depth == 0 || !cursor.goto_parent() {
                    return;
                }
                depth -= 1;
            }
        }
    }

    /// Visits a node that stays whole.
    fn visit(&mut self, start: usize, end: usize) {
        let joins = self.merging == Merging::Siblings
            && self.group.is_some_and(|group| self.sizes.of(group..end) <= self.max);
        if joins {
            return;
        }
        self.group = Some(start);
        let at = line_start(self.text, start).unwrap_or(start) as u32;
        if self.fences.last().is_none_or(|last| *last < at) {
            self.fences.push(at);
        }
    }
}
