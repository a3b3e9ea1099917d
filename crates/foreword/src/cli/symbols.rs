//! `foreword symbols`: where a name is defined and used, or what a file defines.

use std::time::Instant;

use foreword_engine::fuzzy;
use foreword_engine::index::Snapshot;
use serde::Serialize;

use super::args::SymbolsArgs;
use super::config::Settings;
use super::output::{DIM, NAME};
use super::workspace::Opened;
use super::{Outcome, output, usage, workspace};
use crate::answer::symbols::{self, Definition, Use};

/// What `symbols NAME --json` prints (docs/json.md).
#[derive(Serialize)]
struct Answer<'s> {
    version: u32,
    snapshot: &'s str,
    complete: bool,
    name: &'s str,
    definitions: Vec<Definition>,
    references: Vec<Use>,
    /// All uses, shown or not.
    total_references: usize,
    /// Names that are spelt alike, when there is no such name.
    similar: Vec<String>,
    elapsed_ms: f64,
}

#[derive(Serialize)]
struct Outline<'s> {
    version: u32,
    snapshot: &'s str,
    path: &'s str,
    language: Option<&'static str>,
    imports: Vec<String>,
    definitions: Vec<Definition>,
}

pub(super) fn run(args: &SymbolsArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    match (&args.name, &args.file) {
        (Some(name), _) => named(name, args, &workspace::open(settings, None)?, start),
        (None, Some(file)) => outline(file, args, settings),
        (None, None) => Err(usage("give a name, or a file with --file")),
    }
}

fn named(
    name: &str,
    args: &SymbolsArgs,
    opened: &Opened,
    start: Instant,
) -> anyhow::Result<Outcome> {
    let snapshot = &opened.snapshot;
    let definitions = symbols::definitions(snapshot, name, &|_| true);
    let (references, total) =
        symbols::uses(snapshot, symbols::last_part(name), &|_| true, args.limit);
    let nothing = definitions.is_empty() && total == 0;
    let similar = if nothing { fuzzy::similar(snapshot, name, 5) } else { Vec::new() };
    let answer = Answer {
        version: 1,
        snapshot: snapshot.id(),
        complete: snapshot.is_complete(),
        name,
        definitions,
        references,
        total_references: total,
        similar: similar.into_iter().map(|it| it.name).collect(),
        elapsed_ms: start.elapsed().as_secs_f64() * 1e3,
    };
    if args.json {
        output::json(&answer)?
    } else {
        output::text(&people(&answer, snapshot))?
    };
    Ok(if nothing { Outcome::Nothing } else { Outcome::Done })
}

fn people(answer: &Answer<'_>, snapshot: &Snapshot) -> String {
    let mut text = String::new();
    for it in &answer.definitions {
        text.push_str(&format!(
            "{NAME}{}:{}-{}{NAME:#}  {} {}\n    {}\n",
            output::path(&it.path),
            it.start_line,
            it.end_line,
            it.kind,
            output::plain(&it.symbol),
            output::plain(&it.signature)
        ));
    }
    if answer.total_references > 0 {
        text.push_str(&format!("{DIM}used {} times{DIM:#}\n", answer.total_references));
    }
    for it in &answer.references {
        let within = if it.symbol.is_empty() {
            String::new()
        } else {
            format!("  {DIM}in {}{DIM:#}", it.symbol)
        };
        text.push_str(&format!(
            "  {}:{}:{}  {} {}{}\n",
            output::path(&it.path),
            it.line,
            it.column,
            it.kind,
            output::plain(&it.text),
            within
        ));
    }
    if text.is_empty() {
        text = format!(
            "{} is neither defined nor used in {} files\n",
            answer.name,
            snapshot.totals().files
        );
        if !answer.similar.is_empty() {
            text.push_str(&format!("spelt alike: {}\n", answer.similar.join(", ")));
        }
    }
    text
}

fn outline(
    path: &std::path::Path,
    args: &SymbolsArgs,
    settings: &Settings,
) -> anyhow::Result<Outcome> {
    let place = workspace::place_of(settings, path);
    let opened = workspace::open(settings, place.as_deref())?;
    let relative = opened.workspace.relative(path)?;
    let snapshot = &opened.snapshot;
    let Some(file) = snapshot.file(&relative) else {
        return Err(usage(format!(
            "{relative} is not in the index; `foreword status {relative}` says why"
        )));
    };
    let symbols::Outline { language, imports, definitions } = symbols::outline(snapshot, file);
    let outline = Outline {
        version: 1,
        snapshot: snapshot.id(),
        path: &relative,
        language,
        imports,
        definitions,
    };
    if args.json {
        return output::json(&outline);
    }
    let mut shown = format!("{NAME}{}{NAME:#}\n", output::path(&relative));
    for it in &outline.definitions {
        let indent = "  ".repeat(it.depth + 1);
        let signature = output::plain(&it.signature);
        shown.push_str(&format!("{indent}{DIM}{:>5}{DIM:#}  {signature}\n", it.start_line));
    }
    output::text(&shown)
}
