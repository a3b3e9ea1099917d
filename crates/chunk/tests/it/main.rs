//! Tests of the chunker through its public API.

mod cover;
mod defects;
mod hard;
mod merge;
mod skeletons;
mod snippets;
mod typing;
