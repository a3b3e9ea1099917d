//! What holds for the chunker as a whole, seen from outside.

mod cover;
mod defects;
mod hard;
mod merge;
mod skeletons;
mod snippets;
mod typing;
