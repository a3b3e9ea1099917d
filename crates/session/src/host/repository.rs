//! One open repository: snapshots of it, with unsaved buffers and the text at a cursor overlaid.
//!
//! # Freshness
//!
//! A request for a view asks the background thread ([`Synchronizer`]) for a check of the disk that begins afterwards,
//! and waits for its end: whatever was written before the request is then in the answer. Requests that come meanwhile
//! share a check. A check only compares file stamps ([`foreword_load::WalkStamps`]) unless something has changed. When the
//! wait takes too long, the answer is the current snapshot, and the view says that it is not fresh.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foreword_engine::index::{Change, Snapshot, Store};
use foreword_engine::secret::masked;
use foreword_engine::source::ContentHash;
use foreword_load::Workspace;

use super::analysis_cache::AnalysisCache;
use super::background_embedder::BackgroundEmbedder;
use super::buffer_overlays::{Buffer, BufferOverlays};
use super::cursor_overlay::{CursorOverlayCache, CursorView};
use super::map_cache::MapCache;
use super::synchronizer::{Indexing, State, Synchronizer};
use crate::custom::Adjustments;
use crate::embedding::{Embedding, QuestionMeaning};
use crate::feedback::{self, Event, Place, RecentSearches};
use crate::setup::{FeedbackUse, Setup};

/// How long a view waits for a check when the index was complete before: a branch switch of some thousand files takes
/// this.
const WARM: Duration = Duration::from_secs(5);

/// How long it waits while the repository is indexed for the first time: nothing short of the whole would help.
const COLD: Duration = Duration::from_millis(50);

/// How old a check may be for [`Repository::view_without_buffer`]: editors ask with every keystroke, and buffers are
/// overlaid at once in any case.
const MAX_CHECK_AGE: Duration = Duration::from_secs(1);

/// How often a waiting request is told how far indexing is.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// A repository with its index.
pub struct Repository {
    synchronizer: Arc<Synchronizer>,
    buffers: Mutex<BufferOverlays>,
    cursor: Mutex<CursorOverlayCache>,
    /// Of the open buffers and of the cursor's file.
    analyses: AnalysisCache,
    maps: MapCache,
    setup: Arc<Setup>,
    searches: RecentSearches,
    embedding: Option<Arc<Embedding>>,
}

/// A snapshot of the repository, and how far it can be relied on.
#[derive(Clone)]
pub struct View {
    /// The snapshot, with the unsaved buffers.
    pub snapshot: Arc<Snapshot>,
    /// Whether it has everything that was on the disk when it was requested.
    pub fresh: bool,
    /// How far indexing is, while it goes on.
    pub indexing: Option<Indexing>,
    /// What the user should know: why the last check failed, what could not be read, or why the index could not be
    /// written.
    pub trouble: Option<String>,
}

impl Repository {
    /// Opens the index as it was left and starts to check the disk.
    pub(super) fn open(workspace: Workspace, setup: &Arc<Setup>) -> anyhow::Result<Self> {
        let synchronizer = Synchronizer::start(workspace, setup)?;
        let embedding = setup.embedder.as_ref();
        let embedding = embedding.map(|it| Arc::new(Embedding::new(it, &synchronizer.store)));
        if let Some(embedding) = &embedding {
            BackgroundEmbedder::start(&synchronizer, embedding)?;
        }
        Ok(Self {
            synchronizer,
            buffers: Mutex::default(),
            cursor: Mutex::default(),
            analyses: AnalysisCache::new(Arc::clone(&setup.analyzer)),
            maps: MapCache::default(),
            setup: Arc::clone(setup),
            searches: RecentSearches::default(),
            embedding,
        })
    }

    /// Where it is.
    pub fn workspace(&self) -> &Workspace {
        &self.synchronizer.workspace
    }

    /// What changes answers about this state of it, with tags as they are given.
    pub fn adjustments(&self, snapshot: &Snapshot, tags: &[String]) -> anyhow::Result<Adjustments> {
        Adjustments::new(&self.setup, self.workspace(), snapshot, tags)
    }

    /// Keeps what an action tells of earlier answers, if the user wants that to be kept.
    pub fn observe(&self, events: &[Event]) {
        feedback::observe(&self.setup, self.workspace(), events);
    }

    /// Remembers what an agent found, if the user wants to have kept what it then reads.
    pub fn searched(&self, question: &str, results: impl Iterator<Item = Place>) {
        if self.setup.feedback == FeedbackUse::All {
            self.searches.add(question, results.collect());
        }
    }

    /// An agent reads these lines.
    pub fn read(&self, path: &str, lines: (u32, u32)) {
        if let Some(event) = self.searches.read(path, lines) {
            self.observe(&[event]);
        }
    }

    /// The length from which a text is not analysed: that from which a file is not indexed.
    pub fn max_text_bytes(&self) -> usize {
        self.synchronizer.max_text_bytes()
    }

    /// Its index directory.
    pub fn store(&self) -> &Store {
        &self.synchronizer.store
    }

    /// What a question means by the embedding model of the settings; nothing without one.
    pub fn meaning(&self, snapshot: &Snapshot, question: &str) -> QuestionMeaning {
        let embedding = self.embedding.as_ref();
        embedding.map(|it| it.meaning(snapshot, question)).unwrap_or_default()
    }

    /// Its latest maps.
    pub fn maps(&self) -> &MapCache {
        &self.maps
    }

    /// Overlays an unsaved buffer on the repository, with its secrets masked. A removed one is again as the file on the disk.
    pub fn apply(&self, change: Change) {
        let (path, text) = match change {
            Change::Write(source) => (source.path, Some(masked(source.text))),
            Change::Remove(path) => (path, None),
        };
        if text.is_none() {
            self.analyses.forget(&path);
        }
        // A file of that size would not be indexed.
        let limit = self.synchronizer.max_text_bytes();
        let buffer = text
            .map(|it| if it.len() > limit { Buffer::TooLarge } else { Buffer::Text(it.into()) });
        lock(&self.buffers).set(path, buffer);
    }

    /// A view with everything that was on the disk at the time of the call, or the best there is after `patience`: by
    /// default five seconds, or a moment while the repository is indexed for the first time. Fails when there is no
    /// snapshot at all.
    pub fn view(&self, patience: Option<Duration>) -> anyhow::Result<View> {
        self.view_with(patience, &mut |_| {})
    }

    /// Like [`Self::view`]; `watch` is told how far indexing is while it waits.
    pub fn view_with(
        &self,
        patience: Option<Duration>,
        watch: &mut dyn FnMut(Indexing),
    ) -> anyhow::Result<View> {
        let start = Instant::now();
        let mut state = self.synchronizer.lock();
        let check = self.synchronizer.request_check(&mut state);
        while state.finished_check < check {
            let patience = patience.unwrap_or(if state.was_complete { WARM } else { COLD });
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
        self.view_of(&state, check, None)
    }

    /// The current view for a cursor in the file `path`, at once and without that file's buffer: the cursor brings its
    /// own text. The check that this requests now and then serves the next call.
    fn view_without_buffer(&self, path: &str) -> anyhow::Result<View> {
        let mut state = self.synchronizer.lock();
        if state.checked_at.is_none_or(|it| it.elapsed() > MAX_CHECK_AGE) {
            self.synchronizer.request_check(&mut state);
        }
        let check = state.requested_check;
        self.view_of(&state, check, Some(path))
    }

    /// The current state as a view, which is fresh if `check` is done, without the buffer of the file `except`.
    fn view_of(&self, state: &State, check: u64, except: Option<&str>) -> anyhow::Result<View> {
        let disk = match (&state.disk, &state.failed) {
            (Some(disk), _) => Arc::clone(disk),
            (None, Some(why)) => anyhow::bail!("{why}"),
            (None, None) => Arc::new(Snapshot::empty(self.store().config())),
        };
        Ok(View {
            snapshot: lock(&self.buffers).over(&disk, except, &self.analyses),
            fresh: state.disk.is_some() && state.finished_check >= check && state.failed.is_none(),
            indexing: state.indexing,
            trouble: [&state.failed, &state.unread, &state.unwritten]
                .into_iter()
                .find_map(Clone::clone),
        })
    }

    /// The current snapshot of the disk, without a check; `None` before the first.
    pub fn latest(&self) -> Option<Arc<Snapshot>> {
        self.synchronizer.lock().disk.clone()
    }

    /// The current view with the text of the cursor's file overlaid, at once. The same text costs nothing the second
    /// time, and a text that differs in a few lines from the one before costs little.
    pub fn view_at_cursor(&self, path: &str, text: &str) -> anyhow::Result<CursorView> {
        let base = self.view_without_buffer(path)?.snapshot;
        self.overlay_cursor(base, path, text)
    }

    /// Overlays the text of the cursor's file on a snapshot, with its secrets masked.
    pub fn overlay_cursor(
        &self,
        base: Arc<Snapshot>,
        path: &str,
        text: &str,
    ) -> anyhow::Result<CursorView> {
        let text = &*masked(text.to_owned());
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
        self.synchronizer.close();
    }
}

impl View {
    /// Whether the answer speaks for the whole repository as it is.
    pub fn is_complete(&self) -> bool {
        self.fresh && self.snapshot.is_complete()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
