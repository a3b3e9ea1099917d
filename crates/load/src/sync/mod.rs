//! Brings a view of the index up to date with the disk: compares stamps, reads files not proven unchanged, parses
//! contents that no segment has, commits.
//!
//! There is one writer. A second process waits a while, then answers from memory and says so; so does a process that
//! cannot write to the index directory. Finished batches are committed, so a killed run loses only the last.
//!
//! Texts that take long to parse wait for nobody's answer: a round defers them, and they are parsed afterwards
//! (`deferred`).
//!
//! Damage costs time, never an answer: files of unusable segments are read and parsed again.

mod committed;
mod deferred;
mod indexer;
mod plan;
mod types;
mod views;
mod working_copy;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use foreword_engine::index::{Manifest, Snapshot, Store, Writer};
use foreword_engine::source::ContentHash;

use self::committed::CommittedView;
pub use self::deferred::DeferredTexts;
use self::indexer::{Indexer, Target};
use self::plan::Plan;
use self::types::missing;
pub use self::types::{
    Effort, Progress, Report, Reuse, SyncError, SyncOptions, SyncOutcome, Unreadable,
};
pub use self::working_copy::{WorkingCopy, WorkingCopyError};
use crate::root::Root;
use crate::stamp::now_ns;
use crate::text::{Limits, max_file_bytes};
use crate::walk::{FileEntry, Inclusion, Masking, RecordedWalk, Walk, WalkRecord, walk_recorded};
use crate::workspace::Workspace;

/// Version of the decoding rules; a change makes an index read its files again.
const DECODING: &str = "utf-8, utf-16, mostly utf-8, else detected";

/// Interval between attempts to take the lock.
const POLL: Duration = Duration::from_millis(50);

/// Brings the view of `workspace` in `store` up to date and opens it.
pub fn sync(
    workspace: &Workspace,
    store: &Store,
    options: &SyncOptions<'_>,
) -> Result<SyncOutcome, SyncError> {
    let outcome = sync_round(workspace, store, options)?;
    match options.effort {
        Effort::Round => Ok(outcome),
        Effort::Full => deferred::parse_all(workspace, store, options, outcome),
    }
}

/// Reads the changed files, and parses their texts as far as the time of a round allows.
fn sync_round(
    workspace: &Workspace,
    store: &Store,
    options: &SyncOptions<'_>,
) -> Result<SyncOutcome, SyncError> {
    let view = workspace.view_key();
    let walked_at_ns = now_ns();
    let root = workspace.open()?;
    let open = || CommittedView::open(workspace, store, &view, options.reuse);
    // The index is read while the disk is looked at: neither depends on the other.
    let target = Target { root: &root, store, view: &view };
    let (walked, mut committed) = rayon::join(|| walk_of(target, options, walked_at_ns), open);
    let RecordedWalk { mut walk, mut record } = walked?;
    let reading = reading(&options.limits, &walk);
    let analyzer = options.analyzer;
    let mut plan = Plan::new(&committed, &walk, &reading, analyzer);
    if plan.is_empty() && committed.is_whole() {
        if workspace.revision.is_some() {
            store.note_use(&view);
        }
        keep(record, target);
        return Ok(unchanged(committed, store, walk, walked_at_ns));
    }
    let (writer, unwritten) = become_writer(store, options);
    // While this process waited, another writer may have done the work, or removed segments that looked damaged: those
    // of a manifest that it has replaced.
    if writer.is_some() && committed.is_stale(store, &view) {
        committed = open();
        drop(plan);
        // The wait may have been long.
        RecordedWalk { walk, record } = walk_of(target, options, now_ns())?;
        plan = Plan::new(&committed, &walk, &reading, analyzer);
    }
    check_sizes(&root, &plan, &options.limits)?;
    let (unchanged, removed) = (plan.unchanged.len(), plan.removed);
    let damage = committed.damage.clone();
    let mut report = Report { unchanged, removed, damage, ..Report::default() };
    committed.manifest.reading = reading;
    let indexer = Indexer::new(target, writer, committed, &plan, options);
    let (manifest, segments) = indexer.run(&plan, &mut report, unwritten)?;
    let snapshot = Snapshot::new(segments, &manifest, store.config()).with_facts(store.facts());
    keep(record, target);
    Ok(with_completeness(SyncOutcome { snapshot, manifest, walk, walked_at_ns, report }))
}

/// The outcome if the committed view is up to date.
fn unchanged(
    committed: CommittedView,
    store: &Store,
    walk: Walk,
    walked_at_ns: i64,
) -> SyncOutcome {
    let (snapshot, manifest) = (committed.snapshot(store), committed.manifest);
    let report = Report { unchanged: manifest.files.len(), ..Report::default() };
    with_completeness(SyncOutcome { snapshot, manifest, walk, walked_at_ns, report })
}

/// Refuses a commit whose files unpack to too much, before any is read.
fn check_sizes(root: &Root, plan: &Plan<'_>, limits: &Limits) -> Result<(), SyncError> {
    let Some(commit) = root.commit() else { return Ok(()) };
    let most = |path: &str| max_file_bytes(path, limits.max_file_size);
    let files = plan.to_read.iter().map(|it| (it.path.as_str(), most(&it.path)));
    Ok(commit.check_sizes(files)?)
}

/// Marks the snapshot as incomplete if a path could not be read. The manifest on disk counts as complete, so that the
/// next run does not start over.
fn with_completeness(outcome: SyncOutcome) -> SyncOutcome {
    match outcome.unreadable() {
        Some(_) => SyncOutcome { snapshot: outcome.snapshot.into_incomplete(), ..outcome },
        None => outcome,
    }
}

/// The last committed version of a view.
pub struct StoredView {
    /// Without damaged files; marked incomplete if files are damaged or were unreadable.
    pub manifest: Manifest,
    /// The state of these files.
    pub snapshot: Snapshot,
    /// Damaged parts of the index, one sentence each, with file names.
    pub damage: Vec<String>,
}

/// Opens the last committed version of a view without reading the repository; `None` if there is none.
pub fn open_as_is(workspace: &Workspace, store: &Store) -> Option<StoredView> {
    let view = workspace.view_key();
    if !store.has_view(&view) {
        return None;
    }
    let open = || CommittedView::open(workspace, store, &view, Reuse::Stored);
    let first = open();
    // A writer may have replaced the manifest and removed its segments between two reads.
    let mut committed = if first.damage.is_empty() { first } else { open() };
    let is_whole = committed.damage.is_empty() && missing(&committed.manifest).next().is_none();
    committed.manifest.complete &= is_whole;
    let snapshot = committed.snapshot(store);
    let CommittedView { manifest, damage, .. } = committed;
    Some(StoredView { manifest, snapshot, damage })
}

/// Walks the tree; what is unchanged since the recorded walk is taken from its record.
fn walk_of(
    target: Target<'_>,
    options: &SyncOptions<'_>,
    at_ns: i64,
) -> Result<RecordedWalk, SyncError> {
    let never = AtomicBool::new(false);
    let cancel = options.cancel.unwrap_or(&never);
    let before = (options.reuse == Reuse::Stored).then(|| target.store.walk_record(target.view));
    let before = before.flatten().and_then(|it| WalkRecord::decode(&it));
    Ok(walk_recorded(target.root, &options.walk, cancel, before.as_ref(), at_ns)?)
}

/// Keeps the record of a walk for the next one, unless another process is writing.
fn keep(record: Option<WalkRecord>, target: Target<'_>) {
    let Some(record) = record else { return };
    if let Ok(Some(writer)) = target.store.try_write() {
        // Without it the next walk lists all directories.
        let _ = writer.record_walk(target.view, &record.encode());
    }
}

fn become_writer(store: &Store, options: &SyncOptions<'_>) -> (Option<Writer>, Option<String>) {
    let start = Instant::now();
    loop {
        match store.try_write() {
            Ok(Some(writer)) => return (Some(writer), None),
            Ok(None) if start.elapsed() < options.wait && !options.is_cancelled() => {
                options.waiting.inspect(|it| it(start.elapsed()));
                std::thread::sleep(POLL);
            }
            Ok(None) => return (None, Some("another process is writing the index".to_owned())),
            Err(error) => return (None, Some(error.to_string())),
        }
    }
}

/// Identifies the settings of reading. Other limits and other explicit inclusions skip other files, and other
/// exceptions mask other files.
fn reading(limits: &Limits, walk: &Walk) -> String {
    let is_special =
        |it: &&FileEntry| it.inclusion == Inclusion::Explicit || it.masking == Masking::Off;
    let explicit = walk.files.iter().filter(is_special);
    let explicit: Vec<&str> = explicit.map(|it| it.path.as_str()).collect();
    match explicit.is_empty() {
        true => format!("{limits:?} {DECODING}"),
        false => {
            format!("{limits:?} {DECODING} {:?}", ContentHash::of(explicit.join("\n").as_bytes()))
        }
    }
}
