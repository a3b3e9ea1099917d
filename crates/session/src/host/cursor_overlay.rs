//! Overlays the text of the cursor's file on a snapshot. The latest overlay is cached, and the cached analyses of earlier
//! files are bounded in memory.

use std::collections::VecDeque;
use std::sync::Arc;

use foreword_engine::index::Snapshot;
use foreword_engine::scope::View;
use foreword_engine::source::ContentHash;

/// Bytes of text whose analyses are cached. The worker that parses keeps the trees of as many
/// (`crates/load/src/analyzer/session.rs`).
const MAX_BYTES: usize = 2 << 20;

/// A snapshot with the text of the cursor's file.
#[derive(Clone)]
pub struct CursorView {
    /// Without the unsaved text of the cursor's file.
    pub base: Arc<Snapshot>,
    /// With that text; `None` if it is the indexed text.
    pub overlaid: Option<Arc<Snapshot>>,
}

impl CursorView {
    /// The view for the engine.
    pub fn engine_view(&self) -> View<'_> {
        View::with_overlay(&self.base, self.overlaid.clone())
    }
}

/// The latest overlay.
#[derive(Default)]
pub(super) struct CursorOverlayCache {
    latest: Option<Entry>,
    files: RecentFiles,
}

/// A text and its view.
struct Entry {
    path: String,
    hash: ContentHash,
    view: CursorView,
}

impl CursorOverlayCache {
    /// The cached view of a text over a base.
    pub(super) fn get(
        &self,
        base: &Arc<Snapshot>,
        path: &str,
        hash: ContentHash,
    ) -> Option<CursorView> {
        let is_it =
            |it: &&Entry| it.path == path && it.hash == hash && Arc::ptr_eq(&it.view.base, base);
        self.latest.as_ref().filter(is_it).map(|it| it.view.clone())
    }

    /// Caches a view; returns the files whose analyses are evicted.
    pub(super) fn insert(
        &mut self,
        path: &str,
        (hash, bytes): (ContentHash, usize),
        view: &CursorView,
    ) -> Vec<String> {
        self.latest = Some(Entry { path: path.to_owned(), hash, view: view.clone() });
        self.touch(path, bytes)
    }

    /// Records that a text of a file was analysed; returns the files whose analyses are evicted.
    pub(super) fn touch(&mut self, path: &str, bytes: usize) -> Vec<String> {
        self.files.touch(path, bytes, MAX_BYTES)
    }
}

/// Files with the size of their text, most recently used last.
#[derive(Default)]
struct RecentFiles(VecDeque<(String, usize)>);

impl RecentFiles {
    /// Marks a file as used; returns the evicted files. At most `max` bytes stay, and always the latest file.
    fn touch(&mut self, path: &str, bytes: usize, max: usize) -> Vec<String> {
        self.0.retain(|it| it.0 != path);
        self.0.push_back((path.to_owned(), bytes));
        let mut total: usize = self.0.iter().map(|it| it.1).sum();
        let mut evicted = Vec::new();
        while total > max && self.0.len() > 1 {
            let Some((path, bytes)) = self.0.pop_front() else { break };
            total -= bytes;
            evicted.push(path);
        }
        evicted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_edited_files_are_evicted_when_there_are_too_many_bytes() {
        let mut files = RecentFiles::default();
        let none: [&str; 0] = [];
        assert_eq!(files.touch("a", 4, 10), none);
        assert_eq!(files.touch("b", 4, 10), none);
        assert_eq!(files.touch("a", 5, 10), none);
        assert_eq!(files.touch("c", 4, 10), ["b"]);
        assert_eq!(files.touch("d", 40, 10), ["a", "c"]);
        assert_eq!(files.touch("d", 40, 10), none);
    }
}
