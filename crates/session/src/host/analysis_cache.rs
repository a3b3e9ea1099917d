//! Caches the analyses of texts in editors, so that each text is analysed once.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use foreword_chunk::{Config, ParseOutcome};
use foreword_engine::index::{AnalyzedFile, PackedFile, SegmentError, Snapshot};
use foreword_engine::scope::{Cursor, View};
use foreword_engine::secret::masked;
use foreword_engine::source::ContentHash;
use foreword_load::{Analyzer, Job, WalkConfig, minified};

use crate::setup::Setup;
use crate::usage::usage;

/// The latest analysis of each open file.
pub(super) struct AnalysisCache {
    analyzer: Arc<Analyzer>,
    entries: Mutex<BTreeMap<String, (ContentHash, Cell)>>,
}

/// The analysis of a text; locked while it is computed, so that only callers with the same text wait.
type Cell = Arc<Mutex<Option<Arc<PackedFile>>>>;

impl AnalysisCache {
    /// An empty cache.
    pub(super) fn new(analyzer: Arc<Analyzer>) -> Self {
        Self { analyzer, entries: Mutex::default() }
    }

    /// The analysis of a text.
    pub(super) fn get(&self, path: &str, text: &str, config: &Config) -> Arc<PackedFile> {
        let cell = self.cell(path, ContentHash::of(text.as_bytes()));
        self.fill(&mut lock(&cell), (path, text), config)
    }

    /// The analysis of a text; `None` while another caller makes it.
    pub(super) fn try_get(
        &self,
        path: &str,
        text: &str,
        config: &Config,
    ) -> Option<Arc<PackedFile>> {
        let cell = self.cell(path, ContentHash::of(text.as_bytes()));
        let mut analysis = match cell.try_lock() {
            Ok(analysis) => analysis,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(self.fill(&mut analysis, (path, text), config))
    }

    fn fill(
        &self,
        analysis: &mut Option<Arc<PackedFile>>,
        (path, text): (&str, &str),
        config: &Config,
    ) -> Arc<PackedFile> {
        if let Some(known) = analysis {
            return Arc::clone(known);
        }
        let (packed, outcome) = analyze_document(&self.analyzer, path, text, config);
        let packed = Arc::new(packed);
        // The next request tries again.
        *analysis = (outcome != ParseOutcome::Interrupted).then(|| Arc::clone(&packed));
        packed
    }

    fn cell(&self, path: &str, hash: ContentHash) -> Cell {
        let mut entries = self.lock();
        match entries.get(path) {
            Some((known, cell)) if *known == hash => Arc::clone(cell),
            _ => {
                let cell = Cell::default();
                entries.insert(path.to_owned(), (hash, Arc::clone(&cell)));
                cell
            }
        }
    }

    /// Drops a closed file.
    pub(super) fn forget(&self, path: &str) {
        self.lock().remove(path);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, (ContentHash, Cell)>> {
        lock(&self.entries)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Analyses the text of an editor.
fn analyze_document(
    analyzer: &Analyzer,
    path: &str,
    text: &str,
    config: &Config,
) -> (PackedFile, ParseOutcome) {
    let job = Job::document(path, text, config);
    let analysis = analyzer.analyze_document(&job);
    let outcome = analysis.outcome;
    let (path, text) = (path.to_owned(), text.to_owned());
    let file = AnalyzedFile::with_analysis(path, text, job.language, analysis);
    (PackedFile::plain(file), outcome)
}

/// The snapshot with the text of the cursor's file.
pub fn view_with_text<'s>(
    analyzer: &Analyzer,
    snapshot: &'s Snapshot,
    cursor: &Cursor,
) -> Result<View<'s>, SegmentError> {
    let (path, text) = (cursor.path(), cursor.text());
    let hash = ContentHash::of(text.as_bytes());
    if snapshot.file(path).is_some_and(|it| snapshot.hash(it) == hash) {
        return Ok(View::with_overlay(snapshot, None));
    }
    let (packed, _) = analyze_document(analyzer, path, text, &snapshot.config().chunk);
    let changes = [(path.to_owned(), Some(Arc::new(packed)))].into();
    Ok(View::with_overlay(snapshot, Some(Arc::new(snapshot.with_packed(&changes)?))))
}

/// The analyses of texts by path; `None` for files that are gone.
pub type AnalyzedTexts = BTreeMap<String, Option<Arc<PackedFile>>>;

/// Analyses the texts of a request, with secrets masked. A text that would not be indexed counts as a file that is gone.
/// Fails for a file that is a secret by its name.
pub fn analyze_texts(
    setup: &Setup,
    texts: BTreeMap<String, Option<String>>,
    config: &Config,
) -> anyhow::Result<AnalyzedTexts> {
    let analyzed = |(path, text): (String, Option<String>)| {
        admit_anywhere(&path)?;
        let is_indexable =
            |it: &String| it.len() <= setup.max_text_bytes() && minified(&path, it).is_none();
        let text = text.filter(is_indexable).map(masked);
        let packed = text.map(|it| analyze_document(&setup.analyzer, &path, &it, config).0);
        Ok((path, packed.map(Arc::new)))
    };
    texts.into_iter().map(analyzed).collect()
}

/// Fails for a path that names a secret, in a repository that is not on this machine.
pub fn admit_anywhere(path: &str) -> anyhow::Result<()> {
    let admitted = foreword_load::admit(Path::new(""), path, &WalkConfig::default());
    admitted.map(drop).map_err(|it| usage(it.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_analysed_once_and_the_next_one_again() {
        let (cache, config) = (AnalysisCache::new(Arc::default()), Config::default());
        let text = "def alpha():\n    pass\n".repeat(2000);
        let first = cache.get("a.py", &text, &config);
        assert!(Arc::ptr_eq(&first, &cache.get("a.py", &text, &config)));
        let edited = text.replacen("alpha", "beta", 1);
        let second = cache.get("a.py", &edited, &config);
        assert_eq!(second.hash(), ContentHash::of(edited.as_bytes()));
        cache.forget("a.py");
        assert!(!Arc::ptr_eq(&second, &cache.get("a.py", &edited, &config)));
    }
}
