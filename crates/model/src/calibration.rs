//! Calibrates estimated token counts by a server's tokenizer, once per connection.
//!
//! No request may be sent to count tokens while a prompt is composed: it would block, and a slow server would change
//! the count and hence the prompt for the same inputs. So the server counts a fixed set of texts ([`SAMPLES`])
//! beforehand, and later estimates are scaled by the worst ratio of its counts to the estimates, plus a margin. The
//! result is immutable: the same tokenizer gives the same counts in every thread, request and process.
//!
//! Learning exact counts in the background was rejected: prompts would change between keystrokes without a change in
//! the repository, and the server would have to process them anew.

mod samples;

use std::sync::Arc;

pub use samples::SAMPLES;

/// Margin over the worst ratio of the samples, in thousandths: other texts are worse. Measured on click, gin, gson,
/// ripgrep, sinatra and trpc, with three bundled vocabularies as the server's and the estimates of five families: none
/// of 1,114 stretches of 6 kB is undercounted, and up to 0.4 % of 4,560 stretches of 400 bytes, by up to 12 %. (With a
/// margin of 30: 29 % and 25 %, by up to 15 % and 27 %.) Counts are 1.27 to 1.44 times the truth, estimates alone 1.41
/// to 1.67 times.
const MARGIN: usize = 250;

/// Minimum scale, in thousandths, whatever the server counts. First guess.
const MIN_SCALE: usize = 500;

/// Maximum plausible ratio, in thousandths: a server with more than about two tokens a byte counts something else.
/// First guess.
const MAX_RATIO: usize = 8000;

/// Calibration of estimates by a tokenizer's counts of the samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    tokenizer: Arc<str>,
    /// Scale of estimates, in thousandths.
    scale: usize,
    bytes_per_token: f32,
    margin: f32,
}

impl Calibration {
    /// Builds a calibration from the counts of the samples, in order; `None` if one is missing or implausible.
    pub(crate) fn new(
        tokenizer: &str,
        counts: &[usize],
        estimate: impl Fn(&str) -> usize,
    ) -> Option<Self> {
        if counts.len() != SAMPLES.len() {
            return None;
        }
        let estimates: Vec<usize> = SAMPLES.iter().map(|it| estimate(it)).collect();
        let pairs = || counts.iter().zip(&estimates);
        let worst = pairs().map(|(count, estimate)| (count * 1000).div_ceil(*estimate)).max()?;
        let is_plausible = counts.iter().all(|it| *it > 0) && worst <= MAX_RATIO;
        if !is_plausible {
            return None;
        }
        let scale = (worst * (1000 + MARGIN)).div_ceil(1000).max(MIN_SCALE);
        let scaled: usize = estimates.iter().map(|it| (it * scale).div_ceil(1000)).sum();
        let bytes: usize = SAMPLES.iter().map(|it| it.len()).sum();
        let truth: usize = counts.iter().sum();
        Some(Self {
            tokenizer: tokenizer.into(),
            scale,
            bytes_per_token: bytes as f32 / scaled as f32,
            margin: scaled as f32 / truth as f32 - 1.0,
        })
    }

    /// Scales an estimate.
    pub(crate) fn apply(&self, estimate: usize) -> usize {
        (estimate * self.scale).div_ceil(1000)
    }

    /// Name of the tokenizer.
    pub(crate) fn tokenizer(&self) -> &str {
        &self.tokenizer
    }

    /// Bytes of the samples per calibrated token.
    pub(crate) fn bytes_per_token(&self) -> f32 {
        self.bytes_per_token
    }

    /// Mean excess of calibrated counts over the tokenizer's on the samples.
    pub(crate) fn margin(&self) -> f32 {
        self.margin
    }
}

#[cfg(test)]
mod tests {
    use foreword_engine::compose::Format;

    use super::*;
    use crate::{Counting, TokenCounter, Vocabulary};

    fn estimate() -> TokenCounter {
        TokenCounter::for_format(Format::named("codellama").unwrap(), None).unwrap()
    }

    fn counts(of: impl Fn(&str) -> usize) -> Vec<usize> {
        SAMPLES.iter().map(|it| of(it)).collect()
    }

    #[test]
    fn a_calibrated_count_is_above_that_of_the_tokenizer_and_nearer_than_the_estimate() {
        let estimate = estimate();
        for vocabulary in [Vocabulary::Qwen2, Vocabulary::Cl100k, Vocabulary::O200k] {
            let exact = TokenCounter::of_vocabulary(vocabulary);
            let counts = counts(|it| exact.count(it));
            let calibrated = estimate.clone().calibrated("a server", &counts);
            let text = include_str!("counter.rs");
            for stretch in [text, include_str!("http/body.rs"), include_str!("http/stub.rs")] {
                let [truth, near, far] =
                    [&exact, &calibrated, &estimate].map(|it| it.count(stretch));
                assert!(truth <= near && near <= far, "{truth} {near} {far}");
            }
        }
    }

    #[test]
    fn a_tokenizer_that_counts_more_than_the_estimate_raises_it() {
        let estimate = estimate();
        let many = counts(|it| estimate.count(it) * 2);
        let calibrated = estimate.clone().calibrated("a server", &many);
        assert!(calibrated.count("let x = 1;") >= 2 * estimate.count("let x = 1;"));
        assert!(calibrated.exceeds("let x = 1;", calibrated.count("let x = 1;") - 1));
        assert!(!calibrated.exceeds("let x = 1;", calibrated.count("let x = 1;")));
        let Counting::Estimate { what, .. } = calibrated.kind() else { panic!("an estimate") };
        assert_eq!(what, "Code Llama 7B and 13B, calibrated by a server");
    }

    #[test]
    fn implausible_answers_leave_the_estimate_as_it_is() {
        let estimate = estimate();
        for counts in [vec![], vec![1; 3], vec![0; SAMPLES.len()], vec![1_000_000; SAMPLES.len()]] {
            let same = estimate.clone().calibrated("a server", &counts);
            assert_eq!(same.count(SAMPLES[0]), estimate.count(SAMPLES[0]));
            assert_eq!(same.kind(), estimate.kind());
        }
        let none = counts(|_| 1);
        let least = estimate.clone().calibrated("a server", &none);
        assert!(2 * least.count(SAMPLES[0]) >= estimate.count(SAMPLES[0]));
    }

    #[test]
    fn a_vocabulary_by_the_models_name_stays_unless_the_tokenizer_counts_more() {
        let by_name = || TokenCounter::for_format(Format::named("qwen2.5-coder").unwrap(), None);
        let exact = by_name().unwrap();
        let counts: Vec<usize> = SAMPLES.iter().map(|it| exact.count(it)).collect();
        let with = |counts: &[usize]| by_name().unwrap().calibrated("a server", counts);
        assert_eq!(with(&counts).kind(), exact.kind());
        let fewer: Vec<usize> = counts.iter().map(|it| it / 2).collect();
        assert_eq!(with(&fewer).kind(), exact.kind());
        let more: Vec<usize> = counts.iter().map(|it| it * 2).collect();
        let Counting::Estimate { what, .. } = with(&more).kind() else { panic!("an estimate") };
        assert!(what.ends_with("calibrated by a server"), "{what}");
        assert!(SAMPLES.iter().zip(&more).all(|(text, n)| with(&more).count(text) >= *n));
        // A server that counts something else.
        let nonsense: Vec<usize> = counts.iter().map(|it| it * 1000).collect();
        assert_eq!(with(&nonsense).kind(), exact.kind());
    }

    /// Sources and documents of this project, in stretches as large as a small prompt.
    fn stretches() -> Vec<String> {
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
        let mut res = Vec::new();
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
                if path.is_dir() && !path.ends_with("node_modules") {
                    folders.push(path);
                } else if let Ok(text) = std::fs::read_to_string(path) {
                    let chars: Vec<char> = text.chars().collect();
                    let whole = chars.chunks(6000).filter(|it| it.len() > 3000);
                    res.extend(whole.map(|it| it.iter().collect::<String>()));
                }
            }
        }
        res
    }

    #[test]
    fn no_text_of_the_size_of_a_prompt_is_undercounted() {
        let stretches = stretches();
        assert!(stretches.len() > 500, "only {}", stretches.len());
        for family in ["codellama", "starcoder2"] {
            let format = Format::named(family).unwrap();
            let estimate = TokenCounter::for_format(format, None).unwrap();
            let exact = TokenCounter::of_vocabulary(Vocabulary::Cl100k);
            let calibrated = estimate.calibrated("a server", &counts(|it| exact.count(it)));
            for text in &stretches {
                let (truth, count) = (exact.count(text), calibrated.count(text));
                assert!(truth <= count, "{family}: {count} of {truth} tokens in {text}");
            }
        }
    }
}
