//! Splitting: cAST's walk over the syntax tree, which opens only the nodes that are too large.

use tree_sitter::{Node, Tree, TreeCursor};

use crate::boundary::{Boundary, Kinds, Left};
use crate::cuts::Cuts;
use crate::size::Sizes;
use crate::{Language, Span};

/// Nodes deeper than this below opened nodes are taken for leaves; they open at their lines. No file that a person
/// wrote comes near.
const DEEPEST: usize = 500;

/// A first line longer than this is no header.
const LONGEST_HEADER: usize = 4096;

/// One chunk of a file.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its bytes. The spans of a file's chunks cover it without gap or overlap.
    pub span: Span,
    /// Where it begins when the configured overlap is added; `span.start` without overlap.
    pub overlap: u32,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Non-whitespace characters.
    pub size: u32,
    /// The innermost definition, by index, that encloses the whole chunk.
    pub scope: Option<u32>,
}

/// Collects the cuts that a tree allows: before every child of every node larger than `max`.
pub(crate) fn split(
    text: &[u8],
    sizes: &Sizes,
    tree: &Tree,
    language: Language,
    max: u32,
    cuts: &mut Cuts<'_>,
) {
    let walk = Walk { text, sizes, max, kinds: Kinds::of(language) };
    walk.run(&mut tree.walk(), cuts);
}

struct Walk<'a> {
    text: &'a [u8],
    sizes: &'a Sizes,
    max: u32,
    kinds: Kinds,
}

/// A node that is being gone through.
struct Opened {
    /// Where its first line ends.
    header_end: usize,
    /// The child before the next cut.
    left: Option<Left>,
}

impl Walk<'_> {
    /// Goes through the tree without recursion: code may nest deeper than any stack.
    fn run(&self, cursor: &mut TreeCursor<'_>, cuts: &mut Cuts<'_>) {
        let mut opened: Vec<Opened> = Vec::new();
        loop {
            let node = cursor.node();
            self.cut_before(node, &opened, cuts);
            if opened.len() < DEEPEST && self.is_too_large(node) && cursor.goto_first_child() {
                opened.push(Opened { header_end: self.header_end(node), left: None });
                continue;
            }
            if !self.leave(cursor, &mut opened) {
                return;
            }
        }
    }

    fn cut_before(&self, node: Node<'_>, opened: &[Opened], cuts: &mut Cuts<'_>) {
        let Some(parent) = opened.last() else { return };
        let level = opened.len() as u32 - 1;
        let boundary =
            Boundary { header_end: parent.header_end, level, left: parent.left, right: node };
        let (at, cost) = boundary.cut(self.text);
        cuts.push(at, cost);
    }

    fn is_too_large(&self, node: Node<'_>) -> bool {
        self.sizes.of(node.byte_range()) > self.max
    }

    fn header_end(&self, node: Node<'_>) -> usize {
        let start = node.start_byte().min(self.text.len());
        let line = &self.text[start..self.text.len().min(start + LONGEST_HEADER)];
        memchr::memchr(b'\n', line).map_or(start, |at| start + at + 1)
    }

    /// Goes on to the next node that is not inside this one; `false` at the end of the tree.
    fn leave(&self, cursor: &mut TreeCursor<'_>, opened: &mut Vec<Opened>) -> bool {
        while let Some(parent) = opened.last_mut() {
            parent.left = Some(self.kinds.left(self.text, cursor.node()));
            if cursor.goto_next_sibling() {
                return true;
            }
            cursor.goto_parent();
            opened.pop();
        }
        false
    }
}
