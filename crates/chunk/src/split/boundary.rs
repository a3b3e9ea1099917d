//! Cost of a cut between two neighbouring nodes of the syntax tree, on the scale of `pack`.
//!
//! The cost grows with the depth of the cut. It is high between nodes that belong together: a comment or attribute and
//! the next node, a header and its body, a closing bracket and its contents, two nodes on one line.

use tree_sitter::Node;

use super::pack::CHUNK;
use crate::language::Language;
use crate::line::{blank_before, line_start};

/// Base cost of a cut inside a definition: a chunk …
const INSIDE_DEFINITION: u32 = CHUNK;
/// … plus this for each open node around it, up to [`MAX_LEVELS`].
const PER_LEVEL: u32 = 20;
const MAX_LEVELS: u32 = 12;
const NO_BLANK_LINE: u32 = 15;
/// After a detached comment, which may be a heading for what follows: a cut before it is better.
const BANNER: u32 = 30;
const OPERATOR: u32 = 60;
const HEADER: u32 = 150;
const LEAD: u32 = 400;
const CLOSER: u32 = 500;
const MID_LINE: u32 = 700;

/// Keywords that close a block.
const CLOSING_WORDS: &[&str] = &["end", "fi", "done", "esac", "until", "while"];

/// Node kinds of a language that matter for a cut after them.
#[derive(Clone, Copy)]
pub(crate) struct NeighbourKinds {
    comments: &'static [&'static str],
    leads: &'static [&'static str],
}

/// The role of a node for a cut after it.
#[derive(Clone, Copy)]
pub(crate) enum LeftNeighbour {
    /// A comment or attribute on its own line: it belongs to what follows.
    Lead,
    /// An opening bracket, a keyword, a colon: it opens what follows.
    Opener,
    /// A separator or the closing bracket of what precedes.
    Closer,
    /// Any other node.
    Other,
}

/// The position between two children of one node.
pub(crate) struct Boundary<'t> {
    /// The end of the first line of their parent.
    pub(crate) header_end: usize,
    /// Number of opened nodes on the path.
    pub(crate) level: u32,
    /// The child before; `None` at the start.
    pub(crate) left: Option<LeftNeighbour>,
    /// The child after.
    pub(crate) right: Node<'t>,
}

impl NeighbourKinds {
    pub(crate) fn of(language: Language) -> Self {
        Self { comments: language.comment_kinds(), leads: language.lead_kinds() }
    }

    /// The role of `node` for the next cut.
    pub(crate) fn left(self, text: &[u8], node: Node<'_>) -> LeftNeighbour {
        let kind = node.kind();
        if node.is_named() {
            let leads = self.comments.contains(&kind) || self.leads.contains(&kind);
            return if leads && line_start(text, node.start_byte()).is_some() {
                LeftNeighbour::Lead
            } else {
                LeftNeighbour::Other
            };
        }
        match kind.as_bytes().last() {
            Some(b'}' | b')' | b']' | b';' | b',') => LeftNeighbour::Closer,
            _ => LeftNeighbour::Opener,
        }
    }
}

impl Boundary<'_> {
    /// The position and the cost of the cut. Before the first node of a line the cut is at the start of the line.
    pub(crate) fn cut(&self, text: &[u8]) -> (usize, u32) {
        let start = self.right.start_byte();
        let depth = if self.level == 0 {
            0
        } else {
            INSIDE_DEFINITION + PER_LEVEL * self.level.min(MAX_LEVELS)
        };
        let Some(line) = line_start(text, start) else { return (start, depth + MID_LINE) };
        (line, depth + self.line_cost(text, line, start))
    }

    fn line_cost(&self, text: &[u8], line: usize, start: usize) -> u32 {
        if self.closes(text, start) {
            return CLOSER;
        }
        if blank_before(text, line) {
            let apart = if matches!(self.left, Some(LeftNeighbour::Lead)) { BANNER } else { 0 };
            return if self.opens(text, line, start) { HEADER } else { apart };
        }
        let belongs = if matches!(self.left, Some(LeftNeighbour::Lead)) {
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

    /// Whether the right side only closes the construct that contains the left side.
    fn closes(&self, text: &[u8], start: usize) -> bool {
        match text.get(start..).unwrap_or_default() {
            [b'}' | b')' | b']' | b';' | b',', ..] | [b'<', b'/', ..] => true,
            [b'a'..=b'z', ..] => {
                !self.right.is_named() && CLOSING_WORDS.contains(&self.right.kind())
            }
            _ => false,
        }
    }

    /// Whether the left side is a header and the right side its body.
    fn opens(&self, text: &[u8], line: usize, start: usize) -> bool {
        match self.left {
            None | Some(LeftNeighbour::Opener) => true,
            Some(LeftNeighbour::Closer) => false,
            _ if self.level == 0 => false,
            _ => text.get(start) == Some(&b'{') || line <= self.header_end,
        }
    }
}
