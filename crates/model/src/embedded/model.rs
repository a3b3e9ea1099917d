//! Implements the interface of completion models for the embedded model.

use std::sync::Arc;

use super::{CountCache, Hole, Suggestion, complete_until};
use crate::ngram::Background;
use crate::request::{
    Choice, CompletionFuture, CompletionRequest, CompletionResponse, FinishReason, Model, Sink,
};

/// Completes by copying and counting; see the module.
#[derive(Clone, Debug, Default)]
pub struct EmbeddedModel {
    /// Counts of the repository.
    pub background: Option<Arc<Background>>,
    /// Counts kept between requests.
    pub cache: Arc<CountCache>,
}

impl Model for EmbeddedModel {
    fn title(&self) -> String {
        "embedded: copies and counts what the repository has (no neural model)".to_owned()
    }

    fn complete<'a>(
        &'a self,
        request: &'a CompletionRequest,
        sink: Sink<'a>,
    ) -> CompletionFuture<'a> {
        Box::pin(async move {
            let choices = self.choices(request);
            if let Some(first) = choices.first() {
                sink(&first.text);
            }
            Ok(CompletionResponse { choices, ..CompletionResponse::default() })
        })
    }
}

impl EmbeddedModel {
    /// The likeliest completions of the hole, best first.
    pub fn choices(&self, request: &CompletionRequest) -> Vec<Choice> {
        let fill = &request.fill;
        let pieces: Vec<&str> = fill.pieces.iter().map(|it| it.text.as_str()).collect();
        let nearby: Vec<&str> = fill.nearby.iter().map(AsRef::as_ref).collect();
        let hole = Hole {
            prefix: &fill.prefix,
            suffix: &fill.suffix,
            pieces: &pieces,
            nearby: &nearby,
            background: self.background.as_deref(),
            cache: Some(&self.cache),
        };
        let choice = |it: Suggestion| Choice {
            text: it.text,
            confidence: Some(it.confidence),
            finish_reason: FinishReason::Stop,
        };
        let found = complete_until(&hole, request.extent, request.n, request.deadline);
        found.into_iter().map(choice).collect()
    }
}
