//! Numbers that decide the help of a chat model. Those without a source are first guesses.

use crate::tool_loop::LoopLimits;

/// Maximum number of requests for an answer, the last one without tools, and of tool calls answered.
pub(super) const CONVERSATION: LoopLimits = LoopLimits { turns: 4, calls: 8 };

/// Maximum tokens of evidence from one tool call.
pub(super) const CALL_TOKENS: usize = 1_500;

/// Maximum lines of one `read`.
pub(super) const READ_LINES: u32 = 120;

/// Maximum bytes of a pasted text to show.
pub(super) const MAX_PASTED_BYTES: usize = 8_000;

/// Repeats of a line in a row that stop an answer.
pub(super) const MAX_REPEATS: usize = 12;

/// Passages in a reranked window (Sun et al. 2023).
pub(super) const WINDOW: usize = 20;

/// Step by which the window moves (Sun et al. 2023).
pub(super) const WINDOW_STEP: usize = 10;

/// Lines shown of each passage.
pub(super) const PASSAGE_LINES: usize = 12;

/// Alternatives requested for the first token of a pointwise answer.
pub(super) const ALTERNATIVES: usize = 20;

/// Minimum spread of the probabilities of passages that carries information.
pub(super) const MIN_SPREAD: f64 = 0.02;

/// Number of leading passages that must stay near the top.
pub(super) const PROTECTED: usize = 2;

/// Their positions stay below this one.
pub(super) const PROTECTED_BELOW: usize = 6;

/// Maximum parts of a question to search for.
pub(super) const MAX_PARTS: usize = 4;

/// Number of pieces that show the repository's idiom.
pub(super) const IDIOM_PIECES: usize = 3;

/// Minimum share of words of a search text that the repository must have. Even random tokens have some by chance.
pub(super) const MIN_KNOWN_WORDS: f32 = 0.4;
