//! The request log: one line of JSON on stderr for every request. Code is in it only if that was asked for. Events of the
//! process itself are logged by `crate::logging`.

use std::io::Write as _;

use serde_json::json;

use super::record::Record;

/// The log, and how much it may show.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Log {
    Off,
    WithoutCode,
    WithCode,
}

impl Log {
    /// Logs a request that is over.
    pub(crate) fn request(self, it: &Record) {
        if matches!(self, Self::Off) {
            return;
        }
        let mut line = json!({
            "at": it.at, "event": "request", "id": it.id, "door": it.protocol, "endpoint": it.endpoint,
            "status": it.status, "end": it.outcome, "context": it.context, "path": it.location.path,
            "confidence": it.location.confidence, "ms": it.timings, "model": it.model, "notes": it.notes.len(),
        });
        if matches!(self, Self::WithCode)
            && let Some(fields) = line.as_object_mut()
        {
            fields.insert("prompt".to_owned(), json!(it.prompt.as_deref()));
            fields.insert("answer".to_owned(), json!(it.answer));
        }
        write(&line);
    }
}

/// Writes a line; stderr may be closed.
fn write(line: &serde_json::Value) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
