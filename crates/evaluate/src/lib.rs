//! Evaluates the engine over tasks that nobody in this project wrote.
//!
//! * [`tasks`]: tasks in our format and in those of published benchmarks, their code, and tasks made from any history.
//! * [`measures`]: measures of results. [`baselines`]: the context that other systems choose at the same cursor.
//! * [`runs`]: experiments over tasks, one module each.
//! * [`report`]: runs on a terminal and as a page. [`random`]: repeatable random choices.
//! * [`args`], [`output`]: arguments and output shared by the commands.
//!
//! Constants are tuned on the development split only. A run records its provenance ([`runs::provenance`]), and two runs
//! with the same settings over the same tasks have the same results, except for the times.
#![deny(missing_docs)]

pub mod args;
pub mod baselines;
pub mod measures;
pub mod output;
pub mod random;
pub mod report;
pub mod runs;
pub mod tasks;
