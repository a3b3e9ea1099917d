//! Reads what a server says, part by part, and not for ever.

use std::collections::VecDeque;
use std::time::Duration;

use foreword_model::ModelError;
use foreword_model::http::{Delta, Line, Lines, RawResponse, delta};
use serde_json::Value;

/// How long a server may be silent. Reading a long prompt on a small machine takes minutes.
const SILENCE: Duration = Duration::from_mins(5);

/// A server that says nothing any more is given up.
pub(crate) async fn quiet<T>(
    what: impl Future<Output = Result<T, ModelError>>,
) -> Result<T, ModelError> {
    let silent = || ModelError::Timeout { url: "the model's server".to_owned() };
    tokio::time::timeout(SILENCE, what).await.unwrap_or_else(|_| Err(silent()))
}

/// The parts of a server's answer, one after another.
pub(crate) struct Reader {
    relayed: RawResponse,
    lines: Lines,
    ready: VecDeque<Line>,
    is_over: bool,
}

impl Reader {
    pub(crate) fn new(relayed: RawResponse) -> Self {
        Self { relayed, lines: Lines::default(), ready: VecDeque::new(), is_over: false }
    }

    /// The next part; none at the end.
    pub(crate) async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        loop {
            match self.ready.pop_front() {
                Some(Line::Object(value)) => return Some(Self::part(&value)),
                Some(Line::Done) => return None,
                Some(Line::Garbage(text)) => {
                    self.is_over = true;
                    self.ready.clear();
                    let url = "the model's server".to_owned();
                    return Some(Err(ModelError::Garbage { url, text }));
                }
                None if self.is_over => return None,
                None => {}
            }
            match quiet(self.relayed.chunk()).await {
                Ok(Some(bytes)) => self.ready.extend(self.lines.push(&bytes)),
                Ok(None) => {
                    self.is_over = true;
                    self.ready.extend(std::mem::take(&mut self.lines).finish());
                }
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
    }

    fn part(value: &Value) -> Result<Delta, ModelError> {
        let mut part = delta(value);
        match part.error.take() {
            None => Ok(part),
            Some(message) => Err(ModelError::Refused {
                url: "the model's server".to_owned(),
                status: 502,
                message,
            }),
        }
    }
}
