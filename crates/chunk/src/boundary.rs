//! What it costs to cut between two neighbouring nodes of the syntax tree.
//!
//! The scale is that of [`crate::pack`]. The cost grows with the depth of the cut, and is high where two nodes belong
//! together: a comment or attribute and what follows it directly, a header and the body it opens, a closing bracket
//! and what it closes, two nodes on one line.

use tree_sitter::Node;

use crate::Language;
use crate::line::{blank_before, line_start};
use crate::pack::CHUNK;

/// A cut inside a definition costs more than a chunk …
const INSIDE: u32 = CHUNK;
/// … and more for each node that it goes through, up to [`DEEPEST`] of them.
const LEVEL: u32 = 20;
const DEEPEST: u32 = 12;
const NO_BLANK_LINE: u32 = 15;
/// After a comment that stands apart: it may head what follows, so better before it.
const BANNER: u32 = 30;
const OPERATOR: u32 = 60;
const HEADER: u32 = 150;
const LEAD: u32 = 400;
const CLOSER: u32 = 500;
const MID_LINE: u32 = 700;

/// The words that close what a word opened.
const CLOSING_WORDS: &[&str] = &["end", "fi", "done", "esac", "until", "while"];

/// The node kinds of a language that say something of their neighbours.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    comments: &'static [&'static str],
    leads: &'static [&'static str],
}

/// What of a node matters to the cut behind it.
#[derive(Clone, Copy)]
pub(crate) enum Left {
    /// A comment or attribute on its own line: it belongs to what follows.
    Lead,
    /// An opening bracket, a keyword, a colon: what follows is what it opens.
    Opener,
    /// A separator or the closing bracket of what precedes.
    Closer,
    /// Anything else.
    Other,
}

/// A place between two children of one node.
pub(crate) struct Boundary<'t> {
    /// Where the first line of the node that holds both ends.
    pub(crate) header_end: usize,
    /// How many nodes were opened on the way here.
    pub(crate) level: u32,
    /// The child before; `None` before the first.
    pub(crate) left: Option<Left>,
    /// The child after.
    pub(crate) right: Node<'t>,
}

impl Kinds {
    pub(crate) fn of(language: Language) -> Self {
        Self { comments: language.comment_kinds(), leads: language.lead_kinds() }
    }

    /// Looks at a node as the left side of the next cut.
    pub(crate) fn left(self, text: &[u8], node: Node<'_>) -> Left {
        let kind = node.kind();
        if node.is_named() {
            let leads = self.comments.contains(&kind) || self.leads.contains(&kind);
            return if leads && line_start(text, node.start_byte()).is_some() {
                Left::Lead
            } else {
                Left::Other
            };
        }
        match kind.as_bytes().last() {
            Some(b'}' | b')' | b']' | b';' | b',') => Left::Closer,
            _ => Left::Opener,
        }
    }
}

impl Boundary<'_> {
    /// Where to cut and what it costs. What stands at the start of its line is cut at the start of the line.
    pub(crate) fn cut(&self, text: &[u8]) -> (usize, u32) {
        let start = self.right.start_byte();
        let depth = if self.level == 0 { 0 } else { INSIDE + LEVEL * self.level.min(DEEPEST) };
        let Some(line) = line_start(text, start) else { return (start, depth + MID_LINE) };
        (line, depth + self.line_cost(text, line, start))
    }

    fn line_cost(&self, text: &[u8], line: usize, start: usize) -> u32 {
        if self.closes(text, start) {
            return CLOSER;
        }
        if blank_before(text, line) {
            let apart = if matches!(self.left, Some(Left::Lead)) { BANNER } else { 0 };
            return if self.opens(text, line, start) { HEADER } else { apart };
        }
        let belongs = if matches!(self.left, Some(Left::Lead)) {
            LEAD
        } else if self.opens(text, line, start) {
            HEADER
        } else if self.right.is_named() {
            0
        } else {
            OPERATOR
        };
        NO_BLANK_LINE + belongs
    }

    /// Whether the right side only closes what the left side is part of.
    fn closes(&self, text: &[u8], start: usize) -> bool {
        match text.get(start..).unwrap_or_default() {
            [b'}' | b')' | b']' | b';' | b',', ..] | [b'<', b'/', ..] => true,
            [b'a'..=b'z', ..] => {
                !self.right.is_named() && CLOSING_WORDS.contains(&self.right.kind())
            }
            _ => false,
        }
    }

    /// Whether the left side is a header and the right side what it heads.
    fn opens(&self, text: &[u8], line: usize, start: usize) -> bool {
        match self.left {
            None | Some(Left::Opener) => true,
            Some(Left::Closer) => false,
            _ if self.level == 0 => false,
            _ => text.get(start) == Some(&b'{') || line <= self.header_end,
        }
    }
}
