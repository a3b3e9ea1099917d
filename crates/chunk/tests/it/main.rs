//! Tests of the chunker through its public API.

mod bombs;
mod cover;
mod defects;
mod fuzz;
mod hard;
mod marks;
mod merge;
mod outlines;
mod skeletons;
mod snippets;
mod typing;
mod without_tree;
