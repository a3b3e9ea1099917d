//! Overlays unsaved buffers on the snapshot of the disk.
//!
//! Only the edited buffer changes with a keystroke. A request at a cursor carries the text of its own file, so that
//! buffer is left out and the overlay of the others is cached.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use foreword_engine::index::{CommitDiff, FileDiff, Snapshot};
use foreword_engine::secret::masked;
use foreword_engine::source::ContentHash;

use foreword_load::Masking;

use super::analysis_cache::AnalysisCache;

/// The unsaved buffers of a repository. Not locked while a text is analysed.
#[derive(Default)]
pub(super) struct BufferOverlays(Mutex<State>);

#[derive(Default)]
struct State {
    buffers: Buffers,
    latest: Option<CachedOverlay>,
}

/// The unsaved texts of files, by their paths.
#[derive(Clone, Default)]
struct Buffers(BTreeMap<String, Buffer>);

/// The unsaved text of a file.
#[derive(Clone)]
pub(super) enum Buffer {
    Text(Arc<BufferText>),
    /// Too large or minified; the file is left out, as it would be on disk.
    NotIndexable,
}

/// A text whose secrets are masked when a view first needs it: an editor sends one with every keystroke.
pub(super) struct BufferText {
    given: String,
    masked: OnceLock<String>,
}

impl BufferText {
    fn masked(&self) -> &str {
        self.masked.get_or_init(|| masked(self.given.clone()))
    }
}

impl Buffer {
    /// The text of an editor.
    pub(super) fn new(text: String, masking: Masking) -> Self {
        let (given, masked) = match masking {
            Masking::On => (text, OnceLock::new()),
            Masking::Off => (String::new(), text.into()),
        };
        Self::Text(Arc::new(BufferText { given, masked }))
    }

    /// Identifies the text as long as it is kept.
    fn identity(&self) -> Option<*const BufferText> {
        match self {
            Self::Text(text) => Some(Arc::as_ptr(text)),
            Self::NotIndexable => None,
        }
    }
}

/// The overlay of a snapshot of the disk.
struct CachedOverlay {
    disk: Arc<Snapshot>,
    /// The file whose buffer is not in it.
    except: Option<String>,
    snapshot: Arc<Snapshot>,
}

impl BufferOverlays {
    /// Sets a buffer; `None` removes it, so that the file on disk counts again.
    pub(super) fn set(&self, path: String, buffer: Option<Buffer>) {
        let mut state = self.lock();
        if state.latest.as_ref().is_some_and(|it| it.except.as_ref() != Some(&path)) {
            state.latest = None;
        }
        match buffer {
            Some(buffer) => drop(state.buffers.0.insert(path, buffer)),
            None => drop(state.buffers.0.remove(&path)),
        }
    }

    /// Overlays the buffers on `disk`. For a cursor, without that of its own file `except`, and without a buffer that
    /// another request is analysing: no cursor waits for another file.
    pub(super) fn over(
        &self,
        disk: &Arc<Snapshot>,
        except: Option<&str>,
        analyses: &AnalysisCache,
    ) -> Arc<Snapshot> {
        let is_it =
            |it: &&CachedOverlay| Arc::ptr_eq(&it.disk, disk) && it.except.as_deref() == except;
        let state = self.lock();
        if let Some(cached) = state.latest.as_ref().filter(is_it) {
            return Arc::clone(&cached.snapshot);
        }
        let buffers = state.buffers.clone();
        drop(state);
        let (snapshot, is_whole) = buffers.overlay(disk, except, analyses);
        let mut state = self.lock();
        // A buffer may have changed meanwhile.
        if is_whole && state.buffers.is_same(&buffers, except) {
            state.latest = Some(CachedOverlay {
                disk: Arc::clone(disk),
                except: except.map(str::to_owned),
                snapshot: Arc::clone(&snapshot),
            });
        }
        snapshot
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Buffers {
    /// Whether the others are the same texts, apart from that of the file `except`.
    fn is_same(&self, others: &Self, except: Option<&str>) -> bool {
        let texts = |it: &Self| {
            let others = it.0.iter().filter(|it| except != Some(it.0));
            others.map(|(path, buffer)| (path.clone(), buffer.identity())).collect::<Vec<_>>()
        };
        texts(self) == texts(others)
    }

    /// The overlay, and whether it has all buffers.
    fn overlay(
        &self,
        disk: &Arc<Snapshot>,
        except: Option<&str>,
        analyses: &AnalysisCache,
    ) -> (Arc<Snapshot>, bool) {
        let differs = |(path, buffer): &(&String, &Buffer)| match buffer {
            _ if except == Some(path) => false,
            Buffer::NotIndexable => disk.file(path).is_some(),
            Buffer::Text(text) => {
                let hash = ContentHash::of(text.masked().as_bytes());
                disk.file(path).is_none_or(|it| disk.hash(it) != hash)
            }
        };
        let config = disk.config().chunk;
        let analysis = |path: &str, text: &str| match except {
            Some(_) => analyses.try_get(path, text, &config),
            None => Some(analyses.get(path, text, &config)),
        };
        let packed = |(path, buffer): (&String, &Buffer)| match buffer {
            Buffer::NotIndexable => Some((path.clone(), None)),
            Buffer::Text(text) => Some((path.clone(), Some(analysis(path, text.masked())?))),
        };
        let wanted: Vec<_> = self.0.iter().filter(differs).collect();
        let changes: BTreeMap<_, _> = wanted.iter().copied().filter_map(packed).collect();
        let is_whole = changes.len() == wanted.len();
        if changes.is_empty() {
            return (Arc::clone(disk), is_whole);
        }
        // A new segment in memory is readable; otherwise the disk's snapshot is the next best answer.
        let Ok(snapshot) = disk.with_packed(&changes) else { return (Arc::clone(disk), is_whole) };
        let diff = self.diff(disk, &changes.keys().collect());
        (Arc::new(snapshot.with_diff(Arc::new(diff))), is_whole)
    }

    /// The difference to the last commit, with the differences of the buffers in place of those on disk. The text of a file
    /// without differences is that of the commit.
    fn diff(&self, disk: &Snapshot, changed: &BTreeSet<&String>) -> CommitDiff {
        let known = disk.diff();
        let of_buffer = |path: &&String| {
            let Some(Buffer::Text(text)) = self.0.get(*path) else { return None };
            let committed = match known.file(path) {
                Some(it) => it.committed.clone(),
                None => disk.file(path).map(|it| disk.text(it)),
            };
            FileDiff::new(path.as_str(), committed, text.masked())
        };
        let mut files: Vec<FileDiff> = changed.iter().filter_map(of_buffer).collect();
        let is_older = |it: &&FileDiff| !changed.contains(&it.path);
        files.extend(known.files.iter().filter(is_older).cloned());
        CommitDiff { files }
    }
}
