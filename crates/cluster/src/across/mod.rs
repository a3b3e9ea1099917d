//! Several repositories at once: which may be read (`access`, by `pattern`), which are likely to answer a question
//! (`choose`), and one list of their results (`merge`).

mod access;
mod choose;
mod merge;
mod pattern;

pub use access::{Access, Rule};
pub use choose::{Candidate, Candidates};
pub use merge::{MergeInput, merge};
pub use pattern::{Pattern, PatternError};
