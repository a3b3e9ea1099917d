//! The measures, one file per family, as functions of plain values that can be checked by hand and against reference
//! implementations (`tests/it/reference.rs`).
//!
//! * [`text`] and [`mod@chrf`]: similarity of a completion to the truth. [`names`]: similarity of its identifiers.
//! * [`ranking`]: the ranks of the relevant items in a list. [`overlap`]: two sets of files, lines or names.
//! * [`lines`]: the rank of the first place with lines of the truth.
//! * [`budget`]: recall within a number of tokens.
//! * [`coverage`]: the fraction of a hole that a context contains. [`mod@bits`]: the cross-entropy of a hole given a
//!   context.
//! * [`mod@bootstrap`]: means with confidence intervals, differences, and means by group.
//!
//! All are fractions from 0 to 1 unless they say otherwise. A measure that is undefined for a task (without relevant
//! items) is `None`, not 0; a mean counts and reports only the tasks with a value.

pub mod bits;
pub mod bootstrap;
pub mod budget;
pub mod chrf;
pub mod coverage;
pub mod lines;
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
