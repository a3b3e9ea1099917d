//! BM25F over a snapshot, term at a time: exact, and the same however the snapshot was built.
//!
//! The weighted frequencies of the fields are added before saturation (Robertson, Zaragoza and Taylor 2004,
//! "Simple BM25 extension to multiple weighted fields"), and the length that normalises them is weighted alike.

mod nearest;
mod occurrence;
mod query;
mod scorer;
mod search;
mod statistics;
mod top;

pub use query::{Bm25, Keep, Match, ScoredChunk, WeightedQuery, WeightedTerm};
pub use search::Scores;
