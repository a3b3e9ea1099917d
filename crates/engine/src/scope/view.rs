//! A snapshot as the editor sees it: with the unsaved text of the cursor's file.

use std::sync::Arc;

use super::activity::Activity;
use super::cursor::Cursor;
use super::reach::Scope;
use super::resolve::Resolver;
use crate::index::{Change, SegmentError, Snapshot};
use crate::source::{ContentHash, Source};

/// A snapshot in which the cursor's file has the text that the editor has. Cheap to clone.
#[derive(Clone)]
pub struct View<'s> {
    /// What was indexed.
    indexed: &'s Snapshot,
    /// The same with the unsaved text; `None` if nothing is unsaved.
    overlay: Option<Arc<Snapshot>>,
    resolver: Resolver,
    activity: Activity,
}

impl<'s> View<'s> {
    /// Overlays `snapshot` with the cursor's text where that differs.
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

    /// The same for a caller that keeps overlays: `overlay` is `indexed` with the cursor's text, `None` where `indexed`
    /// has that text already.
    pub fn with_overlay(indexed: &'s Snapshot, overlay: Option<Arc<Snapshot>>) -> Self {
        let resolver = Resolver::new(overlay.as_deref().unwrap_or(indexed));
        Self { indexed, overlay, resolver, activity: Activity::default() }
    }

    /// Adds what the user did elsewhere.
    #[must_use]
    pub fn with_activity(self, activity: Activity) -> Self {
        Self { activity, ..self }
    }

    /// The snapshot that answers.
    pub fn snapshot(&self) -> &Snapshot {
        self.overlay.as_deref().unwrap_or(self.indexed)
    }

    /// What is in reach of the cursor.
    pub fn scope(&self, cursor: &Cursor) -> Scope {
        Scope::new(self.snapshot(), self.indexed, &self.resolver, cursor)
    }

    /// Follows imports.
    pub fn resolver(&self) -> &Resolver {
        &self.resolver
    }

    /// What the user did elsewhere.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }
}
