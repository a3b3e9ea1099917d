//! Watches the disk, so that changes are indexed before a request needs them, and a request need not check a disk that did
//! not change ([`DiskWatch`]). Where the directories cannot all be watched, requests check the disk themselves (stats
//! only).
//!
//! Only the directories of indexed files are watched, one by one: watching a whole tree would include what is ignored, and
//! exceed the system's limit.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use foreword_engine::source::directory_of;
use foreword_session::host::{DiskWatch, Repository};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::serve::app::App;

/// The index is updated after a pause of this length, since changes come in bursts.
const DEBOUNCE: Duration = Duration::from_millis(150);

/// Maximum number of pauses waited for in one burst.
const MAX_DEBOUNCES: usize = 20;

/// Maximum number of watched directories per repository. The others are checked by requests alone.
const MAX_DIRECTORIES: usize = 8192;

/// Maximum duration of an update; the first one indexes the whole repository.
const PATIENCE: Duration = Duration::from_hours(1);

/// Watches every repository on a thread of its own, as long as the server lives.
pub(crate) fn start(app: &Arc<App>) {
    for at in 0..app.context.workspaces.repositories.len() {
        let app = Arc::downgrade(app);
        let builder = std::thread::Builder::new().name("watch".to_owned());
        if let Err(error) = builder.spawn(move || watch(&app, at)) {
            // Requests still check the disk.
            tracing::warn!("no thread to watch for changes: {error}");
        }
    }
}

fn watch(app: &Weak<App>, at: usize) {
    let (sender, receiver) = channel();
    let Some(disk) = app.upgrade().map(|it| {
        let repository = &it.context.workspaces.repositories[at];
        Arc::clone(repository.watch())
    }) else {
        return;
    };
    let probe = Probe::new();
    let mut watcher = watcher(sender, &disk, probe.as_ref().map(|it| it.path.clone()));
    let mut watched = BTreeSet::new();
    let probe = probe.filter(|it| watcher.as_mut().is_ok_and(|watcher| it.watch(watcher)));
    while let Some(app) = app.upgrade() {
        let repository = &app.context.workspaces.repositories[at];
        update(&app, repository);
        match &mut watcher {
            Ok(watcher) => {
                let is_all = watch_indexed_directories(watcher, &mut watched, repository);
                let file = probe.as_ref().and_then(|it| it.file.try_clone().ok());
                match file.filter(|_| is_all) {
                    Some(file) => disk.start(file),
                    None => disk.end(),
                }
            }
            Err(reason) => tracing::warn!("changes are not watched: {reason}"),
        }
        drop(app);
        if watcher.is_err() || !debounce(&receiver) {
            return;
        }
    }
}

/// A file without a name whose writes are events of the watcher, too.
struct Probe {
    file: File,
    /// Its path as an open file of this process.
    path: PathBuf,
}

impl Probe {
    /// `None` where open files have no paths, or no events in the order of all changes: anywhere but on Linux.
    fn new() -> Option<Self> {
        #[cfg(target_os = "linux")]
        {
            use std::os::fd::AsRawFd as _;
            let file = tempfile::tempfile().ok()?;
            let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
            Some(Self { file, path })
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    fn watch(&self, watcher: &mut RecommendedWatcher) -> bool {
        watcher.watch(&self.path, RecursiveMode::NonRecursive).is_ok()
    }
}

fn watcher(
    sender: Sender<()>,
    disk: &Arc<DiskWatch>,
    probe: Option<PathBuf>,
) -> Result<RecommendedWatcher, String> {
    let disk = Arc::clone(disk);
    let on_event = move |event: notify::Result<notify::Event>| {
        let is_probe = |it: &notify::Event| probe.is_some() && it.paths.first() == probe.as_ref();
        if event.as_ref().is_ok_and(is_probe) {
            return disk.probed();
        }
        // An error or an overflow may hide events, that of the probe among them.
        if event.as_ref().map_or(true, notify::Event::need_rescan) {
            disk.lost();
        }
        // Reading a file changes nothing.
        if !event.is_ok_and(|it| it.kind.is_access()) {
            disk.changed();
            // The receiver is gone when the server is closing.
            let _ = sender.send(());
        }
    };
    notify::recommended_watcher(on_event).map_err(|it| it.to_string())
}

/// Waits for a change and for the end of its burst; false when the watcher is gone.
fn debounce(changes: &Receiver<()>) -> bool {
    if changes.recv().is_err() {
        return false;
    }
    for _ in 0..MAX_DEBOUNCES {
        match changes.recv_timeout(DEBOUNCE) {
            Ok(()) => while changes.try_recv().is_ok() {},
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
    true
}

/// Brings the index and the table of the finder up to date.
fn update(app: &App, repository: &Repository) {
    if let Ok(view) = repository.view(Some(PATIENCE)) {
        let root = repository.workspace().root.to_string_lossy();
        app.context.workspaces.finder.table(&root, &view.snapshot);
    }
}

/// Watches the directories of the files that are indexed now, and no others. Returns whether all are watched.
fn watch_indexed_directories(
    watcher: &mut RecommendedWatcher,
    watched: &mut BTreeSet<PathBuf>,
    repository: &Repository,
) -> bool {
    // A commit does not change.
    let is_on_disk = repository.workspace().revision.is_none();
    let Some(snapshot) = repository.latest().filter(|_| is_on_disk) else { return !is_on_disk };
    let root = &repository.workspace().root;
    let mut wanted = BTreeSet::from([root.clone()]);
    let mut last = "";
    for file in snapshot.files() {
        let directory = directory_of(snapshot.path(file));
        // Files are sorted, so most follow one of the same directory.
        if directory != last {
            wanted.extend(Path::new(directory).ancestors().map(|it| root.join(it)));
            last = directory;
        }
    }
    let mut is_all = wanted.len() <= MAX_DIRECTORIES;
    let wanted: BTreeSet<PathBuf> = wanted.into_iter().take(MAX_DIRECTORIES).collect();
    for gone in watched.difference(&wanted) {
        // A directory that is gone from the disk is gone from the watcher too.
        let _ = watcher.unwatch(gone);
    }
    let new: Vec<PathBuf> = wanted.difference(watched).cloned().collect();
    watched.retain(|it| wanted.contains(it));
    let has_new = !new.is_empty();
    for dir in new {
        // Requests check what cannot be watched.
        match watcher.watch(&dir, RecursiveMode::NonRecursive) {
            Ok(()) => drop(watched.insert(dir)),
            Err(error) => {
                is_all = false;
                tracing::debug!("not watched: {error}");
            }
        }
    }
    if has_new {
        // What changed there before it was watched, a check finds.
        repository.watch().changed();
    }
    is_all
}
