//! The request log: one line on stderr for every request, of JSON or for people. Code is in it only if that was asked for.
//! Events of the process itself are logged by `crate::logging`.

use std::io::Write as _;

use serde_json::json;

use super::record::{Outcome, Record};
use crate::serve::context::outcome::ContextOutcome;

/// The format of the log, and whether it may show code.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Log {
    Off,
    /// For people.
    Text,
    WithoutCode,
    WithCode,
}

impl Log {
    /// Logs a request that is over.
    pub(crate) fn request(self, it: &Record) {
        let mut line = match self {
            Self::Off => return,
            Self::Text => return write(&text(it)),
            Self::WithoutCode | Self::WithCode => fields(it),
        };
        if matches!(self, Self::WithCode)
            && let Some(fields) = line.as_object_mut()
        {
            fields.insert("prompt".to_owned(), json!(it.prompt.as_deref()));
            fields.insert("answer".to_owned(), json!(it.answer));
        }
        write(&line.to_string());
    }

    /// Logs another event, for programs.
    pub(crate) fn event(self, it: &serde_json::Value) {
        if matches!(self, Self::WithoutCode | Self::WithCode) {
            write(&it.to_string());
        }
    }

    /// Prints a message for a person who watches the server start.
    pub(crate) fn say(self, what: &str) {
        if matches!(self, Self::Text) {
            write(what);
        }
    }
}

fn fields(it: &Record) -> serde_json::Value {
    json!({
        "at": it.at, "event": "request", "id": it.id, "door": it.protocol, "endpoint": it.endpoint,
        "status": it.status, "end": it.outcome, "context": it.context, "path": it.location.path,
        "confidence": it.location.confidence, "withheld": it.withheld, "ms": it.timings, "model": it.model, "notes": it.notes.len(),
    })
}

/// `12:00:03  openai /v1/completions  200  src/app.py:12, 6 pieces  14 + 120 ms`, and why context is missing.
fn text(it: &Record) -> String {
    let end = match it.outcome {
        Outcome::Cancelled => "cancelled".to_owned(),
        _ => it.status.to_string(),
    };
    let place = match (&it.location.path, it.location.line) {
        (Some(path), Some(line)) => format!("{path}:{line}"),
        _ => "no file".to_owned(),
    };
    let pieces = match (it.context, it.snippets.len()) {
        (ContextOutcome::File | ContextOutcome::Lexical, 1) => "1 piece".to_owned(),
        (ContextOutcome::File | ContextOutcome::Lexical, n) => format!("{n} pieces"),
        (ContextOutcome::Untouched, _) => "no context".to_owned(),
        (ContextOutcome::Late, _) => "context late".to_owned(),
        (ContextOutcome::Failed, _) => "context failed".to_owned(),
        (ContextOutcome::Refused, _) => "refused".to_owned(),
    };
    let (own, model) = (it.timings.own, it.timings.model);
    // A note may quote a server's message about a prompt: only the start of its first line is shown.
    let note = it.notes.first().and_then(|it| it.lines().next());
    let withheld = it.withheld.map_or_else(String::new, |it| {
        format!("  withheld, {:.0} % sure (--least-confidence)", it * 100.0)
    });
    let has_failed = matches!(
        it.context,
        ContextOutcome::Late | ContextOutcome::Failed | ContextOutcome::Refused
    );
    let is_wrong = it.status >= 400 || has_failed;
    let note = note.filter(|_| is_wrong).map(|it| it.chars().take(NOTE).collect::<String>());
    let note =
        note.map_or_else(String::new, |it| format!("  {}", it.replace(char::is_control, " ")));
    let time = time_of_day(it.at);
    format!(
        "{time}  {} {}  {end}  {place}, {pieces}  {own:.0} + {model:.0} ms{withheld}{note}",
        it.protocol, it.endpoint
    )
    .replace(char::is_control, " ")
}

/// Maximum characters of a note in a log line.
const NOTE: usize = 200;

/// Hours, minutes and seconds in UTC.
fn time_of_day(millis: u64) -> String {
    let seconds = millis / 1000 % 86_400;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Writes a line; stderr may be closed.
fn write(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::context::outcome::Location;

    #[test]
    fn a_line_for_people_says_what_came_where_it_is_and_what_it_took() {
        let mut record = Record {
            at: 43_203_000,
            protocol: "openai",
            endpoint: "/v1/completions".to_owned(),
            status: 200,
            context: ContextOutcome::File,
            location: Location {
                path: Some("src/a\u{1b}.py".to_owned()),
                line: Some(12),
                ..Location::default()
            },
            ..Record::default()
        };
        record.outcome = Outcome::Done;
        let line = text(&record);
        assert_eq!(line, "12:00:03  openai /v1/completions  200  src/a .py:12, 0 pieces  0 + 0 ms");
        record.context = ContextOutcome::Late;
        record.notes = vec!["the context was not ready after 60 ms".to_owned()];
        assert!(text(&record).ends_with("0 + 0 ms  the context was not ready after 60 ms"));
        record = Record { withheld: Some(0.37), ..Record::default() };
        let line = text(&record);
        assert!(line.ends_with("withheld, 37 % sure (--least-confidence)"), "{line}");
    }
}
