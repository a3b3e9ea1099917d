//! A snapshot with the unsaved text of the cursor's file.

use std::sync::Arc;

use super::activity::Activity;
use super::cursor::Cursor;
use super::reach::Scope;
use super::resolve::Resolver;
use crate::index::{Change, SegmentError, Snapshot};
use crate::source::{ContentHash, Source};

/// A snapshot overlaid with the unsaved text of the cursor's file. Cheap to clone.
#[derive(Clone)]
pub struct View<'s> {
    /// The indexed snapshot.
    indexed: &'s Snapshot,
    /// The snapshot with the unsaved text; `None` if nothing is unsaved.
    overlay: Option<Arc<Snapshot>>,
    resolver: Resolver,
    activity: Activity,
}

impl<'s> View<'s> {
    /// Overlays `snapshot` with the cursor's text if that differs.
    pub fn new(snapshot: &'s Snapshot, cursor: &Cursor) -> Result<Self, SegmentError> {
        let hash = ContentHash::of(cursor.text().as_bytes());
        let is_indexed = snapshot.file(cursor.path()).is_some_and(|it| snapshot.hash(it) == hash);
        if is_indexed {
            return Ok(Self::with_overlay(snapshot, None));
        }
        let source = Source { path: cursor.path().to_owned(), text: cursor.text().to_owned() };
        let overlay = snapshot.with_changes(vec![Change::Write(source)])?;
        Ok(Self::with_overlay(snapshot, Some(Arc::new(overlay))))
    }

    /// Like [`Self::new`], with a cached overlay: `overlay` is `indexed` with the cursor's text, `None` if `indexed`
    /// has it already.
    pub fn with_overlay(indexed: &'s Snapshot, overlay: Option<Arc<Snapshot>>) -> Self {
        let resolver = Resolver::new(overlay.as_deref().unwrap_or(indexed));
        Self { indexed, overlay, resolver, activity: Activity::default() }
    }

    /// Sets the user's activity elsewhere.
    #[must_use]
    pub fn with_activity(self, activity: Activity) -> Self {
        Self { activity, ..self }
    }

    /// The snapshot to query.
    pub fn snapshot(&self) -> &Snapshot {
        self.overlay.as_deref().unwrap_or(self.indexed)
    }

    /// Computes the scope of the cursor.
    pub fn scope(&self, cursor: &Cursor) -> Scope {
        Scope::new(self.snapshot(), self.indexed, &self.resolver, cursor)
    }

    /// The resolver of imports.
    pub fn resolver(&self) -> &Resolver {
        &self.resolver
    }

    /// The user's activity elsewhere.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }
}
