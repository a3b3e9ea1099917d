//! The log of a process: what its clients and the disk tell, the latest first. Bounded.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foreword_engine::index::Snapshot;

use super::edited_lines::{edited_lines, joined};
use super::stored::{StoredFile, StoredLog, StoredSession};
use super::{ActivityElsewhere, MAX_FILES, MAX_VISITS};
use crate::clock::unix_seconds;

/// Maximum bytes of a text that is compared for edited lines.
const MAX_BYTES: usize = 1 << 20;

/// Positions in the same file closer than this many lines count as one.
const MERGE_LINES: u32 = 20;

/// Minimum time between two writes of the stored session; a crash loses at most this.
const WRITE_INTERVAL: Duration = Duration::from_secs(10);

/// What was edited and looked at.
#[derive(Debug, Default)]
pub struct ActivityLog {
    state: Mutex<State>,
    /// Where it survives a restart, if the settings allow it.
    stored: Option<StoredLog>,
}

#[derive(Debug, Default)]
struct State {
    /// The latest first.
    files: VecDeque<FileActivity>,
    /// Paths with 1-based lines, the latest first.
    visits: VecDeque<(String, u32)>,
    /// Whether something is not stored yet.
    has_changed: bool,
    written_at: Option<Instant>,
}

/// The activity in one file.
#[derive(Debug, Default)]
struct FileActivity {
    path: String,
    /// Seconds since 1970.
    at: u64,
    /// The text when it was first seen, and the latest one; empty if too large to compare, or only looked at.
    texts: Option<(Arc<str>, Arc<str>)>,
    /// The lines that were edited before that.
    earlier: Arc<[String]>,
    /// The lines in which the texts differ, once they were needed.
    edited: Option<Arc<[String]>>,
}

impl ActivityLog {
    /// The log that continues a stored session.
    pub(crate) fn resume(stored: Option<StoredLog>) -> Self {
        let session = stored.as_ref().map(|it| it.read(unix_seconds())).unwrap_or_default();
        let known = |it: StoredFile| FileActivity {
            path: it.path,
            at: it.at,
            earlier: it.edited.into(),
            ..FileActivity::default()
        };
        let files = session.files.into_iter().map(known).collect();
        let (visits, written_at) = (session.visits, Some(Instant::now()));
        let state = State { files, visits, has_changed: false, written_at };
        Self { state: Mutex::new(state), stored }
    }

    /// Records the text of a file in an editor. `saved` returns the text before the edits of this session: what differs
    /// from that at the file's first record has been edited since.
    pub fn edit(&self, path: &str, text: &str, saved: impl FnOnce() -> Option<String>) {
        let is_compared = text.len() <= MAX_BYTES;
        let is_known = self.lock().files.iter().any(|it| it.path == path && it.texts.is_some());
        // Read before the log is locked.
        let saved = if is_known || !is_compared { None } else { saved() };
        let saved = saved.filter(|it| it.len() <= MAX_BYTES).map(Arc::from);
        let mut state = self.lock();
        let file = state.front(path);
        let latest: Arc<str> = text.into();
        let first = file.texts.take().map(|it| it.0).or(saved);
        let first = first.unwrap_or_else(|| Arc::clone(&latest));
        if is_compared {
            (file.texts, file.edited) = (Some((first, latest)), None);
        }
        self.store_if_due(state);
    }

    /// Records that a file changed on disk, unless that is a text which an editor has already told.
    pub(crate) fn change_on_disk(&self, path: &str, text: &str, before: Option<String>) {
        let is_told = |it: &FileActivity| {
            it.path == path && it.texts.as_ref().is_some_and(|it| *it.1 == *text)
        };
        let is_told = self.lock().files.iter().any(is_told);
        if !is_told {
            self.edit(path, text, || Some(before.unwrap_or_default()));
        }
    }

    /// Records that a file was looked at.
    pub fn touch(&self, path: &str) {
        let mut state = self.lock();
        state.front(path);
        self.store_if_due(state);
    }

    /// Records that a 1-based line was looked at.
    pub fn visit(&self, path: &str, line: u32) {
        let mut state = self.lock();
        state.front(path);
        state.visits.retain(|it| it.0 != path || it.1.abs_diff(line) >= MERGE_LINES);
        state.visits.push_front((path.to_owned(), line));
        state.visits.truncate(MAX_VISITS);
        self.store_if_due(state);
    }

    /// What was done in files of `snapshot` other than `path`.
    pub fn elsewhere(&self, path: &str, snapshot: &Snapshot) -> ActivityElsewhere {
        let mut state = self.lock();
        let mut res = ActivityElsewhere::default();
        let is_meant = |it: &str| it != path && snapshot.file(it).is_some();
        for it in state.files.iter_mut().filter(|it| is_meant(&it.path)) {
            res.recent.push(it.path.clone());
            res.activity.edited.extend(it.edited().iter().cloned());
        }
        let visits = state.visits.iter().filter(|it| is_meant(&it.0));
        res.activity.visited = visits.cloned().collect();
        res
    }

    /// Stores what is not stored yet.
    pub fn store(&self) {
        let state = self.lock();
        if state.has_changed {
            self.write(state);
        }
    }

    fn store_if_due(&self, mut state: MutexGuard<'_, State>) {
        state.has_changed = true;
        if state.written_at.is_some_and(|it| it.elapsed() >= WRITE_INTERVAL) {
            self.write(state);
        }
    }

    /// Writes the session without the log being locked. An error costs only the memory.
    fn write(&self, mut state: MutexGuard<'_, State>) {
        let Some(stored) = &self.stored else { return };
        let file = |it: &mut FileActivity| StoredFile {
            path: it.path.clone(),
            at: it.at,
            edited: it.edited().to_vec(),
        };
        let files = state.files.iter_mut().map(file).collect();
        let session = StoredSession::new(files, state.visits.clone());
        (state.has_changed, state.written_at) = (false, Some(Instant::now()));
        drop(state);
        if let Err(error) = stored.write(session, unix_seconds()) {
            tracing::debug!("the session was not stored: {error:#}");
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Makes a file the latest.
    fn front(&mut self, path: &str) -> &mut FileActivity {
        let at = self.files.iter().position(|it| it.path == path);
        let known = at.and_then(|at| self.files.remove(at));
        let new = || FileActivity { path: path.to_owned(), ..FileActivity::default() };
        let mut file = known.unwrap_or_else(new);
        file.at = unix_seconds();
        self.files.push_front(file);
        self.files.truncate(MAX_FILES);
        &mut self.files[0]
    }
}

impl FileActivity {
    fn edited(&mut self) -> Arc<[String]> {
        let Self { texts, earlier, .. } = self;
        let read = || match texts {
            Some((first, latest)) => joined(&edited_lines(first, latest), earlier),
            None => Arc::clone(earlier),
        };
        Arc::clone(self.edited.get_or_insert_with(read))
    }
}

#[cfg(test)]
mod tests;
