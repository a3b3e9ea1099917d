//! Roles of models: completion, chat, embedding, reranking and next edits, each with its own endpoint.

use foreword_model::http::Api;

/// The role of a model; `[models.<role>]` in the user's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Completes code.
    Complete,
    /// Answers questions.
    Chat,
    /// Embeds texts.
    Embed,
    /// Orders passages.
    Rerank,
    /// Proposes next edits.
    Edit,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 5] = [Self::Complete, Self::Chat, Self::Embed, Self::Rerank, Self::Edit];

    /// Name of the role's table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Chat => "chat",
            Self::Embed => "embed",
            Self::Rerank => "rerank",
            Self::Edit => "edit",
        }
    }

    /// Key of a role's setting.
    pub fn key(self, name: &str) -> String {
        format!("models.{}.{name}", self.name())
    }

    /// Protocols supported for this role.
    pub(super) fn protocols(self) -> &'static [Api] {
        match self {
            Self::Complete => &Api::ALL,
            Self::Chat | Self::Embed | Self::Rerank | Self::Edit => {
                &[Api::LlamaCpp, Api::Ollama, Api::OpenAi]
            }
        }
    }
}
