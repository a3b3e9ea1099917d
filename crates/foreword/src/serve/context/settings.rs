//! The format and the budget of a request's prompt.

use foreword_engine::compose::Format;
use foreword_engine::preset::Preset;
use foreword_model::TokenCounter;
use foreword_session::backend::Input;

/// The settings of a prompt.
#[derive(Clone)]
pub(crate) struct PromptSettings {
    /// The prompt format; if no prompt is rendered, it is used to count the pieces.
    pub(crate) format: &'static Format,
    pub(crate) counter: TokenCounter,
    /// Token budget of the whole prompt.
    pub(crate) budget: usize,
    /// The ranking preset.
    pub(crate) preset: Preset,
    /// The kind of input that the model reads.
    pub(crate) input: Input,
    /// Completions below this confidence are withheld, if the model states one.
    pub(crate) least_confidence: f64,
}

impl PromptSettings {
    /// The token budget minus the tokens that a tokenizer adds.
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
