//! What a watcher has reported, and whether it has reported everything.
//!
//! Whoever asks makes a file in a watched directory of the index. The kernel reports changes in their order, so once it
//! reports that file, all earlier changes are known.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use notify::event::{EventKind, ModifyKind};

/// Whether one queue reports the changes of all watched directories in their order: so does inotify.
pub(super) const ARE_ORDERED: bool = cfg!(target_os = "linux");

/// Longest wait for the report of a mark. Comparing the stamps of a large repository takes no longer.
const MARK_WAIT: Duration = Duration::from_millis(20);

/// Number of watched repositories, to tell their marks apart.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// The reported changes of a repository.
pub(super) struct Events {
    root: PathBuf,
    /// Where marks are made, and their name without a number.
    marks: PathBuf,
    mark: String,
    /// Something may have changed since the last question.
    is_dirty: AtomicBool,
    /// A watched directory is another one now, or reports were lost.
    is_lost: AtomicBool,
    /// The directories whose changes are reported; `None` until all are.
    watched: Mutex<Option<Arc<[String]>>>,
    /// The last mark that was reported.
    marked: Mutex<u64>,
    reported: Condvar,
}

impl Events {
    pub(super) fn new(root: &Path, marks: &Path) -> Self {
        Self {
            root: root.to_owned(),
            marks: marks.to_owned(),
            mark: format!("mark-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst)),
            is_dirty: AtomicBool::new(true),
            is_lost: AtomicBool::new(false),
            watched: Mutex::new(None),
            marked: Mutex::new(0),
            reported: Condvar::new(),
        }
    }

    /// Records a report; false if nothing was changed by it.
    pub(super) fn is_change(&self, event: notify::Result<notify::Event>) -> bool {
        let Ok(event) = event else { return self.lose() };
        if event.need_rescan() {
            return self.lose();
        }
        if event.paths.iter().any(|it| it.parent() == Some(&self.marks)) {
            self.mark(&event);
            return false;
        }
        // Reading a file changes nothing.
        if event.kind.is_access() {
            return false;
        }
        let moves =
            matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
        if moves && event.paths.iter().any(|it| self.is_watched(it)) {
            return self.lose();
        }
        self.is_dirty.store(true, Ordering::SeqCst);
        true
    }

    fn lose(&self) -> bool {
        *lock(&self.watched) = None;
        self.is_lost.store(true, Ordering::SeqCst);
        self.is_dirty.store(true, Ordering::SeqCst);
        true
    }

    fn mark(&self, event: &notify::Event) {
        let number = |it: &PathBuf| {
            let (mark, number) = it.file_name()?.to_str()?.split_once('.')?;
            (mark == self.mark).then(|| number.parse::<u64>().ok())?
        };
        if let Some(number) = event.paths.iter().find_map(number) {
            let mut marked = lock(&self.marked);
            *marked = number.max(*marked);
            self.reported.notify_all();
        }
    }

    fn is_watched(&self, path: &Path) -> bool {
        let inner = path.strip_prefix(&self.root).ok().and_then(Path::to_str);
        let watched = lock(&self.watched);
        inner
            .zip(watched.as_ref())
            .is_none_or(|(inner, all)| all.binary_search_by(|it| it.as_str().cmp(inner)).is_ok())
    }

    /// Before directories are watched: whether all have to be watched anew.
    pub(super) fn begin(&self) -> bool {
        self.is_lost.swap(false, Ordering::SeqCst)
    }

    /// All these directories are watched now; with new ones, what changed there before is unknown.
    pub(super) fn end(&self, directories: Arc<[String]>, has_new: bool) {
        let mut watched = lock(&self.watched);
        self.is_dirty.fetch_or(has_new, Ordering::SeqCst);
        if !self.is_lost.load(Ordering::SeqCst) {
            *watched = Some(directories);
        }
    }

    /// Whether nothing was changed in these directories since the last question.
    pub(super) fn is_quiet(&self, directories: &Arc<[String]>) -> bool {
        let is_all = lock(&self.watched).as_ref().is_some_and(|it| **it == **directories);
        let is_caught_up = is_all && self.catch_up();
        let was_dirty = self.is_dirty.swap(false, Ordering::SeqCst);
        is_caught_up && !was_dirty && lock(&self.watched).is_some()
    }

    /// Waits until all changes so far are reported.
    fn catch_up(&self) -> bool {
        let mut marked = lock(&self.marked);
        let number = *marked + 1;
        let path = self.marks.join(format!("{}.{number}", self.mark));
        if std::fs::write(&path, b"").is_err() {
            return false;
        }
        let late = self.reported.wait_timeout_while(marked, MARK_WAIT, |it| *it < number);
        marked = late.unwrap_or_else(PoisonError::into_inner).0;
        let is_reported = *marked >= number;
        // A late report is none of the next mark.
        *marked = number.max(*marked);
        drop(marked);
        let _ = std::fs::remove_file(&path);
        is_reported
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
