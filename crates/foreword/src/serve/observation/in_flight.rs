//! A request in flight: builds its record and completes it however the request ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use foreword_model::http::Delta;
use foreword_session::uri;
use tokio::sync::oneshot;

use super::Observation;
use super::explanation::Explanation;
use super::record::{Outcome, Record};
use crate::serve::clock::{elapsed_ms, unix_millis};
use crate::serve::context::outcome::ContextOutcome;
use crate::serve::context::prepare::PreparedContext;
use crate::serve::protocols::request::{ClientRequest, RequestHeaders};

/// Maximum bytes kept of a response's text.
const MAX_ANSWER_BYTES: usize = 256 << 10;

/// Maximum bytes kept of a request's body, of its text and of its prompt, each: the size of the largest file.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// A request in flight. If it is dropped before it was ended, the client is gone.
pub(crate) struct InFlight {
    observation: Arc<Observation>,
    record: Record,
    start: Instant,
    /// When the model was asked.
    sent: Option<Instant>,
    snapshot: Option<String>,
    /// Probability that the completion's first line is right.
    confidence: Option<f64>,
    is_over: bool,
}

static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

/// An id that no other request has, of this process or an earlier one.
fn new_id(at: u64) -> String {
    format!("{at:x}-{:x}", NEXT_NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// The body of a request as JSON, or a placeholder for a very long one.
fn body(request: &ClientRequest) -> String {
    let json = serde_json::to_string(request.recorded_body()).unwrap_or_default();
    match json.len() {
        ..=MAX_TEXT_BYTES => json,
        bytes => format!("{{\"not_kept\":\"a body of {bytes} bytes\"}}"),
    }
}

impl InFlight {
    pub(crate) fn begin(
        observation: &Arc<Observation>,
        request: &ClientRequest,
        headers: &RequestHeaders,
    ) -> Self {
        let at = unix_millis();
        let record = Record {
            id: new_id(at),
            at,
            protocol: request.endpoint.protocol(),
            endpoint: request.endpoint.path().to_owned(),
            client: headers.client.clone(),
            request: body(request).into(),
            parsed: (request.bytes() <= MAX_TEXT_BYTES).then(|| Arc::new(request.without_body())),
            ..Record::default()
        };
        observation.journal.put(record.clone());
        observation.metrics.request_started();
        Self {
            observation: Arc::clone(observation),
            record,
            start: Instant::now(),
            sent: None,
            snapshot: None,
            confidence: None,
            is_over: false,
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.record.id
    }

    /// The record, to be added to.
    pub(crate) fn record(&mut self) -> &mut Record {
        &mut self.record
    }

    /// Records the context.
    pub(crate) fn context_prepared(&mut self, it: &PreparedContext) {
        self.record.location.clone_from(&it.location);
        self.record.context = it.outcome;
        self.record.timings.locate = it.locate_ms;
        self.record.timings.context = it.compose_ms;
        self.record.notes.extend(it.notes.iter().cloned());
        self.record.snippets.clone_from(&it.snippets);
        self.snapshot.clone_from(&it.snapshot);
    }

    /// Adds the explanation of the context to the record when it comes, as JSON.
    pub(crate) fn explained_by(&mut self, json: oneshot::Receiver<String>) {
        let (sender, explanation) = Explanation::channel();
        self.record.explanation = explanation;
        let (observation, id) = (Arc::clone(&self.observation), self.record.id.clone());
        tokio::spawn(async move {
            if let Ok(json) = json.await {
                let add = move || {
                    sender.send(&json);
                    observation.journal.recount(&id);
                };
                // Compressing takes too long for a thread that serves sockets.
                tokio::task::spawn_blocking(add);
            }
        });
    }

    /// Records that there is no context, and why.
    pub(crate) fn context_missing(&mut self, outcome: ContextOutcome, reason: String) {
        self.record.context = outcome;
        self.record.notes.push(reason);
    }

    /// Records that the model is asked now, and with which prompt.
    pub(crate) fn sent(&mut self, prompt: Option<String>) {
        self.record.prompt = prompt.map(|it| it[..it.floor_char_boundary(MAX_TEXT_BYTES)].into());
        self.record.timings.own = elapsed_ms(self.start);
        self.sent = Some(Instant::now());
        self.observation.journal.put(self.record.clone());
    }

    /// Records a part of the model's response.
    pub(crate) fn received(&mut self, part: &Delta) {
        if let Some(sent) = self.sent
            && self.record.answer.is_empty()
            && !part.text.is_empty()
        {
            self.record.timings.first = elapsed_ms(sent);
        }
        if self.record.answer.len() < MAX_ANSWER_BYTES {
            self.record.answer.push_str(&part.text);
        }
        let model = &mut self.record.model;
        model.prompt_tokens = part.prompt_tokens.or(model.prompt_tokens);
        model.answer_tokens = part.answer_tokens.or(model.answer_tokens);
        model.cached_tokens = part.cached_tokens.or(model.cached_tokens);
        model.prompt_ms = part.took_ms.0.or(model.prompt_ms);
        model.answer_ms = part.took_ms.1.or(model.answer_ms);
    }

    /// Records the probability that the completion's first line is right, if the model states one.
    pub(crate) fn is_sure(&mut self, confidence: Option<f64>) {
        self.confidence = confidence;
    }

    /// The response headers that describe the request.
    pub(crate) fn headers(&self) -> HeaderMap {
        let mut res = HeaderMap::new();
        let mut add = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                res.insert(HeaderName::from_static(name), value);
            }
        };
        add("x-foreword-request", &self.record.id);
        add("x-foreword-context", self.record.context.name());
        let location = &self.record.location;
        let matched = match (&location.path, location.line) {
            (Some(path), Some(line)) => {
                format!("{}:{line}; confidence={:.2}", uri::encode(path), location.confidence)
            }
            _ => "none".to_owned(),
        };
        add("x-foreword-match", &matched);
        if let Some(snapshot) = &self.snapshot {
            add("x-foreword-snapshot", snapshot);
        }
        if let Some(confidence) = self.confidence {
            add("x-foreword-confidence", &format!("{confidence:.2}"));
        }
        let timings = &self.record.timings;
        let timing = format!(
            "locate={:.1}, context={:.1}, own={:.1}",
            timings.locate, timings.context, timings.own
        );
        add("x-foreword-ms", &timing);
        res
    }

    /// Ends the request with this status.
    pub(crate) fn finish(mut self, status: u16) {
        let is_success = (200..400).contains(&status);
        self.end(status, if is_success { Outcome::Done } else { Outcome::Failed });
    }

    /// Ends the request with an error in the middle of its response.
    pub(crate) fn fail(mut self, reason: String) {
        self.record.notes.push(reason);
        self.end(200, Outcome::Failed);
    }

    fn end(&mut self, status: u16, outcome: Outcome) {
        self.is_over = true;
        self.record.status = status;
        self.record.outcome = outcome;
        self.record.find_used();
        self.record.mask_model_texts();
        let timings = &mut self.record.timings;
        timings.total = elapsed_ms(self.start);
        match self.sent {
            Some(sent) => timings.model = elapsed_ms(sent),
            None => timings.own = timings.total,
        }
        self.observation.metrics.request_ended(&self.record);
        self.observation.log.request(&self.record);
        self.observation.journal.put(std::mem::take(&mut self.record));
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        if !self.is_over {
            self.end(0, Outcome::Cancelled);
        }
    }
}
