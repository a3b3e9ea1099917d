//! The chat model that answers questions (`[models.chat]`).

use std::time::Duration;

use foreword_engine::ask::Passage;
use foreword_engine::index::Snapshot;
use foreword_model::ModelError;
use foreword_model::ask::{AnswerLimits, Help, HelpModels, HelpSettings, help};
use foreword_model::http::{Api, Server};

use crate::backend::ChatSettings;

/// Default maximum tokens and duration of an answer.
const MAX_TOKENS: usize = 1_024;
const TIMEOUT: Duration = Duration::from_mins(2);

/// Tokens reserved for the instructions, the question and additions by servers.
const RESERVED_TOKENS: usize = 1_000;

/// A connected chat model.
pub struct ChatModel {
    /// The server that has the model.
    pub server: Server,
    /// Limits of an answer.
    pub limits: AnswerLimits,
    /// Maximum tokens of the evidence.
    pub evidence_tokens: usize,
    /// Tokens of a conversation and its answer, as far as known.
    pub window: usize,
    help: HelpSettings,
    /// The server that orders passages, if it is another one.
    reranker: Option<Server>,
}

impl ChatModel {
    /// Connects; `tokens` limits the evidence, and so does the model's window.
    pub async fn connect(settings: &ChatSettings, tokens: usize) -> Result<Self, ModelError> {
        let server = connect(settings).await?;
        let max_tokens = settings.limits.max_tokens.unwrap_or(MAX_TOKENS);
        let window = [server.window().await.map(|it| it as usize), settings.limits.context];
        let window = window.into_iter().flatten().min().unwrap_or(usize::MAX);
        let room = window.saturating_sub(max_tokens + RESERVED_TOKENS);
        let evidence_tokens = tokens.min(room);
        let limits = AnswerLimits {
            max_tokens,
            timeout: settings.limits.timeout.unwrap_or(TIMEOUT),
            more_tokens: (room - evidence_tokens).min(tokens),
        };
        let reranker = match &settings.reranker {
            Some(it) => Some(connect(it).await?),
            None => None,
        };
        let help = settings.help.clone();
        Ok(Self { server, limits, evidence_tokens, window, help, reranker })
    }

    /// Whether it helps before it answers.
    pub fn helps(&self) -> bool {
        self.help.is_wanted()
    }

    /// Its help before an answer; `passages` are those of the search.
    pub async fn help(&self, snapshot: &Snapshot, question: &str, passages: &[Passage]) -> Help {
        let reranker = self.reranker.as_ref().unwrap_or(&self.server);
        let models = HelpModels { writer: &self.server, reranker };
        help(models, &self.help, snapshot, question, passages).await
    }

    /// The name of the model; the server's address without one.
    pub fn name(&self) -> &str {
        let name = self.server.model();
        if name.is_empty() { self.server.base() } else { name }
    }
}

async fn connect(settings: &ChatSettings) -> Result<Server, ModelError> {
    let api = settings.api.as_deref().and_then(Api::named);
    let (model, key) = (settings.model.as_deref(), settings.key.clone());
    Server::connect(&settings.url, api, model, key).await
}
