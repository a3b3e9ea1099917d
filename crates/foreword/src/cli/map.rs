//! `foreword map`: the most important definitions of a repository within a budget.

use std::time::Instant;

use serde::Serialize;

use super::args::MapArgs;
use super::config::Settings;
use super::{Outcome, output, workspace};
use crate::answer::map::{self, File};

/// What `map --json` prints (docs/json.md).
#[derive(Serialize)]
struct Answer<'s> {
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
    let opened = workspace::open(settings, None)?;
    let snapshot = &opened.snapshot;
    let map = map::around(snapshot, &args.focus, args.tokens)?;
    let empty = map.definitions_shown == 0;
    if args.json {
        output::json(&Answer {
            version: 1,
            snapshot: snapshot.id(),
            complete: snapshot.is_complete(),
            tokens: map.tokens,
            budget: args.tokens,
            files_total: map.files_total,
            files_shown: map.files_shown,
            definitions_total: map.definitions_total,
            definitions_shown: map.definitions_shown,
            files: map::files(&map),
            text: &map.text,
            elapsed_ms: start.elapsed().as_secs_f64() * 1e3,
        })?;
    } else if empty {
        let why = if map.definitions_total == 0 {
            "there are no definitions"
        } else {
            "the budget is too small"
        };
        output::text(&format!("nothing to show: {why}\n"))?;
    } else {
        output::text(&output::plain(&map.text))?;
        if !settings.quiet {
            output::note(&format!(
                "{} of {} definitions in {} of {} files, {} of {} tokens",
                map.definitions_shown,
                map.definitions_total,
                map.files_shown,
                map.files_total,
                map.tokens,
                args.tokens
            ));
        }
    }
    Ok(if empty { Outcome::Nothing } else { Outcome::Done })
}
