//! The walk of cAST over the syntax tree: it opens only nodes that are too large.

use tree_sitter::{Node, TreeCursor};

use super::SyntaxTree;
use super::boundary::{Boundary, LeftNeighbour, NeighbourKinds};
use crate::size::Sizes;

/// Nodes deeper than this below open nodes are treated as leaves and cut at their lines. No hand-written file comes
/// near.
const MAX_DEPTH: usize = 500;

/// Maximum length of a header line, in bytes.
const MAX_HEADER_LENGTH: usize = 4096;

/// Receives a position for a cut, and its cost.
pub(crate) type CutSink<'p> = &'p mut dyn FnMut(usize, u32);

/// Calls `place` with the cuts that a tree allows, ascending: before every child of each node larger than `max`.
pub(crate) fn split(it: &SyntaxTree<'_>, sizes: &Sizes, max: u32, place: CutSink<'_>) {
    let walk = Walk { text: it.text, sizes, max, kinds: NeighbourKinds::of(it.language) };
    walk.run(&mut it.tree.walk(), place);
}

struct Walk<'a> {
    text: &'a [u8],
    sizes: &'a Sizes,
    max: u32,
    kinds: NeighbourKinds,
}

/// A node whose children are being visited.
struct OpenNode {
    /// End of its first line.
    header_end: usize,
    /// Left side of the next cut.
    left: Option<LeftNeighbour>,
}

impl Walk<'_> {
    /// Visits the tree without recursion: code may nest deeper than the stack allows.
    fn run(&self, cursor: &mut TreeCursor<'_>, place: CutSink<'_>) {
        let mut open: Vec<OpenNode> = Vec::new();
        loop {
            let node = cursor.node();
            self.cut_before(node, &open, place);
            if open.len() < MAX_DEPTH && self.is_too_large(node) && cursor.goto_first_child() {
                open.push(OpenNode { header_end: self.header_end(node), left: None });
                continue;
            }
            if !self.leave(cursor, &mut open) {
                return;
            }
        }
    }

    fn cut_before(&self, node: Node<'_>, open: &[OpenNode], place: CutSink<'_>) {
        let Some(parent) = open.last() else { return };
        let level = open.len() as u32 - 1;
        let boundary =
            Boundary { header_end: parent.header_end, level, left: parent.left, right: node };
        let (at, cost) = boundary.cut(self.text);
        place(at, cost);
    }

    fn is_too_large(&self, node: Node<'_>) -> bool {
        self.sizes.of(node.byte_range()) > self.max
    }

    fn header_end(&self, node: Node<'_>) -> usize {
        let start = node.start_byte().min(self.text.len());
        let line = &self.text[start..self.text.len().min(start + MAX_HEADER_LENGTH)];
        memchr::memchr(b'\n', line).map_or(start, |at| start + at + 1)
    }

    /// Moves to the next node outside this one; `false` at the end of the tree.
    fn leave(&self, cursor: &mut TreeCursor<'_>, open: &mut Vec<OpenNode>) -> bool {
        while let Some(parent) = open.last_mut() {
            parent.left = Some(self.kinds.left(self.text, cursor.node()));
            if cursor.goto_next_sibling() {
                return true;
            }
            cursor.goto_parent();
            open.pop();
        }
        false
    }
}
