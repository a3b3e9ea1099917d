//! The record of a request: its text, the added context and the reasons, for a user to inspect later.

use std::sync::Arc;

use foreword_engine::secret::mask;
use foreword_session::feedback::Place;
use foreword_session::feedback::used::{self, PieceUse};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::explanation::Explanation;
use crate::serve::context::outcome::{ContextOutcome, Location, Snippet};
use crate::serve::protocols::request::ClientRequest;

/// Approximate bytes of a record without its texts.
const BASE_BYTES: usize = 1024;

/// One request and its outcome. Times are milliseconds.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Record {
    /// Also the value of the header `x-foreword-request`.
    pub(crate) id: String,
    /// Time of arrival, since 1970.
    pub(crate) at: u64,
    /// `llama.cpp`, `openai`, `mistral`, `deepseek`, `ollama` or `tabby`.
    #[serde(rename = "door")]
    pub(crate) protocol: &'static str,
    /// The HTTP path of the request.
    pub(crate) endpoint: String,
    /// The client's user agent.
    pub(crate) client: Option<String>,
    /// The request body, with secrets masked.
    #[serde(serialize_with = "json")]
    pub(crate) request: Arc<str>,
    /// The parsed request, for replays.
    #[serde(skip)]
    pub(crate) parsed: Option<Arc<ClientRequest>>,
    /// Where the cursor was found, or why it was not.
    #[serde(rename = "place")]
    pub(crate) location: Location,
    pub(crate) context: ContextOutcome,
    /// The explanation of the context; null if there was none.
    #[serde(rename = "trace")]
    pub(crate) explanation: Explanation,
    /// The pieces of the prompt, in its order.
    pub(crate) snippets: Arc<[Snippet]>,
    /// How much of each piece the completion reused, once it is complete.
    pub(crate) used: Arc<[PieceUse]>,
    /// The prompt sent to the model.
    pub(crate) prompt: Option<Arc<str>>,
    /// The text of the response.
    pub(crate) answer: String,
    /// The confidence of a completion that was not shown, because it is below the least one.
    pub(crate) withheld: Option<f64>,
    /// The HTTP status of the response; 0 while there is none.
    pub(crate) status: u16,
    #[serde(rename = "end")]
    pub(crate) outcome: Outcome,
    /// Milliseconds by stage.
    pub(crate) timings: Timings,
    /// The model server's report of itself and its cache.
    pub(crate) model: ModelReport,
    /// The user's verdict on the completion, if the client reports it.
    pub(crate) verdict: Option<Verdict>,
    /// Notes for the user.
    pub(crate) notes: Vec<String>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// It has not ended yet.
    #[default]
    Running,
    /// With a response.
    Done,
    /// The client went away.
    Cancelled,
    /// With an error.
    Failed,
}

/// Milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Timings {
    /// Until the file was found.
    pub(crate) locate: f64,
    /// From finding the file to the composed prompt.
    pub(crate) context: f64,
    /// From sending the prompt to the first text.
    pub(crate) first: f64,
    /// From sending the prompt to the end.
    pub(crate) model: f64,
    /// The whole request.
    pub(crate) total: f64,
    /// The latency that foreword adds: the total without the model.
    pub(crate) own: f64,
}

/// Values that the model's server reports; `None` where it reports none.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct ModelReport {
    /// The server and its model.
    pub(crate) title: String,
    /// Its HTTP status; 0 if no server was asked.
    pub(crate) status: u16,
    pub(crate) prompt_tokens: Option<u64>,
    /// Tokens of the completion.
    pub(crate) answer_tokens: Option<u64>,
    /// Tokens of the prompt that were in its cache.
    pub(crate) cached_tokens: Option<u64>,
    /// Milliseconds for the prompt.
    pub(crate) prompt_ms: Option<f64>,
    /// Milliseconds for the completion.
    pub(crate) answer_ms: Option<f64>,
}

/// A user's verdict on a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    Viewed,
    Accepted,
    Dismissed,
}

/// A record without its texts, as lists show it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) id: String,
    at: u64,
    #[serde(rename = "door")]
    protocol: &'static str,
    endpoint: String,
    client: Option<String>,
    #[serde(rename = "place")]
    location: Location,
    context: ContextOutcome,
    withheld: Option<f64>,
    pub(crate) status: u16,
    #[serde(rename = "end")]
    outcome: Outcome,
    timings: Timings,
    prompt_tokens: Option<u64>,
    cached_tokens: Option<u64>,
    answer_bytes: usize,
    verdict: Option<Verdict>,
    notes: usize,
}

impl Record {
    pub(crate) fn summary(&self) -> Summary {
        Summary {
            id: self.id.clone(),
            at: self.at,
            protocol: self.protocol,
            endpoint: self.endpoint.clone(),
            client: self.client.clone(),
            location: self.location.clone(),
            context: self.context,
            withheld: self.withheld,
            status: self.status,
            outcome: self.outcome,
            timings: self.timings,
            prompt_tokens: self.model.prompt_tokens,
            cached_tokens: self.model.cached_tokens,
            answer_bytes: self.answer.len(),
            verdict: self.verdict,
            notes: self.notes.len(),
        }
    }

    /// Computes how much of each prompt piece the completion reused.
    pub(crate) fn find_used(&mut self) {
        let Some(request) = self.parsed.as_ref().filter(|_| !self.snippets.is_empty()) else {
            return;
        };
        let pieces: Vec<&str> = self.snippets.iter().map(|it| &*it.body).collect();
        let around = [request.prefix.as_str(), request.suffix.as_str()];
        self.used = used::of_pieces(&self.answer, around, &pieces).into();
    }

    /// Masks what the model's server sent: it may repeat a secret of a request that was forwarded unchanged.
    pub(crate) fn mask_model_texts(&mut self) {
        mask(&mut self.answer);
        for it in &mut self.notes {
            mask(it);
        }
    }

    /// The pieces that the completion reused.
    pub(crate) fn places_used(&self) -> Vec<Place> {
        let pairs = self.snippets.iter().zip(self.used.iter());
        let used = pairs.filter(|it| it.1.share > 0.0 || it.1.lines > 0);
        used.map(|it| Place { path: it.0.filepath.clone(), ..Place::default() }).collect()
    }

    /// Approximate size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let length = |it: &Option<Arc<str>>| it.as_ref().map_or(0, |it| it.len());
        let snippets = self.snippets.iter().map(|it| it.filepath.len() + it.body.len());
        let notes = self.notes.iter().map(String::len);
        let texts = self.request.len() + self.explanation.bytes() + length(&self.prompt);
        let parsed = self.parsed.as_ref().map_or(0, |it| it.bytes());
        BASE_BYTES + texts + parsed + self.answer.len() + snippets.chain(notes).sum::<usize>()
    }
}

/// Serialises JSON that is kept as text, since a tree of values takes several times the memory.
fn json<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    value.serialize(serializer)
}
