//! Estimates token counts by rules if no vocabulary is available; errs on the high side.
//!
//! A fixed number of bytes per token is not enough: hexadecimal has one token a byte, prose one per four, and a
//! constant safe for the first wastes three quarters of every budget. So texts are split roughly as tokenizers do
//! (words at case changes, single digits, punctuation, line ends, runs of spaces), with a rate for each class.
//!
//! The rates come from a quantile regression (0.9995, of estimate / truth) on 9,000 stretches of 200 to 3,000 bytes of
//! public code in a dozen languages, with some Markdown, JSON and HTML. On all 24,000 stretches, 15,000 of them unseen,
//! this share of estimates was too low:
//!
//! | vocabulary | rates | too low | mean of estimate / truth | minimum |
//! |---|---|---|---|---|
//! | StarCoder, 49k | large | 0.03 % | 1.25 | 0.96 |
//! | Qwen2, 152k | large | 0.02 % | 1.42 | 0.91 |
//! | Llama 3, 128k | large | 0.02 % | 1.44 | 0.93 |
//! | DeepSeek-Coder, 32k | small | 0.05 % | 1.24 | 0.84 |
//! | Llama 2, 32k | small | 0.03 % | 1.23 | 0.80 |
//! | Gemma, 262k | small | 0.01 % | 1.36 | 0.89 |
//!
//! The remaining undercounts are lists of rare names, such as machine instructions. The tokenizers were checked against
//! the counts that llama.cpp publishes with its vocabularies. The large rates are for byte-level vocabularies only:
//! Gemma's is larger still, but splits at spaces and line ends as the small ones do.

use foreword_engine::compose::Format;

/// Rates for a class of vocabularies, in hundredths of a token.
#[derive(Debug)]
pub(crate) struct Rates {
    /// Per text.
    text: u64,
    /// Per word; a case change starts a new word.
    word: u64,
    /// Per letter after the fourth, and again after the eighth.
    beyond_4: u64,
    beyond_8: u64,
    /// Per letter after the first of an upper-case word.
    capital: u64,
    /// Per letter after the second in a run of consonants: such words are seldom in a vocabulary.
    consonant: u64,
    digit: u64,
    /// Per punctuation sign: the first in a row, after a different sign, after the same sign.
    sign: u64,
    next_sign: u64,
    same_sign: u64,
    /// Per line end: the first in a row, and later ones.
    line: u64,
    next_line: u64,
    /// Per sixteen spaces in a row, rounded up; a single space is free, since it belongs to the next token.
    spaces: u64,
    tab: u64,
    control: u64,
    /// Per character of two, three and four bytes.
    wide: [u64; 3],
    /// Bytes of code per estimated token in the regression's corpus.
    pub(crate) bytes_per_token: f32,
    /// Mean excess over the exact count in that corpus.
    pub(crate) margin: f32,
}

/// Byte-level vocabularies of 49k tokens or more.
static LARGE: Rates = Rates {
    text: 200,
    word: 103,
    beyond_4: 9,
    beyond_8: 5,
    capital: 19,
    consonant: 51,
    digit: 184,
    sign: 116,
    next_sign: 30,
    same_sign: 10,
    line: 111,
    next_line: 50,
    spaces: 60,
    tab: 38,
    control: 100,
    wide: [150, 200, 300],
    bytes_per_token: 2.64,
    margin: 0.25,
};

/// Vocabularies of 32k tokens, others that split like them, and unknown ones.
static SMALL: Rates = Rates {
    text: 200,
    word: 128,
    beyond_4: 15,
    beyond_8: 47,
    capital: 27,
    consonant: 52,
    digit: 149,
    sign: 100,
    next_sign: 53,
    same_sign: 14,
    line: 126,
    next_line: 50,
    spaces: 97,
    tab: 96,
    control: 100,
    wide: [152, 257, 300],
    bytes_per_token: 2.32,
    margin: 0.23,
};

impl Rates {
    /// Rates for the vocabulary of the format's models.
    pub(crate) fn for_format(format: &Format) -> &'static Rates {
        match format.name {
            "qwen2.5-coder" | "starcoder" | "starcoder2" | "mellum" | "mellum2" | "granite-4"
            | "seed-coder" | "glm-4" | "codegeex4" => &LARGE,
            _ => &SMALL,
        }
    }

    /// Estimates the number of tokens of `text`.
    pub(crate) fn count(&self, text: &str) -> usize {
        if text.is_empty() {
            return 0;
        }
        let bytes = text.as_bytes();
        let (mut at, mut sum) = (0, self.text);
        while at < bytes.len() {
            let (taken, rate) = self.next(&bytes[at..], at.checked_sub(1).map(|it| bytes[it]));
            at += taken;
            sum += rate;
        }
        sum.div_ceil(100) as usize
    }

    /// Length and rate of the first token class in `bytes`.
    fn next(&self, bytes: &[u8], before: Option<u8>) -> (usize, u64) {
        match bytes[0] {
            it if it.is_ascii_alphabetic() => self.next_word(bytes),
            it if it.is_ascii_digit() => (1, self.digit),
            b'\n' | b'\r' if matches!(before, Some(b'\n' | b'\r')) => (1, self.next_line),
            b'\n' | b'\r' => (1, self.line),
            b'\t' => (1, self.tab),
            b' ' => match run(bytes, |it| it == b' ') {
                1 => (1, 0),
                n => (n, self.spaces * n.div_ceil(16) as u64),
            },
            it if it.is_ascii_punctuation() => match before {
                Some(last) if last == it => (1, self.same_sign),
                Some(last) if last.is_ascii_punctuation() => (1, self.next_sign),
                _ => (1, self.sign),
            },
            it if it.is_ascii() => (1, self.control),
            // The first byte of a character encodes its length.
            it => {
                let len = (it.leading_ones() as usize).clamp(2, 4).min(bytes.len());
                (len, self.wide[len.max(2) - 2])
            }
        }
    }

    /// Splits `HTTPServer` into two words.
    fn next_word(&self, bytes: &[u8]) -> (usize, u64) {
        let capitals = run(bytes, |it| it.is_ascii_uppercase());
        let small = run(&bytes[capitals..], |it| it.is_ascii_lowercase());
        let (len, all_capitals) = match (capitals, small) {
            (0 | 1, 1..) => (capitals + small, false),
            (_, 0) => (capitals, true),
            _ => (capitals - 1, true),
        };
        let mut rate = self.word;
        rate += self.beyond_4 * len.saturating_sub(4) as u64;
        rate += self.beyond_8 * len.saturating_sub(8) as u64;
        rate += self.consonant * beyond_two_consonants(&bytes[..len]);
        if all_capitals {
            rate += self.capital * (len as u64 - 1);
        }
        (len, rate)
    }
}

fn run(bytes: &[u8], of: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|it| !of(*it)).unwrap_or(bytes.len())
}

fn beyond_two_consonants(word: &[u8]) -> u64 {
    let vowel =
        |it: &u8| matches!(it.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    word.split(vowel).map(|it| it.len().saturating_sub(2) as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TokenCounter, Vocabulary};
    use std::path::Path;

    #[test]
    fn words_are_cut_at_changes_of_case() {
        let plain = |text: &str| LARGE.next_word(text.as_bytes()).0;
        assert_eq!(plain("HTTPServer"), 4);
        assert_eq!(plain("Server"), 6);
        assert_eq!(plain("camelCase"), 5);
        assert_eq!(plain("MAX_SIZE"), 3);
        assert_eq!(beyond_two_consonants(b"strengths"), 4);
    }

    #[test]
    fn any_text_is_counted_to_its_end() {
        assert_eq!(LARGE.count(""), 0);
        assert_eq!(LARGE.count("\n"), 4);
        for text in ["é", "日本", "🦀x", "a🦀\u{0}\r\n\t  \u{7f}"] {
            assert!(LARGE.count(text) >= text.chars().count(), "{text:?}");
        }
    }

    #[test]
    fn bytes_and_digits_are_not_taken_for_prose() {
        let table = "0x7f, 0x00, 0xa9, 0x13, 0x55, 0x0e,\n".repeat(20);
        let truth = TokenCounter::of_vocabulary(Vocabulary::Qwen2).count(&table);
        assert!(LARGE.count(&table) >= truth);
    }

    /// Tests the promise on this repository's sources.
    #[test]
    fn the_estimate_is_never_below_the_truth_and_not_far_above() {
        let mut stretches = Vec::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut stretches);
        assert!(stretches.len() > 100, "no sources found");
        for vocabulary in [Vocabulary::Qwen2, Vocabulary::Cl100k, Vocabulary::O200k] {
            let counter = TokenCounter::of_vocabulary(vocabulary);
            for rates in [&LARGE, &SMALL] {
                let (mut sum, mut truth) = (0, 0);
                for text in &stretches {
                    let (estimate, exact) = (rates.count(text), counter.count(text));
                    assert!(estimate >= exact, "{vocabulary:?}: {estimate} < {exact}: {text}");
                    sum += estimate;
                    truth += exact;
                }
                let excess = sum as f64 / truth as f64;
                assert!((1.1..1.9).contains(&excess), "{vocabulary:?}: {excess}");
            }
        }
    }

    /// Stretches of 30 lines and at least 200 bytes of all Rust sources under `dir`.
    fn collect(dir: &Path, into: &mut Vec<String>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|it| it != "target") {
                collect(&path, into);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                into.extend(lines.chunks(30).map(<[&str]>::concat).filter(|it| it.len() >= 200));
            }
        }
    }
}
