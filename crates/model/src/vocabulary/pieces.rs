//! Pre-tokenization: splits a text into pieces, which no token crosses. The patterns are those of the vocabularies
//! (tiktoken's `cl100k_base` and `o200k_base`; Qwen2's `tokenizer.json`), without the negative look-ahead `\s+(?!\S)`,
//! which the regex engine lacks: instead, whitespace before whitespace gives up its last character.

use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input};

use super::Vocabulary;

/// Whitespace followed by whitespace.
const SPACE_BEFORE_SPACE: &str = r"\s+\s";
/// Index of [`SPACE_BEFORE_SPACE`] among the patterns.
const LOOKS_AHEAD: usize = 1;
const SPACE: &str = r"\s+";

/// GPT-4: numbers of up to three digits.
#[cfg(any(test, feature = "openai-vocabularies"))]
const CL100K: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+$";
/// Qwen2: like GPT-4, with single digits.
const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+$";
/// GPT-4o: words split at upper case.
#[cfg(any(test, feature = "openai-vocabularies"))]
const O200K: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+$",
);

/// Splits texts into pieces.
pub(super) struct Pieces(Regex);

impl Pieces {
    pub(super) fn of(vocabulary: Vocabulary) -> Self {
        let first = match vocabulary {
            Vocabulary::Qwen2 => QWEN2,
            #[cfg(any(test, feature = "openai-vocabularies"))]
            Vocabulary::Cl100k => CL100K,
            #[cfg(any(test, feature = "openai-vocabularies"))]
            Vocabulary::O200k => O200K,
        };
        let patterns = [first, SPACE_BEFORE_SPACE, SPACE];
        Self(Regex::new_many(&patterns).expect("the patterns are valid"))
    }

    /// The pieces of `text`, in order and complete.
    pub(super) fn of_text<'t>(&'t self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let found = self.0.find(Input::new(rest).anchored(Anchored::Yes))?;
            let mut end = found.end();
            if found.pattern().as_usize() == LOOKS_AHEAD {
                end -= rest[..end].chars().next_back().map_or(0, char::len_utf8);
            }
            let (piece, after) = rest.split_at(end);
            rest = after;
            (!piece.is_empty()).then_some(piece)
        })
    }
}
