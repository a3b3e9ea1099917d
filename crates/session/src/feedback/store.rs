//! The feedback on one repository: a file of JSON lines, oldest first. Processes append under a lock; a line cut off by a
//! crash is skipped, and the oldest half is dropped when there are too many.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use foreword_load::open_regular;

use super::event::Event;

/// Maximum number and bytes of events; old ones count little.
const MAX_EVENTS: usize = 4_000;
const MAX_BYTES: u64 = 1 << 20;

/// Maximum wait for another process that writes, and the interval at which it is looked for.
const LOCK_WAIT: Duration = Duration::from_secs(5);
const LOCK_POLL: Duration = Duration::from_millis(2);

/// The feedback on one repository.
pub struct FeedbackStore {
    path: PathBuf,
}

impl FeedbackStore {
    /// The feedback in a file, which need not exist.
    pub fn new(path: PathBuf) -> Option<Self> {
        path.parent().is_some().then_some(Self { path })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All events, oldest first; unreadable lines are skipped.
    pub fn read(&self) -> Vec<Event> {
        let mut bytes = Vec::new();
        let Ok(file) = open_regular(&self.path) else { return Vec::new() };
        // Another program may have written a file of any length.
        if file.take(2 * MAX_BYTES).read_to_end(&mut bytes).is_err() {
            return Vec::new();
        }
        let lines = bytes.split(|it| *it == b'\n');
        lines.filter_map(|it| serde_json::from_slice(it).ok()).collect()
    }

    /// Adds events.
    pub fn append(&self, events: &[Event]) -> anyhow::Result<()> {
        let _lock = self.lock()?;
        let mut text = String::new();
        for it in events {
            text.push_str(&serde_json::to_string(&it.bounded())?);
            text.push('\n');
        }
        let mut options = OpenOptions::new();
        let file = own_file(options.read(true).append(true).create(true), &self.path);
        let mut file = file.with_context(|| self.named())?;
        if ends_within_a_line(&mut file)? {
            text.insert(0, '\n');
        }
        // One call, so that readers see whole lines.
        file.write_all(text.as_bytes()).with_context(|| self.named())?;
        let length = file.metadata()?.len();
        drop(file);
        if length > MAX_BYTES || self.read().len() > MAX_EVENTS {
            self.drop_oldest()?;
        }
        Ok(())
    }

    /// Deletes all events; returns their number.
    pub fn clear(&self) -> anyhow::Result<usize> {
        let n = self.read().len();
        let _lock = self.lock()?;
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| self.named())
            }
            _ => Ok(n),
        }
    }

    /// Keeps the newer half, in a new file that replaces the old one atomically.
    fn drop_oldest(&self) -> anyhow::Result<()> {
        let all = self.read();
        let mut text = String::new();
        for it in &all[all.len() / 2..] {
            text.push_str(&serde_json::to_string(it)?);
            text.push('\n');
        }
        let directory = self.path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(directory)?;
        file.write_all(text.as_bytes())?;
        file.persist(&self.path).with_context(|| self.named())?;
        Ok(())
    }

    /// Locks the file for writing.
    fn lock(&self) -> anyhow::Result<File> {
        let directory = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(directory).with_context(|| self.named())?;
        let path = self.path.with_added_extension("lock");
        let mut options = OpenOptions::new();
        let file = own_file(options.create(true).truncate(false).write(true), &path);
        let file = file.with_context(|| self.named())?;
        let start = Instant::now();
        // A process that is stopped keeps its locks.
        while let Err(error) = file.try_lock() {
            match error {
                TryLockError::WouldBlock if start.elapsed() < LOCK_WAIT => {
                    std::thread::sleep(LOCK_POLL);
                }
                TryLockError::WouldBlock => {
                    anyhow::bail!("{}: another process writes it", self.named())
                }
                TryLockError::Error(error) => return Err(error).with_context(|| self.named()),
            }
        }
        Ok(file)
    }

    fn named(&self) -> String {
        format!("feedback: {}", self.path.display())
    }
}

/// Opens a file for writing. Fails for a pipe or a device, which would be waited for.
fn own_file(options: &OpenOptions, path: &Path) -> std::io::Result<File> {
    match fs::metadata(path) {
        Ok(it) if !it.is_file() => Err(std::io::Error::other("not a regular file; remove it")),
        _ => options.open(path),
    }
}

/// Whether the last line is cut off.
fn ends_within_a_line(file: &mut File) -> std::io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last[0] != b'\n')
}

#[cfg(test)]
mod tests {
    use super::super::event::{About, Place, Source, Verdict};
    use super::*;

    fn event(n: u64) -> Event {
        let place = Place { path: format!("src/{n}.rs"), ..Place::default() };
        Event {
            at: n,
            verdict: Verdict::Good,
            source: Source::Person,
            about: About::Search,
            question: "where".to_owned(),
            place,
        }
    }

    fn store() -> (tempfile::TempDir, FeedbackStore) {
        let dir = tempfile::tempdir().unwrap();
        let store = FeedbackStore::new(dir.path().join("a").join("b.jsonl")).unwrap();
        (dir, store)
    }

    #[test]
    fn what_is_appended_is_read_and_cleared() {
        let (_dir, store) = store();
        assert_eq!(store.read(), []);
        store.append(&[event(1), event(2)]).unwrap();
        store.append(&[event(3)]).unwrap();
        assert_eq!(store.read(), [event(1), event(2), event(3)]);
        assert_eq!(store.clear().unwrap(), 3);
        assert_eq!((store.read(), store.clear().unwrap()), (Vec::new(), 0));
    }

    #[test]
    fn a_line_that_a_crash_left_unfinished_costs_itself_only() {
        let (_dir, store) = store();
        store.append(&[event(1)]).unwrap();
        let mut text = fs::read_to_string(&store.path).unwrap();
        text.push_str("{\"at\":2,\"verd");
        fs::write(&store.path, text).unwrap();
        store.append(&[event(3)]).unwrap();
        assert_eq!(store.read(), [event(1), event(3)]);
    }

    #[test]
    fn a_process_that_keeps_the_lock_is_not_waited_for_without_end() {
        let (_dir, store) = store();
        store.append(&[event(1)]).unwrap();
        let stopped = store.lock().unwrap();
        let error = store.append(&[event(2)]).unwrap_err().to_string();
        assert!(error.contains("b.jsonl: another process writes it"), "{error}");
        drop(stopped);
        store.append(&[event(3)]).unwrap();
        assert_eq!(store.read(), [event(1), event(3)]);
    }

    #[test]
    fn many_threads_lose_nothing_and_the_file_stays_bounded() {
        let (_dir, store) = store();
        std::thread::scope(|scope| {
            for n in 0..8 {
                let store = &store;
                scope.spawn(move || {
                    (0..20).for_each(|it| store.append(&[event(n * 20 + it)]).unwrap());
                });
            }
        });
        assert_eq!(store.read().len(), 160);
        let many: Vec<Event> = (0..MAX_EVENTS as u64).map(event).collect();
        store.append(&many).unwrap();
        assert!(store.read().len() < MAX_EVENTS);
        assert_eq!(store.read().last(), many.last());
    }
}
