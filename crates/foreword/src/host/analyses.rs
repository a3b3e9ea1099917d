//! What is known of texts under somebody's fingers: each is analysed once, whoever asks, and its parse goes on from
//! the tree of the text before.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foreword_chunk::{Config, Kept};
use foreword_engine::index::{Analysed, Packed};
use foreword_engine::source::ContentHash;

/// Shorter texts are parsed from nothing in two milliseconds at the most.
const LEAST: usize = 16 << 10;

/// The latest analysis of each open file.
#[derive(Default)]
pub(super) struct Analyses {
    known: Mutex<BTreeMap<String, Known>>,
}

struct Known {
    packed: Arc<Packed>,
    kept: Option<Kept>,
}

impl Analyses {
    /// The analysis of this text at this path.
    pub(super) fn of(&self, path: &str, text: &str, config: &Config) -> Arc<Packed> {
        let hash = ContentHash::of(text.as_bytes());
        let mut before = None;
        if let Some(known) = self.lock().get(path) {
            if known.packed.hash() == hash {
                return Arc::clone(&known.packed);
            }
            before.clone_from(&known.kept);
        }
        let is_long = text.len() >= LEAST;
        let before = before.filter(|_| is_long);
        let (path, text) = (path.to_owned(), text.to_owned());
        let (analysed, kept) = Analysed::after(path.clone(), text, config, before.as_ref());
        let packed = Arc::new(Packed::new(analysed));
        // A tree takes ten to twenty times the room of its text.
        let kept = kept.filter(|_| is_long);
        self.lock().insert(path, Known { packed: Arc::clone(&packed), kept });
        packed
    }

    /// That a file is open no more.
    pub(super) fn forget(&self, path: &str) {
        self.lock().remove(path);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_analysed_once_and_the_next_one_anew() {
        let (analyses, config) = (Analyses::default(), Config::default());
        let text = "def alpha():\n    pass\n".repeat(2000);
        let first = analyses.of("a.py", &text, &config);
        assert!(Arc::ptr_eq(&first, &analyses.of("a.py", &text, &config)));
        let edited = text.replacen("alpha", "beta", 1);
        let second = analyses.of("a.py", &edited, &config);
        assert_eq!(second.hash(), ContentHash::of(edited.as_bytes()));
        analyses.forget("a.py");
        assert!(!Arc::ptr_eq(&second, &analyses.of("a.py", &edited, &config)));
    }
}
