//! Evidence for ranking: runs the engine over tasks that nobody in this project wrote, and says how well it did.
//!
//! * [`search`]: questions and names → files, by the protocol of the semble benchmark.
//! * [`context`]: a hole in a file, at the parent commit → what the pieces explain of it, beside [`baseline`]s.
//! * [`definitions`]: a hole → the definitions elsewhere that it uses. [`issues`]: an issue → the files of its fix.
//! * [`truth`]: small projects that we wrote, each for a property of ranking that must not be lost.
//! * [`next_line`]: the next line by the embedded model, with and without the context.
//! * [`bits`]: what a hole's text costs a reader who sees a context.
//! * [`experiment`]: which stage, signal or size decides that. [`mine`]: tasks from any history.
//! * [`loader`]: tasks in our format and in those of published benchmarks, beside their corpora ([`verify`]).
//! * [`remove`]: tasks from one state, out of which a function was taken. [`leakage`]: what a later state gives away.
//! * [`writer`]: a real model at an address, which completes beside each context.
//! * [`report`]: runs as one page. [`submission`]: the competition's file.
//! * [`metrics`]: the measures. [`split`]: what may be tuned on, and what only judges.
//!
//! Constants are tuned on the development split only. A run says what it was made with ([`provenance`]), and two runs
//! with the same settings over the same tasks have the same results, but for the times.
#![deny(missing_docs)]

pub mod baseline;
pub mod bits;
pub mod context;
pub mod corpus;
pub mod coverage;
pub mod definitions;
pub mod experiment;
pub mod git;
pub mod issues;
pub mod leakage;
pub mod loader;
pub mod metrics;
pub mod mine;
pub mod next_line;
pub mod overrides;
pub mod past;
pub mod print;
pub mod provenance;
pub mod remove;
pub mod report;
pub mod search;
pub mod split;
pub mod submission;
pub mod task;
pub mod truth;
pub mod verify;
pub mod writer;
