//! Help of models before a question is answered: additional searches, and reranking of the results.

use std::time::Duration;

use foreword_engine::ask::Passage;
use foreword_engine::index::Snapshot;

use super::rerank::{RerankKind, RerankRequest, rerank};
use super::write::{WriteKind, WriteRequest, write};
use crate::http::Server;

/// Kinds of help. None by default: no evaluation with a given model has shown that it helps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HelpSettings {
    /// Kinds of text to write and search for.
    pub write: Vec<WriteKind>,
    /// Method of reranking.
    pub rerank: Option<RerankKind>,
    /// Time limit of each kind of help.
    pub timeout: Duration,
    /// Number of parallel requests.
    pub parallel: usize,
}

/// The models that help; often the same one.
#[derive(Clone, Copy)]
pub struct HelpModels<'m> {
    /// Writes search texts.
    pub writer: &'m Server,
    /// Reranks passages.
    pub reranker: &'m Server,
}

/// Results of the help, for an [`AskRequest`](foreword_engine::ask::AskRequest).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Help {
    /// Additional search texts.
    pub written: Vec<String>,
    /// Order of the passages.
    pub order: Vec<usize>,
    /// Failures, for people.
    pub notes: Vec<String>,
}

impl HelpSettings {
    /// Whether any help is enabled.
    pub fn is_wanted(&self) -> bool {
        !self.write.is_empty() || self.rerank.is_some()
    }
}

/// Asks the models for help; `passages` are the search results for the question. Never fails.
pub async fn help(
    models: HelpModels<'_>,
    settings: &HelpSettings,
    snapshot: &Snapshot,
    question: &str,
    passages: &[Passage],
) -> Help {
    let HelpSettings { timeout, parallel, .. } = *settings;
    let mut res = Help::default();
    if !settings.write.is_empty() {
        let kinds = &settings.write;
        let request = WriteRequest { snapshot, question, kinds, passages, timeout, parallel };
        let written = write(models.writer, &request).await;
        (res.written, res.notes) = (written.texts, written.notes);
    }
    if let Some(kind) = settings.rerank {
        let request = RerankRequest { question, passages, kind, timeout, parallel };
        let reranked = rerank(models.reranker, &request).await;
        res.order = reranked.order;
        res.notes.extend(reranked.note.map(|it| format!("{}: {it}", kind.name())));
    }
    res
}
