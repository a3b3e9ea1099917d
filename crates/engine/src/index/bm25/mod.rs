//! BM25F over a snapshot, term at a time: exact, and independent of how the snapshot was built.
//!
//! Weighted frequencies of fields are added before saturation (Robertson, Zaragoza and Taylor 2004, "Simple BM25
//! extension to multiple weighted fields"); the length for normalisation is weighted in the same way.

mod nearest;
mod occurrence;
mod query;
mod scorer;
mod search;
mod statistics;
mod top;

pub use query::{Bm25, Keep, Match, ScoredChunk, WeightedQuery, WeightedTerm};
pub use search::Scores;
pub(crate) use statistics::idf;
