//! Sees changes on the disk as they happen, so that indexing is done before a request asks. Requests look for themselves
//! all the same (stats only): a watcher is no barrier.
//!
//! Directories are watched one by one, those of indexed files alone: watching a whole tree would watch what is ignored
//! too, and exhaust what the system allows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::host::Repository;
use crate::serve::app::App;
use crate::serve::observation::log;

/// Changes come in bursts; this long nothing must come.
const REST: Duration = Duration::from_millis(150);

/// A burst without end is looked at after so many rests.
const RESTS: usize = 20;

/// Directories of a repository that are watched. More are looked at by requests alone.
const MOST: usize = 8192;

/// How long a look may take: all of it, when a repository is indexed for the first time.
const PATIENCE: Duration = Duration::from_hours(1);

/// Watches every repository on a thread of its own, as long as the server lives.
pub(crate) fn start(app: &Arc<App>) {
    for at in 0..app.repositories.len() {
        let app = Arc::downgrade(app);
        let builder = std::thread::Builder::new().name("watch".to_owned());
        if let Err(error) = builder.spawn(move || watch(&app, at)) {
            // Requests look for themselves.
            tracing::warn!("no thread to watch for changes: {error}");
        }
    }
}

fn watch(app: &Weak<App>, at: usize) {
    let (sender, receiver) = channel();
    let mut watcher = watcher(sender);
    let mut watched = BTreeSet::new();
    while let Some(app) = app.upgrade() {
        let repository = &app.repositories[at];
        look(&app, repository);
        match &mut watcher {
            Ok(watcher) => follow(watcher, &mut watched, repository),
            Err(why) => log::event(&app.options, "no watcher", why),
        }
        drop(app);
        if watcher.is_err() || !burst(&receiver) {
            return;
        }
    }
}

fn watcher(sender: Sender<()>) -> Result<RecommendedWatcher, String> {
    let heard = move |event: notify::Result<notify::Event>| {
        // Reading a file changes nothing. An error, an overflow for one, may hide a change.
        if !event.is_ok_and(|it| it.kind.is_access()) {
            // Nobody listens when the server has gone.
            let _ = sender.send(());
        }
    };
    notify::recommended_watcher(heard).map_err(|it| it.to_string())
}

/// Waits for a change, and until it is quiet again; false when nothing can come any more.
fn burst(changes: &Receiver<()>) -> bool {
    if changes.recv().is_err() {
        return false;
    }
    for _ in 0..RESTS {
        match changes.recv_timeout(REST) {
            Ok(()) => while changes.try_recv().is_ok() {},
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
    true
}

/// Brings index and table up to date.
fn look(app: &App, repository: &Repository) {
    if let Ok(view) = repository.view(Some(PATIENCE)) {
        let root = repository.workspace().root.to_string_lossy();
        app.finder.table(&root, &view.snapshot);
    }
}

/// Watches the directories of the files that are indexed now, and no others.
fn follow(
    watcher: &mut RecommendedWatcher,
    watched: &mut BTreeSet<PathBuf>,
    repository: &Repository,
) {
    let Ok(view) = repository.view(Some(Duration::ZERO)) else { return };
    let root = &repository.workspace().root;
    let files = view.snapshot.files().map(|it| view.snapshot.path(it).to_owned());
    let above = files.flat_map(|path| {
        let dirs = Path::new(&path).ancestors().skip(1).map(|it| root.join(it));
        dirs.collect::<Vec<_>>()
    });
    let mut wanted: BTreeSet<PathBuf> = above.collect();
    wanted.insert(root.clone());
    let wanted: BTreeSet<PathBuf> = wanted.into_iter().take(MOST).collect();
    for gone in watched.difference(&wanted) {
        // It may be gone from the disk, and from the watcher with it.
        let _ = watcher.unwatch(gone);
    }
    let new: Vec<PathBuf> = wanted.difference(watched).cloned().collect();
    watched.retain(|it| wanted.contains(it));
    for dir in new {
        // What cannot be watched is seen by the requests' own looks.
        match watcher.watch(&dir, RecursiveMode::NonRecursive) {
            Ok(()) => drop(watched.insert(dir)),
            Err(error) => tracing::debug!("not watched: {error}"),
        }
    }
}
