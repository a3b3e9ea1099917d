//! Numbers of trimming beside the shares of `Budget`: excerpts, copies, titles, and when selection ends.

/// Tokens of a path above a piece beside its own: separators and line ends. First guess.
pub(crate) const PIECE_OVERHEAD: usize = 6;

/// Tokens of a few lines under a path. If less is left, no more files are unpacked: with 40 to 60 left, 34 of 540
/// candidates fitted in some form, for a quarter of a context's time (`benchmarks/results/speed.md`).
pub(crate) const SMALLEST_PIECE: usize = 60;

/// The same applies only if less than one in this many tokens is left. First guess.
pub(crate) const SMALL_REMAINDER: usize = 33;

/// If less than this share of the tokens is left and [`MISSES_IN_A_ROW`] candidates did not fit in any form, selection
/// ends. On the development tasks 1,618 of 17,534 candidates were tried after that, and 90 of them fitted; they made
/// the slowest answers (`benchmarks/results/speed.md`).
pub(crate) const NEARLY_FULL: f32 = 0.1;

/// See [`NEARLY_FULL`].
pub(crate) const MISSES_IN_A_ROW: usize = 6;

/// Lines of the shortest excerpt. First guess.
pub(crate) const SHORTEST_EXCERPT: usize = 3;

/// Fraction of its value that a similar place keeps for each line of distance from it. First guess.
pub(crate) const FADING_BY_LINE: f32 = 0.92;

/// Bound of the relative error of sums of a few hundred numbers.
pub(crate) const ROUNDING_FACTOR: f32 = 1.001;

/// Lines before and after a chunk that may be shown with it, if they are next to code similar to the cursor's. First
/// guess.
pub(crate) const LINES_BEYOND_CHUNK: usize = 20;

/// Lines that a chunk's first and last statement may extend beyond it and still be shown whole. First guess.
pub(crate) const SPLIT_STATEMENT_LINES: usize = 8;

/// Lines that the window shows, too, and that are kept next to lines that it does not show. First guess.
pub(crate) const KNOWN_EDGE_LINES: usize = 3;

/// Shorter runs of lines that are shown elsewhere stay in a piece; removing them would tear it. First guess.
pub(crate) const SHORTEST_SHOWN_RUN: usize = 4;

/// A text with at least this fraction of its lines shown is a copy: numerator and denominator. First guess.
pub(crate) const LINES_OF_A_COPY: (usize, usize) = (4, 5);

/// Texts with fewer distinct words are not copies by their words alone. First guess.
pub(crate) const WORDS_OF_A_COPY: usize = 8;

/// Fraction of its score that a partly visible chunk keeps, beside the share that is not visible: the words that
/// matched may be in the visible part. Without any, the rest of such chunks, three candidates of a cursor, was never
/// shown (`benchmarks/results/cursor.md`).
pub(crate) const PARTLY_VISIBLE: f32 = 0.7;

/// A chunk with more than this share visible is dropped as visible, not as weak. First guess.
pub(crate) const MOSTLY_VISIBLE: f32 = 0.5;

/// Non-blank lines on each side of a place that are compared, as many as in the ranking.
pub(crate) const COMPARED_LINES: usize = 12;

/// Factor on the weight of a name for each line of distance from the place. First guess.
pub(crate) const NAME_WEIGHT_BY_LINE: f32 = 0.8;

/// Saturation of repeated words, as `k1` of BM25. First guess.
pub(crate) const TITLE_K1: f32 = 1.2;

/// Identifiers of a definition of average length, about fifteen lines. First guess.
pub(crate) const TITLE_LENGTH: f32 = 60.0;

/// Normalisation by length, as `b` of BM25. First guess.
pub(crate) const TITLE_B: f32 = 0.5;

/// Weight of a match in the name relative to one in the body. First guess.
pub(crate) const WORD_IN_NAME: f32 = 3.0;

/// The same for a match in the name of an enclosing definition. First guess.
pub(crate) const WORD_IN_SCOPE: f32 = 1.0;

/// Weight of a short field or constant relative to a function or type. First guess.
pub(crate) const SMALL_DEFINITION: f32 = 0.6;

/// Bytes from which a field or constant is not short: about five lines. First guess.
pub(crate) const LARGE_CONSTANT_BYTES: usize = 240;

/// Factor on a definition found by the name asked for or used at the cursor; nothing outweighs it.
pub(crate) const TITLE_BY_NAME: f32 = 1e3;

/// Factor on a definition whose name is a word of the question. First guess.
pub(crate) const TITLE_BY_WORD: f32 = 1.5;

/// Maximum share of the prefix's budget for lines from far above. First guess.
pub(crate) const PREFIX_HEAD_SHARE: f32 = 0.3;
