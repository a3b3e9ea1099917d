//! One repository kept warm: a thread of its own looks at the disk when asked, and readers wait for it or do not.
//!
//! # The barrier
//!
//! Whoever asks for a view asks for a look that begins afterwards, and waits for its end: what was written before the
//! question is then in the answer. Looks are shared by all who ask in the meantime. A look is stats only
//! ([`Seen`]) unless something has changed. When waiting takes too long, the answer is what is there, and says so.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use foreword_engine::index::{Change, Snapshot, Store};
use foreword_engine::source::ContentHash;
use foreword_load::{Progress, Seen, Synced, Workspace};

use super::analyses::Analyses;
use super::laid::{Around, Laid};
use super::maps::Maps;
use super::overlay::Overlays;
use super::setup::{Run, Setup};

/// How long a question waits for a look when all was indexed before: a branch switch of some thousand files takes this.
pub(super) const WARM: Duration = Duration::from_secs(5);

/// How long it waits while the repository is indexed for the first time: there is little to wait for but everything.
pub(super) const COLD: Duration = Duration::from_millis(50);

/// How long the thread waits for another process that writes the same index. That process does our work meanwhile.
const OTHER_WRITER: Duration = Duration::from_mins(1);

/// How old a look may be for a glance: what an editor shows is asked for with every keystroke, and buffers are seen at
/// once in any case.
const GLANCES: Duration = Duration::from_secs(1);

/// How often somebody who waits is told how far indexing is.
const TELL: Duration = Duration::from_millis(500);

/// A repository with its index.
pub struct Repository {
    shared: Arc<Shared>,
}

/// A state of the repository, and what it is worth.
#[derive(Clone)]
pub struct View {
    /// Ready to be asked.
    pub snapshot: Arc<Snapshot>,
    /// Whether it has everything that was on the disk when it was asked for.
    pub fresh: bool,
    /// How far indexing is, while it goes on.
    pub indexing: Option<Indexing>,
    /// What the user should know: why the last look failed, or why the index could not be written.
    pub trouble: Option<String>,
}

/// How far indexing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indexing {
    /// Files done.
    pub done: usize,
    /// Files to do; 0 while they are not counted yet.
    pub total: usize,
}

struct Shared {
    workspace: Workspace,
    store: Store,
    setup: Arc<Setup>,
    /// Of the open buffers.
    analyses: Analyses,
    /// Of cursors.
    laid: Mutex<Laid>,
    maps: Maps,
    state: Mutex<State>,
    /// Told when anything in the state changes.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// What the disk had at the last look, as far as it is indexed.
    disk: Option<Arc<Snapshot>>,
    /// Whether `disk` was ever whole.
    was_complete: bool,
    /// Looks that were asked for.
    asked: u64,
    /// All looks up to this one are done.
    looked: u64,
    /// When the last of them was done.
    looked_at: Option<Instant>,
    indexing: Option<Indexing>,
    /// Why the last look failed.
    failed: Option<String>,
    /// Why the index was not written, although the answers are right.
    unwritten: Option<String>,
    overlays: Overlays,
    closed: bool,
}

impl Repository {
    /// Opens the index as it was left and begins to look at the disk.
    pub(super) fn open(workspace: Workspace, setup: &Arc<Setup>) -> anyhow::Result<Self> {
        let store = setup.store(&workspace)?;
        let shared = Arc::new(Shared {
            workspace,
            store,
            setup: Arc::clone(setup),
            analyses: Analyses::default(),
            laid: Mutex::default(),
            maps: Maps::default(),
            state: Mutex::new(State { asked: 1, ..State::default() }),
            changed: Condvar::new(),
        });
        let worker = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("index".to_owned());
        thread.spawn(move || worker.work()).context("cannot start a thread")?;
        Ok(Self { shared })
    }

    /// Where it is.
    pub fn workspace(&self) -> &Workspace {
        &self.shared.workspace
    }

    /// Its index directory.
    pub fn store(&self) -> &Store {
        &self.shared.store
    }

    /// The maps that were made of it lately.
    pub fn maps(&self) -> &Maps {
        &self.shared.maps
    }

    /// Lays an unsaved buffer over the repository. A removed file is again as the disk has it.
    pub fn apply(&self, change: Change) {
        let (path, text) = match change {
            Change::Write(source) => (source.path, Some(source.text)),
            Change::Remove(path) => (path, None),
        };
        if text.is_none() {
            self.shared.analyses.forget(&path);
        }
        self.shared.lock().overlays.set(path, text);
    }

    /// A state that has what was on the disk at the time of the call, or the best there is when `patience` is over.
    /// Without a patience of the caller's own it is five seconds, or a moment while all is indexed for the first time. Fails when nothing can be had at all.
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
        let mut state = self.shared.lock();
        state.asked += 1;
        let ticket = state.asked;
        self.shared.changed.notify_all();
        loop {
            if state.looked >= ticket {
                break;
            }
            let patience = patience.unwrap_or(if state.was_complete { WARM } else { COLD });
            let Some(left) = patience.checked_sub(start.elapsed()).filter(|it| !it.is_zero())
            else {
                break;
            };
            state = self.shared.wait(state, left.min(TELL));
            if let Some(indexing) = state.indexing {
                watch(indexing);
            }
        }
        if state.looked < ticket && !state.was_complete {
            drop(state);
            self.shared.open_as_is();
            state = self.shared.lock();
        }
        take(&mut state, ticket, &self.shared, None)
    }

    /// What is there at once, for a cursor in the file `path`, whose own buffer is left out: the cursor brings its text
    /// along. The look that this asks for now and then serves the next one.
    pub fn glance(&self, path: &str) -> anyhow::Result<View> {
        let mut state = self.shared.lock();
        if state.looked_at.is_none_or(|it| it.elapsed() > GLANCES) {
            state.asked += 1;
            self.shared.changed.notify_all();
        }
        let ticket = state.asked;
        take(&mut state, ticket, &self.shared, Some(path))
    }

    /// What is there, without any look at the disk; none before the first.
    pub fn known(&self) -> Option<Arc<Snapshot>> {
        self.shared.lock().disk.clone()
    }

    /// What is there at once for a cursor in this text, which is laid over it. Nothing is done twice for the same text,
    /// and little for one that differs in a few lines from the one before.
    pub fn around(&self, path: &str, text: &str) -> anyhow::Result<Around> {
        let before = self.glance(path)?.snapshot;
        self.laid(before, path, text)
    }

    /// The same over a state that is known.
    pub fn laid(&self, before: Arc<Snapshot>, path: &str, text: &str) -> anyhow::Result<Around> {
        let hash = ContentHash::of(text.as_bytes());
        if before.file(path).is_some_and(|it| before.hash(it) == hash) {
            return Ok(Around { before, overlaid: None });
        }
        if let Some(known) = self.shared.laid().known(&before, path, hash) {
            return Ok(known);
        }
        let packed = self.shared.analyses.of(path, text, &before.config().chunk);
        let change = [(path.to_owned(), Some(packed))].into();
        let overlaid = Some(Arc::new(before.with_packed(&change)?));
        let around = Around { before, overlaid };
        let gone = self.shared.laid().keep(path, (hash, text.len()), &around);
        gone.iter().for_each(|it| self.shared.analyses.forget(it));
        Ok(around)
    }
}

/// The best that is there.
fn take(
    state: &mut State,
    ticket: u64,
    shared: &Shared,
    except: Option<&str>,
) -> anyhow::Result<View> {
    let disk = match (&state.disk, &state.failed) {
        (Some(disk), _) => Arc::clone(disk),
        (None, Some(why)) => anyhow::bail!("{why}"),
        (None, None) => Arc::new(Snapshot::empty(shared.store.config())),
    };
    let is_known = state.disk.is_some();
    Ok(View {
        snapshot: state.overlays.over(&disk, except, &shared.analyses),
        fresh: is_known && state.looked >= ticket && state.failed.is_none(),
        indexing: state.indexing,
        trouble: state.failed.clone().or_else(|| state.unwritten.clone()),
    })
}

impl Drop for Repository {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

impl View {
    /// Whether the answer speaks for the whole repository as it is.
    pub fn is_complete(&self) -> bool {
        self.fresh && self.snapshot.is_complete()
    }
}

impl Shared {
    /// The thread: one look after another, as they are asked for.
    fn work(&self) {
        self.open_as_is();
        let mut seen: Option<Seen> = None;
        while let Some(ticket) = self.next() {
            let unchanged = self.is_whole() && seen.as_ref().is_some_and(Seen::holds);
            if !unchanged {
                let looked = std::panic::catch_unwind(AssertUnwindSafe(|| self.look()));
                let looked = looked.unwrap_or_else(|_| {
                    Err("indexing failed; this is a bug in foreword".to_owned())
                });
                seen = looked.map_err(|why| self.lock().failed = Some(why)).ok();
            }
            let mut state = self.lock();
            state.looked = ticket;
            state.looked_at = Some(Instant::now());
            state.indexing = None;
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Waits until a look is asked for; `None` when the repository is closed.
    fn next(&self) -> Option<u64> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if state.asked > state.looked {
                return Some(state.asked);
            }
            state = self.wait(state, Duration::from_hours(1));
        }
    }

    fn is_whole(&self) -> bool {
        self.lock().disk.as_ref().is_some_and(|it| it.is_complete())
    }

    /// Brings the index up to date.
    fn look(&self) -> Result<Seen, String> {
        let progress = |it: Progress| {
            self.lock().indexing = Some(Indexing { done: it.done, total: it.total });
        };
        let partial = |it: Snapshot| self.publish(it);
        let rebuild = self.lock().disk.as_ref().is_some_and(|it| it.is_damaged());
        let run = Run { wait: OTHER_WRITER, rebuild, progress: &progress, partial: Some(&partial) };
        let synced = self.setup.sync(&self.workspace, &self.store, run);
        let Synced { snapshot, walk, walked_at_ns, report, .. } =
            synced.map_err(|it| it.to_string())?;
        self.publish(snapshot);
        let mut state = self.lock();
        state.failed = None;
        state.unwritten = report
            .unwritten
            .map(|why| format!("the index was not written, so the work will be done again: {why}"));
        drop(state);
        Ok(Seen::new(&self.workspace.root, walk, &self.setup.walk, walked_at_ns))
    }

    /// Takes what is on the disk of the index: what an earlier run left, or what another process has done so far.
    fn open_as_is(&self) {
        if let Some((_, snapshot)) = foreword_load::open_as_is(&self.workspace, &self.store) {
            self.publish(snapshot);
        }
    }

    /// Takes a newer state. One that is the same stays, since what it has read already is warm.
    fn publish(&self, snapshot: Snapshot) {
        let known = self.lock().disk.clone();
        let same = |it: Arc<Snapshot>| {
            it.is_complete() == snapshot.is_complete() && it.id() == snapshot.id()
        };
        let same = known.is_some_and(same);
        let mut state = self.lock();
        state.was_complete |= snapshot.is_complete();
        if !same {
            state.disk = Some(Arc::new(snapshot));
        }
        drop(state);
        self.changed.notify_all();
    }

    fn laid(&self) -> MutexGuard<'_, Laid> {
        self.laid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, guard: MutexGuard<'g, State>, most: Duration) -> MutexGuard<'g, State> {
        let waited = self.changed.wait_timeout(guard, most);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
