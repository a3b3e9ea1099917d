//! Settings of a model file.

/// Default context window in tokens: the usual prompt budget and a long answer.
pub const CONTEXT: usize = 8192;

/// Settings of a completion model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Context window in tokens, for prompt and answer. Capped at the model's trained context; memory is allocated for
    /// it up front.
    pub context: usize,
    /// Threads; 0 for one per core.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { context: CONTEXT, threads: 0 }
    }
}
