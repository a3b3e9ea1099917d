//! What a user edited and looked at in a repository, as requests at cursors tell it.
//!
//! A client of a server sends the text of the cursor's file with each request. What differs from the file as it was when
//! it was first seen has been edited since; where the cursor was, the user looked. Bounded, in memory, in order of time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use foreword_engine::scope::{Activity, changed_ranges};

/// Maximum number of files remembered.
const MAX_FILES: usize = 8;

/// Maximum bytes of a text that is compared for edited lines; of a larger one only the cursor's line is remembered.
const MAX_BYTES: usize = 1 << 20;

/// Maximum edited lines used per file.
const MAX_EDITED_LINES: usize = 12;

/// The files of recent requests, the latest first.
#[derive(Default)]
pub struct ActivityLog(Mutex<VecDeque<FileActivity>>);

/// The activity in one file.
struct FileActivity {
    path: String,
    /// The cursor's line, 1-based.
    line: u32,
    /// The text when the file was first seen; empty if it is too large to compare.
    first: Arc<str>,
    /// The text of the latest request.
    latest: Arc<str>,
    /// The lines in which they differ, once they were needed.
    edited: Option<Arc<[String]>>,
}

/// The activity in other files than the cursor's.
#[derive(Debug, Default, PartialEq)]
pub struct ActivityElsewhere {
    /// Paths, the latest first.
    pub recent: Vec<String>,
    /// Positions and edited lines.
    pub activity: Activity,
}

impl ActivityLog {
    /// Records a request at a 1-based line of a file with this text. `saved` returns the text of the file on disk: from
    /// its first request on, the edits of a file are what differs from that.
    pub fn record(
        &self,
        path: &str,
        line: u32,
        text: &str,
        saved: impl FnOnce() -> Option<String>,
    ) {
        let is_compared = text.len() <= MAX_BYTES;
        let latest: Arc<str> = if is_compared { text.into() } else { "".into() };
        let is_known = self.lock().iter().any(|it| it.path == path);
        // Read before the log is locked.
        let saved = if is_known || !is_compared { None } else { saved() };
        let saved = saved.filter(|it| it.len() <= MAX_BYTES).map(Arc::from);
        let mut files = self.lock();
        let at = files.iter().position(|it| it.path == path);
        let known = at.and_then(|at| files.remove(at)).map(|it| it.first);
        let first = known.or(saved).unwrap_or_else(|| Arc::clone(&latest));
        let path = path.to_owned();
        files.push_front(FileActivity { path, line, first, latest, edited: None });
        files.truncate(MAX_FILES);
    }

    /// What was done in files other than `path`.
    pub fn elsewhere(&self, path: &str) -> ActivityElsewhere {
        let mut files = self.lock();
        let mut res = ActivityElsewhere::default();
        for it in files.iter_mut().filter(|it| it.path != path) {
            res.recent.push(it.path.clone());
            res.activity.visited.push((it.path.clone(), it.line));
            let (first, latest) = (&it.first, &it.latest);
            let edited = it.edited.get_or_insert_with(|| edited_lines(first, latest));
            res.activity.edited.extend(edited.iter().cloned());
        }
        res
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<FileActivity>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first lines of a text that are not in its earlier version, without blank ones.
pub fn edited_lines(before: &str, after: &str) -> Arc<[String]> {
    let ranges = changed_ranges(before, after);
    let lines = ranges.into_iter().flat_map(|it| after[it].lines());
    let told = lines.filter(|it| !it.trim().is_empty());
    told.take(MAX_EDITED_LINES).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_of_other_files_are_known_latest_first() {
        let log = ActivityLog::default();
        log.record("a.py", 2, "one\ntwo\nthree\n", || Some("one\n".to_owned()));
        log.record("b.py", 1, "b\n", || Some("b\n".to_owned()));
        log.record("c.py", 7, "new\n", || None);
        let seen = log.elsewhere("c.py");
        assert_eq!(seen.recent, ["b.py", "a.py"]);
        assert_eq!(seen.activity.visited, [("b.py".to_owned(), 1), ("a.py".to_owned(), 2)]);
        assert_eq!(seen.activity.edited, ["two", "three"]);
        // A save does not end the comparison with the text as it was first.
        log.record("a.py", 3, "one\ntwo\n3\n", || Some("one\ntwo\nthree\n".to_owned()));
        assert_eq!(log.elsewhere("c.py").activity.edited, ["two", "3"]);
        assert_eq!(log.elsewhere("c.py").recent, ["a.py", "b.py"]);
        assert!(log.elsewhere("a.py").activity.edited.is_empty());
    }

    #[test]
    fn files_and_bytes_are_bounded() {
        let log = ActivityLog::default();
        for idx in 0..100 {
            log.record(&format!("{idx}.py"), 1, "a\n", || None);
        }
        assert_eq!(log.elsewhere("").recent.len(), MAX_FILES);
        log.record("large.py", 5, &"x\n".repeat(MAX_BYTES), || Some("y\n".to_owned()));
        let seen = log.elsewhere("");
        assert_eq!(seen.activity.visited[0], ("large.py".to_owned(), 5));
        assert!(seen.activity.edited.is_empty());
    }
}
