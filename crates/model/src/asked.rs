//! Counts by somebody who knows the model's own tokenizer, and remembers what was said.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use foreword_engine::source::ContentHash;
use rustc_hash::FxHashMap;

/// Says how many tokens a text is; none where it cannot, or not in time.
pub(crate) type Ask = dyn Fn(&str) -> Option<usize> + Send + Sync;

/// Bytes of a text that is worth a question. Shorter ones are lines of a window, of which there are hundreds.
const WORTH: usize = 256;

/// Answers that are kept.
const MOST: usize = 4096;

/// One to ask, and the answers.
#[derive(Clone)]
pub(crate) struct Asked {
    what: Arc<str>,
    ask: Arc<Ask>,
    known: Arc<Mutex<Known>>,
}

#[derive(Default)]
struct Known {
    tokens: FxHashMap<ContentHash, usize>,
    /// The oldest first.
    order: VecDeque<ContentHash>,
}

impl Asked {
    pub(crate) fn new(what: &str, ask: Arc<Ask>) -> Self {
        Self { what: what.into(), ask, known: Arc::default() }
    }

    pub(crate) fn what(&self) -> String {
        self.what.to_string()
    }

    /// The tokens of a text; none where nobody knows.
    pub(crate) fn count(&self, text: &str) -> Option<usize> {
        if text.len() < WORTH {
            return None;
        }
        let key = ContentHash::of(text.as_bytes());
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tokens) = lock().tokens.get(&key) {
            return Some(*tokens);
        }
        let tokens = (self.ask)(text)?;
        let mut known = lock();
        if known.tokens.insert(key, tokens).is_none() {
            known.order.push_back(key);
        }
        if known.order.len() > MOST
            && let Some(oldest) = known.order.pop_front()
        {
            known.tokens.remove(&oldest);
        }
        Some(tokens)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use foreword_engine::compose::Format;

    use super::*;
    use crate::{Counting, TokenCounter};

    #[test]
    fn who_knows_is_asked_once_for_a_text_and_not_for_short_ones() {
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        let estimate = TokenCounter::for_format(Format::named("codellama").unwrap(), None).unwrap();
        let ask = |text: &str| {
            ASKED.fetch_add(1, Ordering::Relaxed);
            (!text.contains("unknown")).then_some(7)
        };
        let counter = estimate.clone().asking("a server", Arc::new(ask));
        let long = "word ".repeat(100);
        assert_eq!((counter.count(&long), counter.count(&long)), (7, 7));
        assert_eq!(ASKED.load(Ordering::Relaxed), 1);
        assert_eq!(counter.count("short"), estimate.count("short"));
        let unknown = "unknown ".repeat(100);
        assert_eq!(counter.count(&unknown), estimate.count(&unknown));
        assert!(counter.exceeds(&long, 6) && !counter.exceeds(&long, 7));
        assert_eq!(counter.kind(), Counting::Exact { what: "a server".to_owned() });
    }
}
