//! Token counters: exact with a known vocabulary, estimated otherwise.

use crate::calibration::{Calibration, SAMPLES};
use crate::count_cache::CountCache;
use crate::error::ModelError;
use crate::estimate::Rates;
use crate::vocabulary::Vocabulary;
use foreword_engine::compose::Format;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Counts the tokens of texts. Cheap to clone.
#[derive(Clone)]
pub struct TokenCounter {
    specials: &'static [&'static str],
    method: Method,
}

#[derive(Clone)]
enum Method {
    #[cfg(feature = "tokenizers")]
    File(Arc<crate::tokenizer_file::TokenizerFile>),
    #[cfg(feature = "gguf")]
    Model(Arc<crate::gguf::tokens::VocabularyCounter>),
    Bundled(Vocabulary),
    Estimate(Estimate),
}

/// An estimate by rates.
#[derive(Clone)]
struct Estimate {
    rates: &'static Rates,
    /// Models that the rates are for.
    title: Arc<str>,
    calibration: Option<Arc<Calibration>>,
}

impl Estimate {
    fn count(&self, text: &str) -> usize {
        let estimate = self.rates.count(text);
        self.calibration.as_ref().map_or(estimate, |it| it.apply(estimate))
    }

    fn kind(&self) -> Counting {
        match &self.calibration {
            None => Counting::Estimate {
                what: self.title.to_string(),
                bytes_per_token: self.rates.bytes_per_token,
                margin: self.rates.margin,
            },
            Some(it) => Counting::Estimate {
                what: format!("{}, calibrated by {}", self.title, it.tokenizer()),
                bytes_per_token: it.bytes_per_token(),
                margin: it.margin(),
            },
        }
    }
}

/// Accuracy of a count.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Counting {
    /// By the vocabulary.
    Exact {
        /// Name of the vocabulary.
        what: String,
    },
    /// By rates, erring on the high side.
    Estimate {
        /// Models that the rates are for.
        what: String,
        /// Bytes of ordinary code per estimated token.
        bytes_per_token: f32,
        /// Mean excess over the exact count on ordinary code: 0.2 is a fifth.
        margin: f32,
    },
}

impl Counting {
    /// Description for people.
    pub fn sentence(&self) -> String {
        match self {
            Counting::Exact { what } => format!("Tokens are counted exactly, by {what}."),
            Counting::Estimate { what, bytes_per_token, margin } => format!(
                "Tokens are estimated for {what}: about {bytes_per_token:.1} bytes of code each, on average {:.0} % \
                 more than the truth, so that budgets hold; name the model's tokenizer.json for exact counts.",
                margin * 100.0
            ),
        }
    }
}

impl TokenCounter {
    /// The most accurate counter for models of this format.
    pub fn for_format(
        format: &Format,
        tokenizer_json: Option<&Path>,
    ) -> Result<TokenCounter, ModelError> {
        let method = match tokenizer_json {
            Some(path) => from_file(path, format)?,
            None => match Vocabulary::of(format) {
                Some(vocabulary) => Method::Bundled(vocabulary),
                None => Method::Estimate(Estimate {
                    rates: Rates::for_format(format),
                    title: format.title.into(),
                    calibration: None,
                }),
            },
        };
        // A format without marks has no special tokens.
        let specials = if format.marks().is_empty() { &[] } else { format.specials };
        Ok(TokenCounter { specials, method })
    }

    /// An estimate for unknown models that does not undercount.
    pub fn general() -> TokenCounter {
        let format = Format::named("none").expect("the format `none` is in the table");
        let (rates, title) = (Rates::for_format(format), format.title.into());
        let method = Method::Estimate(Estimate { rates, title, calibration: None });
        TokenCounter { specials: &[], method }
    }

    /// A counter by a vocabulary of the binary, without special tokens.
    pub fn of_vocabulary(vocabulary: Vocabulary) -> TokenCounter {
        TokenCounter { specials: &[], method: Method::Bundled(vocabulary) }
    }

    /// A counter by the vocabulary of a model in this process.
    #[cfg(feature = "gguf")]
    pub(crate) fn of_model(model: Arc<crate::gguf::tokens::VocabularyCounter>) -> TokenCounter {
        TokenCounter { specials: &[], method: Method::Model(model) }
    }

    /// Calibrates estimates by the counts that `tokenizer` gives for the [samples](crate::calibration::SAMPLES). A bundled
    /// vocabulary that counts less than the tokenizer is not the model's: a calibrated estimate replaces it. Other counters
    /// are unchanged, as are all if the counts are implausible.
    #[must_use]
    pub fn calibrated(mut self, tokenizer: &str, counts: &[usize]) -> TokenCounter {
        let is_short = |it: &Vocabulary| {
            counts.iter().zip(SAMPLES).any(|(count, text)| it.count(text) < *count)
        };
        if let Method::Bundled(vocabulary) = &self.method
            && is_short(vocabulary)
        {
            let specials = self.specials;
            let estimate = Self { specials, ..Self::general() }.calibrated(tokenizer, counts);
            let is_calibrated =
                matches!(&estimate.method, Method::Estimate(it) if it.calibration.is_some());
            return if is_calibrated { estimate } else { self };
        }
        if let Method::Estimate(estimate) = &mut self.method {
            let by_rates = |text: &str| estimate.rates.count(text);
            estimate.calibration = Calibration::new(tokenizer, counts, by_rates).map(Arc::new);
        }
        self
    }

    /// Number of tokens of `text`; a special token's spelling is one.
    pub fn count(&self, text: &str) -> usize {
        if let Some(count) = self.whole(text) {
            return count;
        }
        let mut total = 0;
        let _ = self.stretches(text, |stretch| {
            total += stretch.map_or(1, |text| self.count_plain(text));
            ControlFlow::Continue(())
        });
        total
    }

    /// Whether `text` has more than `limit` tokens; stops counting once known.
    pub fn exceeds(&self, text: &str, limit: usize) -> bool {
        if let Some(count) = self.whole(text) {
            return count > limit;
        }
        let mut left = limit;
        self.stretches(text, |stretch| {
            let count = match stretch {
                Some(text) => self.count_up_to(text, left),
                None => Some(1),
            };
            let Some(rest) = count.and_then(|it| left.checked_sub(it)) else {
                return ControlFlow::Break(());
            };
            left = rest;
            ControlFlow::Continue(())
        })
        .is_break()
    }

    /// Count by a tokenizer that parses special tokens itself.
    #[cfg_attr(
        not(any(feature = "tokenizers", feature = "gguf")),
        expect(unused_variables, reason = "only these features have such tokenizers")
    )]
    fn whole(&self, text: &str) -> Option<usize> {
        match &self.method {
            #[cfg(feature = "tokenizers")]
            Method::File(file) => Some(file.count(text)),
            #[cfg(feature = "gguf")]
            Method::Model(model) => Some(model.count(text)),
            Method::Bundled(_) | Method::Estimate(_) => None,
        }
    }

    /// Number of tokens that a server adds to a raw prompt, as far as known: usually one start token.
    pub fn added(&self) -> usize {
        match &self.method {
            #[cfg(feature = "tokenizers")]
            Method::File(file) => file.added(),
            #[cfg(feature = "gguf")]
            Method::Model(model) => model.added(),
            Method::Bundled(_) => 0,
            Method::Estimate(_) => 1,
        }
    }

    /// Accuracy of the counts.
    pub fn kind(&self) -> Counting {
        match &self.method {
            #[cfg(feature = "tokenizers")]
            Method::File(file) => Counting::Exact { what: file.name() },
            #[cfg(feature = "gguf")]
            Method::Model(model) => Counting::Exact { what: model.name() },
            Method::Bundled(it) => {
                Counting::Exact { what: format!("the vocabulary of {}", it.title()) }
            }
            Method::Estimate(estimate) => estimate.kind(),
        }
    }

    /// Calls `each` with the text between special tokens, and with `None` for each special token.
    fn stretches<'t>(
        &self,
        text: &'t str,
        mut each: impl FnMut(Option<&'t str>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut done = 0;
        for (at, opener) in text.match_indices(['<', '[']) {
            let rest = &text[at..];
            // The first character of a special token occurs only at its start, so special tokens cannot overlap.
            let Some(special) = self.specials.iter().find(|it| rest.starts_with(**it)) else {
                continue;
            };
            debug_assert!(special.starts_with(opener));
            if done < at {
                each(Some(&text[done..at]))?;
            }
            each(None)?;
            done = at + special.len();
        }
        if done < text.len() { each(Some(&text[done..])) } else { ControlFlow::Continue(()) }
    }

    fn count_plain(&self, text: &str) -> usize {
        match &self.method {
            Method::Bundled(it) => it.count(text),
            Method::Estimate(estimate) => estimate.count(text),
            #[cfg(feature = "tokenizers")]
            Method::File(file) => file.count(text),
            #[cfg(feature = "gguf")]
            Method::Model(model) => model.count(text),
        }
    }

    /// `None` if there are more than `limit` tokens.
    fn count_up_to(&self, text: &str, limit: usize) -> Option<usize> {
        if let Method::Bundled(it) = &self.method {
            return it.tokenizer().count_up_to(text, limit);
        }
        Some(self.count_plain(text)).filter(|it| *it <= limit)
    }
}

impl Vocabulary {
    /// Vocabulary of the format's models, if bundled.
    fn of(format: &Format) -> Option<Vocabulary> {
        (format.name == "qwen2.5-coder").then_some(Vocabulary::Qwen2)
    }

    fn title(self) -> &'static str {
        match self {
            Vocabulary::Qwen2 => "Qwen2",
            #[cfg(any(test, feature = "openai-vocabularies"))]
            Vocabulary::Cl100k => "GPT-4 (cl100k)",
            #[cfg(any(test, feature = "openai-vocabularies"))]
            Vocabulary::O200k => "GPT-4o (o200k)",
        }
    }

    fn count(self, text: &str) -> usize {
        static KNOWN: [LazyLock<CountCache>; Vocabulary::COUNT] =
            [const { LazyLock::new(CountCache::default) }; Vocabulary::COUNT];
        let tokenizer = self.tokenizer();
        KNOWN[self as usize].sum(text, |it| tokenizer.count(it))
    }
}

#[cfg(feature = "tokenizers")]
fn from_file(path: &Path, format: &Format) -> Result<Method, ModelError> {
    Ok(Method::File(Arc::new(crate::tokenizer_file::TokenizerFile::open(path, format)?)))
}

#[cfg(not(feature = "tokenizers"))]
fn from_file(path: &Path, _: &Format) -> Result<Method, ModelError> {
    Err(ModelError::Unsupported { path: path.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::compose::{Hole, Part, compose};

    fn counter(format: &str) -> TokenCounter {
        TokenCounter::for_format(Format::named(format).unwrap(), None).unwrap()
    }

    const HOLE: Hole<'_> = Hole {
        repository: "shop",
        path: "src/cart.py",
        line_comment: Some("#"),
        language_name: Some("Python"),
        prefix: "def total(cart):\n    return ",
        suffix: "\n",
    };

    #[test]
    fn qwen_is_counted_by_its_own_vocabulary() {
        let qwen = counter("qwen2.5-coder");
        assert_eq!(qwen.count(""), 0);
        assert_eq!(qwen.count("hello world"), 2);
        assert_eq!(qwen.count("12345"), 5);
        assert_eq!(qwen.count("        return x\n"), 4);
        assert!(matches!(qwen.kind(), Counting::Exact { .. }));
        assert_eq!(qwen.added(), 0);
    }

    #[test]
    fn a_special_token_is_one_token_where_it_is_special() {
        let qwen = counter("qwen2.5-coder");
        assert_eq!(qwen.count("<|fim_prefix|>"), 1);
        assert_eq!(qwen.count("<|fim_prefix|>hello world<|fim_suffix|><|fim_middle|>"), 5);
        assert!(qwen.count("< |fim_prefix|>") > 3);
        assert!(qwen.count("<fim_prefix>") > 1);
        let starcoder = counter("starcoder2");
        assert_eq!(starcoder.count("<fim_prefix><fim_suffix>"), 2);
    }

    #[test]
    fn a_prompt_counts_as_its_stretches_and_marks() {
        let qwen = counter("qwen2.5-coder");
        let format = Format::named("qwen2.5-coder").unwrap();
        let part = Part { path: "a.py", text: "x = 1\n" };
        let prompt = compose(format, &HOLE, &[part]);
        let plain = TokenCounter::of_vocabulary(Vocabulary::Qwen2);
        let texts = ["shop\n", "a.py\nx = 1\n", "src/cart.py\n", HOLE.prefix, HOLE.suffix];
        let expected = 6 + texts.map(|it| plain.count(it)).iter().sum::<usize>();
        assert_eq!(qwen.count(&prompt.text), expected);
    }

    #[test]
    fn exceeds_agrees_with_count() {
        let text =
            "<|file_sep|>a.py\nfor i in range(10):\n    print(i, 'é', \"日本\")\n<|fim_middle|>";
        for format in Format::ALL {
            let counter = counter(format.name);
            let count = counter.count(text);
            for limit in 0..count + 3 {
                assert_eq!(counter.exceeds(text, limit), count > limit, "{} {limit}", format.name);
            }
        }
    }

    #[test]
    fn an_estimate_says_that_it_is_one() {
        let kind = counter("codellama").kind();
        assert!(matches!(kind, Counting::Estimate { .. }));
        assert_eq!(
            kind.sentence(),
            "Tokens are estimated for Code Llama 7B and 13B: about 2.3 bytes of code each, on average 23 % more than \
             the truth, so that budgets hold; name the model's tokenizer.json for exact counts."
        );
    }

    #[test]
    fn a_counter_goes_to_other_threads() {
        let counter = counter("qwen2.5-coder");
        let clone = counter.clone();
        let other = std::thread::spawn(move || clone.count("hello world"));
        assert_eq!(other.join().unwrap(), counter.count("hello world"));
    }
}
