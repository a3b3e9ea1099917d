//! Which repository a call means: the one it names, the one the program was started for, what the client calls its
//! roots, else the working directory.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

/// Where calls are at home that name no repository.
pub(super) struct Place {
    /// Named on the command line.
    named: Option<PathBuf>,
    working: PathBuf,
    /// The client's roots, once it has told them.
    roots: Mutex<Option<Vec<PathBuf>>>,
}

impl Place {
    /// With the directory that the command line names, if it names one.
    pub(super) fn new(named: Option<PathBuf>) -> anyhow::Result<Self> {
        let working = std::env::current_dir()
            .context("the working directory cannot be used; name one with -C")?;
        Ok(Self { named: named.map(|it| working.join(it)), working, roots: Mutex::default() })
    }

    /// The directory of a call that names `repository`, or none.
    pub(super) fn of(&self, repository: Option<&str>) -> PathBuf {
        match repository {
            Some(path) => {
                self.home().join(crate::uri::path_of(path).unwrap_or_else(|| path.into()))
            }
            None => self.home(),
        }
    }

    /// The working directory wins over roots that hold it: it is the closer word.
    fn home(&self) -> PathBuf {
        if let Some(named) = &self.named {
            return named.clone();
        }
        let roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        let inside = |it: &PathBuf| self.working.starts_with(it);
        match roots.as_deref() {
            Some([first, ..]) if !roots.iter().flatten().any(inside) => first.clone(),
            _ => self.working.clone(),
        }
    }

    /// Whether the client's roots could matter and are not known.
    pub(super) fn wants_roots(&self) -> bool {
        self.named.is_none() && self.roots.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Takes the client's roots, as URIs; `None` forgets them, so that they are asked for again.
    pub(super) fn set_roots(&self, uris: Option<Vec<String>>) {
        let paths = uris.map(|uris| {
            let paths = uris.iter().filter_map(|it| crate::uri::path_of(it));
            paths.filter(|it: &PathBuf| Path::is_dir(it)).collect()
        });
        *self.roots.lock().unwrap_or_else(PoisonError::into_inner) = paths;
    }
}
