//! Probability of the next token, from all scopes.

use std::sync::OnceLock;

use super::corpus::{Background, Corpus, View};
use super::counts::ORDER;
use super::gaps::{Gaps, Side};
use super::history::History;
use super::learner::Learner;
use super::lexer::{Kind, Lexer, Token};
use super::outer::{FileText, OuterCounts};
use super::preset::{LAMBDA, UNKNOWN_TOKEN};
use super::recent::RecentTokens;
use super::spelling::Spelling;
use super::vocabulary::{BEGIN, Vocabulary};

/// A nested cache model of one file.
#[derive(Debug, Default)]
pub struct Model {
    /// What the near scopes teach.
    learner: Learner,
    /// From near to far.
    scopes: Vec<Corpus>,
    spelling: OnceLock<Spelling>,
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
        let vocabulary = background.map(|it| it.vocabulary.clone());
        let learner = vocabulary.map_or_else(Learner::default, Learner::over);
        Self { learner, ..Self::default() }.with_scopes(scopes, background)
    }

    /// Learns from a file whose outer parts are counted, then as [`new`](Self::new).
    pub(crate) fn of_file(
        file: &FileText<'_>,
        outer: &OuterCounts,
        scopes: &[&[&str]],
        background: Option<&Background>,
    ) -> Self {
        let mut learner = outer.learner.clone();
        let whole = outer.whole(file, &mut learner);
        Self { learner, scopes: vec![whole], ..Self::default() }.with_scopes(scopes, background)
    }

    fn with_scopes(mut self, scopes: &[&[&str]], background: Option<&Background>) -> Self {
        for texts in scopes {
            let encoded = texts.iter().map(|it| self.learner.learn(Lexer::new(it)));
            let encoded: Vec<Vec<u32>> = encoded.collect();
            self.scopes.push(Corpus::new(encoded.iter().map(Vec::as_slice)));
        }
        self.scopes.extend(background.map(|it| it.corpus.clone()));
        self
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
        history.tokens.push(self.learner.vocabulary.intern(&token.text));
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
        let known = self.learner.vocabulary.find(&token.text);
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
        bits + self.learner.gaps.log2(before, after, token.gap)
    }

    /// Mixture of the scopes after a history.
    pub(crate) fn mixture<'m>(&'m self, history: &'m History) -> Mixture<'m> {
        let tokens = &history.tokens;
        let mut sources = vec![Source::Recent(RecentTokens::new(history))];
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

    /// Distinct tokens of the near scopes, from which spelling is learned.
    pub(crate) fn types(&self) -> &[u32] {
        &self.learner.types
    }

    /// Number of a spelling, added if new.
    pub(crate) fn intern(&mut self, spelling: &str) -> u32 {
        self.learner.vocabulary.intern(spelling)
    }

    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.learner.vocabulary
    }
    pub(crate) fn gaps(&self) -> &Gaps {
        &self.learner.gaps
    }

    fn spelling(&self) -> &Spelling {
        self.spelling.get_or_init(|| {
            let mut res = Spelling::default();
            self.learner
                .types
                .iter()
                .for_each(|it| res.learn(self.learner.vocabulary.spelling(*it)));
            res
        })
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
    Recent(RecentTokens<'m>),
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
