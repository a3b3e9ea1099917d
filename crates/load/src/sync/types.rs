//! The settings and the outcome of a synchronisation.

use std::time::Duration;

use foreword_engine::index::{Manifest, SkippedFile, Snapshot, StoreError};

use crate::analyzer::Analyzer;
use crate::error::LoadError;
use crate::skip::SkipReason;
use crate::text::Limits;
use crate::walk::{Walk, WalkConfig};

/// How to synchronise.
pub struct SyncOptions<'o> {
    /// Where texts are parsed.
    pub analyzer: &'o Analyzer,
    /// What to walk.
    pub walk: WalkConfig,
    /// What to read.
    pub limits: Limits,
    /// About how many bytes of memory may be used.
    pub memory: usize,
    /// The number of threads; 0 for one per core.
    pub threads: usize,
    /// How long to wait for another writer.
    pub wait: Duration,
    /// Called again and again while another writer is waited for, with how long it has been so.
    pub waiting: Option<&'o (dyn Fn(Duration) + Sync)>,
    /// What of the existing index is used.
    pub reuse: Reuse,
    /// Called as files are finished, from any thread.
    pub progress: Option<&'o (dyn Fn(Progress) + Sync)>,
    /// Called with partial snapshots, at growing intervals, from any thread.
    pub partial: Option<&'o (dyn Fn(Snapshot) + Sync)>,
}

/// What of an existing index is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reuse {
    /// All of it. What every query reads is checked; damage elsewhere shows when a query meets it.
    #[default]
    Stored,
    /// What passes its checksums, all of which are compared first.
    Verified,
    /// Nothing: everything is read and parsed again.
    Nothing,
}

/// The progress of a synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Finished files.
    pub done: usize,
    /// Files that have to be read.
    pub total: usize,
}

/// A summary of the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files that the stamp proved unchanged.
    pub unchanged: usize,
    /// Files that were read.
    pub read: usize,
    /// Of those, files that were parsed; the contents of the others were known.
    pub parsed: usize,
    /// Files that no longer exist.
    pub removed: usize,
    /// What of the index was damaged, as sentences that name the files. What these held was read and parsed again.
    pub damage: Vec<String>,
    /// Why nothing was written, if nothing could be: the snapshot is correct, but the work will be repeated.
    pub unwritten: Option<String>,
}

/// An up-to-date view.
pub struct SyncOutcome {
    /// The state of the files.
    pub snapshot: Snapshot,
    /// The view.
    pub manifest: Manifest,
    /// The files that the walk found and skipped.
    pub walk: Walk,
    /// The clock before the walk began.
    pub walked_at_ns: i64,
    /// A summary of the work.
    pub report: Report,
}

impl SyncOutcome {
    /// What could not be read; `None` if everything could.
    pub fn unreadable(&self) -> Option<Unreadable> {
        let walked = self.walk.skipped.iter().filter(|it| it.reason.is_missing_content());
        let walked = walked.map(|it| (&it.path, it.reason.to_string()));
        let read = missing(&self.manifest).map(|it| (&it.path, it.reason.clone()));
        let mut paths = walked.chain(read);
        let (first, reason) = paths.next()?;
        Some(Unreadable { first: first.clone(), reason, paths: 1 + paths.count() })
    }
}

/// Paths whose contents are in no answer, although they may belong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The first of them.
    pub first: String,
    /// Why that one could not be read.
    pub reason: String,
    /// How many there are.
    pub paths: usize,
}

/// The files that were found and could not be read.
pub(super) fn missing(manifest: &Manifest) -> impl Iterator<Item = &SkippedFile> {
    let codes = [SkipReason::UNREADABLE, SkipReason::Changed.code()];
    manifest.skipped.iter().filter(move |it| codes.contains(&it.code.as_str()))
}

/// Why synchronisation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SyncError {
    /// The directory could not be walked.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The new index cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Threads could not be started.
    #[error("cannot start threads: {0}; try --threads 1")]
    Threads(String),
}
