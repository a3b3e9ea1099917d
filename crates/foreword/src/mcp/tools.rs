//! The tools: what a client is told of them, and the way from a call to an answer.

use std::sync::Arc;
use std::time::Duration;

use foreword_engine::index::FileId;
use foreword_model::TokenCounter;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::arguments::{self, Overview};
use super::home::Home;
use super::page::{Answer, Item, Page};
use super::{context, search, symbols};
use crate::answer;
use crate::host::{Indexing, Repository, View};
use crate::usage::usage;

/// No call waits longer, whatever it asks for.
const MOST_PATIENCE: Duration = Duration::from_mins(2);

/// What a client is told before it calls anything.
pub(super) const INSTRUCTIONS: &str = "\
foreword knows this repository: every definition, use and word in it, re-checked against the disk before every answer, \
so edits made a moment ago are found. Prefer it to grep, find and reading files one by one:\n\
- `search` finds code by a question in plain words, by a name, or (mode \"exact\" or \"regex\") by a pattern. One focused \
query usually replaces several greps. Ignored, binary and generated files are never in it.\n\
- `symbols` says where a name is defined and everywhere it is used, or outlines one file. Use it before changing or \
renaming anything.\n\
- `context` gathers what one should read before editing: for a file and line, or for a task in words.\n\
- `map` shows what an unknown repository consists of.\n\
Answers keep a budget (`tokens`) and say `path:start-end`; read a file itself when you need more of it. The last line \
says how fresh and complete the answer is. Use grep only for files that are not source (logs, ignored or binary files).";

/// What a call is answered with.
pub(super) struct Call<'c> {
    pub(super) repository: &'c Repository,
    pub(super) view: &'c View,
    pub(super) counter: TokenCounter,
}

impl Call<'_> {
    /// What is missing in the answer, if anything is.
    pub(super) fn caveat(&self) -> Option<String> {
        let trouble = self.view.trouble.clone();
        if self.view.is_complete() {
            return trouble.map(|it| format!("({it})"));
        }
        let files = self.view.snapshot.totals().files;
        let progress = match self.view.indexing {
            Some(Indexing { done, total }) if total > 0 => {
                format!(" ({done} of {total} files done)")
            }
            _ => String::new(),
        };
        let why =
            trouble.unwrap_or_else(|| "ask again in a moment, or pass a larger wait_ms".to_owned());
        Some(format!(
            "INCOMPLETE: indexing goes on{progress}; this speaks of {files} files only. {why}"
        ))
    }

    /// A file of the snapshot, by the path that an agent names it with.
    pub(super) fn file(&self, path: &str) -> anyhow::Result<(String, FileId)> {
        let workspace = self.repository.workspace();
        let named = crate::uri::path_of(path).unwrap_or_else(|| path.into());
        let relative = workspace.relative(&workspace.root.join(named))?;
        match self.view.snapshot.file(&relative) {
            Some(file) => Ok((relative, file)),
            None => Err(usage(format!(
                "{relative} is not in the index: it does not exist, is ignored, or is no source file"
            ))),
        }
    }

    /// The fields that say what an answer is worth.
    pub(super) fn describe(&self, fields: &mut Map<String, Value>) {
        let view = self.view;
        let indexing = view.indexing.map(|it| json!({ "done": it.done, "total": it.total }));
        let described = json!({
            "repository": self.repository.workspace().root.display().to_string(),
            "snapshot": view.snapshot.id(),
            "fresh": view.fresh,
            "complete": view.is_complete(),
            "files": view.snapshot.totals().files,
            "indexing": indexing,
        });
        if let Value::Object(described) = described {
            fields.extend(described);
        }
    }
}

/// A call whose arguments make sense.
enum Ask {
    Search(arguments::Search),
    Context(arguments::Context),
    Symbols(arguments::Symbols),
    Map(Overview),
}

impl Ask {
    fn read(name: &str, arguments: Map<String, Value>) -> anyhow::Result<Self> {
        Ok(match name {
            "search" => Self::Search(arguments::read(name, arguments)?),
            "context" => Self::Context(arguments::read(name, arguments)?),
            "symbols" => Self::Symbols(arguments::read(name, arguments)?),
            _ => Self::Map(arguments::read(name, arguments)?),
        })
    }
}

/// Whether there is such a tool.
pub(super) fn is_known(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The names of the tools.
pub(super) const NAMES: [&str; 4] = ["search", "context", "symbols", "map"];

/// Answers a call of a tool that is known. `watch` is told how far indexing is while the call waits for it.
pub(super) fn call(
    home: &Home,
    name: &str,
    mut arguments: Map<String, Value>,
    watch: &mut dyn FnMut(Indexing),
) -> anyhow::Result<Answer> {
    let common = arguments::common(&mut arguments)?;
    let ask = Ask::read(name, arguments)?;
    let repository = home.repository(common.repository.as_deref())?;
    let patience = common.wait_ms.map(|it| Duration::from_millis(it).min(MOST_PATIENCE));
    let view = repository.view_with(patience, watch)?;
    let call = Call { repository: &repository, view: &view, counter: answer::tokens::general()? };
    match ask {
        Ask::Search(it) => search::answer(&call, &it),
        Ask::Context(it) => context::answer(&call, &it),
        Ask::Symbols(it) => symbols::answer(&call, &it),
        Ask::Map(it) => map(&call, &it),
    }
}

/// `map`: the page is one text.
fn map(call: &Call<'_>, ask: &Overview) -> anyhow::Result<Answer> {
    let budget = arguments::budget(ask.tokens, 1500);
    // The rest is for the footer, and for what JSON escapes.
    let tokens = budget.saturating_sub(150) * 4 / 5;
    let map = answer::map::of(call.repository, &call.view.snapshot, &ask.focus, tokens)?;
    let (shown, all) = (map.definitions_shown, map.definitions_total);
    let mut page = Page::whole(Vec::new());
    page.note = Some(match (shown, all) {
        (_, 0) => "nothing to show: there are no definitions here".to_owned(),
        (0, _) => "nothing to show: the budget is too small".to_owned(),
        _ => format!(
            "{shown} of {all} definitions, in {} of {} files, the most referred-to first",
            map.files_shown, map.files_total
        ),
    });
    if shown > 0 {
        let row = json!({ "map": map.text });
        page.items.push(Item { head: map.text.clone(), body: String::new(), row });
    }
    page.total = None;
    Ok(page.answer(call, budget))
}

/// The tools as a client sees them, always in this order.
pub(super) fn list(home: &Home) -> Vec<Tool> {
    let tool = |name, title, description, properties: &Value, required: &[&str]| {
        tool(home, name, title, description, properties, required)
    };
    vec![
        tool(
            "search",
            "Search code",
            "Find code in the repository: give a question in plain words (\"where are sessions expired\"), a few words, the name of a symbol, or, with mode \"exact\" or \"regex\", a pattern. Returns ranked `path:start-end kind symbol` with short excerpts, best first, within a token budget. One call replaces several greps; results are whole functions and classes, not lines, and edits made a moment ago are found. Use `symbols` instead to list every use of a name.",
            &json!({
                "query": { "type": "string", "description": "A question, words, a symbol's name, or a pattern (see mode)." },
                "mode": { "type": "string", "enum": ["auto", "symbol", "exact", "regex"], "default": "auto", "description": "auto: ranked by meaning of words and names. symbol: definitions of exactly this name. exact: lines with this text as it stands. regex: lines that match (Rust syntax; \\n allowed)." },
                "path": list_of("Only files below these paths, relative to the root, e.g. [\"src/net\"]."),
                "lang": list_of("Only these languages, e.g. [\"rust\", \"python\"]."),
                "kind": list_of("Only definitions of these kinds: module class interface enum implementation function method constructor field constant type macro section."),
                "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "Most results." },
                "lines": { "type": "integer", "minimum": 0, "maximum": 200, "default": 12, "description": "Lines of each excerpt; 0 for places only. Patterns show the matching line, and lines around it when this is given." },
                "tokens": tokens(2000),
                "cursor": cursor(),
            }),
            &["query"],
        ),
        tool(
            "context",
            "Gather context",
            "Gather what to read before an edit, in one call: for a file and line, or for a task described in words. Returns the code itself, then the definitions it uses, its callers, its tests, and related code, each as `path:start-end`, within a token budget. Use it at the start of a change; use `search` to look for one thing.",
            &json!({
                "task": { "type": "string", "description": "What is to be done, in words (\"add a timeout to the HTTP client\"). Give this, or file and line, or both: then what the task needs at that place." },
                "file": { "type": "string", "description": "A file, relative to the root or absolute." },
                "line": { "type": "integer", "minimum": 1, "description": "The line of interest in file, from 1 [default: the whole file]." },
                "tokens": tokens(4000),
            }),
            &[],
        ),
        tool(
            "symbols",
            "Definitions, uses, outlines",
            "With name: every definition and every use of a symbol, each use with its line and the function it is in. Complete, not ranked: use it before renaming or changing a signature. With file: an outline of that file, its imports and definitions with line ranges, which is cheaper than reading it.",
            &json!({
                "name": { "type": "string", "description": "A symbol: `parse`, `Parser.parse` or `parser::parse`. Give this, or file." },
                "file": { "type": "string", "description": "A file to outline, relative to the root or absolute." },
                "path": list_of("With name: only definitions and uses below these paths."),
                "tokens": tokens(2000),
                "cursor": cursor(),
            }),
            &[],
        ),
        tool(
            "map",
            "Map of the repository",
            "An overview of the repository within a token budget: its most referred-to files with the signatures of their main definitions. Use it first in a repository you do not know, or with focus for one part of it.",
            &json!({
                "focus": list_of("Paths or names that matter now; the map begins there."),
                "tokens": tokens(1500),
            }),
            &[],
        ),
    ]
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

fn tool(
    home: &Home,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    properties: &Value,
    required: &[&str],
) -> Tool {
    let mut properties = properties.clone();
    properties["repository"] = json!({ "type": "string", "description": home.describe() });
    properties["wait_ms"] = json!({ "type": "integer", "minimum": 0, "maximum": MOST_PATIENCE.as_millis() as u64, "description": "How long to wait for indexing before answering from what is indexed [default: 5000; 50 on the first indexing]." });
    let input = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    let hints = ToolAnnotations::new()
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    Tool::new(name, description, object(input))
        .with_title(title)
        .with_raw_output_schema(Arc::new(object(output())))
        .with_annotations(hints)
}

/// What all tools answer.
fn output() -> Value {
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
            "complete": { "type": "boolean", "description": "Whether the answer speaks for the whole repository." },
            "files": { "type": "integer", "description": "How many files were considered." },
            "indexing": { "type": "object", "description": "How far indexing is, while it goes on." },
        },
        "required": ["results", "repository", "snapshot", "fresh", "complete", "files"],
    })
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
