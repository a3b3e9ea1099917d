//! One line of JSON on stderr for every request; code is in it only when that was asked for.

use std::io::Write as _;

use serde_json::json;

use crate::serve::observation::record::Record;
use crate::serve::options::Options;

/// Says what became of a request.
pub(crate) fn request(options: &Options, it: &Record) {
    if options.quiet {
        return;
    }
    let mut line = json!({
        "at": it.at, "event": "request", "id": it.id, "door": it.door, "endpoint": it.endpoint,
        "status": it.status, "end": it.end, "context": it.context, "path": it.place.path,
        "confidence": it.place.confidence, "ms": it.timings, "model": it.model, "notes": it.notes.len(),
    });
    if options.log_code
        && let Some(fields) = line.as_object_mut()
    {
        fields.insert("prompt".to_owned(), json!(it.prompt.as_deref()));
        fields.insert("answer".to_owned(), json!(it.answer));
    }
    write(&line);
}

/// Says something else.
pub(crate) fn event(options: &Options, name: &str, what: &str) {
    if !options.quiet {
        write(&json!({ "event": name, "what": what }));
    }
}

/// Nobody may be reading.
fn write(line: &serde_json::Value) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
