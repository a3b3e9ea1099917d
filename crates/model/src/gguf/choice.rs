//! One answer: which token comes next, again and again, until something ends it.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;

use super::reader::Reader;
use super::text::Text;
use super::thread::Job;
use crate::request::{Choice, FinishReason};

/// Where a temperature is asked for: the likeliest tokens that are drawn from, as llama.cpp's own server has it.
const TOP_K: i32 = 40;
/// And the probability that they have together.
const TOP_P: f32 = 0.95;

/// How tokens are chosen.
pub(super) enum Taste {
    /// The likeliest; the first of an answer is given.
    Greedy(LlamaToken),
    /// Drawn by chance, by a seed.
    Drawn(LlamaSampler),
}

impl Taste {
    /// By chance, the same for the same prompt and number of the choice.
    pub(super) fn drawn(temperature: f32, number: usize) -> Self {
        let seed = number as u32;
        Self::Drawn(LlamaSampler::chain_simple([
            LlamaSampler::top_k(TOP_K),
            LlamaSampler::top_p(TOP_P, 1),
            LlamaSampler::temp(temperature),
            LlamaSampler::dist(seed),
        ]))
    }
}

/// The `n` likeliest tokens, equal ones by their number.
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

/// The first of those, without sorting.
fn likeliest_of_all(logits: &[f32]) -> LlamaToken {
    let better = |best: usize, at: usize| if logits[at] > logits[best] { at } else { best };
    LlamaToken((0..logits.len()).reduce(better).unwrap_or(0) as i32)
}

/// The natural logarithm of a token's probability.
fn log_probability(logits: &[f32], token: LlamaToken) -> f64 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|it| f64::from(it - most).exp()).sum();
    let own = logits.get(token.0 as usize).copied().unwrap_or(f32::NEG_INFINITY);
    f64::from(own - most) - sum.ln()
}

/// Writes one choice after the prompt that was read. None where it was told to stop.
pub(super) fn write(
    reader: &mut Reader<'_>,
    model: &LlamaModel,
    job: &Job,
    taste: Taste,
    shows: bool,
) -> Result<Option<Choice>, String> {
    let mut writing = Writing { job, text: Text::new(&job.stops), sure: 0.0, is_first_line: true };
    let mut taste = taste;
    for written in 0.. {
        if !job.is_wanted() {
            return Ok(None);
        }
        if written >= job.request.max_tokens {
            return Ok(Some(writing.end(FinishReason::Length, shows)));
        }
        let token = next(reader, &mut taste, written);
        let vocab = model.vocab();
        writing.count(reader.logits(), token);
        // After a control token nothing good follows: it is the end, or the beginning of another file.
        if vocab.is_eog(token) || vocab.is_control(token) {
            return Ok(Some(writing.end(FinishReason::Stop, shows)));
        }
        let piece = vocab.token_to_piece(token, false, None);
        if writing.push(&piece, shows) {
            return Ok(Some(writing.end(FinishReason::Stop, shows)));
        }
        if job.is_late() {
            return Ok(Some(writing.end(FinishReason::Deadline, shows)));
        }
        if reader.room() == 0 {
            return Ok(Some(writing.end(FinishReason::Length, shows)));
        }
        reader.add(token)?;
    }
    Ok(None)
}

fn next(reader: &Reader<'_>, taste: &mut Taste, written: usize) -> LlamaToken {
    match taste {
        Taste::Greedy(first) if written == 0 => *first,
        Taste::Greedy(_) => likeliest_of_all(reader.logits()),
        Taste::Drawn(sampler) => reader.draw(sampler),
    }
}

/// A choice that is being written.
struct Writing<'j> {
    job: &'j Job,
    text: Text<'j>,
    /// The logarithm of the probability of the first line so far.
    sure: f64,
    is_first_line: bool,
}

impl Writing<'_> {
    /// Counts the probability of a token.
    fn count(&mut self, logits: &[f32], token: LlamaToken) {
        if self.is_first_line {
            self.sure += log_probability(logits, token);
        }
    }

    /// Takes the text of a token; true when it ends the answer.
    fn push(&mut self, piece: &[u8], shows: bool) -> bool {
        let shown = self.text.push(piece);
        if shows {
            self.job.show(shown);
        }
        self.is_first_line &= !self.text.as_str().trim_start().contains('\n');
        self.text.is_over() || self.job.request.should_stop(self.text.as_str())
    }

    fn end(mut self, end: FinishReason, shows: bool) -> Choice {
        let rest = self.text.finish();
        if shows {
            self.job.show(rest);
        }
        Choice { text: self.text.as_str().to_owned(), confidence: Some(self.sure.exp()), end }
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
