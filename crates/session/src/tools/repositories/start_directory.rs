//! Where a local client's calls start when they name no repository: the directory that the program was started for, else
//! the working directory, unless it lies outside of all roots that the client has told. And where they may lead.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use super::allowed_roots::{Access, AllowedRoots};
use crate::setup::Setup;

/// The number of the client's roots that count: each is looked at in every call that names a repository.
const MAX_CLIENT_ROOTS: usize = 64;

/// The directory of calls that name no repository.
pub struct StartDirectory {
    /// Named on the command line.
    named: Option<PathBuf>,
    working: PathBuf,
    access: Access,
    /// The client's roots, once they are known.
    client_roots: Mutex<Option<Vec<PathBuf>>>,
}

impl StartDirectory {
    /// With the directory that the command line names, if it names one, and what calls may name.
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

    /// The directory of a call: the one that it names, relative to the start directory, or that itself.
    pub(crate) fn resolve(&self, repository: Option<&str>) -> PathBuf {
        match repository {
            Some(path) => {
                self.directory().join(crate::uri::path_of(path).unwrap_or_else(|| path.into()))
            }
            None => self.directory(),
        }
    }

    /// Refuses a directory that a call may not name. Cheap enough for every call: the client's roots may change, and so
    /// may what a path leads to.
    pub(super) fn check(&self, directory: &Path, setup: &Setup) -> anyhow::Result<()> {
        let Access::Roots(roots) = &self.access else { return Ok(()) };
        let roots: Vec<PathBuf> = roots.iter().map(|it| self.working.join(it)).collect();
        let client = self.client_roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let named = self.named.iter().chain(&roots).chain(client.iter().flatten());
        let named = named.map(PathBuf::as_path);
        AllowedRoots::new(named, &self.working, setup).check(directory, setup)
    }

    /// The working directory wins over roots that contain it, because it is more specific.
    fn directory(&self) -> PathBuf {
        if let Some(named) = &self.named {
            return named.clone();
        }
        let roots = self.client_roots.lock().unwrap_or_else(PoisonError::into_inner);
        let inside = |it: &PathBuf| self.working.starts_with(it);
        match roots.as_deref() {
            Some([first, ..]) if !roots.iter().flatten().any(inside) => first.clone(),
            _ => self.working.clone(),
        }
    }

    /// Whether the client's roots would matter and are not known yet.
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
