//! The background thread of an open repository, which checks the disk on request and updates the index.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use foreword_chunk::ParseOutcome;
use foreword_engine::index::{Snapshot, Store};
use foreword_load::{
    Effort, GitState, Progress, Report, Reuse, SyncOutcome, WalkStamps, Workspace,
};

use super::disk_changes;
use super::disk_watch::DiskWatch;
use crate::activity::ActivityLog;
use crate::recurring_error::RecurringError;
use crate::seed::PATIENCE;
use crate::setup::{Setup, SyncRequest, deferred_note, unread_note};

/// Maximum wait for another process that writes the same index and thereby does this work.
const WRITER_WAIT: Duration = Duration::from_mins(1);

/// Minimum time between two attempts to repair the index.
const MEND_INTERVAL: Duration = Duration::from_secs(10);

/// A repository's index on disk, and the thread that updates it.
pub(super) struct Synchronizer {
    pub(super) workspace: Workspace,
    pub(super) store: Store,
    pub(super) setup: Arc<Setup>,
    /// Files that change on disk are recorded there.
    activity: Arc<ActivityLog>,
    pub(super) watch: Arc<DiskWatch>,
    state: Mutex<State>,
    /// Log of failed checks and unwritten indexes.
    error: RecurringError,
    /// Notified of every change of the state.
    changed: Condvar,
}

/// Progress of indexing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indexing {
    /// Files done.
    pub done: usize,
    /// Files in all; 0 while they are being counted.
    pub total: usize,
}

/// Whether another commit was checked out since the last check.
#[derive(Clone, Copy)]
enum CommitChange {
    Same,
    New,
}

/// State shared by the thread and the requests.
#[derive(Default)]
pub(super) struct State {
    /// The snapshot of the last check.
    pub(super) disk: Option<Arc<Snapshot>>,
    /// Number of times `disk` was set.
    published: u64,
    /// Whether `disk` was complete once.
    pub(super) was_complete: bool,
    /// Number of the last requested check.
    pub(super) requested_check: u64,
    /// Number of the last finished check.
    pub(super) finished_check: u64,
    /// How many checks have finished; one serves all requests before it.
    pub(super) checks: u64,
    /// Time of the last finished check.
    pub(super) checked_at: Option<Instant>,
    /// Changes that the watcher had been told of when that check began.
    pub(super) checked_changes: u64,
    pub(super) indexing: Option<Indexing>,
    /// Error of the last check.
    pub(super) failed: Option<String>,
    /// Why the index was not written; the snapshot is right nevertheless.
    pub(super) unwritten: Option<String>,
    /// Note about unreadable files, which are in no snapshot.
    pub(super) unread: Option<String>,
    /// Note about files that have no syntax tree yet.
    pub(super) deferred: Option<String>,
    /// Whether a check has to parse although nothing changed: somebody killed a parser, or deferred texts were parsed.
    pub(super) is_parse_due: bool,
    /// Files of the user's last commits, the latest first.
    pub(super) committed: Arc<[String]>,
    /// Answers from a cluster that are being made; indexing lets them go first.
    seeding: usize,
    closed: bool,
}

impl Synchronizer {
    /// Starts the thread, with a first check requested. It ends after [`Self::close`].
    pub(super) fn start(
        workspace: Workspace,
        setup: &Arc<Setup>,
        activity: Arc<ActivityLog>,
    ) -> anyhow::Result<Arc<Self>> {
        let store = setup.store(&workspace)?;
        let state = Mutex::new(State { requested_check: 1, ..State::default() });
        let setup = Arc::clone(setup);
        let (error, changed) = (RecurringError::new(), Condvar::new());
        let watch = Arc::default();
        let res =
            Arc::new(Self { workspace, store, setup, activity, watch, state, error, changed });
        let worker = Arc::clone(&res);
        let thread = std::thread::Builder::new().name("index".to_owned());
        thread.spawn(move || worker.run()).context("cannot start a thread")?;
        Ok(res)
    }

    /// Size of the largest text that is analysed.
    pub(super) fn max_text_bytes(&self) -> usize {
        self.setup.max_text_bytes()
    }

    /// Requests a check that begins after this call; returns its number.
    pub(super) fn request_check(&self, state: &mut State) -> u64 {
        state.requested_check += 1;
        self.changed.notify_all();
        state.requested_check
    }

    /// Number of requested checks; `None` once the repository is closed.
    pub(super) fn requests(&self) -> Option<u64> {
        let state = self.lock();
        (!state.closed).then_some(state.requested_check)
    }

    /// The snapshot, if it is complete and no check is under way.
    pub(super) fn complete_disk(&self) -> Option<Arc<Snapshot>> {
        let state = self.lock();
        let is_idle = state.finished_check >= state.requested_check && state.failed.is_none();
        state.disk.clone().filter(|it| is_idle && it.is_complete())
    }

    /// The snapshot, if some of its files have no syntax tree yet.
    pub(super) fn with_deferred(&self) -> Option<Arc<Snapshot>> {
        let state = self.lock();
        state.disk.clone().filter(|_| state.deferred.is_some())
    }

    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// The thread: runs the requested checks.
    fn run(&self) {
        self.publish_stored();
        let mut seen: Option<(WalkStamps, GitState)> = None;
        let mut mended: Option<Instant> = None;
        while let Some(check) = self.next_check() {
            let changes = self.watch.changes();
            let is_damaged = self.is_damaged();
            // A disk that corrupts every write must not keep a core busy.
            let is_settled = match is_damaged {
                true => mended.is_some_and(|it| it.elapsed() < MEND_INTERVAL),
                false => self.is_complete(),
            };
            let git = GitState::of(&self.workspace);
            let is_current = |it: &(WalkStamps, GitState)| it.1 == git && it.0.is_current();
            let is_parse_due = std::mem::take(&mut self.lock().is_parse_due);
            let is_settled = is_settled && !is_parse_due;
            let is_unchanged = is_settled && seen.as_ref().is_some_and(is_current);
            if !is_unchanged {
                let is_same_commit = seen.as_ref().is_some_and(|it| it.1.has_commit_of(&git));
                let history = if is_same_commit { CommitChange::Same } else { CommitChange::New };
                let result =
                    std::panic::catch_unwind(AssertUnwindSafe(|| self.synchronise(history)));
                let result = result.unwrap_or_else(|_| {
                    Err("indexing failed; this is a bug in foreword".to_owned())
                });
                seen = result.map(|it| (it, git)).map_err(|why| self.fail(why)).ok();
                mended = if is_damaged { Some(Instant::now()) } else { mended };
            }
            let mut state = self.lock();
            state.finished_check = check;
            state.checks += 1;
            state.checked_at = Some(Instant::now());
            state.checked_changes = changes;
            state.indexing = None;
            drop(state);
            self.changed.notify_all();
        }
    }

    fn fail(&self, why: String) {
        self.error.warn(&self.event("not indexed"), &why);
        self.lock().failed = Some(why);
    }

    fn event(&self, what: &str) -> String {
        format!("{}: {what}", self.workspace.root.display())
    }

    /// Waits until a check is requested; `None` when the repository is closed.
    fn next_check(&self) -> Option<u64> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if state.requested_check > state.finished_check {
                return Some(state.requested_check);
            }
            state = self.wait(state, Duration::from_hours(1));
        }
    }

    fn is_complete(&self) -> bool {
        self.lock().disk.as_ref().is_some_and(|it| it.is_complete())
    }

    fn is_damaged(&self) -> bool {
        self.lock().disk.as_ref().is_some_and(|it| it.is_damaged())
    }

    /// Publishes the progress of indexing, and pauses while an answer from a cluster is made.
    fn note_progress(&self, it: Progress) {
        let start = Instant::now();
        let mut state = self.lock();
        state.indexing = Some(Indexing { done: it.done, total: it.total });
        while state.seeding > 0 && !state.closed && start.elapsed() < PATIENCE {
            state = self.wait(state, PATIENCE);
        }
    }

    /// Brings the index up to date.
    fn synchronise(&self, commit: CommitChange) -> Result<WalkStamps, String> {
        let progress = |it: Progress| self.note_progress(it);
        let partial = |it: Snapshot| self.publish(it);
        let disk = self.lock().disk.clone();
        disk.iter().for_each(|it| self.store.distrust_damaged(it));
        let request = SyncRequest {
            wait: WRITER_WAIT,
            waiting: None,
            reuse: Reuse::Stored,
            effort: Effort::Round,
            progress: &progress,
            partial: Some(&partial),
            cancel: None,
        };
        let synced = self.setup.sync(&self.workspace, &self.store, request);
        let synced = synced.map_err(|it| it.to_string())?;
        let unread = synced.unreadable().map(|it| unread_note(&it, &it.first));
        let deferred = deferred_note(&synced.snapshot, "they are parsed in the background");
        let is_interrupted = |it| synced.snapshot.outcome(it) == ParseOutcome::Interrupted;
        let is_interrupted = synced.snapshot.files().any(is_interrupted);
        let SyncOutcome { snapshot, manifest, walk, walked_at_ns, report } = synced;
        let diff = foreword_load::commit_diff(&self.workspace, &manifest.files, &snapshot);
        self.record_changes(commit, disk, &snapshot);
        self.publish(snapshot.with_diff(Arc::new(diff)));
        self.log(&report);
        let mut state = self.lock();
        // Also with unreadable paths, for which no wait would help.
        state.was_complete = true;
        state.unread = unread;
        state.deferred = deferred;
        state.is_parse_due |= is_interrupted;
        state.failed = None;
        state.unwritten = report
            .unwritten
            .map(|why| format!("the index was not written, so the work will be done again: {why}"));
        drop(state);
        Ok(WalkStamps::new(&self.workspace, walk, &self.setup.walk, walked_at_ns))
    }

    /// Files that changed on disk count as edited; with another commit, those of the last commits do.
    fn record_changes(
        &self,
        commit: CommitChange,
        disk: Option<Arc<Snapshot>>,
        snapshot: &Snapshot,
    ) {
        match (commit, disk) {
            (CommitChange::Same, Some(disk)) => {
                disk_changes::record(&self.activity, &disk, snapshot);
            }
            _ => self.lock().committed = foreword_load::last_files(&self.workspace).into(),
        }
    }

    fn log(&self, report: &Report) {
        let Report { unchanged, parsed, removed, .. } = *report;
        for damage in &report.damage {
            tracing::warn!("{damage}; the files that it held were read again");
        }
        let root = self.workspace.root.display();
        match &report.unwritten {
            Some(why) => self.error.warn(&self.event("the index was not written"), why),
            None => {
                self.error.clear();
                tracing::info!(%root, unchanged, parsed, removed, "indexed");
            }
        }
    }

    /// Publishes the stored index of an earlier run or of another process. This process may publish newer work while it is
    /// read.
    pub(super) fn publish_stored(&self) {
        let published = self.lock().published;
        if let Some(stored) = foreword_load::open_as_is(&self.workspace, &self.store) {
            let files = &stored.manifest.files;
            let diff = foreword_load::commit_diff(&self.workspace, files, &stored.snapshot);
            self.publish_unless(stored.snapshot.with_diff(Arc::new(diff)), |it| it != published);
        }
    }

    fn publish(&self, snapshot: Snapshot) {
        self.publish_unless(snapshot, |_| false);
    }

    /// Replaces the current snapshot, unless the new one is the same (the old one has warm blocks) or `is_late`, which gets
    /// the number of published snapshots.
    fn publish_unless(&self, snapshot: Snapshot, is_late: impl Fn(u64) -> bool) {
        let current = self.lock().disk.clone();
        let snapshot = match &current {
            Some(it) => snapshot.with_known_of(it),
            None => snapshot,
        };
        let is_same = current.is_some_and(|it| {
            !it.is_damaged()
                && it.is_complete() == snapshot.is_complete()
                && it.id() == snapshot.id()
                && it.diff() == snapshot.diff()
        });
        let mut state = self.lock();
        if is_late(state.published) {
            return;
        }
        state.was_complete |= snapshot.is_complete();
        if !is_same {
            state.published += 1;
            state.disk = Some(Arc::new(snapshot));
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Does some work for which somebody waits, while the threads that index files pause.
    pub(super) fn first<T>(&self, work: impl FnOnce() -> T) -> T {
        self.lock().seeding += 1;
        let res = std::panic::catch_unwind(AssertUnwindSafe(work));
        self.lock().seeding -= 1;
        self.changed.notify_all();
        res.unwrap_or_else(|it| std::panic::resume_unwind(it))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wait<'g>(
        &self,
        guard: MutexGuard<'g, State>,
        most: Duration,
    ) -> MutexGuard<'g, State> {
        let waited = self.changed.wait_timeout(guard, most);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_index_that_was_read_too_slowly_does_not_replace_a_newer_one() {
        let folder = tempfile::tempdir().unwrap();
        let (root, index) = (folder.path().join("it"), folder.path().join("index"));
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("a.py"), "def a():\n    pass\n").unwrap();
        let setup = Arc::new(Setup { index_dir: Some(index), here: true, ..Setup::default() });
        let workspace = setup.discover(&root).unwrap();
        let it = Synchronizer::start(workspace, &setup, Arc::default()).unwrap();
        let mut state = it.lock();
        while state.finished_check < 1 {
            state = it.wait(state, Duration::from_mins(1));
        }
        drop(state);
        let older = || Snapshot::empty(it.store.config());
        it.publish_unless(older(), |published| published != 0);
        assert!(it.lock().disk.as_ref().unwrap().file("a.py").is_some());
        it.publish(older());
        assert!(it.lock().disk.as_ref().unwrap().file("a.py").is_none());
        it.close();
    }
}
