//! Generates one choice, token by token.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;

use super::job::Job;
use super::reader::Reader;
use super::text::Text;
use crate::request::{Choice, FinishReason};

/// At a temperature, tokens are sampled from this many likeliest ones, as in llama.cpp's server.
const TOP_K: i32 = 40;
/// Cumulative probability of the sampled tokens.
const TOP_P: f32 = 0.95;

/// Token selection.
pub(super) enum Sampling {
    /// The likeliest token; the first of a completion is given.
    Greedy(LlamaToken),
    /// At random, from a seed.
    Random(LlamaSampler),
}

/// Whether a choice is streamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Streaming {
    On,
    Off,
}

impl Sampling {
    /// Random sampling, reproducible for the same prompt and choice number.
    pub(super) fn random(temperature: f32, number: usize) -> Self {
        let seed = number as u32;
        Self::Random(LlamaSampler::chain_simple([
            LlamaSampler::top_k(TOP_K),
            LlamaSampler::top_p(TOP_P, 1),
            LlamaSampler::temp(temperature),
            LlamaSampler::dist(seed),
        ]))
    }
}

/// The `n` likeliest tokens; ties by token number.
pub(super) fn likeliest(logits: &[f32], n: usize) -> Vec<LlamaToken> {
    let mut order: Vec<usize> = (0..logits.len()).collect();
    let n = n.clamp(1, order.len());
    let before = |a: &usize, b: &usize| logits[*b].total_cmp(&logits[*a]).then(a.cmp(b));
    if n < order.len() {
        order.select_nth_unstable_by(n, before);
        order.truncate(n);
    }
    order.sort_unstable_by(before);
    order.into_iter().map(|it| LlamaToken(it as i32)).collect()
}

/// The likeliest token, without sorting.
fn likeliest_of_all(logits: &[f32]) -> LlamaToken {
    let better = |best: usize, at: usize| if logits[at] > logits[best] { at } else { best };
    LlamaToken((0..logits.len()).reduce(better).unwrap_or(0) as i32)
}

/// Log probability of a token (natural logarithm).
fn log_probability(logits: &[f32], token: LlamaToken) -> f64 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|it| f64::from(it - most).exp()).sum();
    let own = logits.get(token.0 as usize).copied().unwrap_or(f32::NEG_INFINITY);
    f64::from(own - most) - sum.ln()
}

/// Generates one choice after the prompt in `reader`. `None` if the request was cancelled.
pub(super) fn write(
    reader: &mut Reader<'_>,
    model: &LlamaModel,
    job: &Job,
    mut sampling: Sampling,
    streaming: Streaming,
) -> Result<Option<Choice>, String> {
    let text = Text::new(&job.stops);
    let mut writer = Writer { job, streaming, text, log_probability: 0.0, is_first_line: true };
    for written in 0.. {
        if !job.is_wanted() {
            return Ok(None);
        }
        if written >= job.request.max_tokens {
            return Ok(Some(writer.finish(FinishReason::Length)));
        }
        let token = next(reader, &mut sampling, written);
        let vocab = model.vocab();
        writer.count(reader.logits(), token);
        // A control token marks the end, or the beginning of another file.
        if vocab.is_eog(token) || vocab.is_control(token) {
            return Ok(Some(writer.finish(FinishReason::Stop)));
        }
        let piece = vocab.token_to_piece(token, false, None);
        if writer.push(&piece) {
            return Ok(Some(writer.finish(FinishReason::Stop)));
        }
        if job.is_late() {
            return Ok(Some(writer.finish(FinishReason::Deadline)));
        }
        if reader.room() == 0 {
            return Ok(Some(writer.finish(FinishReason::Length)));
        }
        reader.add(token)?;
    }
    Ok(None)
}

fn next(reader: &Reader<'_>, sampling: &mut Sampling, written: usize) -> LlamaToken {
    match sampling {
        Sampling::Greedy(first) if written == 0 => *first,
        Sampling::Greedy(_) => likeliest_of_all(reader.logits()),
        Sampling::Random(sampler) => reader.sample(sampler),
    }
}

/// State of a choice.
struct Writer<'j> {
    job: &'j Job,
    streaming: Streaming,
    text: Text<'j>,
    /// Log probability of the first line so far (natural logarithm).
    log_probability: f64,
    is_first_line: bool,
}

impl Writer<'_> {
    /// Adds the probability of a token.
    fn count(&mut self, logits: &[f32], token: LlamaToken) {
        if self.is_first_line {
            self.log_probability += log_probability(logits, token);
        }
    }

    /// Adds the text of a token; true if it ends the choice.
    fn push(&mut self, piece: &[u8]) -> bool {
        let shown = self.text.push(piece);
        if self.streaming == Streaming::On {
            self.job.send(shown);
        }
        self.is_first_line &= !self.text.as_str().trim_start().contains('\n');
        self.text.is_over() || self.job.request.should_stop(self.text.as_str())
    }

    fn finish(mut self, finish_reason: FinishReason) -> Choice {
        let rest = self.text.finish();
        if self.streaming == Streaming::On {
            self.job.send(rest);
        }
        let text = self.text.as_str().to_owned();
        Choice { text, confidence: Some(self.log_probability.exp()), finish_reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_come_first_and_equal_ones_by_number() {
        let of = |n| likeliest(&[0.5, 2.0, -1.0, 2.0, f32::NEG_INFINITY], n);
        let numbers = |n| of(n).iter().map(|it| it.0).collect::<Vec<_>>();
        assert_eq!(numbers(1), [1]);
        assert_eq!(likeliest_of_all(&[0.5, 2.0, -1.0, 2.0]).0, 1);
        assert_eq!(numbers(3), [1, 3, 0]);
        assert_eq!(numbers(9), [1, 3, 0, 2, 4]);
    }

    #[test]
    fn probabilities_are_of_all_tokens_together() {
        let logits = [1.0, 1.0, 0.0, -3.0];
        let sum: f64 = (0..4).map(|it| log_probability(&logits, LlamaToken(it)).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        assert!(log_probability(&logits, LlamaToken(0)) > log_probability(&logits, LlamaToken(2)));
    }
}
