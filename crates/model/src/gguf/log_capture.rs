//! What llama.cpp complains of while something is done; it says so in its log, and by its answer only that it failed.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Does `what`, and keeps the complaints of this thread meanwhile, a line each.
pub(super) fn hearing<T>(what: impl FnOnce() -> T) -> (T, Vec<String>) {
    let heard = Heard::default();
    let lines = Arc::clone(&heard.lines);
    let res = tracing::subscriber::with_default(heard, what);
    let lines = std::mem::take(&mut *lines.lock().unwrap_or_else(PoisonError::into_inner));
    (res, lines)
}

/// Takes what the log says of errors.
#[derive(Default)]
struct Heard {
    lines: Arc<Mutex<Vec<String>>>,
}

impl Subscriber for Heard {
    fn enabled(&self, it: &Metadata<'_>) -> bool {
        it.is_event() && *it.level() == Level::ERROR
    }

    fn event(&self, event: &Event<'_>) {
        let mut message = Message::default();
        event.record(&mut message);
        let line = message.0.trim().to_owned();
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    // Spans say nothing of interest.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// The text of one complaint.
#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            self.0.push_str(value);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            let _ = write!(self.0, "{value:?}");
        }
    }
}
