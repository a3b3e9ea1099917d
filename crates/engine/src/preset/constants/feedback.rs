//! How much votes on earlier answers count: first guesses; `benchmarks/results/ask.md`, "Feedback, simulated", has
//! what they are worth.

/// A score is multiplied by at most 1 plus this, or divided by it.
pub(crate) const STRENGTH: f32 = 0.5;

/// Sum of votes at which half of that is reached.
pub(crate) const HALF: f32 = 1.0;

/// Half-life of a vote, in days.
pub(crate) const HALF_LIFE_DAYS: f32 = 90.0;

/// Weight of a vote for a question without a common word, relative to the same question.
pub(crate) const OTHER_QUESTION: f32 = 0.05;

/// The same for a place that was voted down for the same question: one fresh vote divides its score by 2.5.
pub(crate) const REJECTION_STRENGTH: f32 = 3.0;

/// A place with a factor of at most this does not come first: its rejection is a person's, and younger than a half-life.
pub(crate) const REJECTED: f32 = 0.5;

/// Weight of a vote for a definition in the rest of its file, relative to the definition.
pub(crate) const REST_OF_FILE: f32 = 0.5;
