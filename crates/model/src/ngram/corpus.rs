//! Counted texts that can change: added and removed texts are counted apart, and the counts are summed.

use std::sync::Arc;

use super::counts::{Counts, Interval, ORDER};
use super::lexer::Lexer;
use super::vocabulary::{END, Vocabulary};

/// Texts of one scope, counted. Counts never cross from one text to the next, so those of a change are exact: what was
/// there, with what was added, without what was removed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corpus {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    counts: Arc<Counts>,
    /// 1, or -1 for texts that were removed.
    sign: i64,
}

/// A corpus at one place in a text: where the last tokens occur in it.
#[derive(Debug)]
pub(crate) struct View<'c> {
    parts: Vec<(&'c Counts, i64, [Interval; ORDER])>,
    /// How often the last k tokens occur before another, by k.
    pub(crate) totals: [i64; ORDER],
}

impl Corpus {
    /// Counts texts.
    pub(crate) fn new<'t>(texts: impl IntoIterator<Item = &'t [u32]>) -> Self {
        Self { parts: vec![Part { counts: Arc::new(Counts::new(texts)), sign: 1 }] }
    }

    /// The corpus with some texts more and some less; a removed text must be in it.
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

    /// How many tokens changes have counted beside the first texts.
    pub(crate) fn changed(&self) -> usize {
        self.parts.iter().skip(1).map(|it| it.counts.total() as usize).sum()
    }

    /// How many tokens can be predicted in it.
    pub(crate) fn total(&self) -> i64 {
        self.parts.iter().map(|it| it.sign * i64::from(it.counts.total())).sum()
    }

    /// Looks from the end of `history`, which begins at the beginning of its text.
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
    /// How many of the last tokens occur together, at most five.
    pub(crate) fn longest(&self) -> usize {
        self.totals.iter().rposition(|it| *it > 0).unwrap_or(0)
    }

    /// How often `token` follows the last `k` tokens.
    pub(crate) fn count(&self, k: usize, token: u32) -> i64 {
        let count = |(counts, sign, stretches): &(&Counts, i64, [Interval; ORDER])| {
            sign * counts.narrow(&stretches[k], k, token).len() as i64
        };
        self.parts.iter().map(count).sum()
    }

    /// What follows the last `k` tokens at up to `limit` places: the token, and the place for [`View::continuation`].
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

    /// The token at a place.
    pub(crate) fn token(&self, place: Occurrence) -> u32 {
        self.parts[place.part].0.token(place.at)
    }

    /// How many of the last tokens of `history` stand before a place.
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

/// The texts of a repository, counted once and shared by all queries.
#[derive(Clone, Debug, Default)]
pub struct Background {
    pub(crate) vocabulary: Arc<Vocabulary>,
    pub(crate) corpus: Corpus,
}

impl Background {
    /// Counts texts: 12 MB of code take about half a second on one core and eight bytes a token.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut vocabulary = Vocabulary::default();
        let texts: Vec<Vec<u32>> =
            texts.into_iter().map(|it| encode(it, &mut vocabulary)).collect();
        let corpus = Corpus::new(texts.iter().map(Vec::as_slice));
        Self { vocabulary: Arc::new(vocabulary), corpus }
    }

    /// With some texts more and some less: the same counts as of all texts anew. A removed text must be in it.
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

    /// How many tokens it has.
    pub fn tokens(&self) -> usize {
        self.corpus.total().max(0) as usize
    }

    /// Whether changes have grown so much that counting anew is cheaper to ask.
    pub fn is_stale(&self) -> bool {
        self.corpus.changed() * 4 > self.tokens()
    }
}

/// The numbers of a text's tokens.
fn encode(text: &str, vocabulary: &mut Vocabulary) -> Vec<u32> {
    let numbers = Lexer::new(text).map(|it| vocabulary.intern(&it.text));
    numbers.inspect(|it| debug_assert!(*it > END)).collect()
}
