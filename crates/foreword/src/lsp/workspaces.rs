//! Which repository a file belongs to, and whether its buffer may be used outside the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use foreword_load::explain;

use crate::answer::complete::Completer;
use crate::host::{Host, Repository};
use crate::logging::RecurringError;

/// The editor's workspace folders, and their repositories.
pub(super) struct Workspaces {
    host: Host,
    completer: Arc<Completer>,
    folders: Mutex<Vec<PathBuf>>,
    /// Why a repository could not be opened.
    error: RecurringError,
    /// Whether files are indexed, as far as that was looked up.
    indexed: Mutex<BTreeMap<PathBuf, bool>>,
}

impl Workspaces {
    pub(super) fn new(host: Host, completer: Arc<Completer>, folders: Vec<PathBuf>) -> Self {
        Self {
            host,
            completer,
            folders: Mutex::new(folders),
            error: RecurringError::new(),
            indexed: Mutex::default(),
        }
    }

    /// The length from which a text is not analysed as a whole: a file of that size would not be indexed.
    pub(super) fn max_text_bytes(&self) -> usize {
        self.host.setup().max_text_bytes()
    }

    /// Writes suggestions.
    pub(super) fn completer(&self) -> &Completer {
        &self.completer
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

    /// The repository of a folder.
    pub(super) fn of_folder(&self, folder: &Path) -> Option<Arc<Repository>> {
        let repository = self.host.repository(folder);
        let log = |error: &anyhow::Error| {
            self.error.warn(&format!("{} has no index", folder.display()), &format!("{error:#}"));
        };
        repository.inspect_err(log).ok()
    }

    /// The repository of a file and the file's path in it. A stray file, in none of the editor's folders and in no git
    /// repository, has none: it is no reason to index the directory around it.
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

    /// Whether the index has the file or would have it. Ignored and secret files are not indexed, nor are files that
    /// were never saved: the rules cannot be applied to a name alone.
    pub(super) fn is_indexed(&self, file: &Path, repository: &Repository, relative: &str) -> bool {
        if let Some(known) = lock(&self.indexed).get(file) {
            return *known;
        }
        let (setup, root) = (self.host.setup(), &repository.workspace().root);
        let is_in = matches!(explain(root, relative, &setup.walk, &setup.limits), Ok(None));
        lock(&self.indexed).insert(file.to_path_buf(), is_in);
        is_in
    }

    /// Looks the file up again next time: saving or closing it may change which rules apply.
    pub(super) fn forget(&self, file: &Path) {
        lock(&self.indexed).remove(file);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
