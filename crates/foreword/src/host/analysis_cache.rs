//! A cache of analyses of texts that are being edited: each text is analysed once, and its parse continues from the syntax tree of
//! the previous text.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foreword_chunk::{Config, PreviousParse};
use foreword_engine::index::{AnalyzedFile, PackedFile};
use foreword_engine::source::ContentHash;

/// Shorter texts are parsed from scratch in two milliseconds at most.
const MIN_INCREMENTAL_BYTES: usize = 16 << 10;

/// The latest analysis of each open file.
#[derive(Default)]
pub(super) struct AnalysisCache {
    entries: Mutex<BTreeMap<String, Entry>>,
}

struct Entry {
    packed: Arc<PackedFile>,
    kept: Option<PreviousParse>,
}

impl AnalysisCache {
    /// The analysis of this text at this path.
    pub(super) fn get(&self, path: &str, text: &str, config: &Config) -> Arc<PackedFile> {
        let hash = ContentHash::of(text.as_bytes());
        let mut previous = None;
        if let Some(entry) = self.lock().get(path) {
            if entry.packed.hash() == hash {
                return Arc::clone(&entry.packed);
            }
            previous.clone_from(&entry.kept);
        }
        let is_long = text.len() >= MIN_INCREMENTAL_BYTES;
        let previous = previous.filter(|_| is_long);
        let (path, text) = (path.to_owned(), text.to_owned());
        let (analysed, kept) = AnalyzedFile::after(path.clone(), text, config, previous.as_ref());
        let packed = Arc::new(PackedFile::new(analysed));
        // A syntax tree takes ten to twenty times the memory of its text.
        let kept = kept.filter(|_| is_long);
        self.lock().insert(path, Entry { packed: Arc::clone(&packed), kept });
        packed
    }

    /// Forgets a file that was closed.
    pub(super) fn forget(&self, path: &str) {
        self.lock().remove(path);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_analysed_once_and_the_next_one_again() {
        let (cache, config) = (AnalysisCache::default(), Config::default());
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
