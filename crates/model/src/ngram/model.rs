//! The probability of a token at a place, from all scopes.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::corpus::{Background, Corpus, View};
use super::counts::ORDER;
use super::gaps::{Gap, Gaps, Side};
use super::lexer::{Kind, Lexer, Token};
use super::spelling::Spelling;
use super::vocabulary::{BEGIN, Vocabulary};

/// The weight of each order against all lower ones. Hellendoorn and Devanbu found 0.5 and order 6 best for code.
const LAMBDA: f64 = 0.5;

/// How many tokens before the place are the cache.
const RECENT: usize = 1000;

/// The probability that the next token is one that no scope has seen, by how many of the last tokens some scope has
/// seen together: counted over 28,000 tokens that commits of the development repositories wrote.
const NEW: [f64; ORDER] = [0.19, 0.14, 0.07, 0.065, 0.045, 0.024];

/// A nested cache model for one file at one time.
#[derive(Debug, Default)]
pub struct Model {
    vocabulary: Vocabulary,
    /// From near to far.
    scopes: Vec<Corpus>,
    gaps: Gaps,
    /// The different tokens of the near scopes, from which spelling is learnt.
    types: Vec<u32>,
    spelling: OnceLock<Spelling>,
}

/// The tokens before a place.
#[derive(Clone, Debug)]
pub struct History {
    pub(crate) tokens: Vec<u32>,
    pub(crate) kind: Kind,
}

/// The cost of a stretch of text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// In bits.
    pub bits: f64,
    /// Tokens that were predicted.
    pub tokens: usize,
}

impl Model {
    /// Learns from scopes of texts, the nearest first, above the repository's counts, the farthest scope.
    ///
    /// No text may hold what is to be predicted; a text that is also in `background` counts in both.
    pub fn new(background: Option<&Background>, scopes: &[&[&str]]) -> Self {
        let mut res = Self::default();
        if let Some(background) = background {
            res.vocabulary = Vocabulary::over(background.vocabulary.clone());
        }
        let mut types = FxHashSet::default();
        for texts in scopes {
            let encoded: Vec<Vec<u32>> = texts.iter().map(|it| res.learn(it, &mut types)).collect();
            res.scopes.push(Corpus::new(encoded.iter().map(Vec::as_slice)));
        }
        res.scopes.extend(background.map(|it| it.corpus.clone()));
        res
    }

    fn learn(&mut self, text: &str, types: &mut FxHashSet<u32>) -> Vec<u32> {
        let mut before = Side { number: BEGIN, kind: Kind::Break };
        let mut res = Vec::new();
        for token in Lexer::new(text) {
            let number = self.vocabulary.intern(&token.text);
            if types.insert(number) {
                self.types.push(number);
            }
            let after = Side { number, kind: token.kind };
            if token.kind != Kind::Break {
                self.gaps.learn(before, after, Gap::of(token.gap));
            }
            before = after;
            res.push(number);
        }
        res
    }

    /// The history of a text. Tokens that no scope has are remembered too.
    pub fn history(&mut self, text: &str) -> History {
        let mut res = History::default();
        for token in Lexer::new(text) {
            self.push(&mut res, &token);
        }
        res
    }

    /// Appends a token to a history.
    pub fn push(&mut self, history: &mut History, token: &Token<'_>) {
        history.tokens.push(self.vocabulary.intern(&token.text));
        history.kind = token.kind;
    }

    /// What `middle` costs after `prefix`, the tokens of the middle being learnt as they go by. A token that begins in
    /// the prefix (a half-written name, the indentation) is counted whole.
    pub fn score(&mut self, prefix: &str, middle: &str) -> Score {
        let text = format!("{prefix}{middle}");
        let mut history = History::default();
        let mut res = Score::default();
        for token in Lexer::new(&text) {
            if token.end > prefix.len() {
                res.bits -= self.log2(&history, &token);
                res.tokens += 1;
            }
            self.push(&mut history, &token);
        }
        res
    }

    /// The base-2 logarithm of the probability of a token with the blanks before it; finite for every token.
    pub fn log2(&self, history: &History, token: &Token<'_>) -> f64 {
        let mixture = self.mixture(history);
        let known = self.vocabulary.find(&token.text);
        let counted = known.map_or(0.0, |it| mixture.counted(it));
        let spelled = self.spelling().log2(&token.text);
        let bits = ((1.0 - mixture.new) * counted + mixture.new * spelled.exp2()).log2();
        // A long token's spelling is less than the smallest number above zero.
        let bits = if bits.is_finite() { bits } else { mixture.new.log2() + spelled };
        if token.kind == Kind::Break {
            return bits;
        }
        let before = Side { number: *history.tokens.last().unwrap_or(&BEGIN), kind: history.kind };
        // A number that no scope has: only the kinds say something about the blanks.
        let after = Side { number: known.unwrap_or(u32::MAX), kind: token.kind };
        bits + self.gaps.log2(before, after, token.gap)
    }

    /// The mixture of the scopes after a history.
    pub(crate) fn mixture(&self, history: &History) -> Mixture<'_> {
        let tokens = &history.tokens;
        let mut sources = vec![Source::Recent(Recent::new(tokens))];
        sources.extend(self.scopes.iter().map(|it| Source::Scope(it.view(tokens))));
        sources.retain(|it| it.totals()[0] > 0);
        let longest = sources.iter().map(Source::longest).max();
        let new = longest.map_or(1.0, |it| NEW[it]);
        let inverse_left: Vec<f64> = sources.iter().map(|it| 1.0 / left(it.longest())).collect();
        let sum: f64 = inverse_left.iter().sum();
        let weighted = sources.into_iter().zip(inverse_left);
        Mixture { sources: weighted.map(|(it, weight)| (it, weight / sum)).collect(), new }
    }

    /// The numbers of the tokens of the near scopes, each once.
    pub(crate) fn types(&self) -> &[u32] {
        &self.types
    }

    /// Numbers a spelling.
    pub(crate) fn intern(&mut self, spelling: &str) -> u32 {
        self.vocabulary.intern(spelling)
    }

    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }
    pub(crate) fn gaps(&self) -> &Gaps {
        &self.gaps
    }

    fn spelling(&self) -> &Spelling {
        self.spelling.get_or_init(|| {
            let mut res = Spelling::default();
            self.types.iter().for_each(|it| res.learn(self.vocabulary.spelling(*it)));
            res
        })
    }
}

impl History {
    /// Forgets all but the last `most` tokens.
    pub(crate) fn forget(&mut self, most: usize) {
        self.tokens.drain(..self.tokens.len().saturating_sub(most));
    }
}

impl Default for History {
    fn default() -> Self {
        Self { tokens: vec![BEGIN], kind: Kind::Break }
    }
}

/// The scopes at one place, each with its weight; the weights sum to one.
#[derive(Debug)]
pub(crate) struct Mixture<'m> {
    sources: Vec<(Source<'m>, f64)>,
    /// The probability of a token that no scope has.
    pub(crate) new: f64,
}

#[derive(Debug)]
enum Source<'m> {
    Recent(Recent),
    Scope(View<'m>),
}

impl<'m> Mixture<'m> {
    /// The probability of a token, given that it is one that some scope has.
    pub(crate) fn counted(&self, token: u32) -> f64 {
        self.sources.iter().map(|(it, weight)| weight * it.probability(token)).sum()
    }

    /// The scopes, from near to far.
    pub(crate) fn views(&self) -> impl Iterator<Item = &View<'m>> {
        self.sources.iter().filter_map(|it| match &it.0 {
            Source::Scope(view) => Some(view),
            Source::Recent(_) => None,
        })
    }
}

impl Source<'_> {
    fn totals(&self) -> &[i64; ORDER] {
        match self {
            Source::Recent(it) => &it.totals,
            Source::Scope(it) => &it.totals,
        }
    }

    fn longest(&self) -> usize {
        self.totals().iter().rposition(|it| *it > 0).unwrap_or(0)
    }

    fn count(&self, k: usize, token: u32) -> i64 {
        match self {
            Source::Recent(it) => it.count(k, token),
            Source::Scope(it) => it.count(k, token),
        }
    }

    /// Jelinek and Mercer's interpolation over the orders that occur, normalised by what they have together.
    fn probability(&self, token: u32) -> f64 {
        let (mut res, mut mass) = (0.0, 1.0);
        let longest = self.longest();
        let count = self.count(0, token);
        if count == 0 {
            return 0.0;
        }
        for k in (0..=longest).rev() {
            let count = if k == 0 { count } else { self.count(k, token) };
            res += mass * LAMBDA * count as f64 / self.totals()[k] as f64;
            mass *= 1.0 - LAMBDA;
        }
        res / (1.0 - mass)
    }
}

/// What the orders of a scope leave to the last resort.
fn left(longest: usize) -> f64 {
    (1.0 - LAMBDA).powi(longest as i32 + 1)
}

/// The last tokens of the history: a cache (Tu, Su and Devanbu 2014) that is counted as it grows.
#[derive(Debug)]
struct Recent {
    /// For each token how many before it are those before the place, at most five, and the token.
    places: Vec<(u8, u32)>,
    totals: [i64; ORDER],
}

impl Recent {
    fn new(history: &[u32]) -> Self {
        let tokens = &history[history.len().saturating_sub(RECENT + ORDER)..];
        let first = tokens.len().saturating_sub(RECENT).max(1);
        let mut totals = [0; ORDER];
        let place = |at: usize| {
            let pairs = tokens[..at].iter().rev().zip(tokens.iter().rev()).take(ORDER - 1);
            (pairs.take_while(|(a, b)| a == b).count() as u8, tokens[at])
        };
        let places: Vec<(u8, u32)> = (first..tokens.len()).map(place).collect();
        for (shared, _) in &places {
            totals[..=*shared as usize].iter_mut().for_each(|it| *it += 1);
        }
        Self { places, totals }
    }

    fn count(&self, k: usize, token: u32) -> i64 {
        self.places.iter().filter(|it| usize::from(it.0) >= k && it.1 == token).count() as i64
    }
}
