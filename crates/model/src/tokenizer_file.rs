//! Tokenizer files published with models: `tokenizer.json`, or Mistral's `tekken.json`.

use crate::count_cache::CountCache;
use crate::error::ModelError;
use foreword_engine::compose::Format;
use kitoken::convert::{ConversionError, convert_tekken, convert_tokenizers};
use kitoken::{Definition, InsertionPosition, Kitoken, Processing};
use std::path::{Path, PathBuf};

/// A tokenizer from a file.
pub(crate) struct TokenizerFile {
    path: PathBuf,
    tokenizer: Kitoken,
    added: usize,
    known: CountCache,
}

impl TokenizerFile {
    /// Reads the file and checks that it has the special tokens of `format`.
    pub(crate) fn open(path: &Path, format: &Format) -> Result<Self, ModelError> {
        let bytes = std::fs::read(path)
            .map_err(|source| ModelError::Unreadable { path: path.to_owned(), source })?;
        let not = |reason: ConversionError| ModelError::NotATokenizer {
            path: path.to_owned(),
            reason: reason.to_string(),
        };
        let kind = Kind::of(&bytes);
        let mut definition = kind.read(&bytes).map_err(not)?;
        // Some files truncate or pad texts.
        let changes_length =
            |it: &Processing| matches!(it, Processing::Truncate { .. } | Processing::Pad { .. });
        definition.config.processing.retain(|it| !changes_length(it));
        if let Some(token) = format.marks().into_iter().find(|it| !knows(&definition, it)) {
            return Err(ModelError::OtherModel {
                path: path.to_owned(),
                format: format.name,
                token,
            });
        }
        let added = kind.added(&definition);
        let tokenizer = Kitoken::from_definition(definition).map_err(|it| not(it.into()))?;
        Ok(Self { path: path.to_owned(), tokenizer, added, known: CountCache::default() })
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Number of tokens added to every prompt.
    pub(crate) fn added(&self) -> usize {
        self.added
    }

    /// Number of tokens; one a byte if the tokenizer fails.
    pub(crate) fn count(&self, text: &str) -> usize {
        let count =
            |text: &str| self.tokenizer.encode(text, true).map_or(text.len(), |it| it.len());
        self.known.count(text, count)
    }
}

/// Formats of tokenizer files.
#[derive(Clone, Copy)]
enum Kind {
    /// Hugging Face's `tokenizer.json`.
    Tokenizers,
    /// Mistral's `tekken.json`.
    Tekken,
}

impl Kind {
    /// Detects the format from the contents, since these files are often renamed.
    fn of(bytes: &[u8]) -> Self {
        if memchr::memmem::find(bytes, b"\"token_bytes\"").is_some() {
            Self::Tekken
        } else {
            Self::Tokenizers
        }
    }

    fn read(self, bytes: &[u8]) -> Result<Definition, ConversionError> {
        match self {
            Self::Tokenizers => convert_tokenizers(bytes),
            Self::Tekken => convert_tekken(bytes),
        }
    }

    /// Number of tokens added to every prompt: as listed in `tokenizer.json`; for `tekken.json` the start token alone,
    /// as in Mistral's implementation.
    fn added(self, definition: &Definition) -> usize {
        use InsertionPosition::{SequenceEnd, SequenceStart, SubSequenceEnd, SubSequenceStart};
        let is_added = |at: InsertionPosition| match self {
            Self::Tokenizers => {
                matches!(at, SequenceStart | SubSequenceStart | SubSequenceEnd | SequenceEnd)
            }
            Self::Tekken => matches!(at, SequenceStart),
        };
        definition.config.templates.iter().filter(|it| is_added(it.position)).count()
    }
}

/// Whether `token` is in the vocabulary, perhaps with a leading space or its marker.
fn knows(definition: &Definition, token: &str) -> bool {
    let is = |bytes: &[u8]| {
        let bytes = bytes.strip_prefix("▁".as_bytes()).unwrap_or(bytes);
        bytes.strip_prefix(b" ").unwrap_or(bytes) == token.as_bytes()
    };
    definition.specials.iter().any(|it| is(&it.bytes))
        || definition.model.vocab().iter().any(|it| is(&it.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::TokenCounter;

    /// A tokenizer of single letters and one pair, with Mellum's special tokens, that truncates and pads texts.
    const TINY: &str = r#"{
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 64}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0, "pad_token": "<unk>"},
        "added_tokens": [
            {"id": 0, "content": "<unk>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
            {"id": 6, "content": "<fim_prefix>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
            {"id": 7, "content": "<fim_suffix>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
            {"id": 8, "content": "<fim_middle>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
            {"id": 9, "content": "<filename>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}
        ],
        "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "post_processor": TEMPLATE,
        "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
        "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null, "end_of_word_suffix": null,
            "fuse_unk": false, "byte_fallback": false,
            "vocab": {"<unk>": 0, "a": 1, "b": 2, "Ġ": 3, "Ċ": 4, "ab": 5}, "merges": ["a b"]}
    }"#;

    /// One token before every text and one after.
    const AROUND: &str = r#"{"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<fim_prefix>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "<unk>", "type_id": 0}}],
        "pair": [{"SpecialToken": {"id": "<fim_prefix>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "<unk>", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "<unk>", "type_id": 1}}],
        "special_tokens": {"<fim_prefix>": {"id": "<fim_prefix>", "ids": [6], "tokens": ["<fim_prefix>"]}, "<unk>": {"id": "<unk>", "ids": [0], "tokens": ["<unk>"]}}}"#;

    fn tiny(post_processor: &str) -> String {
        TINY.replace("TEMPLATE", post_processor)
    }

    fn open(bytes: &[u8], format: &str) -> Result<TokenCounter, ModelError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokenizer.json");
        std::fs::write(&path, bytes).unwrap();
        TokenCounter::for_format(Format::named(format).unwrap(), Some(&path))
    }

    #[track_caller]
    fn refused(result: Result<TokenCounter, ModelError>) -> String {
        result.err().expect("an error").to_string()
    }

    #[test]
    fn the_models_own_file_counts_to_the_end_with_special_tokens_as_one() {
        let counter = open(tiny("null").as_bytes(), "mellum").unwrap();
        // "ab", then " ", "ab" twice, and " ", "a".
        assert_eq!(counter.count("ab ab ab a"), 7);
        assert_eq!(counter.count("<filename>a\n<fim_suffix>b<fim_prefix>a<fim_middle>"), 8);
        assert!(counter.exceeds("a b b", 4) && !counter.exceeds("a b b", 5));
        assert_eq!(counter.added(), 0);
        assert!(counter.kind().sentence().contains("tokenizer.json"));
    }

    #[test]
    fn what_the_file_adds_to_every_text_is_counted() {
        assert_eq!(open(tiny(AROUND).as_bytes(), "mellum").unwrap().added(), 2);
    }

    #[test]
    fn mistrals_own_form_is_read_with_the_tokens_that_it_leaves_out() {
        let tekken = r#"{"config": {"pattern": "[a-z]+|\\s+|.", "num_vocab_tokens": 4, "default_vocab_size": 18,
                "default_num_special_tokens": 14, "version": "v3"},
            "vocab": [{"rank": 0, "token_bytes": "YQ==", "token_str": "a"}, {"rank": 1, "token_bytes": "Yg==", "token_str": "b"},
                {"rank": 2, "token_bytes": "IA==", "token_str": " "}, {"rank": 3, "token_bytes": "YWI=", "token_str": "ab"}]}"#;
        let counter = open(tekken.as_bytes(), "codestral").unwrap();
        assert_eq!(counter.count("[SUFFIX]ab a[PREFIX]ab"), 6);
        assert_eq!(counter.added(), 1, "the beginning of the text");
    }

    #[test]
    fn the_tokenizer_of_another_family_is_refused() {
        let message = refused(open(tiny("null").as_bytes(), "qwen2.5-coder"));
        assert!(
            message.contains("has no token <|") && message.contains("qwen2.5-coder"),
            "{message}"
        );
    }

    #[test]
    fn a_bad_file_is_named_with_what_is_wrong_and_what_to_do() {
        for bad in ["{}", "", "[1]", r#"{"token_bytes": 1}"#] {
            let message = refused(open(bad.as_bytes(), "mellum"));
            assert!(message.contains("tokenizer.json is not a tokenizer: "), "{message}");
        }
        let format = Format::named("mellum").unwrap();
        let message = refused(TokenCounter::for_format(format, Some(Path::new("/none/t.json"))));
        assert!(message.starts_with("cannot read the tokenizer /none/t.json: "), "{message}");
        assert!(message.contains("set it to the model's tokenizer"), "{message}");
    }
}
