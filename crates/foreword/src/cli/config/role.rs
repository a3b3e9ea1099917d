//! The roles of models: completions, conversations, embeddings and the order of passages, each with an endpoint of its own.

use foreword_model::http::Api;

/// What a model is used for; `[models.<role>]` in the user's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Role {
    Complete,
    Chat,
    Embed,
    Rerank,
}

impl Role {
    pub(in super::super) const ALL: [Self; 4] =
        [Self::Complete, Self::Chat, Self::Embed, Self::Rerank];

    /// The name of its table.
    pub(in super::super) fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Chat => "chat",
            Self::Embed => "embed",
            Self::Rerank => "rerank",
        }
    }

    /// The key of one of its settings.
    pub(in super::super) fn key(self, name: &str) -> String {
        format!("models.{}.{name}", self.name())
    }

    /// The protocols by which a server of this role can be asked.
    pub(super) fn protocols(self) -> &'static [Api] {
        match self {
            Self::Complete => &Api::ALL,
            Self::Chat | Self::Embed | Self::Rerank => &[Api::LlamaCpp, Api::Ollama, Api::OpenAi],
        }
    }
}
