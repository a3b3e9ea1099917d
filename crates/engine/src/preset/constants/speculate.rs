//! Plans: weights at a cursor, and checks of a model's proposal.

/// Weight of a plan beside the words around the cursor, if nothing else is retrieved. A first guess.
pub const RECALL_WEIGHT: f32 = 0.5;

/// Share of the tokens of all pieces that forecasts may use beside live retrieval: that of three forecasts beside nine
/// blocks in SpecAgent (arXiv 2510.17925).
pub const FORECAST_SHARE: f32 = 0.25;

/// Maximum distance, in lines, between a cursor and a forecast that is shown before others. A first guess.
pub(crate) const NEAR_LINES: u32 = 30;

/// Likelihood of a model's first forecast. A first guess.
pub(crate) const LIKELIHOOD: f32 = 0.1;

/// Least share of the lines of a file and of its text now that are in both, for a plan of that file to be current. A first
/// guess: below it the file is another one.
pub(crate) const LEAST_RESEMBLANCE: f32 = 0.5;

/// Hashes of the sketch of a file that a plan stores, 4 bytes each: the standard error of the share is at most .06.
pub(crate) const SKETCH_HASHES: usize = 64;

/// A name is common in the repository if more than one in this many chunks has it. A first guess.
pub(crate) const COMMON_SHARE: usize = 10;

/// A name in at most this many chunks is not common. A first guess.
pub(crate) const COMMON_CHUNKS: usize = 20;

/// A file with as many syntax errors is in a dialect that the grammar does not know: loops by macros of C, zsh. Fewer may be
/// those of a line that somebody is writing. A first guess.
pub(crate) const FEWEST_OF_A_DIALECT: usize = 3;

/// A name with more definitions says nothing about where it is from. A first guess.
pub(crate) const MOST_DEFINITIONS: usize = 8;

/// Maximum number of brackets of a definition in which type parameters are looked for. A first guess.
pub(crate) const MOST_BRACKETS: usize = 4;

/// Hash functions of the filter with the names of standard libraries, as `train/library_names/standard.py` has them: with ten
/// bits a name, .008 of other names pass.
pub(crate) const FILTER_HASHES: u64 = 5;

/// Shorter names of standard libraries are not in the filter, where they are mostly parameters.
pub(crate) const FEWEST_LETTERS_OF_A_LIBRARY: usize = 3;

/// Shorter words of names say little: `get`, `set`, `new`. A first guess.
pub(crate) const FEWEST_LETTERS_OF_A_WORD: usize = 4;
