//! What every long-lived door needs: repositories kept warm, fresh before every answer, with unsaved buffers laid over.
//!
//! [`Host::repository`] finds and keeps the repository around a path; [`Repository::view`] gives a snapshot that has
//! what was written before the call, or says that it has not; [`Repository::apply`] lays an unsaved buffer over it, and
//! [`Repository::around`] the text of a cursor, at once.

mod analyses;
mod laid;
mod maps;
mod overlay;
mod repository;
mod setup;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use laid::Around;
pub use maps::Maps;
pub use repository::{Indexing, Repository, View};
pub use setup::{Run, Setup};

/// How many repositories are kept warm. The one that was asked least lately goes when there are more.
const MOST_REPOSITORIES: usize = 4;

/// The repositories of a process.
pub struct Host {
    setup: Arc<Setup>,
    /// The one that was asked last at the end.
    warm: Mutex<Vec<Arc<Repository>>>,
}

impl Host {
    /// None is open yet.
    pub fn new(setup: Setup) -> Self {
        Self { setup: Arc::new(setup), warm: Mutex::default() }
    }

    /// The settings in force.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The repository around `path`, which is opened and looked through in the background if it is not warm already.
    /// Fails when there is none, or its index cannot have a place.
    pub fn repository(&self, path: &Path) -> anyhow::Result<Arc<Repository>> {
        let workspace = self.setup.discover(path)?;
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        let known = warm.iter().position(|it| it.workspace().root == workspace.root);
        let repository = match known {
            Some(at) => warm.remove(at),
            None => Arc::new(Repository::open(workspace, &self.setup)?),
        };
        warm.push(Arc::clone(&repository));
        if warm.len() > MOST_REPOSITORIES {
            warm.remove(0);
        }
        Ok(repository)
    }
}
