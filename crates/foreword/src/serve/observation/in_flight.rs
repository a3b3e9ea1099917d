//! A request that is being answered: its record, and the end of it, however it comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use foreword_model::http::Delta;

use crate::serve::app::App;
use crate::serve::context::prepare::{Prepared, ms};
use crate::serve::observation::log;
use crate::serve::observation::record::{Ending, Record};
use crate::serve::protocols::request::{Ask, Told};
use crate::uri;

/// Bytes of an answer that are kept.
const MOST_ANSWER: usize = 256 << 10;

/// A request on its way. When it goes without an end, the client is gone.
pub(crate) struct Pending {
    app: Arc<App>,
    record: Record,
    start: Instant,
    sent: Option<Instant>,
    snapshot: Option<String>,
    is_over: bool,
}

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// A name for a request that no other has, of this process or an earlier one.
fn id(at: u64) -> String {
    format!("{at:x}-{:x}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

impl Pending {
    pub(crate) fn new(app: &Arc<App>, ask: &Ask, told: &Told) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let at = now.map_or(0, |it| it.as_millis() as u64);
        let record = Record {
            id: id(at),
            at,
            door: ask.door.name(),
            endpoint: ask.door.path().to_owned(),
            client: told.client.clone(),
            request: serde_json::to_string(&ask.body).unwrap_or_default().into(),
            ask: Some(Arc::new(ask.without_body())),
            ..Record::default()
        };
        app.journal.put(record.clone());
        app.metrics.begin();
        Self {
            app: Arc::clone(app),
            record,
            start: Instant::now(),
            sent: None,
            snapshot: None,
            is_over: false,
        }
    }

    /// The name of the request.
    pub(crate) fn id(&self) -> &str {
        &self.record.id
    }

    /// The server.
    pub(crate) fn app(&self) -> Arc<App> {
        Arc::clone(&self.app)
    }

    /// The record, to be added to.
    pub(crate) fn record(&mut self) -> &mut Record {
        &mut self.record
    }

    /// The context is there.
    pub(crate) fn prepared(&mut self, it: &Prepared) {
        self.record.place.clone_from(&it.place);
        self.record.context = it.context;
        self.record.timings.locate = it.took.0;
        self.record.timings.context = it.took.1;
        self.record.notes.extend(it.notes.iter().cloned());
        self.record.snippets.clone_from(&it.snippets);
        self.snapshot.clone_from(&it.snapshot);
    }

    /// The model is asked now; what it is asked is known.
    pub(crate) fn sent(&mut self, prompt: Option<String>) {
        self.record.prompt = prompt.map(Into::into);
        self.record.timings.own = ms(self.start);
        self.sent = Some(Instant::now());
        self.app.journal.put(self.record.clone());
    }

    /// The model's server said this.
    pub(crate) fn said(&mut self, part: &Delta) {
        if let Some(sent) = self.sent
            && self.record.answer.is_empty()
            && !part.text.is_empty()
        {
            self.record.timings.first = ms(sent);
        }
        if self.record.answer.len() < MOST_ANSWER {
            self.record.answer.push_str(&part.text);
        }
        let model = &mut self.record.model;
        model.prompt_tokens = part.prompt_tokens.or(model.prompt_tokens);
        model.answer_tokens = part.answer_tokens.or(model.answer_tokens);
        model.cached_tokens = part.cached_tokens.or(model.cached_tokens);
        model.prompt_ms = part.took_ms.0.or(model.prompt_ms);
        model.answer_ms = part.took_ms.1.or(model.answer_ms);
    }

    /// The headers that tell of the request.
    pub(crate) fn headers(&self) -> HeaderMap {
        let mut res = HeaderMap::new();
        let mut add = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                res.insert(HeaderName::from_static(name), value);
            }
        };
        add("x-foreword-request", &self.record.id);
        add("x-foreword-context", self.record.context.name());
        let place = &self.record.place;
        let matched = match (&place.path, place.line) {
            (Some(path), Some(line)) => {
                format!("{}:{line}; confidence={:.2}", uri::encode(path), place.confidence)
            }
            _ => "none".to_owned(),
        };
        add("x-foreword-match", &matched);
        if let Some(snapshot) = &self.snapshot {
            add("x-foreword-snapshot", snapshot);
        }
        let timings = &self.record.timings;
        let timing = format!(
            "locate={:.1}, context={:.1}, own={:.1}",
            timings.locate, timings.context, timings.own
        );
        add("x-foreword-ms", &timing);
        res
    }

    /// The end.
    pub(crate) fn finish(mut self, status: u16) {
        let is_fine = (200..400).contains(&status);
        self.end(status, if is_fine { Ending::Done } else { Ending::Failed });
    }

    /// The end in the middle of an answer.
    pub(crate) fn broke(mut self, why: String) {
        self.record.notes.push(why);
        self.end(200, Ending::Failed);
    }

    fn end(&mut self, status: u16, ending: Ending) {
        self.is_over = true;
        self.record.status = status;
        self.record.end = ending;
        let timings = &mut self.record.timings;
        timings.total = ms(self.start);
        match self.sent {
            Some(sent) => timings.model = ms(sent),
            None => timings.own = timings.total,
        }
        self.app.metrics.end(&self.record);
        log::request(&self.app.options, &self.record);
        self.app.journal.put(std::mem::take(&mut self.record));
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.is_over {
            self.end(0, Ending::Cancelled);
        }
    }
}
