//! Completes further lines of a block as long as they are likely.

use super::line::{Line, LineStart, Search};
use super::preset::{MAX_MORE_LINES, MIN_LINE_PROBABILITY};
use super::start::Start;

/// Length of a completion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// The rest of the line.
    #[default]
    Line,
    /// The line and up to this many more, to the end of the block.
    Block(usize),
}

impl Extent {
    /// The extent for a cursor: a block on an empty line or after an opening token, else the rest of the line.
    pub fn at(prefix: &str, suffix: &str) -> Self {
        let line = prefix.rsplit('\n').next().unwrap_or_default().trim();
        let rest = suffix.split('\n').next().unwrap_or_default().trim();
        let opens = line.ends_with(['{', ':', '(', '[']) || line.ends_with("=>");
        if rest.is_empty() && (line.is_empty() || opens) {
            Self::Block(MAX_MORE_LINES)
        } else {
            Self::Line
        }
    }
}

/// Appends further lines to `line`.
pub(super) fn grow(search: &Search<'_>, start: &Start, line: Line, extent: Extent) -> Line {
    let Extent::Block(most) = extent else { return line };
    let mut res = line;
    if !search.suffix.join.is_empty() {
        return res;
    }
    for _ in 0..most {
        let before = res.renderer.text().len();
        let open = Line { log2: 0.0, ..res.clone() };
        let Some(next) = search.continued(open, LineStart::Break, 1).pop() else { break };
        let written = &next.renderer.text()[before..];
        let is_left = next.renderer.indent().len() < start.line_indent.len();
        if next.log2.exp2() < MIN_LINE_PROBABILITY || is_left || search.suffix.repeats(written) {
            break;
        }
        res = next;
    }
    res
}
