//! The last committed version of a view, without damaged parts.

use std::sync::Arc;

use foreword_engine::index::{Check, Manifest, Segment, Snapshot, Store, UsableView};

use super::types::Reuse;
use crate::workspace::Workspace;

/// The last committed version of a view, without the files that must be read again because of damage.
pub(super) struct CommittedView {
    /// Empty if no usable one exists.
    pub(super) manifest: Manifest,
    pub(super) segments: Vec<Arc<Segment>>,
    /// Damaged parts of the index (segments, or the manifest), one sentence each.
    pub(super) damage: Vec<String>,
    /// Whether the manifest equals the stored one.
    is_stored: bool,
}

impl CommittedView {
    /// Opens the last commit of a view.
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

    /// A view without files, for a build from scratch.
    fn empty(workspace: &Workspace, store: &Store) -> Self {
        let root = workspace.root.to_string_lossy().into_owned();
        let manifest = Manifest::new(root, store.config().fingerprint());
        Self { manifest, segments: Vec::new(), damage: Vec::new(), is_stored: false }
    }

    /// Whether all expected parts are stored and usable.
    pub(super) fn is_whole(&self) -> bool {
        self.is_stored && self.manifest.complete
    }

    pub(super) fn snapshot(&self, store: &Store) -> Snapshot {
        Snapshot::new(self.segments.clone(), &self.manifest, store.config())
            .with_facts(store.facts())
    }

    /// Whether another manifest may have been committed since.
    pub(super) fn is_stale(&self, store: &Store, view: &str) -> bool {
        store.manifest(view).as_ref() != self.is_stored.then_some(&self.manifest)
    }
}
