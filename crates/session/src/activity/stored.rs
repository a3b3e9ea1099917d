//! A session on disk: a small file for each work tree beside its index, so that a restarted server knows what was edited.
//!
//! It has paths, lines and the masked text of edited lines, bounded as in memory, and nothing older than a week. A file
//! that is damaged, of another version or not there is no session. Processes of the same work tree share it: each writes
//! what it knows together with what it finds.

use std::collections::VecDeque;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use foreword_engine::sorting::sort_by_key;
use foreword_load::open_regular;
use serde::{Deserialize, Serialize};

use super::{MAX_FILES, MAX_VISITS};

/// Version of the file's format.
const VERSION: u32 = 1;

/// Maximum bytes to read; ours have at most some forty thousand.
const MAX_BYTES: u64 = 256 << 10;

/// Maximum age of a file's last edit or visit, in seconds: a week.
const MAX_AGE: u64 = 7 * 24 * 3600;

/// Where a session is stored.
#[derive(Debug)]
pub(crate) struct StoredLog {
    path: PathBuf,
}

/// The contents of the file.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct StoredSession {
    version: u32,
    /// The latest first.
    pub(super) files: Vec<StoredFile>,
    /// Paths with 1-based lines, the latest first.
    pub(super) visits: VecDeque<(String, u32)>,
}

/// A file that was edited or looked at.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct StoredFile {
    pub(super) path: String,
    /// Seconds since 1970.
    pub(super) at: u64,
    /// The edited lines.
    pub(super) edited: Vec<String>,
}

impl StoredLog {
    /// The session of the view `key` beside an index.
    pub(crate) fn new(index_dir: &Path, key: &str) -> Self {
        Self { path: index_dir.join(format!("session-{}.json", &key[..key.len().min(12)])) }
    }

    /// The stored session at a time in seconds since 1970; empty if there is none that can be read.
    pub(super) fn read(&self, now: u64) -> StoredSession {
        let read = || -> Option<StoredSession> {
            let mut bytes = Vec::new();
            open_regular(&self.path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
            serde_json::from_slice(&bytes).ok()
        };
        let mut res = read().filter(|it| it.version == VERSION).unwrap_or_default();
        res.files.retain(|it| it.at <= now && now - it.at < MAX_AGE);
        res.keep_newest();
        res
    }

    /// Writes a session together with what another process has stored since.
    pub(super) fn write(&self, session: StoredSession, now: u64) -> anyhow::Result<()> {
        let all = session.with(self.read(now));
        let directory = self.path.parent().unwrap_or(Path::new("."));
        // The index makes its directory: without one there is nothing to remember.
        let mut file = tempfile::NamedTempFile::new_in(directory)?;
        serde_json::to_writer(&mut file, &all)?;
        file.persist(&self.path)?;
        Ok(())
    }
}

impl StoredSession {
    pub(super) fn new(files: Vec<StoredFile>, visits: VecDeque<(String, u32)>) -> Self {
        Self { version: VERSION, files, visits }
    }

    /// This session with those files and visits of another one that it lacks.
    fn with(mut self, other: Self) -> Self {
        let is_new = |it: &StoredFile| !self.files.iter().any(|own| own.path == it.path);
        let more: Vec<StoredFile> = other.files.into_iter().filter(is_new).collect();
        self.files.extend(more);
        let is_new = |it: &(String, u32)| !self.visits.contains(it);
        let more: Vec<(String, u32)> = other.visits.into_iter().filter(is_new).collect();
        self.visits.extend(more);
        self.keep_newest();
        self
    }

    fn keep_newest(&mut self) {
        // The sort is stable: files of the same second stay in their order.
        sort_by_key(&mut self.files, |it| std::cmp::Reverse(it.at));
        self.files.truncate(MAX_FILES);
        let Self { files, visits, .. } = self;
        visits.retain(|it| files.iter().any(|file| file.path == it.0));
        visits.truncate(MAX_VISITS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, at: u64) -> StoredFile {
        StoredFile { path: path.to_owned(), at, edited: vec![format!("line of {path}")] }
    }

    fn names(session: &StoredSession) -> Vec<&str> {
        session.files.iter().map(|it| it.path.as_str()).collect()
    }

    #[test]
    fn processes_share_a_session_and_old_files_leave_it() {
        let folder = tempfile::tempdir().unwrap();
        let log = StoredLog::new(folder.path(), "0123456789abcdef");
        assert_eq!(log.read(9), StoredSession::default());
        let visits = VecDeque::from([("a".to_owned(), 3), ("gone".to_owned(), 1)]);
        log.write(StoredSession::new(vec![file("a", 5)], visits), 9).unwrap();
        log.write(StoredSession::new(vec![file("b", 7)], VecDeque::new()), 9).unwrap();
        let read = log.read(9);
        assert_eq!((names(&read), read.visits.len()), (vec!["b", "a"], 1));
        assert_eq!(names(&log.read(5 + MAX_AGE)), ["b"]);
        let many = (0..100).map(|it| file(&it.to_string(), 8)).collect();
        log.write(StoredSession::new(many, VecDeque::new()), 9).unwrap();
        assert_eq!(log.read(9).files.len(), MAX_FILES);
    }

    #[test]
    fn a_damaged_file_and_one_of_another_version_are_no_session() {
        let folder = tempfile::tempdir().unwrap();
        let log = StoredLog::new(folder.path(), "0123456789abcdef");
        log.write(StoredSession::new(vec![file("a", 5)], VecDeque::new()), 9).unwrap();
        let path = folder.path().join("session-0123456789ab.json");
        let whole = std::fs::read_to_string(&path).unwrap();
        for broken in [&whole[..whole.len() / 2], "", "\0\0", &whole.replace(":1,", ":9,")] {
            std::fs::write(&path, broken).unwrap();
            assert_eq!(log.read(9), StoredSession::default(), "{broken}");
        }
        log.write(StoredSession::new(vec![file("a", 5)], VecDeque::new()), 9).unwrap();
        assert_eq!(names(&log.read(9)), ["a"]);
    }
}
