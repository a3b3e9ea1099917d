//! Watches the disk, so that changes are indexed before a request needs them. Requests still check the disk themselves;
//! where the watcher knows of no change (`events`), they need not compare the stamps of all files.
//!
//! Only the directories of the walk are watched, one by one: watching a whole tree would include what is ignored, and
//! exceed the system's limit.

mod events;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use foreword_session::host::Repository;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use self::events::Events;
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
    let mut watching: Option<Watching> = None;
    while let Some(app) = app.upgrade() {
        let repository = &app.context.workspaces.repositories[at];
        update(&app, repository);
        if watching.is_none() {
            watching = Watching::new(repository, &sender);
        }
        // A commit does not change.
        if let Some(it) = watching.as_mut().filter(|_| repository.workspace().revision.is_none()) {
            it.watch(repository);
        }
        drop(app);
        if watching.is_none() || !debounce(&receiver) {
            return;
        }
    }
}

/// The watched directories of a repository.
struct Watching {
    watcher: RecommendedWatcher,
    directories: BTreeSet<PathBuf>,
    events: Arc<Events>,
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

impl Watching {
    /// `changed` is sent for every change.
    fn new(repository: &Repository, changed: &Sender<()>) -> Option<Self> {
        let (root, marks) = (&repository.workspace().root, repository.store().workspace_dir());
        let events = Arc::new(Events::new(root, marks));
        let (of_watcher, changed) = (Arc::clone(&events), changed.clone());
        let on_event = move |event: notify::Result<notify::Event>| {
            if of_watcher.is_change(event) {
                // The receiver is gone when the server is closing.
                let _ = changed.send(());
            }
        };
        let watcher = notify::recommended_watcher(on_event);
        let watcher = watcher.inspect_err(|it| tracing::warn!("changes are not watched: {it}"));
        let mut watcher = watcher.ok()?;
        if events::ARE_ORDERED && watcher.watch(marks, RecursiveMode::NonRecursive).is_ok() {
            let of_checks = Arc::clone(&events);
            repository.watch(Box::new(move |directories| of_checks.is_quiet(directories)));
        }
        Some(Self { watcher, directories: BTreeSet::new(), events })
    }

    /// Watches the directories of the last walk, and no others.
    fn watch(&mut self, repository: &Repository) {
        let root = &repository.workspace().root;
        let all = repository.directories();
        let wanted: BTreeSet<PathBuf> =
            all.iter().take(MAX_DIRECTORIES).map(|it| root.join(it)).collect();
        let is_anew = self.events.begin();
        let gone = |it: &PathBuf| is_anew || !wanted.contains(it);
        // A directory that is gone from the disk is gone from the watcher too.
        self.directories.iter().filter(|it| gone(it)).for_each(|it| drop(self.watcher.unwatch(it)));
        self.directories.retain(|it| !gone(it));
        let new: Vec<PathBuf> = wanted.difference(&self.directories).cloned().collect();
        let is_new = !new.is_empty();
        for dir in new {
            // Requests check what cannot be watched.
            match self.watcher.watch(&dir, RecursiveMode::NonRecursive) {
                Ok(()) => drop(self.directories.insert(dir)),
                Err(error) => tracing::debug!("not watched: {error}"),
            }
        }
        if self.directories.len() == all.len() {
            self.events.end(all, is_new);
        }
    }
}
