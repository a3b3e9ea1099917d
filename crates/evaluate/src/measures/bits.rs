//! The cross-entropy of the true middle under a language model that sees only the prompt: compares contexts without a
//! neural model.
//!
//! The model is the nested cache n-gram model of [`foreword_model::ngram`] (Hellendoorn and Devanbu 2017), trained on
//! the prompt alone: the window around the hole is one scope, the pieces another, and the tokens of the middle are
//! learnt as they are scored. A background of the repository or language is excluded for two reasons: it could leak the
//! hole, and a model that has read the whole repository gains nothing from any piece. So the numbers are higher than
//! those of a trained model; only their differences between contexts are meaningful.
//!
//! The suffix is counted like the prefix, but the middle is not required to lead to it. The first token includes white
//! space before the hole and the beginning of a name that the hole continues: the same for every context of one hole.

use foreword_model::ngram::Model;
use serde::Serialize;

/// The cost of a middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bits {
    /// Cross-entropy of the whole middle.
    pub(crate) bits: f64,
    /// Number of tokens, including line breaks.
    pub(crate) tokens: usize,
    pub(crate) characters: usize,
}

impl Bits {
    /// Mean per token; `None` for an empty middle.
    pub fn per_token(&self) -> Option<f64> {
        (self.tokens > 0).then(|| self.bits / self.tokens as f64)
    }

    /// Mean per character; `None` for an empty middle.
    pub fn per_character(&self) -> Option<f64> {
        (self.characters > 0).then(|| self.bits / self.characters as f64)
    }
}

/// The cost of `truth` between `prefix` and `suffix` (the window, as shown) after the texts of `pieces`; empty `pieces`
/// measure the window alone. Deterministic; about a millisecond for a prompt of 8,000 tokens.
pub fn bits(truth: &str, prefix: &str, suffix: &str, pieces: &[&str]) -> Bits {
    let mut model = Model::new(None, &[&[prefix.trim_end(), suffix], pieces]);
    let score = model.score(prefix, truth);
    Bits { bits: score.bits, tokens: score.tokens, characters: truth.chars().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREFIX: &str = "from url import parse_url\n\n\ndef main(text):\n";
    const SUFFIX: &str = "\n    return url\n";
    const TRUTH: &str = "    url = parse_url(text, strict_mode=True)";

    #[test]
    fn a_piece_that_shows_the_call_saves_bits_and_any_other_hardly_costs_some() {
        let none = bits(TRUTH, PREFIX, SUFFIX, &[]);
        let definition = ["def parse_url(text, strict_mode=False):\n    return text\n"];
        let other = ["class Mail:\n    def send(self):\n        return 1\n"];
        assert!(bits(TRUTH, PREFIX, SUFFIX, &definition).bits < 0.75 * none.bits);
        let other = bits(TRUTH, PREFIX, SUFFIX, &other).bits;
        assert!(0.85 * none.bits < other && other < 1.15 * none.bits, "{other} {none:?}");
        assert_eq!((none.tokens, none.characters), (11, TRUTH.len()));
    }

    #[test]
    fn nothing_costs_nothing_and_anything_is_finite() {
        assert_eq!(bits("", PREFIX, SUFFIX, &[]), Bits::default());
        assert_eq!(Bits::default().per_token(), None);
        let odd = bits("\u{0}é\r\n\t日本", "", "", &[""]);
        assert!(odd.bits.is_finite() && odd.per_character().is_some_and(|it| it > 1.0));
    }
}
