//! How the prompt of a request is rendered, and how much may be in it.

use foreword_engine::compose::Format;
use foreword_engine::preset::Preset;
use foreword_model::TokenCounter;
use foreword_session::backend::Input;

/// The settings of a prompt.
#[derive(Clone)]
pub(crate) struct PromptSettings {
    /// The format of the prompt. Where none is rendered, pieces are counted by it.
    pub(crate) format: &'static Format,
    pub(crate) counter: TokenCounter,
    /// Tokens of the whole prompt.
    pub(crate) budget: usize,
    /// How candidates are ranked.
    pub(crate) preset: Preset,
    /// What the model reads.
    pub(crate) input: Input,
    /// What the model writes with a lower confidence is withheld, where it says how sure it is.
    pub(crate) least_confidence: f64,
}

impl PromptSettings {
    /// The token budget without the tokens that a tokenizer adds by itself.
    pub(super) fn own_budget(&self) -> usize {
        self.budget.saturating_sub(self.counter.added())
    }

    /// The ranking preset with the budget of this prompt.
    pub(super) fn budgeted_preset(&self) -> Preset {
        let mut preset = self.preset.clone();
        preset.budget.total = self.own_budget();
        preset
    }
}
