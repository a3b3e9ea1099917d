//! A snapshot: segments and a view of them, with everything that queries need.
//!
//! Its methods are split by topic: `files` (paths, sizes), `contents` (texts, chunks, records), `names` (definitions,
//! uses); `changes` derives new snapshots; `partial` is for those whose
//! contents are elsewhere, `changed` for texts in memory over such. `bm25` adds scores.

mod cache;
mod changed;
mod changes;
mod contents;
mod files;
mod names;
mod partial;
mod segment_view;
mod third_party;
mod types;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use self::cache::Cache;
use self::changed::PartialView;
pub(crate) use self::contents::Layout;
pub(super) use self::segment_view::SegmentView;
use self::third_party::ThirdParty;
pub(crate) use self::third_party::states_licence;
pub use self::types::{Change, ChunkInfo, DefinitionSite, Totals};
use super::config::IndexConfig;
use super::diff::CommitDiff;
use super::ids::{ChunkId, FileId, FileLocation};
use super::manifest::{IndexedFile, Manifest};
use super::path_features::PathFeatures;
use super::path_names::PathNames;
use super::precise::{Facts, FactsFile};
use super::record::{FileRecord, Mentions};
use super::segment::Segment;
use crate::source::ContentHash;

/// The customisation folder, with trailing slash.
pub const CUSTOMISATION_FOLDER: &str = ".foreword/";

/// A path with its features, computed on first use.
#[derive(Debug)]
struct PathEntry {
    path: Box<str>,
    features: OnceLock<PathFeatures>,
}

impl PathEntry {
    fn new(path: &str) -> Arc<Self> {
        Arc::new(Self { path: path.into(), features: OnceLock::new() })
    }
}

#[derive(Clone, Debug)]
struct File {
    path: Arc<PathEntry>,
    hash: ContentHash,
    location: FileLocation,
}

impl File {
    fn path(&self) -> &str {
        &self.path.path
    }
}

/// An immutable state of a repository. Changes make new snapshots; readers never wait.
pub struct Snapshot {
    pub(super) segments: Vec<SegmentView>,
    files: Vec<File>,
    /// Files of the customisation folder, which are not the repository's.
    customisation: Vec<File>,
    totals: Totals,
    complete: bool,
    config: IndexConfig,
    id: OnceLock<String>,
    diff: Arc<CommitDiff>,
    /// Of the store; `None` in memory.
    facts: Option<Arc<FactsFile>>,
    /// For files with a new text in memory, the version that this replaced, which the segments still have.
    replaced: Arc<BTreeMap<FileId, (ContentHash, FileLocation)>>,
    /// Of a snapshot whose contents are elsewhere; `None` if all of them are here.
    partial: Option<PartialView>,
    /// Shared with derived snapshots that have the same paths.
    path_names: Arc<OnceLock<Arc<PathNames>>>,
    /// Also shared: third-party roots depend on names and licences, which rarely change.
    third_party: Arc<OnceLock<ThirdParty>>,
    /// Shared with all derived snapshots.
    caches: Arc<Caches>,
}

/// Recently decoded values.
#[derive(Default)]
struct Caches {
    records: Cache<Arc<FileRecord>>,
    texts: Cache<Arc<str>>,
    mentions: Cache<Arc<Mentions>>,
    layouts: Cache<Arc<Layout>>,
    /// Whether a file's record matches its text.
    fits: Cache<bool>,
}

impl Snapshot {
    /// The snapshot of a view. `segments` are the manifest's, in its order.
    pub fn new(segments: Vec<Arc<Segment>>, manifest: &Manifest, config: IndexConfig) -> Self {
        let file = |it: &IndexedFile| File {
            path: PathEntry::new(&it.path),
            hash: it.hash,
            location: it.location,
        };
        let files = manifest.files.iter().map(file).collect();
        Self { complete: manifest.complete, ..Self::of_parts(segments, files, config) }
    }

    /// A snapshot without files.
    pub fn empty(config: IndexConfig) -> Self {
        Self::of_parts(Vec::new(), Vec::new(), config)
    }

    /// `files` must be sorted by path.
    fn of_parts(segments: Vec<Arc<Segment>>, mut files: Vec<File>, config: IndexConfig) -> Self {
        let start = files.partition_point(|it| it.path() < CUSTOMISATION_FOLDER);
        let n = files[start..].partition_point(|it| it.path().starts_with(CUSTOMISATION_FOLDER));
        let customisation: Vec<File> = files.drain(start..start + n).collect();
        Self { customisation, ..Self::of_files(segments, files, config) }
    }

    fn of_files(segments: Vec<Arc<Segment>>, files: Vec<File>, config: IndexConfig) -> Self {
        let mut owners: Vec<Vec<Option<FileId>>> =
            segments.iter().map(|it| vec![None; it.n_files() as usize]).collect();
        for (idx, file) in files.iter().enumerate() {
            let segment = &mut owners[file.location.segment as usize];
            if let Some(owner) = segment.get_mut(file.location.ord as usize) {
                *owner = Some(FileId(idx as u32));
            }
        }
        let segments = segments.into_iter().zip(owners);
        let segments: Vec<SegmentView> =
            segments.map(|(segment, owners)| SegmentView::new(segment, owners)).collect();
        let mut totals = Totals::default();
        segments.iter().for_each(|it| it.add_to(&mut totals));
        Self::of_views(segments, files, totals, config)
    }

    fn of_views(
        segments: Vec<SegmentView>,
        files: Vec<File>,
        totals: Totals,
        config: IndexConfig,
    ) -> Self {
        Self {
            segments,
            files,
            customisation: Vec::new(),
            totals,
            complete: true,
            config,
            id: OnceLock::new(),
            diff: Arc::default(),
            facts: None,
            replaced: Arc::default(),
            partial: None,
            path_names: Arc::default(),
            third_party: Arc::default(),
            caches: Arc::default(),
        }
    }

    /// Identifies the state: equal for equal paths, contents and configuration, unless a file's parse is not final
    /// ([`ParseOutcome::is_preliminary`](foreword_chunk::ParseOutcome::is_preliminary)).
    pub fn id(&self) -> &str {
        self.id.get_or_init(|| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&self.config.fingerprint().to_le_bytes());
            for file in self.files.iter().chain(&self.customisation) {
                hasher.update(file.path().as_bytes());
                hasher.update(&[0]);
                hasher.update(&file.hash.0);
                let FileLocation { segment, ord } = file.location;
                let (_, outcome) = self.segments[segment as usize].segment.outcome(ord);
                if outcome.is_preliminary() {
                    hasher.update(outcome.code().as_bytes());
                }
            }
            hasher.finalize().to_hex()[..16].to_owned()
        })
    }

    /// Sets the differences from the last commit, which are not part of the identity.
    #[must_use]
    pub fn with_diff(self, diff: Arc<CommitDiff>) -> Self {
        Self { diff, ..self }
    }

    /// The differences from the last commit; empty if unknown.
    pub fn diff(&self) -> &CommitDiff {
        &self.diff
    }

    /// Sets the precise facts of the store, which are not part of the identity either.
    #[must_use]
    pub fn with_facts(self, facts: Arc<FactsFile>) -> Self {
        Self { facts: Some(facts), ..self }
    }

    /// What is known precisely of names, as it is now on disk; empty where nothing was imported. Of a partial snapshot, what is
    /// here ([`Self::need_facts`]).
    pub fn facts(&self) -> Arc<Facts> {
        if let Some(it) = self.partial() {
            return it.precise();
        }
        self.facts.as_ref().map(|it| it.load()).unwrap_or_default()
    }

    /// The same snapshot without what was decoded for earlier answers, some megabytes, for a caller that keeps it.
    #[must_use]
    pub fn without_decoded(self) -> Self {
        Self { caches: Arc::default(), ..self }
    }

    /// The segments, in the order of the manifest.
    pub fn segments(&self) -> Vec<Arc<Segment>> {
        self.segments.iter().map(|it| Arc::clone(&it.segment)).collect()
    }

    /// Sums over all files.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// The configuration of analysis.
    pub fn config(&self) -> IndexConfig {
        self.config
    }

    /// The same snapshot, marked as incomplete.
    #[must_use]
    pub fn into_incomplete(self) -> Self {
        Self { complete: false, ..self }
    }

    /// Whether it contains all files that it should, and no damaged segment.
    pub fn is_complete(&self) -> bool {
        self.complete && !self.is_damaged()
    }

    /// Whether corrupt data was found in a segment; the index should be rebuilt.
    pub fn is_damaged(&self) -> bool {
        self.segments.iter().any(|it| it.segment.is_damaged())
    }

    /// The chunks of `files` by segment: their numbers there, in order.
    pub(super) fn chunks_by_segment(&self, files: &[FileId]) -> Vec<(usize, Vec<u32>)> {
        files.iter().for_each(|it| self.need_contents(*it));
        let mut locations: Vec<FileLocation> =
            files.iter().map(|it| self.files[it.0 as usize].location).collect();
        locations.sort_unstable_by_key(|it| (it.segment, it.ord));
        locations.dedup();
        let of_segment = |all: &[FileLocation]| {
            let segment = all[0].segment as usize;
            let table = &self.segments[segment].segment.table;
            let mut chunks: Vec<u32> = all.iter().flat_map(|it| table.chunks_of(it.ord)).collect();
            chunks.sort_unstable();
            (segment, chunks)
        };
        locations.chunk_by(|a, b| a.segment == b.segment).map(of_segment).collect()
    }

    /// The `chunks` by segment: the segment, the number there, and the position in `chunks`; in order.
    pub(super) fn places_of(&self, chunks: &[ChunkId]) -> Vec<(usize, u32, usize)> {
        chunks.iter().for_each(|it| self.need_contents(it.file));
        let place = |(at, it): (usize, &ChunkId)| {
            let FileLocation { segment, ord } = self.files[it.file.0 as usize].location;
            let first = self.segments[segment as usize].segment.table.chunks_of(ord).start;
            (segment as usize, first + it.idx, at)
        };
        let mut res: Vec<_> = chunks.iter().enumerate().map(place).collect();
        res.sort_unstable();
        res
    }

    /// The segment that stores a file, and the file's index there.
    pub(super) fn locate(&self, file: FileId) -> (&Segment, u32) {
        let FileLocation { segment, ord } = self.files[file.0 as usize].location;
        (&self.segments[segment as usize].segment, ord)
    }
}
