//! Captures the errors that llama.cpp logs during a call, whose return value has no details.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Runs `call`; returns the errors that this thread logged, one per line.
pub(super) fn capturing_errors<T>(call: impl FnOnce() -> T) -> (T, Vec<String>) {
    let collector = ErrorCollector::default();
    let lines = Arc::clone(&collector.lines);
    let res = tracing::subscriber::with_default(collector, call);
    let lines = std::mem::take(&mut *lines.lock().unwrap_or_else(PoisonError::into_inner));
    (res, lines)
}

/// Collects logged errors.
#[derive(Default)]
struct ErrorCollector {
    lines: Arc<Mutex<Vec<String>>>,
}

impl Subscriber for ErrorCollector {
    fn enabled(&self, it: &Metadata<'_>) -> bool {
        it.is_event() && *it.level() == Level::ERROR
    }

    fn event(&self, event: &Event<'_>) {
        let mut message = Message::default();
        event.record(&mut message);
        let line = message.0.trim().to_owned();
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    // Spans are ignored.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Text of one error.
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
