//! An immutable snapshot of files that can be asked for terms, names and texts; and how it lasts.
//!
//! * `analyse`: one file → its record and postings. Depends on the file alone.
//! * `builder`, `merge` → `image`: the bytes of a segment. `segment` reads them, block by checked block.
//! * `manifest`, `store`: which files of which segments make up the view of one root; atomic commits.
//! * `snapshot`: segments and a view, ready to be asked. `bm25` scores over it; `paths` knows the names of its files.
//!
//! A segment holds everything that is computed from a path and a content, so branches and worktrees that share a
//! store share it. What is computed over all files (document frequencies, lengths) is summed up exactly over the
//! files of the view, so a snapshot built in steps answers as one built at once.

mod analyse;
mod best;
mod blocks;
pub mod bm25;
mod builder;
mod bytes;
mod codes;
mod facts;
mod frames;
mod image;
mod keys;
mod manifest;
mod merge;
mod paths;
mod postings;
mod prior;
mod record;
mod segment;
mod snapshot;
mod store;
pub mod terms;
mod titles;

pub use analyse::{Analysed, Field, Frequencies};
pub use builder::{Packed, SegmentBuilder};
pub use facts::PathFacts;
pub use manifest::{IndexedFile, Manifest, Place, SkippedFile};
pub(crate) use paths::{INDEX_STEMS, PathNames};
pub use prior::{Prior, prior_of};
pub use record::FileRecord;
pub use segment::{Segment, SegmentError, SegmentId};
pub use snapshot::{Change, ChunkId, ChunkInfo, DefinitionSite, FileId, Snapshot, Totals};
pub use store::{Known, Store, StoreError, Writer};
pub use titles::Title;

/// The layout of segments and manifests.
///
/// 1: first. 2: long posting lists have a skip table. 3: postings in blocks of codes; references apart; names know chunk
/// and kind. 4: texts in frames. 5: frames end where chunks do; titles apart.
const FORMAT_VERSION: u32 = 5;

/// What is in them, the layout being the same: terms, records.
///
/// 1: first. 2: dotted names are found by their last part too.
const FEATURE_VERSION: u32 = 2;

/// How files are analysed. Indexes of different configurations do not mix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexConfig {
    /// How files are cut into chunks.
    pub chunk: foreword_chunk::Config,
}

impl IndexConfig {
    /// A number that differs whenever the same text may be analysed differently.
    pub fn fingerprint(&self) -> u32 {
        let text =
            format!("{FEATURE_VERSION} {} {:?}", foreword_chunk::CONTENT_VERSION, self.chunk);
        blocks::checksum(text.as_bytes()) as u32
    }
}
