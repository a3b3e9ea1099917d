//! Parses responses: server-sent events, JSON lines, or one object, with or without an end marker.

use serde_json::Value;

use crate::request::FinishReason;

/// Maximum bytes of a line or of a whole response. As JSON values they take up to thirty times as much memory; an answer
/// of 100,000 tokens has half a megabyte.
pub(super) const MAX_BYTES: usize = 4 << 20;

/// Error for larger responses.
pub(super) const TOO_LONG: &str = "more than 4 MiB without an end";

/// Parses bytes into JSON objects.
#[derive(Debug, Default)]
pub struct Lines {
    pending: Vec<u8>,
}

/// A parsed line.
#[derive(Debug, PartialEq)]
pub enum Line {
    /// An object.
    Object(Value),
    /// The end marker that some servers send.
    Done,
    /// A line that no known server sends.
    Invalid(String),
}

impl Lines {
    /// Adds bytes; returns the completed lines.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut from = self.pending.len();
        self.pending.extend_from_slice(bytes);
        let (mut res, mut start) = (Vec::new(), 0);
        while let Some(at) = memchr::memchr(b'\n', &self.pending[from..]) {
            from += at + 1;
            res.extend(line_of(&self.pending[start..from]));
            start = from;
        }
        self.pending.drain(..start);
        if self.pending.len() > MAX_BYTES {
            self.pending.clear();
            res.push(Line::Invalid(TOO_LONG.to_owned()));
        }
        res
    }

    /// The last line, which may lack a line feed.
    pub fn finish(self) -> Option<Line> {
        line_of(&self.pending)
    }
}

fn line_of(bytes: &[u8]) -> Option<Line> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    // Skips comments and other fields of events.
    let is_other = ["event:", "id:", "retry:", ":"].iter().any(|it| text.starts_with(it));
    if text.is_empty() || is_other {
        return None;
    }
    let data = text.strip_prefix("data:").map_or(text, str::trim);
    if data == "[DONE]" {
        return Some(Line::Done);
    }
    Some(match serde_json::from_str::<Value>(data) {
        Ok(value) if value.is_object() => Line::Object(value),
        _ => Line::Invalid(data.chars().take(80).collect()),
    })
}

/// Contribution of one object to a completion.
#[derive(Debug, Default, PartialEq)]
pub struct Delta {
    /// Text to append.
    pub text: String,
    /// Reason for the end, on the last object.
    pub finish_reason: Option<FinishReason>,
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the completion so far.
    pub answer_tokens: Option<u64>,
    /// Tokens of the prompt that the server had cached.
    pub cached_tokens: Option<u64>,
    /// Milliseconds for the prompt and for the completion.
    pub took_ms: (Option<f64>, Option<f64>),
    /// Error reported by the server.
    pub error: Option<String>,
}

/// Parses an object of any server; their fields do not collide.
pub fn delta(value: &Value) -> Delta {
    let choice = &value["choices"][0];
    let texts = [
        // In order: llama.cpp; Ollama; completions; chat and Mistral, streamed and whole.
        &value["content"],
        &value["response"],
        &choice["text"],
        &choice["delta"]["content"],
        &choice["message"]["content"],
    ];
    let text = texts.into_iter().find_map(Value::as_str).unwrap_or_default().to_owned();
    let tokens =
        [&value["tokens_evaluated"], &value["prompt_eval_count"], &value["usage"]["prompt_tokens"]];
    let prompt_tokens = tokens.into_iter().find_map(Value::as_u64).filter(|it| *it > 0);
    let first = |places: [&Value; 3]| places.into_iter().find_map(Value::as_u64);
    let usage = &value["usage"];
    let timings = &value["timings"];
    let nanos = |it: &Value| it.as_f64().map(|it| it / 1e6);
    Delta {
        text,
        finish_reason: finish_reason(value, choice),
        prompt_tokens,
        answer_tokens: first([
            &value["tokens_predicted"],
            &value["eval_count"],
            &usage["completion_tokens"],
        ]),
        cached_tokens: first([
            &timings["cache_n"],
            &usage["prompt_tokens_details"]["cached_tokens"],
            &usage["prompt_cache_hit_tokens"],
        ]),
        took_ms: (
            timings["prompt_ms"].as_f64().or_else(|| nanos(&value["prompt_eval_duration"])),
            timings["predicted_ms"].as_f64().or_else(|| nanos(&value["eval_duration"])),
        ),
        error: error_message(value),
    }
}

fn finish_reason(value: &Value, choice: &Value) -> Option<FinishReason> {
    let reasons = [&choice["finish_reason"], &value["done_reason"], &value["stop_type"]];
    let reason =
        reasons.into_iter().find_map(Value::as_str).filter(|it| !it.is_empty() && *it != "none");
    match reason {
        Some("length" | "limit") => Some(FinishReason::Length),
        Some(_) => Some(FinishReason::Stop),
        None if value["stop"] == true || value["done"] == true => Some(FinishReason::Stop),
        None => None,
    }
}

/// Message of an error, in any server's shape.
pub(super) fn error_message(value: &Value) -> Option<String> {
    let places = [&value["error"]["message"], &value["error"], &value["message"], &value["detail"]];
    let found = places.into_iter().find_map(Value::as_str);
    found.map(str::to_owned).or_else(|| {
        let error = &value["error"];
        (!error.is_null()).then(|| error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn events_and_lines_of_json_are_the_same_in_pieces_of_any_size() {
        let text = b"data: {\"a\":1}\n\n: ping\nevent: x\n{\"b\":\"\xc3\xa9\"}\r\ndata: [DONE]\n\n";
        let objects = [json!({"a": 1}), json!({"b": "\u{e9}"})].map(Line::Object);
        for size in 1..text.len() {
            let mut lines = Lines::default();
            let got: Vec<Line> = text.chunks(size).flat_map(|it| lines.push(it)).collect();
            assert_eq!(got[..2], objects);
            assert_eq!(got[2..], [Line::Done]);
        }
    }

    #[test]
    fn a_last_line_needs_no_end_and_garbage_is_called_so() {
        let mut lines = Lines::default();
        assert!(lines.push(b"{\"a\":1}").is_empty());
        assert_eq!(lines.finish(), Some(Line::Object(json!({"a": 1}))));
        let mut lines = Lines::default();
        assert_eq!(lines.push(b"<html>\n"), [Line::Invalid("<html>".to_owned())]);
    }

    #[test]
    fn a_line_that_never_ends_is_not_kept() {
        let mut lines = Lines::default();
        let megabyte = vec![b' '; 1 << 20];
        let said = (0..=64).map(|_| lines.push(&megabyte)).find(|it| !it.is_empty());
        assert_eq!(said, Some(vec![Line::Invalid(TOO_LONG.to_owned())]));
        assert!(lines.pending.is_empty());
    }

    #[test]
    fn every_server_is_understood() {
        let check = |value: Value, text: &str, end: Option<FinishReason>| {
            let delta = delta(&value);
            assert_eq!((delta.text.as_str(), delta.finish_reason), (text, end), "{value}");
        };
        check(json!({"content": "x", "stop": false}), "x", None);
        check(
            json!({"content": "", "stop": true, "stop_type": "limit"}),
            "",
            Some(FinishReason::Length),
        );
        check(json!({"response": "x", "done": false}), "x", None);
        check(
            json!({"response": "", "done": true, "done_reason": "stop"}),
            "",
            Some(FinishReason::Stop),
        );
        check(json!({"choices": [{"text": "x", "finish_reason": null}]}), "x", None);
        check(
            json!({"choices": [{"text": "", "finish_reason": "length"}]}),
            "",
            Some(FinishReason::Length),
        );
        check(json!({"choices": [{"delta": {"content": "x"}}]}), "x", None);
        let whole = json!({"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}]});
        check(whole, "x", Some(FinishReason::Stop));
        assert_eq!(
            delta(&json!({"error": "no such model"})).error.as_deref(),
            Some("no such model")
        );
        let error = json!({"error": {"message": "Loading model", "code": 503}});
        assert_eq!(delta(&error).error.as_deref(), Some("Loading model"));
    }
}
