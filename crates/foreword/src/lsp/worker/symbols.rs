//! `workspace/symbol`: definitions with exactly this name, then search results.

use std::collections::BTreeSet;
use std::path::Path;

use foreword_engine::index::Snapshot;
use foreword_session::answer::search::{Question, ranked};
use foreword_session::answer::symbols::{self, Definition};
use foreword_session::custom::Adjustments;
use foreword_session::filter::Filter;
use foreword_session::host::{Repository, View};
use serde_json::{Value, json};

use crate::lsp::workspaces::Workspaces;

/// Maximum symbols from a repository.
const MAX_SYMBOLS: usize = 50;

pub(super) fn find(workspaces: &Workspaces, query: &str) -> Value {
    let folders = workspaces.folders();
    let repositories = folders.iter().filter_map(|it| workspaces.of_folder(it));
    repositories.flat_map(|it| in_repository(&it, query)).collect::<Vec<Value>>().into()
}

fn in_repository(repository: &Repository, query: &str) -> Vec<Value> {
    let symbols = |view: &View| Ok(of_snapshot(repository, &view.snapshot, query));
    let seeded = repository.seeded(&symbols);
    seeded.map_or_else(|| symbols(&repository.view(None)?), Ok).unwrap_or_default()
}

fn of_snapshot(repository: &Repository, snapshot: &Snapshot, query: &str) -> Vec<Value> {
    let mut definitions = symbols::definitions(snapshot, query, &|_| true).found;
    let question = Question {
        query,
        limit: MAX_SYMBOLS,
        tokens: None,
        meanings: None,
        adjustments: &Adjustments::default(),
    };
    let mut looked_up = BTreeSet::new();
    if let Ok(answer) = ranked(snapshot, &question, &Filter::default()) {
        for it in answer.results.into_iter().filter(|it| !it.symbol.is_empty()) {
            let name = it.symbol.rsplit('.').next().unwrap_or_default().to_owned();
            // A generated file has thousands of definitions of one name.
            if !looked_up.insert((it.path.clone(), name.clone())) {
                continue;
            }
            let in_file =
                symbols::definitions(snapshot, &name, &|file| snapshot.path(file) == it.path);
            definitions.extend(in_file.found);
        }
    }
    let mut seen = BTreeSet::new();
    definitions.retain(|it| seen.insert((it.path.clone(), it.start_line, it.symbol.clone())));
    let root = &repository.workspace().root;
    definitions.iter().take(MAX_SYMBOLS).map(|it| symbol(it, root)).collect()
}

fn symbol(it: &Definition, root: &Path) -> Value {
    let (container, name) = it.symbol.rsplit_once('.').unwrap_or(("", &it.symbol));
    let at = |line: u32| json!({ "line": line - 1, "character": 0 });
    json!({
        "name": name,
        "kind": kind(it.kind.name()),
        "containerName": container,
        "location": {
            "uri": foreword_session::uri::of_path(&root.join(&it.path)),
            "range": { "start": at(it.start_line), "end": at(it.end_line) },
        },
    })
}

/// The protocol's number of a symbol kind.
fn kind(kind: &str) -> u32 {
    match kind {
        "module" => 2,
        "class" | "implementation" => 5,
        "method" => 6,
        "field" => 8,
        "constructor" => 9,
        "enum" => 10,
        "interface" => 11,
        "constant" => 14,
        "section" => 15,
        "type" => 23,
        _ => 12,
    }
}
