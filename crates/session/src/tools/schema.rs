//! The JSON schemas of what the tools take and return. They are data: no type of a protocol appears here.

use std::time::Duration;

use serde_json::{Value, json};

/// Wait for indexing of a call that names none. The turn of an agent takes seconds, and an answer from half of a
/// repository misleads it.
pub(super) const DEFAULT_WAIT: Duration = Duration::from_secs(5);

/// Maximum wait for indexing, whatever a call requests.
pub(super) const MAX_WAIT: Duration = Duration::from_mins(2);

/// Properties of the arguments of `search`.
pub(super) fn search() -> Value {
    json!({
        "query": text("A question, words, a name or a pattern."),
        "mode": { "type": "string", "enum": ["auto", "symbol", "exact", "regex"], "default": "auto", "description": "auto: ranked by words and names. symbol: definitions of this name. exact: lines with this text. regex: lines that match (Rust syntax; \\n allowed)." },
        "path": list_of("Only these directories, files or patterns, e.g. src/net, *.rs, !tests."),
        "lang": list_of("Only these languages, e.g. rust."),
        "kind": list_of("Only definitions of these kinds: module class interface enum implementation function method constructor field constant type macro section."),
        "tag": list_of("Only results with these tags (! excludes): async commented deprecated public test."),
        "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "Most results." },
        "lines": { "type": "integer", "minimum": 0, "maximum": 200, "default": 12, "description": "Lines of an excerpt; 0 for places only." },
        "tokens": tokens(2000),
        "cursor": cursor(),
    })
}

/// Properties of the arguments of `context`.
pub(super) fn edit_context() -> Value {
    json!({
        "task": text("What is to be done, in words. Give this, or file and line, or both."),
        "file": text("A file, or path:start-end of an answer."),
        "line": { "type": "integer", "minimum": 1, "description": "A line of file [default: all]." },
        "next": { "type": "boolean", "default": false, "description": "After an edit: instead the places that may have to change next, with reasons." },
        "tokens": tokens(4000),
    })
}

/// Properties of the arguments of `symbols`.
pub(super) fn symbols() -> Value {
    json!({
        "name": text("A symbol: `parse`, `Parser.parse` or `parser::parse`."),
        "file": text("A file to outline. With name: path:line of a use of it, for the definition that it means there."),
        "path": list_of("With name: only these directories, files or patterns."),
        "tokens": tokens(2000),
        "cursor": cursor(),
    })
}

/// Properties of the arguments of `map`.
pub(super) fn map() -> Value {
    json!({
        "focus": list_of("Paths or names to begin with."),
        "tokens": tokens(1500),
    })
}

/// Properties of the arguments of `read`, which is continued with `start_line`.
pub(super) fn read_lines() -> Value {
    json!({
        "file": text("A file, or path:start-end of an answer."),
        "start_line": { "type": "integer", "minimum": 1, "default": 1, "description": "The first line to read, from 1." },
        "end_line": { "type": "integer", "minimum": 1, "description": "The last line to read [default: the last of the file]." },
        "tokens": tokens(2000),
    })
}

/// The schema of a tool's arguments: its own properties and the common ones. `repository` describes the repositories that
/// can be named. Bounds are left out: values beyond them are clamped or explained, and models read every word.
pub(super) fn input(mut properties: Value, required: &[&str], repository: &str) -> Value {
    if let (Value::Object(properties), Value::Object(common)) =
        (&mut properties, common(repository))
    {
        properties.extend(common);
        let objects = properties.values_mut().filter_map(Value::as_object_mut);
        objects.for_each(|it| it.retain(|key, _| key != "minimum" && key != "maximum"));
    }
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}

/// Properties of the arguments that every tool takes.
pub(super) fn common(repository: &str) -> Value {
    json!({
        "repository": text(repository),
        "wait_ms": { "type": "integer", "minimum": 0, "maximum": MAX_WAIT.as_millis() as u64, "default": DEFAULT_WAIT.as_millis() as u64, "description": "How long to wait for indexing." },
    })
}

/// The schema of the structured value that every tool returns.
pub fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "results": { "type": "array", "items": { "type": "object" }, "description": "Best or first first." },
            "total": { "type": "integer", "description": "How many results there are, where that is known." },
            "next_cursor": { "type": "string", "description": "Pass it as cursor for more." },
            "uses_of": { "type": "array", "items": { "type": "string" }, "description": "Where several repositories have a name: whose definitions uses are about." },
            "next_cursors": { "type": "array", "items": { "type": "string" }, "description": "Where several repositories answer: for more of each." },
            "note": { "type": "string" },
            "repository": { "type": "string", "description": "The root that paths are relative to; of several repositories all, and each result has its own." },
            "snapshot": { "type": "string", "description": "Equal for equal states of the repository." },
            "fresh": { "type": "boolean", "description": "Whether everything that was on the disk at the time of the call was considered." },
            "complete": { "type": "boolean", "description": "Whether the answer covers the whole repository." },
            "files": { "type": "integer", "description": "How many files were considered." },
            "answered_from": { "type": "string", "description": "`cluster`: while this clone is indexed." },
            "indexing": { "type": "object", "description": "How far indexing is, while it goes on." },
        },
        "required": ["results", "repository", "snapshot", "fresh", "complete", "files"],
    })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn list_of(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}

fn tokens(default: usize) -> Value {
    json!({ "type": "integer", "minimum": 200, "maximum": 20000, "default": default, "description": "Most tokens of the answer." })
}

fn cursor() -> Value {
    text("From the previous answer: continues it.")
}
