//! The repositories of a server, and the choice of one for a request.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use foreword_session::host::{Host, Repository, View};
use foreword_session::usage::usage;

use super::finder::Finder;
use crate::serve::protocols::request::ClientRequest;

/// The repositories that are served.
pub(crate) struct Workspaces {
    /// In the order given; the first is the default for a request.
    pub(crate) repositories: Vec<Arc<Repository>>,
    /// Finds files by their lines.
    pub(crate) finder: Finder,
    /// The index of the repository in which a file was found last.
    last_used: AtomicUsize,
}

/// A repository in its current state.
pub(super) struct WorkspaceView<'w> {
    pub(super) repository: &'w Repository,
    pub(super) view: View,
}

impl Workspaces {
    /// Opens the repositories, which are indexed in the background.
    pub(crate) fn open(host: &Host, paths: &[PathBuf]) -> anyhow::Result<Self> {
        let mut repositories: Vec<Arc<Repository>> = Vec::new();
        for path in paths {
            let it = host.repository(path)?;
            if repositories.iter().all(|known| known.workspace().root != it.workspace().root) {
                repositories.push(it);
            }
        }
        if repositories.is_empty() {
            return Err(usage("no workspace is named"));
        }
        Ok(Self { repositories, finder: Finder::default(), last_used: AtomicUsize::new(0) })
    }

    /// The current state of every repository. Half of `patience` is for checking the disks; a repository not checked by then
    /// is returned as last seen.
    pub(super) fn views(&self, patience: Duration) -> anyhow::Result<Vec<WorkspaceView<'_>>> {
        let each = patience / 2 / self.repositories.len() as u32;
        let view = |repository| {
            let repository: &Repository = repository;
            anyhow::Ok(WorkspaceView { repository, view: repository.view(Some(each))? })
        };
        self.repositories.iter().map(|it| view(it)).collect()
    }

    /// The index of the repository of a request whose file is not known.
    pub(super) fn default_for(&self, request: &ClientRequest) -> usize {
        let last_used = || self.last_used.load(Ordering::Relaxed).min(self.repositories.len() - 1);
        request.snippet_repository.unwrap_or_else(last_used)
    }

    /// Remembers where a file was found.
    pub(super) fn used(&self, repository: usize) {
        self.last_used.store(repository, Ordering::Relaxed);
    }

    /// Makes the paths of the client's snippets relative to their repository: editors send absolute paths.
    pub(crate) fn relativize_snippets(&self, request: &mut ClientRequest) {
        for snippet in &mut request.snippets {
            if let Some((repository, path)) = self.relative(Path::new(&snippet.path)) {
                snippet.path = path;
                request.snippet_repository.get_or_insert(repository);
            }
        }
    }

    /// The repository that an absolute path is in, and the path relative to it.
    pub(super) fn relative(&self, path: &Path) -> Option<(usize, String)> {
        let path = if path.is_absolute() { path } else { return None };
        // The roots are canonical, so the path must be canonical too; a path that leads out by links is outside.
        let path = dunce::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        self.repositories.iter().enumerate().find_map(|(at, it)| {
            let relative = path.strip_prefix(&it.workspace().root).ok()?;
            Some((at, relative.to_str()?.replace('\\', "/")))
        })
    }
}
