//! The chat model that answers questions, as the settings name it (`[models.chat]`).

use std::time::Duration;

use foreword_model::ModelError;
use foreword_model::ask::AnswerLimits;
use foreword_model::http::{Api, Server};

use crate::backend::ChatSettings;

/// Tokens that a model may write, how long it may take, and the tokens of evidence, where the settings do not say.
const MAX_TOKENS: usize = 1_024;
const TIMEOUT: Duration = Duration::from_mins(2);

/// Tokens of the instructions, the question and what servers add.
const SLACK: usize = 1_000;

/// A chat model that is connected.
pub(crate) struct ChatModel {
    pub(crate) server: Server,
    pub(crate) limits: AnswerLimits,
    /// Tokens that the evidence may have.
    pub(crate) evidence_tokens: usize,
}

impl ChatModel {
    /// Connects; `tokens` is what the evidence may have where the model's window has room for it.
    pub(crate) async fn connect(
        settings: &ChatSettings,
        tokens: usize,
    ) -> Result<Self, ModelError> {
        let api = settings.api.as_deref().and_then(Api::named);
        let (model, key) = (settings.model.as_deref(), settings.key.clone());
        let server = Server::connect(&settings.url, api, model, key).await?;
        let max_tokens = settings.limits.max_tokens.unwrap_or(MAX_TOKENS);
        let window = [server.window().await.map(|it| it as usize), settings.limits.context];
        let window = window.into_iter().flatten().min().unwrap_or(usize::MAX);
        let room = window.saturating_sub(max_tokens + SLACK);
        let evidence_tokens = tokens.min(room);
        let limits = AnswerLimits {
            max_tokens,
            timeout: settings.limits.timeout.unwrap_or(TIMEOUT),
            more_tokens: (room - evidence_tokens).min(tokens),
        };
        Ok(Self { server, limits, evidence_tokens })
    }

    /// The name of the model; the server's address where it has none.
    pub(crate) fn name(&self) -> &str {
        let name = self.server.model();
        if name.is_empty() { self.server.base() } else { name }
    }
}
