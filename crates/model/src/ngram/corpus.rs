//! Counts of texts that can change: additions and removals are counted separately and summed.

use std::sync::Arc;

use super::counts::{Counts, Interval, ORDER};
use super::lexer::Lexer;
use super::vocabulary::{END, Vocabulary};

/// Counts of the texts of one scope. Counts never cross texts, so changes are exact: original plus added minus removed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corpus {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    counts: Arc<Counts>,
    /// 1, or -1 for removed texts.
    sign: i64,
}

/// A corpus at a position: the occurrences of the last tokens.
#[derive(Debug)]
pub(crate) struct View<'c> {
    parts: Vec<(&'c Counts, i64, [Interval; ORDER])>,
    /// Number of occurrences of the last k tokens before another token, by k.
    pub(crate) totals: [i64; ORDER],
}

impl Corpus {
    /// Counts texts.
    pub(crate) fn new<'t>(texts: impl IntoIterator<Item = &'t [u32]>) -> Self {
        Self { parts: vec![Part { counts: Arc::new(Counts::new(texts)), sign: 1 }] }
    }

    /// The corpus with texts added and removed; a removed text must be in it.
    pub(crate) fn with_changes(&self, added: &[Vec<u32>], removed: &[Vec<u32>]) -> Self {
        let mut parts = self.parts.clone();
        for (texts, sign) in [(added, 1), (removed, -1)] {
            if !texts.is_empty() {
                let counts = Arc::new(Counts::new(texts.iter().map(Vec::as_slice)));
                parts.push(Part { counts, sign });
            }
        }
        Self { parts }
    }

    /// Number of tokens of changed texts.
    pub(crate) fn changed(&self) -> usize {
        self.parts.iter().skip(1).map(|it| it.counts.total() as usize).sum()
    }

    /// Number of tokens that can be predicted.
    pub(crate) fn total(&self) -> i64 {
        self.parts.iter().map(|it| it.sign * i64::from(it.counts.total())).sum()
    }

    /// The view from the end of `history`, which starts at the start of its text.
    pub(crate) fn view(&self, history: &[u32]) -> View<'_> {
        let mut totals = [0; ORDER];
        totals[0] = self.total();
        let parts = self.parts.iter().map(|it| {
            let mut stretches = [const { Interval { start: 0, end: 0 } }; ORDER];
            stretches[0] = it.counts.whole();
            for (k, stretch) in stretches.iter_mut().enumerate().skip(1).take(history.len()) {
                *stretch = it.counts.stretch(&history[history.len() - k..]);
                if stretch.start == stretch.end {
                    break;
                }
                totals[k] += it.sign * stretch.len() as i64;
            }
            (it.counts.as_ref(), it.sign, stretches)
        });
        View { parts: parts.collect(), totals }
    }
}

impl View<'_> {
    /// Length of the longest suffix of the history that occurs, up to five tokens.
    pub(crate) fn longest(&self) -> usize {
        self.totals.iter().rposition(|it| *it > 0).unwrap_or(0)
    }

    /// Number of times that `token` follows the last `k` tokens.
    pub(crate) fn count(&self, k: usize, token: u32) -> i64 {
        let count = |(counts, sign, stretches): &(&Counts, i64, [Interval; ORDER])| {
            sign * counts.narrow(&stretches[k], k, token).len() as i64
        };
        self.parts.iter().map(count).sum()
    }

    /// Up to `limit` occurrences of the last `k` tokens.
    pub(crate) fn occurrences(&self, k: usize, limit: usize) -> Vec<Occurrence> {
        let mut res = Vec::new();
        for (idx, (counts, sign, stretches)) in self.parts.iter().enumerate() {
            if *sign > 0 {
                let places = counts.occurrences(&stretches[k], limit);
                res.extend(places.map(|it| Occurrence { part: idx, at: it + k as u32 }));
            }
        }
        res
    }

    /// The token after an occurrence.
    pub(crate) fn token(&self, place: Occurrence) -> u32 {
        self.parts[place.part].0.token(place.at)
    }

    /// Number of last tokens of `history` that precede an occurrence.
    pub(crate) fn shared(&self, place: Occurrence, history: &[u32], limit: usize) -> usize {
        self.parts[place.part].0.shared(place.at, history, limit)
    }
}

/// An occurrence of a context in a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    part: usize,
    at: u32,
}

/// Counts of a repository, shared by all queries.
#[derive(Clone, Debug, Default)]
pub struct Background {
    pub(crate) vocabulary: Arc<Vocabulary>,
    pub(crate) corpus: Corpus,
}

impl Background {
    /// Counts texts: 12 MB of code take about half a second on one core, and eight bytes a token.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut vocabulary = Vocabulary::default();
        let texts: Vec<Vec<u32>> =
            texts.into_iter().map(|it| encode(it, &mut vocabulary)).collect();
        let corpus = Corpus::new(texts.iter().map(Vec::as_slice));
        Self { vocabulary: Arc::new(vocabulary), corpus }
    }

    /// Adds and removes texts, with the same counts as from scratch. A removed text must be in it.
    #[must_use]
    pub fn with_changes(&self, added: &[&str], removed: &[&str]) -> Self {
        let mut vocabulary = Vocabulary::over(Arc::clone(&self.vocabulary));
        let mut encode_all = |texts: &[&str]| -> Vec<Vec<u32>> {
            texts.iter().map(|it| encode(it, &mut vocabulary)).collect()
        };
        let (added, removed) = (encode_all(added), encode_all(removed));
        let corpus = self.corpus.with_changes(&added, &removed);
        Self { vocabulary: Arc::new(vocabulary), corpus }
    }

    /// Number of tokens.
    pub fn tokens(&self) -> usize {
        self.corpus.total().max(0) as usize
    }

    /// Whether changes have grown so large that counting from scratch gives faster queries.
    pub fn is_stale(&self) -> bool {
        self.corpus.changed() * 4 > self.tokens()
    }
}

/// Token numbers of a text.
fn encode(text: &str, vocabulary: &mut Vocabulary) -> Vec<u32> {
    let numbers = Lexer::new(text).map(|it| vocabulary.intern(&it.text));
    numbers.inspect(|it| debug_assert!(*it > END)).collect()
}
