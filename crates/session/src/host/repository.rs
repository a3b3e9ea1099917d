//! One open repository: snapshots of it, with unsaved buffers and the text at a cursor overlaid.
//!
//! # Freshness
//!
//! A request for a view has the background thread ([`Synchronizer`]) check the disk and waits for the result, so the view
//! contains everything written before the request. Concurrent requests share a check. A check compares file stamps
//! ([`foreword_load::WalkStamps`]) and reads only what has changed. If it takes too long, the view is the current
//! snapshot, marked as not fresh.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foreword_engine::index::{Change, Snapshot, Store};
use foreword_engine::scope::Cursor;
use foreword_engine::source::ContentHash;
use foreword_engine::speculate::FilePlan;
use foreword_load::{Workspace, minified};

use super::analysis_cache::AnalysisCache;
use super::background_embedder::BackgroundEmbedder;
use super::background_parser;
use super::buffer_overlays::{Buffer, BufferOverlays};
use super::cursor_overlay::{CursorOverlayCache, CursorView};
use super::disk_watch::DiskWatch;
use super::map_cache::MapCache;
use super::past_changes::PastChanges;
use super::plan_cache::PlanCache;
use super::seed::SeedCluster;
use super::synchronizer::{Indexing, State, Synchronizer};
use crate::activity::{ActivityElsewhere, ActivityLog, StoredLog, uncommitted};
use crate::custom::Adjustments;
use crate::embedding::{Embedding, QuestionMeaning};
use crate::feedback::{self, Event, Place, RecentSearches};
use crate::setup::{FeedbackUse, Setup};

/// Default wait for a check once the index was complete; enough for a branch switch of some thousand files.
const WARM_WAIT: Duration = Duration::from_secs(5);

/// Default wait during the first indexing, which no short wait would cover.
const COLD_WAIT: Duration = Duration::from_millis(50);

/// Maximum age of a check for [`Repository::view_without_buffer`] and [`Repository::view_watched`]: editors send requests
/// with every keystroke, and buffers are overlaid in any case.
const MAX_CHECK_AGE: Duration = Duration::from_secs(1);

/// Interval of progress reports to a waiting request.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// For so long the files that differ from the cluster are known to a cursor: editors ask with every keystroke, and buffers
/// are overlaid in any case. Agents' answers have what is on the disk when they ask.
const COPY_HOLDS: Duration = Duration::from_secs(10);

/// A repository with its index.
pub struct Repository {
    synchronizer: Arc<Synchronizer>,
    /// The cluster that answers until there is an index.
    seed: Mutex<Option<Arc<SeedCluster>>>,
    buffers: BufferOverlays,
    cursor: Mutex<CursorOverlayCache>,
    /// Analyses of the open buffers and of the cursor's file.
    analyses: AnalysisCache,
    maps: MapCache,
    plans: PlanCache,
    past: PastChanges,
    setup: Arc<Setup>,
    searches: RecentSearches,
    embedding: Option<Arc<Embedding>>,
    /// What users and agents edited and looked at.
    activity: Arc<ActivityLog>,
}

/// A snapshot of the repository, with its freshness.
#[derive(Clone)]
pub struct View {
    /// The snapshot, with the unsaved buffers.
    pub snapshot: Arc<Snapshot>,
    /// Whether it contains everything that was on disk at the time of the request.
    pub fresh: bool,
    /// Progress of indexing, while it runs.
    pub indexing: Option<Indexing>,
    /// A problem to report: a failed check, unreadable files, or an index that cannot be written.
    pub trouble: Option<String>,
}

impl Repository {
    /// Opens the stored index and starts to check the disk.
    pub(super) fn open(workspace: Workspace, setup: &Arc<Setup>) -> anyhow::Result<Self> {
        let store = setup.store(&workspace)?;
        let stored = || StoredLog::new(store.dir(), &workspace.view_key());
        let activity = Arc::new(ActivityLog::resume(setup.remember.then(stored)));
        // Before the thread writes.
        let seed = Mutex::new(SeedCluster::new(&workspace, setup).map(Arc::new));
        let synchronizer = Synchronizer::start(workspace, setup, Arc::clone(&activity))?;
        background_parser::start(&synchronizer)?;
        let embedding = setup.embedder.as_ref();
        let embedding = embedding.map(|it| Arc::new(Embedding::new(it, &synchronizer.store)));
        if let Some(embedding) = &embedding {
            BackgroundEmbedder::start(&synchronizer, embedding)?;
        }
        let past = PastChanges::new(synchronizer.store.workspace_dir());
        Ok(Self {
            synchronizer,
            seed,
            buffers: BufferOverlays::default(),
            cursor: Mutex::default(),
            analyses: AnalysisCache::new(Arc::clone(&setup.analyzer)),
            maps: MapCache::default(),
            plans: PlanCache::default(),
            past,
            setup: Arc::clone(setup),
            searches: RecentSearches::default(),
            activity,
            embedding,
        })
    }

    /// A cursor in a text that a door has for one of its files. Fails for a file that is a secret by its name.
    pub fn cursor(&self, path: String, text: &str, offset: usize) -> anyhow::Result<Cursor> {
        self.setup.cursor(&self.workspace().root, path, text, offset)
    }

    /// Fails if the file at `path` is a secret by its name.
    pub fn admit(&self, path: &str) -> anyhow::Result<()> {
        self.setup.admit(&self.workspace().root, path).map(drop)
    }

    /// An answer from the cluster of the user's configuration while the first index is built, with the files on disk and
    /// the unsaved buffers. `work` is called until nothing is missing, so it must not act. `None` if there is an index or
    /// no such cluster, if it does not answer within [`crate::seed::PATIENCE`], or if the work fails.
    pub fn seeded<T>(&self, work: &dyn Fn(&View) -> anyhow::Result<T>) -> Option<T> {
        let seed = self.seed()?;
        self.answer_of(&seed, Duration::ZERO, &|snapshot| {
            let snapshot = self.buffers.over(&Arc::new(snapshot), None, &self.analyses);
            let indexing = self.synchronizer.lock().indexing;
            work(&View { snapshot, fresh: true, indexing, trouble: None })
        })
    }

    /// [`Self::seeded`] with the text of the cursor's file.
    pub fn seeded_at_cursor<T>(
        &self,
        cursor: &Cursor,
        work: &dyn Fn(&CursorView) -> anyhow::Result<T>,
    ) -> Option<T> {
        let seed = self.seed()?;
        let path = cursor.path();
        self.answer_of(&seed, COPY_HOLDS, &|snapshot| {
            let base = self.buffers.over(&Arc::new(snapshot), Some(path), &self.analyses);
            work(&self.overlay_cursor(base, path, cursor.text())?)
        })
    }

    /// The cluster that answers while there is no index.
    fn seed(&self) -> Option<Arc<SeedCluster>> {
        let mut seed = lock(&self.seed);
        if seed.is_some() && self.synchronizer.lock().was_complete {
            *seed = None;
        }
        seed.clone()
    }

    fn answer_of<T>(
        &self,
        seed: &SeedCluster,
        copy_holds: Duration,
        work: &dyn Fn(Snapshot) -> anyhow::Result<T>,
    ) -> Option<T> {
        let of = (self.workspace(), &*self.setup);
        self.synchronizer.first(|| seed.answer(of, copy_holds, work))
    }

    /// Its location.
    pub fn workspace(&self) -> &Workspace {
        &self.synchronizer.workspace
    }

    /// Votes, customisation and tags for answers from a snapshot.
    pub fn adjustments(&self, snapshot: &Snapshot, tags: &[String]) -> anyhow::Result<Adjustments> {
        Adjustments::new(&self.setup, self.workspace(), snapshot, tags)
    }

    /// Stores votes derived from actions, if the settings allow it.
    pub fn observe(&self, events: &[Event]) {
        feedback::observe(&self.setup, self.workspace(), events);
    }

    /// Remembers the results of an agent's search, if the settings allow votes from what it reads next.
    pub fn searched(&self, question: &str, results: impl Iterator<Item = Place>) {
        if self.setup.feedback == FeedbackUse::All {
            self.searches.add(question, results.collect());
        }
    }

    /// Records that an agent reads lines: it looks at them, and they are a vote for a recent result there.
    pub fn read(&self, path: &str, lines: (u32, u32)) {
        self.activity.visit(path, lines.0);
        if let Some(event) = self.searches.read(path, lines) {
            self.observe(&[event]);
        }
    }

    /// The plan of a file that is current on disk, and the maximum number of its forecasts beside the pieces of a prompt, by
    /// the settings.
    pub fn plan(&self, path: &str) -> (Option<FilePlan>, usize) {
        let most = self.setup.forecasts;
        let disk = self.latest().filter(|_| most > 0);
        let plan =
            disk.and_then(|it| self.plans.current((self.workspace(), self.store()), &it, path));
        (plan, most)
    }

    /// What users and agents edited and looked at.
    pub fn activity(&self) -> &ActivityLog {
        &self.activity
    }

    /// What was done in files of a snapshot other than `path`: first what clients told, then what differs from the last
    /// commit, then the names of the last commits' files.
    pub fn elsewhere(&self, path: &str, snapshot: &Snapshot) -> ActivityElsewhere {
        let told = self.activity.elsewhere(path, snapshot);
        let mut res = told.then(uncommitted(snapshot, path));
        let committed = self.synchronizer.lock().committed.clone();
        let is_other = |it: &&String| *it != path && snapshot.file(it).is_some();
        res.add_names(committed.iter().filter(is_other).cloned());
        res
    }

    /// The changes of its last commits.
    pub fn past(&self) -> &PastChanges {
        &self.past
    }

    /// Size of the largest text that is analysed: that of the largest indexed file.
    pub fn max_text_bytes(&self) -> usize {
        self.synchronizer.max_text_bytes()
    }

    /// Its index directory.
    pub fn store(&self) -> &Store {
        &self.synchronizer.store
    }

    /// The embedding of a question; empty without an embedding model.
    pub fn meaning(&self, snapshot: &Snapshot, question: &str) -> QuestionMeaning {
        let embedding = self.embedding.as_ref();
        embedding.map(|it| it.meaning(snapshot, question)).unwrap_or_default()
    }

    /// The cache of its maps.
    pub fn maps(&self) -> &MapCache {
        &self.maps
    }

    /// Overlays an unsaved buffer, unless it is of a file that is a secret by its name. Its secrets are masked when a view
    /// first has it: the buffer at the cursor, which changes with every keystroke, is in no view. A removed buffer makes
    /// the file on disk count again.
    pub fn apply(&self, change: Change) {
        let (path, text) = match change {
            Change::Write(source) => {
                let admitted = self.setup.admit(&self.workspace().root, &source.path).ok();
                (source.path, admitted.map(|masking| (source.text, masking)))
            }
            Change::Remove(path) => (path, None),
        };
        if text.is_none() {
            self.analyses.forget(&path);
        }
        let buffer = text.map(|(text, masking)| match self.is_indexable(&path, &text) {
            true => Buffer::new(text, masking),
            false => Buffer::NotIndexable,
        });
        self.buffers.set(path, buffer);
    }

    /// Whether a file with this text would be indexed. A minified file in the index is there by the user's wish.
    fn is_indexable(&self, path: &str, text: &str) -> bool {
        let is_indexed = || self.latest().is_some_and(|it| it.file(path).is_some());
        text.len() <= self.max_text_bytes() && (is_indexed() || minified(path, text).is_none())
    }

    /// A view of the disk at the time of the call, or the current one after `patience`: by default five seconds, or 50 ms
    /// during the first indexing. Fails if there is no snapshot at all.
    pub fn view(&self, patience: Option<Duration>) -> anyhow::Result<View> {
        self.view_with(patience, &mut |_| {})
    }

    /// Like [`Self::view`]; `watch` receives the progress of indexing.
    pub fn view_with(
        &self,
        patience: Option<Duration>,
        watch: &mut dyn FnMut(Indexing),
    ) -> anyhow::Result<View> {
        let start = Instant::now();
        let mut state = self.synchronizer.lock();
        let check = self.synchronizer.request_check(&mut state);
        while state.finished_check < check {
            let patience =
                patience.unwrap_or(if state.was_complete { WARM_WAIT } else { COLD_WAIT });
            let Some(left) = patience.checked_sub(start.elapsed()).filter(|it| !it.is_zero())
            else {
                break;
            };
            state = self.synchronizer.wait(state, left.min(PROGRESS_INTERVAL));
            if let Some(indexing) = state.indexing {
                watch(indexing);
            }
        }
        if state.finished_check < check && !state.was_complete {
            drop(state);
            self.synchronizer.publish_stored();
            state = self.synchronizer.lock();
        }
        self.view_of(state, check, None)
    }

    /// What a watcher of its directories was told of; the caller connects one.
    pub fn watch(&self) -> &Arc<DiskWatch> {
        &self.synchronizer.watch
    }

    /// Like [`Self::view`], but without a check if the watcher was told of no change since the last one. For changes that
    /// no watcher is told of (a commit, a write on a network drive, a file in a directory without others) a check is
    /// requested once a second and not waited for.
    pub fn view_watched(&self, patience: Duration) -> anyhow::Result<View> {
        let known = {
            let state = self.synchronizer.lock();
            let is_whole = state.was_complete && state.failed.is_none();
            is_whole.then_some(state.checked_changes)
        };
        let is_unchanged = known.is_some_and(|it| self.watch().is_unchanged_since(it));
        if !is_unchanged {
            return self.view(Some(patience));
        }
        let mut state = self.synchronizer.lock();
        let check = state.finished_check;
        self.request_check_if_old(&mut state);
        self.view_of(state, check, None)
    }

    /// Number of checks of the disk that have finished.
    pub fn checks(&self) -> u64 {
        self.synchronizer.lock().checks
    }

    fn request_check_if_old(&self, state: &mut State) {
        if state.checked_at.is_none_or(|it| it.elapsed() > MAX_CHECK_AGE) {
            self.synchronizer.request_check(state);
        }
    }

    /// The current view for a cursor in the file `path`, without waiting and without that file's buffer, since the cursor
    /// carries its text. Requests a check for later calls when the last one is old.
    fn view_without_buffer(&self, path: &str) -> anyhow::Result<View> {
        let mut state = self.synchronizer.lock();
        self.request_check_if_old(&mut state);
        let check = state.requested_check;
        self.view_of(state, check, Some(path))
    }

    /// The current state as a view without the buffer of the file `except`; fresh if `check` is done. Unlocks the state
    /// before the buffers are analysed, so that neither the thread nor other requests wait for that.
    fn view_of(
        &self,
        state: MutexGuard<'_, State>,
        check: u64,
        except: Option<&str>,
    ) -> anyhow::Result<View> {
        let disk = match (&state.disk, &state.failed) {
            (Some(disk), _) => Arc::clone(disk),
            (None, Some(why)) => anyhow::bail!("{why}"),
            (None, None) => Arc::new(Snapshot::empty(self.store().config())),
        };
        let fresh = state.disk.is_some() && state.finished_check >= check && state.failed.is_none();
        let indexing = state.indexing;
        let troubles = [&state.failed, &state.unread, &state.unwritten, &state.deferred];
        let trouble = troubles.into_iter().find_map(Clone::clone);
        drop(state);
        let snapshot = self.buffers.over(&disk, except, &self.analyses);
        Ok(View { snapshot, fresh, indexing, trouble })
    }

    /// The current snapshot of the disk, without a check; `None` before the first one.
    pub fn latest(&self) -> Option<Arc<Snapshot>> {
        self.synchronizer.lock().disk.clone()
    }

    /// The current view with the text of the cursor's file, without waiting. The same text is cached, and a text that
    /// differs from the previous one in a few lines is parsed incrementally.
    pub fn view_at_cursor(&self, cursor: &Cursor) -> anyhow::Result<CursorView> {
        let base = self.view_without_buffer(cursor.path())?.snapshot;
        self.overlay_cursor(base, cursor.path(), cursor.text())
    }

    /// Analyses the text of a file that somebody opened, so that a view of the next text continues from its tree. Nothing is
    /// done for a file that is a secret by its name.
    pub fn prepare(&self, path: &str, text: &str) {
        let Ok(masking) = self.setup.admit(&self.workspace().root, path) else { return };
        let text = masking.apply(text.to_owned());
        let config = self.store().config().chunk;
        drop(self.analyses.get(path, &text, &config));
        let evicted = lock(&self.cursor).touch(path, text.len());
        evicted.iter().for_each(|it| self.analyses.forget(it));
    }

    /// Overlays the text of the cursor's file, in which secrets are masked already, on a snapshot. Fails for a file that is
    /// a secret by its name.
    pub fn overlay_cursor(
        &self,
        base: Arc<Snapshot>,
        path: &str,
        text: &str,
    ) -> anyhow::Result<CursorView> {
        self.admit(path)?;
        let hash = ContentHash::of(text.as_bytes());
        if base.file(path).is_some_and(|it| base.hash(it) == hash) {
            return Ok(CursorView { base, overlaid: None });
        }
        if let Some(cached) = lock(&self.cursor).get(&base, path, hash) {
            return Ok(cached);
        }
        let packed = self.analyses.get(path, text, &base.config().chunk);
        let change = [(path.to_owned(), Some(packed))].into();
        let overlaid = Some(Arc::new(base.with_packed(&change)?));
        let view = CursorView { base, overlaid };
        let evicted = lock(&self.cursor).insert(path, (hash, text.len()), &view);
        evicted.iter().for_each(|it| self.analyses.forget(it));
        Ok(view)
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        self.activity.store();
        self.synchronizer.close();
    }
}

impl View {
    /// Whether it covers the whole repository as it is on disk.
    pub fn is_complete(&self) -> bool {
        self.fresh && self.snapshot.is_complete()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
