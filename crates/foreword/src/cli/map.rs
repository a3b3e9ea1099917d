//! `foreword map`: the most important definitions of a repository within a budget.

use std::time::Instant;

use foreword_engine::fuzzy;
use foreword_engine::map::Map;
use foreword_session::answer::map;
use foreword_session::answer::symbols;
use foreword_session::usage::usage;

use super::args::MapArgs;
use super::config::Settings;
use super::workspace::{self, OpenWorkspace};
use super::{Outcome, output};
use crate::many::outputs::MapOutput;

pub(super) fn run(args: &MapArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let around = |opened: &OpenWorkspace| {
        let focus = args.focus.iter().map(|it| focus_of(it, settings, opened));
        let mut focus = focus.collect::<anyhow::Result<Vec<String>>>()?;
        focus.retain(|it| !it.is_empty());
        let ranked = || map::around(&opened.snapshot, &focus, args.tokens);
        workspace::with_spinner(settings, "ranking definitions", ranked)
    };
    let (opened, map) = workspace::answer_at(settings, &args.on, None, around)?;
    let is_empty = map.definitions_shown == 0;
    if args.json {
        output::json(&MapOutput::new(&opened.snapshot, &map, args.tokens, start))?;
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
    let (workspace, snapshot) = (&opened.workspace, &opened.snapshot);
    let path = workspace::path_in(settings, opened, named);
    let is_pushed = |it: &str| {
        snapshot.file(it).is_some() || snapshot.files_under(&format!("{it}/")).next().is_some()
    };
    let exists = |it: &String| match opened.pushed {
        Some(_) => is_pushed(it),
        None => workspace.entry(&workspace.root.join(it)).is_some(),
    };
    let path = path.ok().filter(|it| it.is_empty() || exists(it));
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
