//! The directories of a local client's calls that name no repository: the one given when the program starts, else the
//! working directory, unless it is outside of the client's roots, and these roots.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use super::allowed_roots::{Access, AllowedRoots};
use crate::setup::Setup;

/// Maximum number of roots of a client: each is checked in every call that names a repository.
const MAX_CLIENT_ROOTS: usize = 64;

/// Maximum number of directories that a call without a name is answered from: as many repositories are open at a time.
const MAX_DIRECTORIES: usize = 4;

/// The directories of calls that name no repository.
pub struct StartDirectory {
    /// Named on the command line.
    named: Option<PathBuf>,
    working: PathBuf,
    access: Access,
    /// The client's roots; `None` until they are known.
    client_roots: Mutex<Option<Vec<PathBuf>>>,
}

impl StartDirectory {
    /// Takes the directory of the command line, if any, and the allowed directories.
    pub fn new(named: Option<PathBuf>, access: Access) -> anyhow::Result<Self> {
        let working = std::env::current_dir()
            .context("the working directory cannot be used; name one with -C")?;
        Ok(Self {
            named: named.map(|it| working.join(it)),
            working,
            access,
            client_roots: Mutex::default(),
        })
    }

    /// The directory that a call names, relative to the first of [`Self::directories`].
    pub(super) fn resolve(&self, named: &str) -> PathBuf {
        let path = crate::uri::path_of(named).unwrap_or_else(|| named.into());
        match self.directories().first() {
            Some(first) => first.join(path),
            None => path,
        }
    }

    /// Refuses a directory that is not allowed. Called every time, because the client's roots and links may change.
    pub(super) fn check(&self, directory: &Path, setup: &Setup) -> anyhow::Result<()> {
        let Access::Roots(roots) = &self.access else { return Ok(()) };
        let roots: Vec<PathBuf> = roots.iter().map(|it| self.working.join(it)).collect();
        let client = self.client_roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let named = self.named.iter().chain(&roots).chain(client.iter().flatten());
        let named = named.map(PathBuf::as_path);
        AllowedRoots::new(named, &self.working, setup).check(directory, setup)
    }

    /// The directories of calls that name none. The working directory comes before the roots, and in place of one that
    /// contains it, because it is more specific.
    pub(super) fn directories(&self) -> Vec<PathBuf> {
        if let Some(named) = &self.named {
            return vec![named.clone()];
        }
        let roots = self.client_roots.lock().unwrap_or_else(PoisonError::into_inner);
        let roots = roots.as_deref().unwrap_or_default();
        let is_around = |it: &PathBuf| self.working.starts_with(it);
        let working = (roots.is_empty() || roots.iter().any(is_around)).then_some(&self.working);
        let others = roots.iter().filter(|it| !is_around(it));
        working.into_iter().chain(others).take(MAX_DIRECTORIES).cloned().collect()
    }

    /// Whether the client's roots matter and are unknown.
    pub fn needs_client_roots(&self) -> bool {
        let is_settled = self.named.is_some() && self.access == Access::Any;
        !is_settled && self.client_roots.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Remembers the client's roots, given as URIs; `None` forgets them, so that they are requested again.
    pub fn set_client_roots(&self, uris: Option<Vec<String>>) {
        let paths = uris.map(|uris| {
            let paths = uris.iter().filter_map(|it| crate::uri::path_of(it));
            paths.filter(|it: &PathBuf| Path::is_dir(it)).take(MAX_CLIENT_ROOTS).collect()
        });
        *self.client_roots.lock().unwrap_or_else(PoisonError::into_inner) = paths;
    }
}
