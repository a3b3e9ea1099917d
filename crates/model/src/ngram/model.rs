//! Probability of the next token, from all scopes.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::corpus::{Background, Corpus, View};
use super::counts::ORDER;
use super::gaps::{Gap, Gaps, Side};
use super::lexer::{Kind, Lexer, Token};
use super::preset::{CACHE_TOKENS, LAMBDA, UNKNOWN_TOKEN};
use super::spelling::Spelling;
use super::vocabulary::{BEGIN, Vocabulary};

/// A nested cache model of one file.
#[derive(Debug, Default)]
pub struct Model {
    vocabulary: Vocabulary,
    /// From near to far.
    scopes: Vec<Corpus>,
    gaps: Gaps,
    /// Distinct tokens of the near scopes, from which spelling is learned.
    types: Vec<u32>,
    spelling: OnceLock<Spelling>,
}

/// The tokens before a position.
#[derive(Clone, Debug)]
pub struct History {
    pub(crate) tokens: Vec<u32>,
    pub(crate) kind: Kind,
}

/// Cost of a stretch of text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Cost in bits.
    pub bits: f64,
    /// Number of predicted tokens.
    pub tokens: usize,
}

impl Model {
    /// Learns from scopes of texts, nearest first; the repository's counts are the farthest scope.
    ///
    /// No text may contain the text to predict; a text that is also in `background` counts in both.
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

    /// The history of a text; includes tokens that no scope has.
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

    /// Cost of `middle` after `prefix`; tokens of the middle are learned on the way. A token that starts in the prefix
    /// (a partial name, the indentation) counts in full.
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

    /// Base-2 logarithm of the probability of a token with the whitespace before it; always finite.
    pub fn log2(&self, history: &History, token: &Token<'_>) -> f64 {
        let mixture = self.mixture(history);
        let known = self.vocabulary.find(&token.text);
        let counted = known.map_or(0.0, |it| mixture.counted(it));
        let spelled = self.spelling().log2(&token.text);
        let bits = ((1.0 - mixture.new) * counted + mixture.new * spelled.exp2()).log2();
        // The probability of a long spelling can underflow to zero.
        let bits = if bits.is_finite() { bits } else { mixture.new.log2() + spelled };
        if token.kind == Kind::Break {
            return bits;
        }
        let before = Side { number: *history.tokens.last().unwrap_or(&BEGIN), kind: history.kind };
        // For a token unknown to all scopes only the kinds predict the whitespace.
        let after = Side { number: known.unwrap_or(u32::MAX), kind: token.kind };
        bits + self.gaps.log2(before, after, token.gap)
    }

    /// Mixture of the scopes after a history.
    pub(crate) fn mixture(&self, history: &History) -> Mixture<'_> {
        let tokens = &history.tokens;
        let mut sources = vec![Source::Recent(RecentTokens::new(tokens))];
        sources.extend(self.scopes.iter().map(|it| Source::Scope(it.view(tokens))));
        sources.retain(|it| it.totals()[0] > 0);
        let longest = sources.iter().map(Source::longest).max();
        let new = longest.map_or(1.0, |it| UNKNOWN_TOKEN[it]);
        let inverse_left: Vec<f64> =
            sources.iter().map(|it| 1.0 / leftover(it.longest())).collect();
        let sum: f64 = inverse_left.iter().sum();
        let weighted = sources.into_iter().zip(inverse_left);
        Mixture { sources: weighted.map(|(it, weight)| (it, weight / sum)).collect(), new }
    }

    /// Distinct tokens of the near scopes.
    pub(crate) fn types(&self) -> &[u32] {
        &self.types
    }

    /// Number of a spelling, added if new.
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
    /// Keeps only the last `most` tokens.
    pub(crate) fn forget(&mut self, most: usize) {
        self.tokens.drain(..self.tokens.len().saturating_sub(most));
    }
}

impl Default for History {
    fn default() -> Self {
        Self { tokens: vec![BEGIN], kind: Kind::Break }
    }
}

/// The scopes at a position with their weights, which sum to one.
#[derive(Debug)]
pub(crate) struct Mixture<'m> {
    sources: Vec<(Source<'m>, f64)>,
    /// Probability of a token that no scope has.
    pub(crate) new: f64,
}

#[derive(Debug)]
enum Source<'m> {
    Recent(RecentTokens),
    Scope(View<'m>),
}

impl<'m> Mixture<'m> {
    /// Probability of a token, given that some scope has it.
    pub(crate) fn counted(&self, token: u32) -> f64 {
        self.sources.iter().map(|(it, weight)| weight * it.probability(token)).sum()
    }

    /// Views of the scopes, from near to far.
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

    /// Jelinek-Mercer interpolation over the known orders, normalised to their total mass.
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

/// Mass that the known orders of a scope leave over.
fn leftover(longest: usize) -> f64 {
    (1.0 - LAMBDA).powi(longest as i32 + 1)
}

/// The last tokens of the history: a cache (Tu, Su and Devanbu 2014).
#[derive(Debug, Default)]
struct RecentTokens {
    /// For each token: how often it follows the last k tokens before the position, by k.
    counts: FxHashMap<u32, [i64; ORDER]>,
    totals: [i64; ORDER],
}

impl RecentTokens {
    fn new(history: &[u32]) -> Self {
        let tokens = &history[history.len().saturating_sub(CACHE_TOKENS + ORDER)..];
        let mut res = Self::default();
        for at in tokens.len().saturating_sub(CACHE_TOKENS).max(1)..tokens.len() {
            let pairs = tokens[..at].iter().rev().zip(tokens.iter().rev()).take(ORDER - 1);
            let shared = pairs.take_while(|(a, b)| a == b).count();
            let counts = res.counts.entry(tokens[at]).or_default();
            for all in [counts, &mut res.totals] {
                all[..=shared].iter_mut().for_each(|it| *it += 1);
            }
        }
        res
    }

    fn count(&self, k: usize, token: u32) -> i64 {
        self.counts.get(&token).map_or(0, |it| it[k])
    }
}
