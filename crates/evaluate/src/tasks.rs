//! Tasks: what one is, where it is read from, where its code is, and how new ones are made.
//!
//! * [`task`]: one task. [`split`]: what may be tuned on, and what only judges.
//! * [`selection`]: which tasks a run asks, and what it leaves out.
//! * [`loader`]: tasks in our format and in those of published benchmarks. [`verify`]: tasks beside their corpora.
//! * [`corpora`], [`corpus`], [`git`], [`session`]: the code of a task, and what was edited before it.
//! * [`mine`]: tasks from any history. [`remove`]: tasks from one state, out of which a function was taken.

pub mod corpora;
pub mod corpus;
pub mod git;
pub mod loader;
pub mod mine;
pub mod remove;
pub mod selection;
pub mod session;
pub mod split;
pub mod task;
pub mod verify;
