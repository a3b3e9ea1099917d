//! Evidence for ranking: runs the engine over tasks that nobody in this project wrote, and says how well it did.
//!
//! * [`tasks`]: tasks in our format and in those of published benchmarks, the code that belongs to them, and tasks made
//!   from any history.
//! * [`measures`]: how a result is measured. [`baselines`]: what others show at the same cursor.
//! * [`runs`]: what is asked of the engine over tasks, one run a question.
//! * [`report`]: runs on a terminal, and as one page.
//!
//! Constants are tuned on the development split only. A run says what it was made with ([`runs::provenance`]), and two runs
//! with the same settings over the same tasks have the same results, but for the times.
#![deny(missing_docs)]

pub mod baselines;
pub mod measures;
pub mod random;
pub mod report;
pub mod runs;
pub mod tasks;
