//! The help of models before a question is answered: what is searched for beside it, and the order of what was found.

use std::time::Duration;

use foreword_engine::ask::Passage;
use foreword_engine::index::Snapshot;

use super::rerank::{RerankKind, RerankRequest, rerank};
use super::write::{WriteKind, WriteRequest, write};
use crate::http::Server;

/// Which help is wanted. None by default: without an evaluation with the model at hand nobody knows whether it helps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HelpSettings {
    /// What is written and searched for beside the question.
    pub write: Vec<WriteKind>,
    /// How passages are put in order.
    pub rerank: Option<RerankKind>,
    /// How long each of both may take.
    pub timeout: Duration,
    /// Requests at a time.
    pub parallel: usize,
}

/// The models that help; often one and the same.
#[derive(Clone, Copy)]
pub struct HelpModels<'m> {
    /// Writes what is searched for.
    pub writer: &'m Server,
    /// Puts passages in order.
    pub reranker: &'m Server,
}

/// What models gave, for an [`AskRequest`](foreword_engine::ask::AskRequest).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Help {
    /// Texts to search for beside the question.
    pub written: Vec<String>,
    /// The order of the passages.
    pub order: Vec<usize>,
    /// What could not be used, and why.
    pub notes: Vec<String>,
}

impl HelpSettings {
    /// Whether any help is wanted.
    pub fn is_wanted(&self) -> bool {
        !self.write.is_empty() || self.rerank.is_some()
    }
}

/// Asks the models for help; `passages` are those that the search finds for the question. Never fails.
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
