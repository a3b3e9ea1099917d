//! The JSON that scripts rely on (docs/json.md): fields may be added, not renamed.

use serde_json::Value;

use crate::Repository;

const ONE: &str = "
//- a.py
def alpha(value):
    '''Returns the value.'''
    return value
//- b.py
from a import alpha

print(alpha(1))
";

#[track_caller]
fn has(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value.get(key).is_some(), "{key} is missing in {value}");
    }
}

#[test]
fn search_prints_one_object() {
    let answer = Repository::new(ONE).json(&["search", "alpha", "--json"]);
    has(&answer, &["version", "snapshot", "complete", "searched", "results", "elapsed_ms"]);
    has(&answer["searched"], &["root", "query", "terms", "files", "chunks"]);
    let keys =
        ["path", "start_line", "end_line", "symbol", "kind", "score", "tokens", "reasons", "text"];
    has(&answer["results"][0], &["match_start_line", "match_end_line"]);
    has(&answer["results"][0], &keys);
    assert_eq!(answer["version"], 1);
    assert_eq!(answer["complete"], true);
}

#[test]
fn nothing_matched_is_an_answer() {
    let run = Repository::new(ONE).run(&["search", "zebra", "--json"]);
    assert_eq!(run.code, 1);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["results"], Value::Array(Vec::new()));
    assert_eq!(answer["searched"]["files"], 2);
}

#[test]
fn context_prints_one_object() {
    let answer = Repository::new(ONE).json(&["context", "b.py:3", "--json"]);
    let keys = [
        "version",
        "snapshot",
        "complete",
        "model",
        "prompt",
        "stop",
        "budget",
        "pieces",
        "dropped",
        "elapsed_ms",
    ];
    has(&answer, &keys);
    has(&answer["budget"], &["total", "used", "around", "pieces", "counted_by"]);
    has(&answer["elapsed_ms"], &["open", "scope", "retrieve", "trim", "total"]);
    let keys =
        ["path", "start_line", "end_line", "form", "tokens", "score", "ranks", "reasons", "text"];
    has(&answer["pieces"][0], &keys);
}

#[test]
fn a_trace_has_what_the_inspector_reads() {
    let repository = Repository::new(ONE);
    let answer = repository.json(&["context", "b.py:3", "--trace"]);
    let keys = [
        "version",
        "repository",
        "snapshot",
        "complete",
        "fresh",
        "path",
        "language",
        "line",
        "column",
        "settings",
        "budget",
        "segments",
        "stop",
        "window",
        "query",
        "lists",
        "pieces",
        "dropped",
        "notes",
        "stages",
    ];
    has(&answer, &keys);
    has(&answer["segments"][0], &["source", "text", "tokens"]);
    let keys = ["path", "start_line", "end_line", "score", "ranks", "fused", "fused_score"];
    has(&answer["pieces"][0], &keys);
    has(&answer["pieces"][0], &["reranked", "factors", "reasons", "symbol", "form", "tokens"]);
    has(&answer["dropped"][0], &["path", "fused", "reranked", "code", "why"]);
    let segments = answer["segments"].as_array().unwrap();
    let text: String = segments.iter().filter_map(|it| it["text"].as_str()).collect();
    assert_eq!(text, repository.run(&["context", "b.py:3", "--prompt"]).out);
}

#[test]
fn other_commands_print_one_object() {
    let repository = Repository::new(ONE);
    let keys = [
        "version",
        "root",
        "index",
        "snapshot",
        "files",
        "chunks",
        "parsed",
        "unchanged",
        "index_bytes",
        "elapsed_ms",
    ];
    has(&repository.json(&["index", "--json"]), &keys);
    has(
        &repository.json(&["status", "--json"]),
        &["root", "index", "files", "stale", "languages", "left_out"],
    );
    has(&repository.json(&["map", "--json"]), &["tokens", "budget", "files", "text"]);
    has(
        &repository.json(&["symbols", "alpha", "--json"]),
        &["definitions", "references", "total_references"],
    );
    has(&repository.json(&["config", "--json"]), &["version", "settings"]);
    has(&repository.json(&["doctor", "--json"]), &["ok", "checks", "formats"]);
}

#[test]
fn the_same_question_gives_the_same_bytes_on_any_number_of_threads() {
    let fixture: String = (0..60)
        .map(|n| {
            format!(
                "//- src/f{n}.py\ndef f{n}(value):\n    return g{}(value) + alpha\n",
                (n * 7) % 60
            )
        })
        .collect();
    let prompts: Vec<String> = ["1", "2", "7"]
        .into_iter()
        .map(|threads| {
            let repository = Repository::new(&fixture);
            repository.run(&["context", "src/f3.py:2", "--prompt", "--threads", threads]).out
        })
        .collect();
    assert!(prompts[0].contains("f3"), "{}", prompts[0]);
    assert!(prompts.iter().all(|it| *it == prompts[0]));
}
