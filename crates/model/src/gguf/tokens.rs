//! Tokenises text with the model's vocabulary.
//!
//! llama.cpp can parse all special tokens of a vocabulary. Here only those of the prompt's format are special, and text
//! between them is plain, so no spelling in a repository becomes structure, whether the format's table lists it or not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foreword_engine::compose::Format;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use crate::count_cache::CountCache;

/// The vocabulary of a model.
pub(super) struct Tokens {
    model: Arc<LlamaModel>,
    specials: BTreeMap<&'static str, Special>,
    /// Whether the tokenizer adds a space before texts (SentencePiece's dummy prefix).
    adds_space: bool,
}

/// A special token of a format.
#[derive(Clone, Copy)]
struct Special {
    token: LlamaToken,
    /// Whether it includes a leading space, as in `▁<SUF>`.
    takes_space: bool,
}

impl Tokens {
    pub(super) fn new(model: Arc<LlamaModel>) -> Self {
        let specials = specials(&model);
        let vocab = model.vocab();
        let adds_space = vocab
            .tokenize(b"x", false, false)
            .first()
            .is_some_and(|it| vocab.token_to_piece(*it, false, None).starts_with(b" "));
        Self { model, specials, adds_space }
    }

    pub(super) fn model(&self) -> &Arc<LlamaModel> {
        &self.model
    }

    /// Whether this is a single token.
    pub(super) fn has(&self, special: &str) -> bool {
        self.specials.contains_key(special)
    }

    /// Tokens of a prompt, with the model's start token if it has one and the prompt does not.
    pub(super) fn prompt(&self, text: &str, specials: &[&'static str]) -> Vec<LlamaToken> {
        let mut res = self.tokenise(text, specials);
        if let Some(begin) = self.begin().filter(|it| res.first() != Some(it)) {
            res.insert(0, begin);
        }
        res
    }

    /// The start token of prompts.
    fn begin(&self) -> Option<LlamaToken> {
        let vocab = self.model.vocab();
        vocab.should_add_bos().then(|| vocab.bos()).filter(|it| it.0 >= 0)
    }

    /// Tokens of a text with these special tokens.
    pub(super) fn tokenise(&self, text: &str, specials: &[&'static str]) -> Vec<LlamaToken> {
        let mut res = Vec::with_capacity(text.len() / 3);
        let mut done = 0;
        for (at, _) in text.match_indices(['<', '[']) {
            // The first character of a special token occurs only at its start, so special tokens cannot overlap.
            let is_here = |it: &&&str| text[at..].starts_with(**it);
            let found =
                specials.iter().find(is_here).and_then(|it| Some((it, self.specials.get(it)?)));
            let Some((name, special)) = found else { continue };
            let plain = &text[done..at];
            let cut = plain.strip_suffix(' ').filter(|_| special.takes_space);
            self.plain(cut.unwrap_or(plain), &mut res);
            res.push(special.token);
            done = at + name.len();
        }
        self.plain(&text[done..], &mut res);
        res
    }

    /// Tokens of plain text. A leading space is dropped, since the tokenizer adds it.
    fn plain(&self, text: &str, into: &mut Vec<LlamaToken>) {
        let cut = text.strip_prefix(' ').filter(|_| self.adds_space);
        let text = cut.unwrap_or(text);
        if !text.is_empty() || cut.is_some() {
            into.extend(self.model.vocab().tokenize(text.as_bytes(), false, false));
        }
    }
}

/// Tokens of the vocabulary that any format uses.
fn specials(model: &LlamaModel) -> BTreeMap<&'static str, Special> {
    let all = Format::ALL.iter().flat_map(|it| it.specials.iter().copied());
    let wanted: BTreeMap<&str, &'static str> = all.map(|it| (it, it)).collect();
    let vocab = model.vocab();
    let mut res = BTreeMap::new();
    for token in vocab.tokens() {
        let Some(text) = vocab.text(token).and_then(|it| it.to_str().ok()) else { continue };
        let (text, takes_space) = match text.strip_prefix('▁') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        if let Some(name) = wanted.get(text) {
            res.insert(*name, Special { token, takes_space });
        }
    }
    res
}

/// Counts tokens by a model's vocabulary.
pub(crate) struct VocabularyCounter {
    tokens: Arc<Tokens>,
    path: PathBuf,
    specials: &'static [&'static str],
    known: CountCache,
}

impl VocabularyCounter {
    pub(super) fn new(tokens: Arc<Tokens>, path: &Path, format: &'static Format) -> Arc<Self> {
        let (path, specials) = (path.to_owned(), format.specials);
        Arc::new(Self { tokens, path, specials, known: CountCache::default() })
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        self.known.count(text, |it| self.tokens.tokenise(it, self.specials).len())
    }

    pub(crate) fn added(&self) -> usize {
        usize::from(self.tokens.begin().is_some())
    }

    pub(crate) fn name(&self) -> String {
        format!("the vocabulary of {}", self.path.display())
    }
}
