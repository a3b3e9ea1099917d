//! Limits of the agents, and the key of their plans.

use std::time::Duration;

use foreword_engine::source::ContentHash;
use foreword_engine::speculate::{PLAN_VERSION, PlannerKey};

use super::prompts::{FORECASTER, RETRIEVER};
use crate::tool_loop::LoopLimits;

/// Limits of planning one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentConfig {
    /// Turns and calls of the retriever.
    pub retriever: LoopLimits,
    /// Turns and calls of the forecaster.
    pub forecaster: LoopLimits,
    /// Maximum tokens of an answer.
    pub max_tokens: usize,
    /// Maximum tokens of tool results, both agents together.
    pub tool_tokens: usize,
    /// Maximum tokens of the file in a prompt; a tool reads the rest of a longer file.
    pub file_tokens: usize,
    /// Maximum duration of a request.
    pub timeout: Duration,
    /// Maximum wait for a busy server; then the run ends.
    pub patience: Duration,
}

/// Name in the key of plans.
const NAME: &str = "agents";

impl AgentConfig {
    /// The default limits: a window of 32,000 tokens holds a file, the tool results and the answers. First guesses: no
    /// instruction-following model was available to tune them.
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

    /// Reduces the limits to a context window, in tokens.
    #[must_use]
    pub fn within(self, window: usize) -> Self {
        let room = window.saturating_sub(self.max_tokens + INSTRUCTIONS);
        let file_tokens = self.file_tokens.min(room / 3);
        let tool_tokens = self.tool_tokens.min(room.saturating_sub(2 * file_tokens));
        Self { tool_tokens, file_tokens, ..self }
    }

    /// The key of plans: a hash of the model, the prompts, and the limits that affect requests.
    pub fn key(&self, model: &str) -> PlannerKey {
        let Self { retriever, forecaster, max_tokens, tool_tokens, file_tokens, .. } = self;
        let limits =
            format!("{retriever:?} {forecaster:?} {max_tokens} {tool_tokens} {file_tokens}");
        let text = format!("{PLAN_VERSION}\0{model}\0{limits}\0{RETRIEVER}\0{FORECASTER}");
        let fingerprint = ContentHash::of(text.as_bytes()).to_string();
        PlannerKey { name: NAME.to_owned(), fingerprint }
    }

    /// Name in the files of plans.
    pub fn planner_name() -> &'static str {
        NAME
    }
}

/// Tokens of instructions, of lists of files, and of what servers add.
const INSTRUCTIONS: usize = 2_000;
