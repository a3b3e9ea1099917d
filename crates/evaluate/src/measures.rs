//! The measures, one file a family, each on plain values, so that they can be checked by hand and against others'
//! implementations (`tests/it/reference.rs`).
//!
//! * [`text`] and [`mod@chrf`]: how near a completion is to what stood there. [`names`]: how near its identifiers are.
//! * [`ranking`]: where the relevant items stand in a list. [`overlap`]: two sets of files, lines or names.
//! * [`budget`]: what a list gives for how many tokens.
//! * [`coverage`]: how much of a hole a context explains. [`mod@bits`]: what its text costs a reader who sees it.
//! * [`mod@bootstrap`]: means with confidence intervals, differences, and means by group.
//!
//! All are shares from 0 to 1 unless they say otherwise. A measure that has no value for a task (nothing is wanted) is
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
