//! Processes prompts: the model's context with its key-value cache, and the logits after it.

use std::num::NonZeroU32;
use std::path::Path;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;

use super::error::GgufError;
use super::load;
use super::settings::{Settings, check_threads, startable};

/// Tokens per step. A dropped request is noticed between steps, so they are short; on a processor longer ones are
/// hardly faster.
const BATCH: usize = 128;

/// Number of the only sequence.
const SEQUENCE: u32 = 0;

pub(super) struct Reader<'m> {
    context: LlamaContext<'m>,
    batch: LlamaBatch<'static>,
    /// Tokens in the cache.
    cached: Vec<LlamaToken>,
    threads: usize,
}

/// Result of processing a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Complete, with this many tokens from the cache.
    Read(usize),
    /// Cancelled.
    Stopped,
}

impl<'m> Reader<'m> {
    /// Allocates memory for the configured context, capped at the model's trained context.
    pub(super) fn new(
        model: &'m LlamaModel,
        path: &Path,
        settings: Settings,
    ) -> Result<Self, GgufError> {
        let most = u32::try_from(settings.context).unwrap_or(u32::MAX);
        let window = most.min(model.n_ctx_train()).max(1);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = if settings.threads == 0 { cores } else { settings.threads };
        let threads = startable(wanted);
        let params = LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(window))
            .with_n_batch(BATCH as u32)
            .with_n_ubatch(BATCH as u32)
            .with_n_threads(threads as i32)
            .with_n_threads_batch(threads as i32)
            // A sliding window would drop the beginning that the next prompt shares.
            .with_swa_full(true)
            .with_no_perf(true);
        let context = load::context(model, path, params)?;
        Ok(Self { context, batch: LlamaBatch::new(BATCH, 1), cached: Vec::new(), threads })
    }

    /// Context window in tokens, for prompt and answer.
    pub(super) fn window(&self) -> usize {
        self.context.n_ctx() as usize
    }

    /// Tokens left in the window.
    pub(super) fn room(&self) -> usize {
        self.window().saturating_sub(self.cached.len())
    }

    /// Processes a prompt except its cached beginning. `is_wanted` is checked between steps.
    pub(super) fn read(
        &mut self,
        prompt: &[LlamaToken],
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<Progress, String> {
        check_threads(self.threads)?;
        let same = prompt.iter().zip(&self.cached).take_while(|(a, b)| a == b).count();
        // The last token is always processed, to get its logits.
        self.forget_after(same.min(prompt.len().saturating_sub(1)));
        let cached = self.cached.len();
        for step in prompt[cached..].chunks(BATCH) {
            if !is_wanted() {
                return Ok(Progress::Stopped);
            }
            self.step(step)?;
        }
        Ok(Progress::Read(cached))
    }

    /// Processes one more token.
    pub(super) fn add(&mut self, token: LlamaToken) -> Result<(), String> {
        self.step(&[token])
    }

    /// Keeps only the first `tokens` tokens in the cache; some models can only clear all of it.
    fn forget_after(&mut self, tokens: usize) {
        let end = u32::try_from(tokens).ok();
        let is_done =
            tokens > 0 && self.context.clear_kv_cache_seq(Some(SEQUENCE), end, None) == Ok(true);
        if is_done {
            self.cached.truncate(tokens);
        } else {
            self.context.clear_kv_cache();
            self.cached.clear();
        }
    }

    /// Logits of the next token.
    pub(super) fn logits(&self) -> &[f32] {
        self.context.get_logits_ith(self.batch.n_tokens() - 1)
    }

    /// Samples the next token.
    pub(super) fn sample(&self, sampler: &mut LlamaSampler) -> LlamaToken {
        sampler.sample(&self.context, self.batch.n_tokens() - 1)
    }

    fn step(&mut self, tokens: &[LlamaToken]) -> Result<(), String> {
        self.batch.clear();
        for (at, token) in tokens.iter().enumerate() {
            let position = (self.cached.len() + at) as i32;
            let is_last = at + 1 == tokens.len();
            let added = self.batch.add(*token, position, &[SEQUENCE as i32], is_last);
            added.map_err(|it| it.to_string())?;
        }
        match self.context.decode(&mut self.batch) {
            Ok(()) => self.cached.extend_from_slice(tokens),
            Err(error) => {
                self.context.clear_kv_cache();
                self.cached.clear();
                return Err(error.to_string());
            }
        }
        Ok(())
    }
}
