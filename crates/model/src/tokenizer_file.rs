//! A model's own `tokenizer.json`.

use crate::count_cache::CountCache;
use crate::error::ModelError;
use foreword_engine::compose::Format;
use std::path::{Path, PathBuf};
use tokenizers::Tokenizer;

/// A tokenizer read from a file.
pub(crate) struct TokenizerFile {
    path: PathBuf,
    tokenizer: Tokenizer,
    added: usize,
    known: CountCache,
}

impl TokenizerFile {
    /// Reads the file and checks that it has the special tokens of the format.
    pub(crate) fn open(path: &Path, format: &Format) -> Result<Self, ModelError> {
        let bytes = std::fs::read(path)
            .map_err(|source| ModelError::Unreadable { path: path.to_owned(), source })?;
        let not = |reason: tokenizers::Error| ModelError::NotATokenizer {
            path: path.to_owned(),
            reason: reason.to_string(),
        };
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(not)?;
        // Some files ask for texts to be cut or filled up to a length.
        tokenizer.with_truncation(None).map_err(not)?;
        tokenizer.with_padding(None);
        if let Some(token) = format.marks().into_iter().find(|it| !knows(&tokenizer, it)) {
            return Err(ModelError::OtherModel {
                path: path.to_owned(),
                format: format.name,
                token,
            });
        }
        let added = tokenizer.encode_fast("", true).map_err(not)?.len();
        Ok(Self { path: path.to_owned(), tokenizer, added, known: CountCache::default() })
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Tokens that belong to every prompt.
    pub(crate) fn added(&self) -> usize {
        self.added
    }

    /// A text that the tokenizer refuses counts as a token a byte.
    pub(crate) fn count(&self, text: &str) -> usize {
        let count =
            |text: &str| self.tokenizer.encode_fast(text, false).map_or(text.len(), |it| it.len());
        self.known.count(text, count)
    }
}

/// Whether this is one token, perhaps with the sign for a space before it.
fn knows(tokenizer: &Tokenizer, token: &str) -> bool {
    tokenizer.token_to_id(token).is_some() || tokenizer.token_to_id(&format!("▁{token}")).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::TokenCounter;

    /// A tokenizer of words, with the special tokens of Mellum, that asks for its texts to be cut.
    const TINY: &str = r#"{
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        "padding": null,
        "added_tokens": [
            {"id": 3, "content": "<fim_prefix>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
            {"id": 4, "content": "<fim_suffix>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
            {"id": 5, "content": "<fim_middle>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
            {"id": 6, "content": "<filename>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}
        ],
        "normalizer": null,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": null,
        "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"<unk>": 0, "a": 1, "b": 2}, "unk_token": "<unk>"}
    }"#;

    fn open(text: &str, format: &str) -> Result<TokenCounter, ModelError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokenizer.json");
        std::fs::write(&path, text).unwrap();
        TokenCounter::for_format(Format::named(format).unwrap(), Some(&path))
    }

    #[track_caller]
    fn refused(result: Result<TokenCounter, ModelError>) -> String {
        result.err().expect("an error").to_string()
    }

    #[test]
    fn the_models_own_file_counts_to_the_end_with_special_tokens_as_one() {
        let counter = open(TINY, "mellum").unwrap();
        assert_eq!(counter.count("a b c a b c"), 6);
        assert_eq!(counter.count("<filename>a\n<fim_suffix>b<fim_prefix>a<fim_middle>"), 7);
        assert!(counter.exceeds("a b c", 2) && !counter.exceeds("a b c", 3));
        assert_eq!(counter.added(), 0);
        assert!(counter.kind().sentence().contains("tokenizer.json"));
    }

    #[test]
    fn the_tokenizer_of_another_family_is_refused() {
        let message = refused(open(TINY, "qwen2.5-coder"));
        assert!(
            message.contains("has no token <|") && message.contains("qwen2.5-coder"),
            "{message}"
        );
    }

    #[test]
    fn a_bad_file_is_named_with_what_is_wrong_and_what_to_do() {
        let message = refused(open("{}", "mellum"));
        assert!(message.contains("tokenizer.json is not a tokenizer: "), "{message}");
        let format = Format::named("mellum").unwrap();
        let message = refused(TokenCounter::for_format(format, Some(Path::new("/none/t.json"))));
        assert!(message.starts_with("cannot read the tokenizer /none/t.json: "), "{message}");
        assert!(message.contains("give the path of"), "{message}");
    }
}
