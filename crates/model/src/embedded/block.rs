//! Completes further lines of a block, while they stay likely.

use super::line::{First, Line, Search};
use super::start::Start;

/// How much is completed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// The rest of the line.
    #[default]
    Line,
    /// The line and up to so many after it, to the end of the block.
    Block(usize),
}

/// A block has no more lines after its first.
const BLOCK: usize = 15;

impl Extent {
    /// What the cursor's situation asks for: a block where one begins (on an empty line, or after what opens a block),
    /// else the rest of the line.
    pub fn at(prefix: &str, suffix: &str) -> Self {
        let line = prefix.rsplit('\n').next().unwrap_or_default().trim();
        let rest = suffix.split('\n').next().unwrap_or_default().trim();
        let opens = line.ends_with(['{', ':', '(', '[']) || line.ends_with("=>");
        if rest.is_empty() && (line.is_empty() || opens) { Self::Block(BLOCK) } else { Self::Line }
    }
}

/// A further line must be at least so likely.
const SURE: f64 = 0.5;

/// Appends lines to `line`.
pub(super) fn grow(search: &Search<'_>, start: &Start, line: Line, extent: Extent) -> Line {
    let Extent::Block(most) = extent else { return line };
    let mut res = line;
    if !search.follow.join.is_empty() {
        return res;
    }
    for _ in 0..most {
        let before = res.renderer.text().len();
        let open = Line { log2: 0.0, ..res.clone() };
        let Some(next) = search.continued(open, First::Break, 1).pop() else { break };
        let written = &next.renderer.text()[before..];
        let is_left = next.renderer.indent().len() < start.line_indent.len();
        if next.log2.exp2() < SURE || is_left || search.follow.repeats(written) {
            break;
        }
        res = next;
    }
    res
}
