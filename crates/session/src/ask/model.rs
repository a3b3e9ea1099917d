//! The chat model that answers questions, as the settings name it (`[models.chat]`).

use std::time::Duration;

use foreword_engine::ask::Passage;
use foreword_engine::index::Snapshot;
use foreword_model::ModelError;
use foreword_model::ask::{AnswerLimits, Help, HelpModels, HelpSettings, help};
use foreword_model::http::{Api, Server};

use crate::backend::ChatSettings;

/// Tokens that a model may write, how long it may take, and the tokens of evidence, where the settings do not say.
const MAX_TOKENS: usize = 1_024;
const TIMEOUT: Duration = Duration::from_mins(2);

/// Tokens of the instructions, the question and what servers add.
const SLACK: usize = 1_000;

/// A chat model that is connected.
pub struct ChatModel {
    /// The server that has the model.
    pub server: Server,
    /// Limits of an answer.
    pub limits: AnswerLimits,
    /// Tokens that the evidence may have.
    pub evidence_tokens: usize,
    help: HelpSettings,
    /// Puts passages in order, where that is another model.
    reranker: Option<Server>,
}

impl ChatModel {
    /// Connects; `tokens` is what the evidence may have where the model's window has room for it.
    pub async fn connect(settings: &ChatSettings, tokens: usize) -> Result<Self, ModelError> {
        let server = connect(settings).await?;
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
        let reranker = match &settings.reranker {
            Some(it) => Some(connect(it).await?),
            None => None,
        };
        let help = settings.help.clone();
        Ok(Self { server, limits, evidence_tokens, help, reranker })
    }

    /// Whether it gives help before it answers.
    pub fn helps(&self) -> bool {
        self.help.is_wanted()
    }

    /// What it gives before it answers a question; `passages` are those of the search.
    pub async fn help(&self, snapshot: &Snapshot, question: &str, passages: &[Passage]) -> Help {
        let reranker = self.reranker.as_ref().unwrap_or(&self.server);
        let models = HelpModels { writer: &self.server, reranker };
        help(models, &self.help, snapshot, question, passages).await
    }

    /// The name of the model; the server's address where it has none.
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
