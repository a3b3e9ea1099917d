//! Maps files to repositories, and decides whether buffers may be used outside their file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use foreword_load::explain;
use foreword_session::answer::complete::Completer;
use foreword_session::answer::next::EditModel;
use foreword_session::host::{Host, Repository};
use foreword_session::recurring_error::RecurringError;
use foreword_session::setup::Setup;

use super::next_answer::NextEdits;

/// The editor's workspace folders and their repositories.
pub(super) struct Workspaces {
    host: Host,
    completer: Arc<Completer>,
    edit_model: Option<EditModel>,
    folders: Mutex<Vec<PathBuf>>,
    /// The last error of opening a repository.
    error: RecurringError,
    /// Whether files are indexed, cached.
    indexed: Mutex<BTreeMap<PathBuf, bool>>,
    /// The last answer about next edits.
    next_edits: Mutex<Option<Arc<NextEdits>>>,
}

impl Workspaces {
    pub(super) fn new(
        host: Host,
        (completer, edit_model): (Arc<Completer>, Option<EditModel>),
        folders: Vec<PathBuf>,
    ) -> Self {
        Self {
            host,
            completer,
            edit_model,
            folders: Mutex::new(folders),
            error: RecurringError::new(),
            indexed: Mutex::default(),
            next_edits: Mutex::default(),
        }
    }

    /// The settings in force.
    pub(super) fn setup(&self) -> &Setup {
        self.host.setup()
    }

    /// Size above which a text is not analysed whole: larger files are not indexed.
    pub(super) fn max_text_bytes(&self) -> usize {
        self.host.setup().max_text_bytes()
    }

    /// The completer of suggestions.
    pub(super) fn completer(&self) -> &Completer {
        &self.completer
    }

    /// The next-edit model, if one is configured.
    pub(super) fn edit_model(&self) -> Option<&EditModel> {
        self.edit_model.as_ref()
    }

    /// Keeps what was just edited for the next start.
    pub(super) fn store_sessions(&self) {
        self.host.store_sessions();
    }

    pub(super) fn folders(&self) -> Vec<PathBuf> {
        lock(&self.folders).clone()
    }

    /// Adds and removes folders.
    pub(super) fn change(&self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        let mut folders = lock(&self.folders);
        folders.retain(|it| !removed.contains(it));
        folders.extend(added);
    }

    /// Repository of a folder.
    pub(super) fn of_folder(&self, folder: &Path) -> Option<Arc<Repository>> {
        let repository = self.host.repository(folder);
        let log = |error: &anyhow::Error| {
            self.error.warn(&format!("{} has no index", folder.display()), &format!("{error:#}"));
        };
        repository.inspect_err(log).ok()
    }

    /// Repository of a file, and its path there. A file outside the editor's folders and any git repository has none:
    /// its directory must not be indexed.
    pub(super) fn of_file(&self, file: &Path) -> Option<(Arc<Repository>, String)> {
        let folder = lock(&self.folders).iter().find(|it| file.starts_with(it)).cloned();
        let around = match folder {
            Some(folder) => folder,
            None => {
                let parent = file.ancestors().skip(1).find(|it| it.is_dir())?;
                self.host.setup().discover(parent).ok()?.git?;
                parent.to_path_buf()
            }
        };
        let repository = self.of_folder(&around)?;
        let relative = repository.workspace().relative(file).ok()?;
        Some((repository, relative))
    }

    /// Whether the index has the file or would have it. Ignored and secret files are not indexed, nor are unsaved ones:
    /// rules cannot be applied to a name alone.
    pub(super) fn is_indexed(&self, file: &Path, repository: &Repository, relative: &str) -> bool {
        if let Some(known) = lock(&self.indexed).get(file) {
            return *known;
        }
        let setup = self.host.setup();
        let is_in = repository.workspace().open().is_ok_and(|root| {
            matches!(explain(&root, relative, &setup.walk, &setup.limits), Ok(None))
        });
        lock(&self.indexed).insert(file.to_path_buf(), is_in);
        is_in
    }

    /// The last answer about next edits, if it is the one that is meant.
    pub(super) fn known_next_edits(
        &self,
        is_meant: impl FnOnce(&NextEdits) -> bool,
    ) -> Option<Arc<NextEdits>> {
        lock(&self.next_edits).clone().filter(|it| is_meant(it))
    }

    pub(super) fn remember_next_edits(&self, answer: &Arc<NextEdits>) {
        *lock(&self.next_edits) = Some(Arc::clone(answer));
    }

    /// Drops the cached answer: saving or closing a file may change which rules apply.
    pub(super) fn forget(&self, file: &Path) {
        lock(&self.indexed).remove(file);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
