//! `foreword next`: likely next edits, from changes since the last commit.

use std::time::Instant;

use foreword_engine::compose::edit::EditFormat;
use foreword_session::answer::next::{LikelyPlace, LikelyPlaces, PlaceQuery, edit_prompt, likely};
use foreword_session::usage::usage;
use serde::Serialize;

use super::args::NextArgs;
use super::config::Settings;
use super::position::Position;
use super::workspace::{self, OpenWorkspace};
use super::{Outcome, output};

/// JSON of `next --json` (docs/json.md).
#[derive(Serialize)]
struct NextOutput<'s> {
    version: u32,
    snapshot: &'s str,
    complete: bool,
    edits: usize,
    places: Vec<LikelyPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    elapsed_ms: f64,
}

pub(super) fn run(args: &NextArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if settings.revision.is_some() {
        return Err(usage("--rev: next edits follow from the files on disk; remove this option"));
    }
    let start = Instant::now();
    let position = args.position.as_deref().map(Position::parse).transpose()?;
    let directory = position.as_ref().and_then(|it| workspace::directory_of(settings, &it.file));
    let mut opened = workspace::open(settings, directory.as_deref())?;
    opened.add_diff();
    let cursor = position.map(|it| cursor(settings, &opened, &it)).transpose()?;
    let wanted = PlaceQuery {
        cursor: cursor.as_ref().map(|(path, line)| (&**path, *line)),
        limit: args.limit,
        least: args.least.map(|it| it as f32),
    };
    if let Some(name) = &args.format {
        return prompt(&opened, name, (args, &wanted));
    }
    let index_dir = opened.store.workspace_dir();
    let found = likely(&opened.snapshot, &opened.workspace, index_dir, &wanted);
    let is_empty = found.places.is_empty();
    if args.json {
        let LikelyPlaces { edits, places, note } = found;
        let elapsed_ms = start.elapsed().as_secs_f64() * 1e3;
        let (snapshot, complete) = (opened.snapshot.id(), opened.snapshot.is_complete());
        output::json(&NextOutput {
            version: 1,
            snapshot,
            complete,
            edits,
            places,
            note,
            elapsed_ms,
        })?;
    } else {
        found.note.iter().for_each(|it| output::note(&output::plain(it)));
        output::text(&text(&found))?;
    }
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

/// Prints the prompt for a next-edit model at the position, or at the likeliest place.
fn prompt(
    opened: &OpenWorkspace,
    name: &str,
    (args, wanted): (&NextArgs, &PlaceQuery<'_>),
) -> anyhow::Result<Outcome> {
    let Some(format) = EditFormat::named(name) else {
        let known: Vec<&str> = EditFormat::ALL.iter().map(|it| it.name).collect();
        return Err(usage(format!("--format {name}: there are {}", known.join(", "))));
    };
    let snapshot = &opened.snapshot;
    let index_dir = opened.store.workspace_dir();
    let place = match wanted.cursor {
        Some((path, line)) => Some((path.to_owned(), line)),
        None => likely(snapshot, &opened.workspace, index_dir, wanted)
            .places
            .into_iter()
            .next()
            .map(|it| (it.path, it.start_line)),
    };
    let Some((path, line)) = place else {
        return Err(usage("--format: no place is likely; give FILE:LINE"));
    };
    let text = snapshot.file(&path).map(|it| snapshot.text(it)).unwrap_or_default();
    let column =
        args.position.as_deref().map(Position::parse).transpose()?.and_then(|it| it.column);
    let position = Position { file: path.clone().into(), line: Some(line as usize), column };
    let offset = position.offset(&text)?;
    let prompt = edit_prompt(snapshot, (&path, offset), format)?;
    output::bytes(prompt.text.as_bytes())
}

/// The path in the index, and the line.
fn cursor(
    settings: &Settings,
    opened: &OpenWorkspace,
    position: &Position,
) -> anyhow::Result<(String, u32)> {
    let file = position.file.to_string_lossy();
    let path = workspace::relative(settings, &opened.workspace, &file)?;
    let Some(known) = opened.snapshot.file(&path) else {
        let file = workspace::locate(settings, &opened.workspace, &position.file);
        settings.setup().admit_file(Some(&opened.workspace), &file)?;
        return Err(usage(format!(
            "{path} is not in the index: it does not exist, is ignored, or is not a source file"
        )));
    };
    let (line, lines) = (position.line.unwrap_or(1), opened.snapshot.size(known).1.max(1));
    match u32::try_from(line).ok().filter(|it| *it <= lines) {
        Some(line) => Ok((path, line)),
        None => Err(usage(format!("{path}:{line}: the file has {lines} lines"))),
    }
}

fn text(found: &LikelyPlaces) -> String {
    if found.places.is_empty() {
        return match found.edits {
            0 => "no uncommitted changes; pass FILE:LINE to start from a position\n".to_owned(),
            _ => "no likely place: none follows from the uncommitted changes\n".to_owned(),
        };
    }
    found.places.iter().map(place).collect()
}

fn place(it: &LikelyPlace) -> String {
    let (path, name, dim) = (output::path(&it.path), output::NAME, output::DIM);
    let symbol = match it.symbol.is_empty() {
        true => String::new(),
        false => format!("  {} {}", it.kind, output::plain(&it.symbol)),
    };
    let percent = (it.confidence * 100.0).round();
    let mut res = format!(
        "{name}{path}:{}-{}{name:#}{symbol}  {dim}{percent} %{dim:#}\n    {}\n",
        it.start_line,
        it.end_line,
        output::plain(&it.text)
    );
    for reason in &it.reasons {
        res.push_str(&format!("    {dim}{}{dim:#}\n", output::plain(&reason.text)));
    }
    res
}
