//! The numbers that stages read as they are, one file a stage: how much something counts, how many there are.
//!
//! Each names the run that chose it (`benchmarks/results`), or says that it is a first guess. They stand here, below every
//! stage, so that one folder shows all that decides an answer. Limits that bound work or memory (`MAX_…`) stay where the
//! work is done.

pub(crate) mod ask;
pub(crate) mod custom;
pub(crate) mod feedback;
pub(crate) mod fuzzy;
pub(crate) mod history;
pub(crate) mod index;
pub(crate) mod map;
pub(crate) mod next;
pub(crate) mod rerank;
pub(crate) mod retrieve;
pub(crate) mod search;
pub(crate) mod secret;
pub(crate) mod speculate;
pub(crate) mod trim;
