//! Settings and results of a synchronisation.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use foreword_engine::index::{Manifest, SkippedFile, Snapshot, StoreError};

use crate::analyzer::Analyzer;
use crate::error::LoadError;
use crate::skip::SkipReason;
use crate::text::Limits;
use crate::walk::{Walk, WalkConfig};

/// Settings of a synchronisation.
pub struct SyncOptions<'o> {
    /// The parser of texts.
    pub analyzer: &'o Analyzer,
    /// Settings of the walk.
    pub walk: WalkConfig,
    /// Limits of reading.
    pub limits: Limits,
    /// Approximate memory limit, in bytes.
    pub memory: usize,
    /// Number of threads; 0 for one per core.
    pub threads: usize,
    /// Maximum time to wait for another writer.
    pub wait: Duration,
    /// Called repeatedly with the elapsed time while waiting for another writer.
    pub waiting: Option<&'o (dyn Fn(Duration) + Sync)>,
    /// Use of the existing index.
    pub reuse: Reuse,
    /// What is done for texts that take long to parse.
    pub effort: Effort,
    /// Called as files are finished, from any thread.
    pub progress: Option<&'o (dyn Fn(Progress) + Sync)>,
    /// Called with partial snapshots, at growing intervals, from any thread.
    pub partial: Option<&'o (dyn Fn(Snapshot) + Sync)>,
    /// Set when the caller wants no result any more. What is done by then is kept for the next run.
    pub cancel: Option<&'o AtomicBool>,
}

impl SyncOptions<'_> {
    /// Whether the caller wants no result any more.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|it| it.load(Ordering::Relaxed))
    }
}

/// How much of an existing index is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reuse {
    /// All of it. The parts read by every query are checked; other damage appears when a query reads it.
    #[default]
    Stored,
    /// The parts whose checksums match; all are compared first.
    Verified,
    /// Nothing: all files are read and parsed again.
    Nothing,
}

/// What is done for texts that take long to parse, or stop their parser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Somebody waits: they are deferred, when the time that they share is spent.
    #[default]
    Round,
    /// Each is parsed in the end, with the full limits.
    Full,
}

/// The progress of a synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Finished files.
    pub done: usize,
    /// Files to read.
    pub total: usize,
}

/// A summary of the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files proven unchanged by their stamps.
    pub unchanged: usize,
    /// Files read.
    pub read: usize,
    /// Files parsed, out of those read; the contents of the others were known.
    pub parsed: usize,
    /// Files that no longer exist.
    pub removed: usize,
    /// Damaged parts of the index, one sentence each, with file names. Their files were read and parsed again.
    pub damage: Vec<String>,
    /// The reason why the index was not written, if so. The snapshot is correct, but the next run repeats the work.
    pub unwritten: Option<String>,
}

/// An up-to-date view.
pub struct SyncOutcome {
    /// The state of the files.
    pub snapshot: Snapshot,
    /// The files of the view.
    pub manifest: Manifest,
    /// The files of the walk, including skipped ones.
    pub walk: Walk,
    /// The clock before the walk began.
    pub walked_at_ns: i64,
    /// A summary of the work.
    pub report: Report,
}

impl SyncOutcome {
    /// The unreadable paths; `None` if there are none.
    pub fn unreadable(&self) -> Option<Unreadable> {
        let walked = self.walk.skipped.iter().filter(|it| it.reason.is_missing_content());
        let walked = walked.map(|it| (&it.path, it.reason.to_string()));
        let read = missing(&self.manifest).map(|it| (&it.path, it.reason.clone()));
        let mut paths = walked.chain(read);
        let (first, reason) = paths.next()?;
        Some(Unreadable { first: first.clone(), reason, paths: 1 + paths.count() })
    }
}

/// Paths missing in all answers although they may belong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The first path.
    pub first: String,
    /// The reason for the first path.
    pub reason: String,
    /// Number of paths.
    pub paths: usize,
}

/// The files that exist but could not be read.
pub(super) fn missing(manifest: &Manifest) -> impl Iterator<Item = &SkippedFile> {
    let codes = [SkipReason::UNREADABLE, SkipReason::Changed.code()];
    manifest.skipped.iter().filter(move |it| codes.contains(&it.code.as_str()))
}

/// Failure of a synchronisation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SyncError {
    /// The walk failed.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The new index is unusable.
    #[error(transparent)]
    Store(#[from] StoreError),
}
