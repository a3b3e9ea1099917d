//! Keeps repositories open for long-lived servers: up to date before every answer, with unsaved buffers overlaid.
//!
//! [`Host::repository`] finds and caches the repository around a path. [`Repository::view`] returns a snapshot with
//! everything written before the call, or marks it as not fresh; with a [`DiskWatch`] [`Repository::view_watched`] does so
//! without looking at each file. [`Repository::apply`] overlays an unsaved buffer, and
//! [`Repository::view_at_cursor`] the text of a cursor's file without waiting.

mod analysis_cache;
mod background_embedder;
mod background_parser;
mod buffer_overlays;
mod cursor_overlay;
mod disk_changes;
mod disk_watch;
pub mod large_text;
mod map_cache;
mod past_changes;
mod plan_cache;
mod repository;
mod seed;
mod synchronizer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use analysis_cache::{AnalyzedTexts, admit_anywhere, analyze_texts, view_with_text};
pub use cursor_overlay::CursorView;
pub use disk_watch::DiskWatch;
pub use map_cache::MapCache;
pub use past_changes::PastChanges;
pub use repository::{Repository, View};
pub use synchronizer::Indexing;

use crate::setup::Setup;
use crate::shared_cache::SharedCache;

/// Maximum number of open repositories; beyond it the least recently used one is closed.
const MAX_REPOSITORIES: usize = 4;

/// The repositories of a process.
pub struct Host {
    setup: Arc<Setup>,
    /// Open repositories, by their roots.
    warm: SharedCache<PathBuf, Arc<Repository>>,
}

impl Host {
    /// Starts without any repository.
    pub fn new(setup: Setup) -> Self {
        Self { setup: Arc::new(setup), warm: SharedCache::new(MAX_REPOSITORIES) }
    }

    /// The settings in force.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The repository around `path`; opens it and indexes it in the background if necessary. Fails if there is none, or no
    /// directory for its index.
    pub fn repository(&self, path: &Path) -> anyhow::Result<Arc<Repository>> {
        let workspace = self.setup.discover(path)?;
        let root = workspace.root.clone();
        self.warm.get(root, || Repository::open(workspace, &self.setup).map(Arc::new))
    }

    /// Stores the sessions of the open repositories, for a process that ends without dropping them.
    pub fn store_sessions(&self) {
        self.warm.values().iter().for_each(|it| it.activity().store());
    }
}
