//! How a model file is run.

/// Default number of tokens of a prompt and its answer: the usual budget, and a long answer.
pub const CONTEXT: usize = 8192;

/// How a model is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Tokens of a prompt and its answer at the most. A model that was trained for fewer has fewer. Memory is taken
    /// for so many.
    pub context: usize,
    /// Threads; 0 for one a core.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { context: CONTEXT, threads: 0 }
    }
}
