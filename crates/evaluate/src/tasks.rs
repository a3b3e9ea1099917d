//! Tasks: their type, their sources, their code, and how new ones are made.
//!
//! * [`task`]: the type. [`split`]: repositories for tuning and for reporting.
//! * [`selection`]: the tasks of a run, and the omitted ones.
//! * [`loader`]: tasks in our format and in those of published benchmarks. [`verify`]: tasks checked against their
//!   corpora.
//! * [`corpora`], [`corpus`], [`git`], [`session`]: the code of a task, and earlier edits.
//! * [`mine`]: tasks from any history. [`remove`]: tasks made by removing a function from one state.

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
