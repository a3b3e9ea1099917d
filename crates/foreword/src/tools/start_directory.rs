//! Where a local client's calls start when they name no repository: the directory that the program was started for, else
//! the working directory, unless it lies outside of all roots that the client has told.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

/// The directory of calls that name no repository.
pub struct StartDirectory {
    /// Named on the command line.
    named: Option<PathBuf>,
    working: PathBuf,
    /// The client's roots, once they are known.
    client_roots: Mutex<Option<Vec<PathBuf>>>,
}

impl StartDirectory {
    /// With the directory that the command line names, if it names one.
    pub fn new(named: Option<PathBuf>) -> anyhow::Result<Self> {
        let working = std::env::current_dir()
            .context("the working directory cannot be used; name one with -C")?;
        Ok(Self {
            named: named.map(|it| working.join(it)),
            working,
            client_roots: Mutex::default(),
        })
    }

    /// The directory of a call: the one that it names, relative to the start directory, or that itself.
    pub fn resolve(&self, repository: Option<&str>) -> PathBuf {
        match repository {
            Some(path) => {
                self.directory().join(crate::uri::path_of(path).unwrap_or_else(|| path.into()))
            }
            None => self.directory(),
        }
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
        self.named.is_none()
            && self.client_roots.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Remembers the client's roots, given as URIs; `None` forgets them, so that they are requested again.
    pub fn set_client_roots(&self, uris: Option<Vec<String>>) {
        let paths = uris.map(|uris| {
            let paths = uris.iter().filter_map(|it| crate::uri::path_of(it));
            paths.filter(|it: &PathBuf| Path::is_dir(it)).collect()
        });
        *self.client_roots.lock().unwrap_or_else(PoisonError::into_inner) = paths;
    }
}
