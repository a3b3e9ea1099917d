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

/// A name is common in the repository if more than one in this many chunks has it. A first guess.
pub(crate) const COMMON_SHARE: usize = 10;

/// A name in at most this many chunks is not common. A first guess.
pub(crate) const COMMON_CHUNKS: usize = 20;
