//! The JSON schemas of what the tools take and return. They are data: no type of a protocol appears here.

use std::time::Duration;

use serde_json::{Value, json};

/// Maximum wait for indexing, whatever a call requests.
pub(super) const MAX_WAIT: Duration = Duration::from_mins(2);

/// Properties of the arguments of `search`.
pub(super) fn search() -> Value {
    json!({
        "query": { "type": "string", "description": "A question, words, a symbol's name, or a pattern (see mode)." },
        "mode": { "type": "string", "enum": ["auto", "symbol", "exact", "regex"], "default": "auto", "description": "auto: ranked by meaning of words and names. symbol: definitions of exactly this name. exact: lines with this text as it stands. regex: lines that match (Rust syntax; \\n allowed)." },
        "path": list_of("Only files below these paths, relative to the root, e.g. [\"src/net\"]."),
        "lang": list_of("Only these languages, e.g. [\"rust\", \"python\"]."),
        "kind": list_of("Only definitions of these kinds: module class interface enum implementation function method constructor field constant type macro section."),
        "tag": list_of("Only results with these tags; prefix a tag with ! to exclude it: async commented deprecated public test, and the team's own, e.g. [\"async\", \"!test\"]."),
        "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "Most results." },
        "lines": { "type": "integer", "minimum": 0, "maximum": 200, "default": 12, "description": "Lines of each excerpt; 0 for places only. Patterns show the matching line, and lines around it when this is given." },
        "tokens": tokens(2000),
        "cursor": cursor(),
    })
}

/// Properties of the arguments of `context`.
pub(super) fn edit_context() -> Value {
    json!({
        "task": { "type": "string", "description": "What is to be done, in words (\"add a timeout to the HTTP client\"). Give this, or file and line, or both: then what the task needs at that place." },
        "file": { "type": "string", "description": "A file, relative to the root or absolute; `path:start-end` as answers say it is taken, too." },
        "line": { "type": "integer", "minimum": 1, "description": "The line of interest in file, from 1 [default: the whole file]." },
        "next": { "type": "boolean", "default": false, "description": "After an edit: instead list the places that may have to change next, with reasons (stale uses, lines like the replaced ones, tests, files that changed together). With file and line: for that line." },
        "tokens": tokens(4000),
    })
}

/// Properties of the arguments of `symbols`.
pub(super) fn symbols() -> Value {
    json!({
        "name": { "type": "string", "description": "A symbol: `parse`, `Parser.parse` or `parser::parse`. Give this, or file." },
        "file": { "type": "string", "description": "A file to outline, relative to the root or absolute." },
        "path": list_of("With name: only definitions and uses below these paths."),
        "tokens": tokens(2000),
        "cursor": cursor(),
    })
}

/// Properties of the arguments of `map`.
pub(super) fn map() -> Value {
    json!({
        "focus": list_of("Paths or names that matter now; the map begins there."),
        "tokens": tokens(1500),
    })
}

/// Properties of the arguments of `read`, which is continued with `start_line`.
pub(super) fn read_lines() -> Value {
    json!({
        "file": { "type": "string", "description": "A file, relative to the root or absolute; `path:start-end` as answers say it is taken, too." },
        "start_line": { "type": "integer", "minimum": 1, "default": 1, "description": "The first line to read, from 1." },
        "end_line": { "type": "integer", "minimum": 1, "description": "The last line to read [default: the last of the file]." },
        "tokens": tokens(2000),
    })
}

/// The schema of a tool's arguments: its own properties and the common ones. `repository` describes the repositories that
/// can be named.
pub(super) fn input(mut properties: Value, required: &[&str], repository: &str) -> Value {
    if let (Value::Object(properties), Value::Object(common)) =
        (&mut properties, common(repository))
    {
        properties.extend(common);
    }
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}

/// Properties of the arguments that every tool takes.
pub(super) fn common(repository: &str) -> Value {
    json!({
        "repository": { "type": "string", "description": repository },
        "wait_ms": { "type": "integer", "minimum": 0, "maximum": MAX_WAIT.as_millis() as u64, "description": "How long to wait for indexing before answering from what is indexed [default: 5000; 50 on the first indexing]." },
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
            "note": { "type": "string" },
            "repository": { "type": "string", "description": "The root that paths are relative to." },
            "snapshot": { "type": "string", "description": "Equal for equal states of the repository." },
            "fresh": { "type": "boolean", "description": "Whether everything that was on the disk at the time of the call was considered." },
            "complete": { "type": "boolean", "description": "Whether the answer covers the whole repository." },
            "files": { "type": "integer", "description": "How many files were considered." },
            "indexing": { "type": "object", "description": "How far indexing is, while it goes on." },
        },
        "required": ["results", "repository", "snapshot", "fresh", "complete", "files"],
    })
}

fn list_of(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "default": [], "description": description })
}

fn tokens(default: usize) -> Value {
    json!({ "type": "integer", "minimum": 200, "maximum": 20000, "default": default, "description": "Most tokens of the answer." })
}

fn cursor() -> Value {
    json!({ "type": "string", "description": "From the previous answer, with otherwise the same arguments: continues it." })
}
