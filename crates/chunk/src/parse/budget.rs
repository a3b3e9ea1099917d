//! Limits the work of one parse.
//!
//! With a time limit the same file could have a tree on one run and none on the next. So work is counted: parser steps,
//! from the progress callback, and bytes requested by the lexer (some grammars reread a line for each token). Real
//! files use a small fraction of the budget; ambiguous or hostile ones exceed it.
//!
//! Work within one parser step cannot be counted. After an error tree-sitter tries every token that may be missing and
//! completes all open constructs for each: one step may take milliseconds, and memory quadratic in the text. `guard`
//! rejects the known cases. For unknown ones, parse untrusted texts in a process that can be killed.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Point, Tree};

use super::guard::View;

/// Number of parser steps between progress callbacks (a constant of tree-sitter).
const STEPS_PER_REPORT: usize = 100;
/// Steps a byte. Over 30,800 files in 28 languages (27 repositories and Python's library, November 2026) the maximum
/// was 3.2, over 10 kB 2.7; most files took less than one.
const STEPS_PER_BYTE: usize = 6;
/// Maximum steps of any text; twelve megabytes of code take half.
const MAX_STEPS: usize = 20_000_000;
/// Reads a byte. Most of the same files were read once, none more than 54 times.
const READS_PER_BYTE: usize = 100;
/// Minimum budget, for short texts.
const MIN_BUDGET: usize = 1 << 15;

/// Parses `view`; `None` if the budget runs out.
pub(super) fn parse(parser: &mut Parser, view: &View<'_>, old: Option<&Tree>) -> Option<Tree> {
    let mut steps = (MIN_BUDGET + view.len() * STEPS_PER_BYTE).min(MAX_STEPS);
    let mut bytes = MIN_BUDGET + view.len() * READS_PER_BYTE;
    let mut ended = false;
    let mut read = |at: usize, _: Point| -> &[u8] {
        let piece = view.piece(at);
        bytes = bytes.saturating_sub(piece.len());
        match bytes {
            // Out of budget, end the text early. The line break keeps Kotlin's scanner from looping for ever
            // (`guard::kotlin`).
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
