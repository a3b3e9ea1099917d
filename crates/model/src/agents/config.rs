//! The limits of agents, and the name of exactly these limits, prompts and model.

use std::time::Duration;

use foreword_engine::source::ContentHash;
use foreword_engine::speculate::{PLAN_VERSION, PlannerKey};

use super::render::{FORECASTER, RETRIEVER};
use crate::tool_loop::LoopLimits;

/// The limits of the work on one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentConfig {
    /// Turns and calls of the agent that chooses blocks.
    pub retriever: LoopLimits,
    /// Turns and calls of the agent that foretells.
    pub forecaster: LoopLimits,
    /// Tokens that the model may write in one turn.
    pub max_tokens: usize,
    /// Tokens of what tools return, for both agents together.
    pub tool_tokens: usize,
    /// Tokens of the file that a prompt shows; of a longer file the rest can be read with a tool.
    pub file_tokens: usize,
    /// How long one request may take.
    pub timeout: Duration,
    /// How long a server may make wait that has too much to do; then the run ends.
    pub patience: Duration,
}

/// The key of plans that agents made has this name.
const NAME: &str = "agents";

impl AgentConfig {
    /// The usual limits: a window of 32,000 tokens holds a file, what tools return, and the answers. First guesses: no
    /// model that could follow the instructions was at hand to measure others with.
    pub fn usual() -> Self {
        Self {
            retriever: LoopLimits { turns: 6, calls: 16 },
            forecaster: LoopLimits { turns: 3, calls: 6 },
            max_tokens: 4096,
            tool_tokens: 12_000,
            file_tokens: 6_000,
            timeout: Duration::from_mins(2),
            patience: Duration::from_mins(2),
        }
    }

    /// The same for a model with a window of so many tokens.
    #[must_use]
    pub fn within(self, window: usize) -> Self {
        let room = window.saturating_sub(self.max_tokens + INSTRUCTIONS);
        let file_tokens = self.file_tokens.min(room / 3);
        let tool_tokens = self.tool_tokens.min(room.saturating_sub(2 * file_tokens));
        Self { tool_tokens, file_tokens, ..self }
    }

    /// What plans are keyed by: the model, the prompts, and the limits that decide what is asked.
    pub fn key(&self, model: &str) -> PlannerKey {
        let Self { retriever, forecaster, max_tokens, tool_tokens, file_tokens, .. } = self;
        let limits =
            format!("{retriever:?} {forecaster:?} {max_tokens} {tool_tokens} {file_tokens}");
        let text = format!("{PLAN_VERSION}\0{model}\0{limits}\0{RETRIEVER}\0{FORECASTER}");
        let fingerprint = ContentHash::of(text.as_bytes()).to_string();
        PlannerKey { name: NAME.to_owned(), fingerprint }
    }

    /// The name by which plans of agents are stored.
    pub fn planner_name() -> &'static str {
        NAME
    }
}

/// Tokens of instructions, of lists of files, and of what servers add.
const INSTRUCTIONS: usize = 2_000;
