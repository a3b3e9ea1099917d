//! A view as it was last committed to the store, as far as it can be used.

use std::sync::Arc;

use foreword_engine::index::{Check, Manifest, Segment, Snapshot, Store, UsableView};

use super::types::Reuse;
use crate::workspace::Workspace;

/// A view as it was last committed, without the files that have to be read again because of damage.
pub(super) struct CommittedView {
    /// An empty one if there is none that can be used.
    pub(super) manifest: Manifest,
    pub(super) segments: Vec<Arc<Segment>>,
    /// What of the index cannot be used, as sentences: segments, or the manifest.
    pub(super) damage: Vec<String>,
    /// Whether the manifest is as the store has it.
    is_stored: bool,
}

impl CommittedView {
    /// The last commit of a view.
    pub(super) fn open(workspace: &Workspace, store: &Store, view: &str, reuse: Reuse) -> Self {
        let check = match reuse {
            Reuse::Nothing => return Self::empty(workspace, store),
            Reuse::Stored => Check::Opening,
            Reuse::Verified => Check::Blocks,
        };
        let Some(manifest) = store.manifest(view) else {
            let damage = store.has_view(view).then(|| {
                format!("the index at {} is damaged", store.manifest_path(view).display())
            });
            let damage = damage.into_iter().collect();
            return Self { damage, ..Self::empty(workspace, store) };
        };
        let UsableView { manifest, segments, damage } = store.usable(manifest, check);
        let is_stored = damage.is_empty();
        let damage = damage.iter().map(ToString::to_string).collect();
        Self { manifest, segments, damage, is_stored }
    }

    /// A view without files, to build from scratch.
    fn empty(workspace: &Workspace, store: &Store) -> Self {
        let root = workspace.root.to_string_lossy().into_owned();
        let manifest = Manifest::new(root, store.config().fingerprint());
        Self { manifest, segments: Vec::new(), damage: Vec::new(), is_stored: false }
    }

    /// Whether everything that it should have is stored and can be used.
    pub(super) fn is_whole(&self) -> bool {
        self.is_stored && self.manifest.complete
    }

    pub(super) fn snapshot(&self, store: &Store) -> Snapshot {
        Snapshot::new(self.segments.clone(), &self.manifest, store.config())
    }

    /// Whether another manifest may have been committed since.
    pub(super) fn is_stale(&self, store: &Store, view: &str) -> bool {
        store.manifest(view).as_ref() != self.is_stored.then_some(&self.manifest)
    }
}
