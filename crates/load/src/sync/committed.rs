//! A view as it was last committed to the store.

use foreword_engine::index::{Manifest, Snapshot, Store};

use crate::workspace::Workspace;

/// A view as it was last committed.
pub(super) struct CommittedView {
    /// An empty one if there is none that can be used.
    pub(super) manifest: Manifest,
    pub(super) snapshot: Option<Snapshot>,
    /// Whether there is an index that cannot be used.
    pub(super) is_unusable: bool,
}

impl CommittedView {
    /// The last commit of a view.
    pub(super) fn open(workspace: &Workspace, store: &Store, view: &str) -> Self {
        let Some(manifest) = store.manifest(view) else {
            return Self { is_unusable: store.has_view(view), ..Self::empty(workspace, store) };
        };
        match store.snapshot(&manifest) {
            Ok(snapshot) => Self { manifest, snapshot: Some(snapshot), is_unusable: false },
            Err(_) => Self { is_unusable: true, ..Self::empty(workspace, store) },
        }
    }

    /// A view without files, to build from scratch.
    pub(super) fn empty(workspace: &Workspace, store: &Store) -> Self {
        let root = workspace.root.to_string_lossy().into_owned();
        let manifest = Manifest::new(root, store.config().fingerprint());
        Self { manifest, snapshot: None, is_unusable: false }
    }

    /// Whether another manifest has been committed since.
    pub(super) fn is_stale(&self, store: &Store, view: &str) -> bool {
        let now = store.manifest(view);
        now.as_ref() != self.snapshot.as_ref().map(|_| &self.manifest)
    }
}
