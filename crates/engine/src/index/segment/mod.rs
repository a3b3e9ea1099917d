//! Segments: immutable sets of files with their chunks, postings, names and texts.
//!
//! `builder` and `merge` produce the bytes through `writer`; `reader` opens them. `layout` and `table` define the
//! format; `keys` finds the list of a term or name; `provenance` is what licences say; `blocks` reads verified blocks;
//! `frames` and `compression` encode data of one file; `check` rejects invalid data.

mod audit;
mod blocks;
mod builder;
mod check;
mod compression;
mod frames;
mod interner;
mod keys;
mod layout;
mod merge;
mod norms;
mod provenance;
mod reader;
mod table;
mod writer;

pub use builder::{PackedFile, SegmentBuilder};
pub(super) use check::fits_text;
pub(super) use merge::{MergeInput, merge};
pub(super) use norms::LengthNorms;
#[cfg(test)]
pub(super) use provenance::provenance;
pub(super) use provenance::{has_provenance, is_attributes, is_licence, origin};
pub use reader::{Segment, SegmentError};
pub(super) use table::kind_of;
