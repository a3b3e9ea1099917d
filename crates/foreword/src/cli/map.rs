//! `foreword map`: the most important definitions of a repository within a budget.

use std::time::{Duration, Instant};

use foreword_engine::fuzzy;
use foreword_engine::index::Snapshot;
use foreword_engine::map::Map;
use foreword_session::answer::map::{self, File};
use foreword_session::answer::symbols;
use foreword_session::usage::usage;
use serde::Serialize;

use super::args::MapArgs;
use super::config::Settings;
use super::workspace::{self, OpenWorkspace};
use super::{Outcome, output};

/// JSON of `map --json` (docs/json.md).
#[derive(Serialize)]
struct MapOutput<'s> {
    version: u32,
    snapshot: &'s str,
    complete: bool,
    tokens: usize,
    budget: usize,
    files_total: usize,
    files_shown: usize,
    definitions_total: usize,
    definitions_shown: usize,
    files: Vec<File>,
    text: &'s str,
    elapsed_ms: f64,
}

pub(super) fn run(args: &MapArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let around = |opened: &OpenWorkspace| {
        let focus = args.focus.iter().map(|it| focus_of(it, settings, opened));
        let mut focus = focus.collect::<anyhow::Result<Vec<String>>>()?;
        focus.retain(|it| !it.is_empty());
        let ranked = || map::around(&opened.snapshot, &focus, args.tokens);
        workspace::with_spinner(settings, "ranking definitions", ranked)
    };
    let (opened, map) = workspace::answer(settings, None, around)?;
    let snapshot = &opened.snapshot;
    let is_empty = map.definitions_shown == 0;
    if args.json {
        output::json(&json(snapshot, &map, args.tokens, start.elapsed()))?;
    } else if is_empty {
        output::text(&format!("nothing to show: {}\n", why_empty(&map)))?;
    } else {
        output::text(&output::plain(&map.text))?;
        if !settings.quiet {
            output::note(&summary(&map, args.tokens));
        }
    }
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

/// The path in the index if `named` is a file or directory (empty for the root), else the name unchanged. Fails if nothing has that name.
fn focus_of(named: &str, settings: &Settings, opened: &OpenWorkspace) -> anyhow::Result<String> {
    let workspace = &opened.workspace;
    let path = workspace::relative(settings, workspace, named);
    let exists = |it: &String| workspace.entry(&workspace.root.join(it)).is_some();
    let path = path.ok().filter(|it| it.is_empty() || exists(it));
    let snapshot = &opened.snapshot;
    if path.is_none() && snapshot.definitions(symbols::last_part(named)).is_empty() {
        let similar = fuzzy::similar(snapshot, named, 5);
        let similar: Vec<String> = similar.into_iter().map(|it| it.name).collect();
        let similar = if similar.is_empty() {
            "`foreword search` finds words".to_owned()
        } else {
            similar.join(", ")
        };
        return Err(usage(format!(
            "map {named}: no file, folder or definition is called so; {similar}"
        )));
    }
    Ok(path.unwrap_or_else(|| named.to_owned()))
}

fn json<'m>(
    snapshot: &'m Snapshot,
    map: &'m Map,
    budget: usize,
    elapsed: Duration,
) -> MapOutput<'m> {
    MapOutput {
        version: 1,
        snapshot: snapshot.id(),
        complete: snapshot.is_complete(),
        tokens: map.tokens,
        budget,
        files_total: map.files_total,
        files_shown: map.files_shown,
        definitions_total: map.definitions_total,
        definitions_shown: map.definitions_shown,
        files: map::files(map),
        text: &map.text,
        elapsed_ms: elapsed.as_secs_f64() * 1e3,
    }
}

fn why_empty(map: &Map) -> &'static str {
    match map.definitions_total {
        0 => "there are no definitions",
        _ => "the budget is too small",
    }
}

fn summary(map: &Map, budget: usize) -> String {
    format!(
        "{} of {} definitions in {} of {} files, {} of {budget} tokens",
        map.definitions_shown, map.definitions_total, map.files_shown, map.files_total, map.tokens,
    )
}
