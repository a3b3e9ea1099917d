//! The budget of work for one parse.
//!
//! With a time limit the same file would get a tree on one day and none on another. So work is counted instead: steps of
//! the parser, as its progress callback reports them, and bytes that its lexer requests (some grammars read a line again
//! for each token on it). Real files use a small fraction of the budget; ambiguous or hostile ones exceed it.
//!
//! The work within one step of the parser cannot be counted. After an error tree-sitter tries every token that may be
//! missing, and completes for each what is open: a step may take milliseconds, and memory that grows with the square of
//! the text. What is known of such texts is in `guard`; for the rest, whoever parses foreign texts does it in a process
//! that can be ended.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Point, Tree};

use super::guard::View;

/// The parser reports its progress each time it has taken about this many steps (a constant of tree-sitter).
const STEPS_PER_REPORT: usize = 100;
/// Of 30,800 files in 28 languages (27 repositories and Python's library, November 2026) none took more than 3.2 steps a
/// byte, none over 10 kB more than 2.7, and most took less than one.
const STEPS_PER_BYTE: usize = 6;
/// No text may take more steps than this; twelve megabytes of code take half of it.
const MOST_STEPS: usize = 20_000_000;
/// Of the same files most were read once, and none more than 54 times.
const READS_PER_BYTE: usize = 100;
/// The budget of even the shortest text.
const LEAST: usize = 1 << 15;

/// Parses until it is done or the budget of the text is spent.
pub(super) fn parse(parser: &mut Parser, view: &View<'_>, old: Option<&Tree>) -> Option<Tree> {
    let mut steps = (LEAST + view.len() * STEPS_PER_BYTE).min(MOST_STEPS);
    let mut bytes = LEAST + view.len() * READS_PER_BYTE;
    let mut ended = false;
    let mut read = |at: usize, _: Point| -> &[u8] {
        let piece = view.piece(at);
        bytes = bytes.saturating_sub(piece.len());
        match bytes {
            // Out of budget the text appears to end here, and the parse ends soon. It ends in a line break, without
            // which Kotlin's scanner may look for ever (`guard::kotlin`).
            0 if std::mem::replace(&mut ended, true) => b"",
            0 => b"\n",
            _ => piece,
        }
    };
    let mut progress = |_: &ParseState| {
        steps = steps.saturating_sub(STEPS_PER_REPORT);
        if steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, old, Some(options));
    tree.filter(|_| bytes > 0)
}
