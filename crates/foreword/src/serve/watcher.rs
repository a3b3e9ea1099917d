//! Watches the disk, so that changes are indexed before a request needs them. Requests still check the disk themselves
//! (stats only), since a watcher may lag behind.
//!
//! Only the directories of indexed files are watched, one by one: watching a whole tree would include what is ignored, and
//! exceed the system's limit.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use foreword_engine::source::directory_of;
use foreword_session::host::Repository;
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
    let mut watcher = watcher(sender);
    let mut watched = BTreeSet::new();
    while let Some(app) = app.upgrade() {
        let repository = &app.context.workspaces.repositories[at];
        update(&app, repository);
        match &mut watcher {
            Ok(watcher) => watch_indexed_directories(watcher, &mut watched, repository),
            Err(reason) => tracing::warn!("changes are not watched: {reason}"),
        }
        drop(app);
        if watcher.is_err() || !debounce(&receiver) {
            return;
        }
    }
}

fn watcher(sender: Sender<()>) -> Result<RecommendedWatcher, String> {
    let on_event = move |event: notify::Result<notify::Event>| {
        // Reading a file changes nothing. An error (an overflow, for example) may hide a change.
        if !event.is_ok_and(|it| it.kind.is_access()) {
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

/// Watches the directories of the files that are indexed now, and no others.
fn watch_indexed_directories(
    watcher: &mut RecommendedWatcher,
    watched: &mut BTreeSet<PathBuf>,
    repository: &Repository,
) {
    // A commit does not change.
    let is_on_disk = repository.workspace().revision.is_none();
    let Some(snapshot) = repository.latest().filter(|_| is_on_disk) else { return };
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
    let wanted: BTreeSet<PathBuf> = wanted.into_iter().take(MAX_DIRECTORIES).collect();
    for gone in watched.difference(&wanted) {
        // A directory that is gone from the disk is gone from the watcher too.
        let _ = watcher.unwatch(gone);
    }
    let new: Vec<PathBuf> = wanted.difference(watched).cloned().collect();
    watched.retain(|it| wanted.contains(it));
    for dir in new {
        // Requests check what cannot be watched.
        match watcher.watch(&dir, RecursiveMode::NonRecursive) {
            Ok(()) => drop(watched.insert(dir)),
            Err(error) => tracing::debug!("not watched: {error}"),
        }
    }
}
