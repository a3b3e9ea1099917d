//! What a model learns of texts beside counts: numbers of spellings, whitespace, and the distinct tokens.

use std::sync::Arc;

use super::gaps::{Gap, Gaps, Side};
use super::lexer::{Kind, Token};
use super::vocabulary::{BEGIN, Vocabulary};

/// Numbers, whitespace and distinct tokens of texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Learner {
    pub(super) vocabulary: Vocabulary,
    pub(super) gaps: Gaps,
    /// Distinct tokens, in order of appearance.
    pub(super) types: Vec<u32>,
    /// By number: whether the token is among `types`.
    is_listed: Vec<bool>,
}

impl Learner {
    /// Numbers spellings above those of `vocabulary`.
    pub(super) fn over(vocabulary: Arc<Vocabulary>) -> Self {
        Self { vocabulary: Vocabulary::over(vocabulary), ..Self::default() }
    }

    /// The numbers of the tokens of a text.
    pub(super) fn learn<'t>(&mut self, tokens: impl Iterator<Item = Token<'t>>) -> Vec<u32> {
        self.learn_after(Side { number: BEGIN, kind: Kind::Break }, tokens)
    }

    /// The numbers of tokens that follow the token `before`.
    pub(super) fn learn_after<'t>(
        &mut self,
        before: Side,
        tokens: impl Iterator<Item = Token<'t>>,
    ) -> Vec<u32> {
        let mut before = before;
        let mut res = Vec::new();
        for token in tokens {
            let number = self.vocabulary.intern(&token.text);
            self.list(number);
            let after = Side { number, kind: token.kind };
            if token.kind != Kind::Break {
                self.gaps.learn(before, after, Gap::of(token.gap));
            }
            before = after;
            res.push(number);
        }
        res
    }

    fn list(&mut self, number: u32) {
        let at = number as usize;
        if at >= self.is_listed.len() {
            self.is_listed.resize(self.vocabulary.end() as usize, false);
        }
        if !std::mem::replace(&mut self.is_listed[at], true) {
            self.types.push(number);
        }
    }
}
