//! The embedded model behind the interface of all models.

use std::sync::Arc;

use super::{Hole, complete_until};
use crate::ModelError;
use crate::ngram::Background;
use crate::request::{Answer, Answering, Ask, Choice, End, Model, Request, Sink};

/// Completes by copying and counting; see the module.
#[derive(Clone, Debug, Default)]
pub struct Embedded {
    /// Texts that are likely to be like the cursor's file, without that file.
    pub nearby: Vec<Arc<str>>,
    /// The counts of the repository.
    pub background: Option<Arc<Background>>,
}

impl Model for Embedded {
    fn title(&self) -> String {
        "embedded: copies and counts what the repository has (no neural model)".to_owned()
    }

    fn answer<'a>(&'a self, request: &'a Request, sink: Sink<'a>) -> Answering<'a> {
        Box::pin(async move {
            let Ask::Fill(fill) = &request.ask else { return Err(ModelError::NoChat) };
            let pieces: Vec<&str> = fill.pieces.iter().map(|it| it.text.as_str()).collect();
            let nearby: Vec<&str> = self.nearby.iter().map(AsRef::as_ref).collect();
            let hole = Hole {
                prefix: &fill.prefix,
                suffix: &fill.suffix,
                pieces: &pieces,
                nearby: &nearby,
                background: self.background.as_deref(),
            };
            let choice = |it: super::Suggestion| Choice {
                text: it.text,
                confidence: Some(it.confidence),
                end: End::Stop,
            };
            let found = complete_until(&hole, request.extent, request.n, request.deadline);
            let choices: Vec<Choice> = found.into_iter().map(choice).collect();
            if let Some(first) = choices.first() {
                sink(&first.text);
            }
            Ok(Answer { choices, ..Answer::default() })
        })
    }
}
