//! The measures, one file a family, as functions of plain values, so that they can be checked by hand and against
//! reference implementations (`tests/it/reference.rs`).
//!
//! * [`text`] and [`mod@chrf`]: how close a completion is to the truth. [`names`]: how close its identifiers are.
//! * [`ranking`]: the ranks of the relevant items in a list. [`overlap`]: two sets of files, lines or names.
//! * [`budget`]: recall within a number of tokens.
//! * [`coverage`]: how much of a hole a context contains. [`mod@bits`]: the cross-entropy of a hole given a context.
//! * [`mod@bootstrap`]: means with confidence intervals, differences, and means by group.
//!
//! All are shares from 0 to 1 unless they say otherwise. A measure without a value for a task (nothing is relevant) is
//! `None`, not 0; a mean counts only the tasks that have a value, and says how many those are.

pub mod bits;
pub mod bootstrap;
pub mod budget;
pub mod chrf;
pub mod coverage;
pub mod names;
pub mod overlap;
pub mod ranking;
pub mod text;

pub use bootstrap::{
    Estimate, RESAMPLES, SEED, bootstrap, by_group, mean, over_groups, paired_difference,
    percentile,
};
pub use chrf::chrf;
pub use overlap::{Overlap, share};
pub use ranking::{acc, graded_ndcg, ndcg, precision, recall, reciprocal_rank};
pub use text::{edit_ratio, edit_similarity, exact_match, first_lines};
