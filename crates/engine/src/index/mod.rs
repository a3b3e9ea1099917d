//! The index: immutable segments, snapshots that answer queries over them, and the store that keeps them on disk.
//!
//! Modules import each other in this order, never backwards:
//!
//! * `ids`, `config`, `checksum`, `varint`, `terms`, `fields`, `file_role`, `path_features`, `path_names`: no
//!   dependencies.
//! * `record`, `analyze`, `head`: the record, terms, licence and imports of one file, which depend on that file alone.
//! * `postings`: encoded lists of the occurrences of terms and names.
//! * `segment`: the bytes of a set of files, written by `builder` and `merge`, read in checked blocks.
//! * `diff`: differences from the last commit.
//! * `precise`: what compilers and type checkers said of names, by text.
//! * `partial`: what is known of a snapshot whose contents are elsewhere; its `export` comes after `bm25`.
//! * `snapshot`: segments and a view of them, ready for queries. `bm25` scores over it, by words and by vectors.
//! * `store`: the index directory with its manifests, one writer, atomic commits.
//! * `vectors`: vectors of chunks by the user's embedder, beside the index.
//!
//! A segment contains everything computed from a path and a content, so branches and worktrees that share a store share
//! segments. Values that depend on all files (document frequencies, lengths) are summed exactly over the files of the
//! view, so a snapshot built in steps answers like one built at once.

mod analyze;
pub mod bm25;
mod checksum;
mod config;
mod diff;
mod fields;
mod file_role;
mod generated;
mod head;
mod ids;
mod manifest;
mod partial;
mod path_features;
mod path_names;
mod postings;
mod precise;
mod record;
mod segment;
mod snapshot;
mod store;
pub mod terms;
mod varint;
mod vectors;

pub use analyze::AnalyzedFile;
pub use config::IndexConfig;
pub use diff::{CommitDiff, FileDiff, Hunk};
pub use fields::{Field, Frequencies};
pub use file_role::{FileRole, file_role};
pub use head::{Head, HeadPlace};
pub use ids::{ChunkId, FileId, FileLocation, SegmentId};
pub use manifest::{IndexedFile, Manifest, SkippedFile};
pub use partial::{
    Bounds, Dictionary, ExportError, ExportedFile, FactsNeeds, FactsOf, LexicalQuery, NameSites,
    Needs, Partial,
};
pub use path_features::PathFeatures;
pub(crate) use path_names::{INDEX_STEMS, PathNames};
pub use precise::{
    ExportedFacts, Facts, FactsFile, FileFacts, IndexedText, Occurrence, Provenance, Refusal,
    ScipError, ScipImport, ScipSource,
};
pub(crate) use record::dotted;
pub use record::{FileRecord, Mentions, scope_names};
pub use segment::{PackedFile, Segment, SegmentBuilder, SegmentError};
pub use snapshot::{CUSTOMISATION_FOLDER, Change, ChunkInfo, DefinitionSite, Snapshot, Totals};
pub(crate) use snapshot::{Layout, states_licence};
pub use store::{
    Check, INDEX_TAG, KnownFiles, OtherStore, Store, StoreError, StoredIndex, UsableView, Writer,
};
pub(crate) use store::{try_lock, write_file};
pub use vectors::{Coverage, PROBE, TextKey, VectorStore, VectorWriter, Vectors, chunk_texts};
