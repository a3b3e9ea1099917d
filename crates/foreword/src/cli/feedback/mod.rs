//! `foreword feedback`: ratings of earlier answers, kept on this machine.

use std::path::Path;

use anyhow::Context as _;
use foreword_load::Workspace;
use foreword_session::clock::unix_seconds;
use foreword_session::feedback::{
    About, Event, FeedbackStore, Place, ShownAnswer, ShownPiece, Source, Verdict, file_of, store_of,
};
use foreword_session::usage::usage;
use serde::Serialize;

use super::args::{FeedbackAction, FeedbackArgs, VoteArgs};
use super::config::Settings;
use super::output::{DIM, NAME};
use super::position::Position;
use super::workspace::{self, OpenWorkspace};
use super::{Outcome, output};

/// JSON of `feedback list --json` (docs/json.md).
#[derive(Serialize)]
struct ListOutput<'l> {
    version: u32,
    path: String,
    events: &'l [Event],
}

/// A row of `feedback export`.
#[derive(Serialize)]
struct TrainingRow<'r> {
    question: &'r str,
    path: &'r str,
    symbol: &'r str,
    /// 1 for useful, 0 for useless.
    label: u8,
    /// Weight of the rating; 1 for a person's.
    weight: f32,
    source: Source,
    /// The current text of the place.
    text: String,
}

pub(super) fn run(args: &FeedbackArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let workspace = workspace::discover(settings, None)?;
    match &args.action {
        FeedbackAction::Good(it) => vote(it, Verdict::Good, settings, &workspace),
        FeedbackAction::Bad(it) => vote(it, Verdict::Bad, settings, &workspace),
        FeedbackAction::List { json: true } => list_as_json(&workspace),
        FeedbackAction::List { json: false } => list(&workspace),
        FeedbackAction::Clear => clear(&workspace),
        FeedbackAction::Export { file } => export(file, settings, &workspace),
    }
}

/// The feedback file, even if feedback is disabled: kept ratings can always be listed and deleted.
fn feedback_store(workspace: &Workspace) -> anyhow::Result<FeedbackStore> {
    let path =
        file_of(workspace).ok_or_else(|| usage("no data directory: set HOME or XDG_DATA_HOME"))?;
    FeedbackStore::new(path).context("feedback")
}

fn vote(
    args: &VoteArgs,
    verdict: Verdict,
    settings: &Settings,
    workspace: &Workspace,
) -> anyhow::Result<Outcome> {
    let store = store_of(&settings.setup(), workspace).ok_or_else(|| {
        usage("feedback is switched off: set `feedback = \"votes\"` in config.toml (`foreword config` says where it is)")
    })?;
    let answer = match &args.answer {
        Some(file) => Some(read_answer(file)?),
        None => ShownAnswer::last(workspace),
    };
    let opened = workspace::open(settings, None)?;
    let places = match args.places.is_empty() {
        true => cited(answer.as_ref())?,
        false => {
            let place = |it: &String| place(it, answer.as_ref(), settings, &opened);
            args.places.iter().map(place).collect::<anyhow::Result<_>>()?
        }
    };
    let question = args.question.clone().or_else(|| Some(answer.as_ref()?.question.clone()));
    let about = answer.as_ref().map_or(About::Search, |it| it.about);
    let event = |place| Event {
        at: unix_seconds(),
        verdict,
        source: Source::Person,
        about,
        question: question.clone().unwrap_or_default(),
        place,
    };
    let events: Vec<Event> = places.into_iter().map(event).collect();
    store.append(&events).map_err(|error| {
        usage(format!("{error:#}; make it writable, or name another folder in XDG_DATA_HOME"))
    })?;
    let text: String = events.iter().map(line).collect();
    output::text(&text)?;
    Ok(Outcome::Done)
}

fn read_answer(file: &Path) -> anyhow::Result<ShownAnswer> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|error| {
        usage(format!(
            "--answer {name} cannot be read: {error}; name a file with the output of `foreword ask --json` or `search --json`"
        ))
    })?;
    ShownAnswer::parse(&name, &text)
}

/// Places cited by a model's answer.
fn cited(answer: Option<&ShownAnswer>) -> anyhow::Result<Vec<Place>> {
    let none =
        "name the places: numbers of the last answer, as in `foreword feedback good 1 3`, or paths";
    let answer = answer.ok_or_else(|| usage(none))?;
    let piece = |n: &usize| answer.pieces.get(n.checked_sub(1)?);
    let places: Vec<Place> =
        answer.cited.iter().filter_map(piece).map(|it| it.place.clone()).collect();
    if places.is_empty() { Err(usage(none)) } else { Ok(places) }
}

/// Parses a number or id of a piece, or a place in the repository.
fn place(
    text: &str,
    answer: Option<&ShownAnswer>,
    settings: &Settings,
    opened: &OpenWorkspace,
) -> anyhow::Result<Place> {
    let pieces: &[ShownPiece] = answer.map_or(&[], |it| &it.pieces);
    if let Ok(n) = text.trim_matches(['[', ']']).parse::<usize>() {
        let piece = n.checked_sub(1).and_then(|it| pieces.get(it));
        return piece.map(|it| it.place.clone()).ok_or_else(|| {
            usage(format!(
                "{n}: the last answer here has {} pieces; `foreword ask` or `search` gives another",
                pieces.len()
            ))
        });
    }
    if let Some(it) = pieces.iter().find(|it| !it.id.is_empty() && it.id == text) {
        return Ok(it.place.clone());
    }
    let (path, _) = workspace::indexed(settings, opened, text)?;
    let (start_line, end_line) = lines(text);
    let inside = |it: &&ShownPiece| {
        let place = &it.place;
        place.path == path && start_line >= place.start_line && start_line <= place.end_line
    };
    let symbol = pieces.iter().find(inside).map_or(String::new(), |it| it.place.symbol.clone());
    Ok(Place { path, start_line, end_line, symbol })
}

/// The lines of `PATH:FIRST-LAST`; 0 if missing.
fn lines(text: &str) -> (u32, u32) {
    let first = Position::parse(text).ok().and_then(|it| it.line).unwrap_or(0) as u32;
    let last = text.rsplit_once('-').and_then(|it| it.1.parse().ok());
    (first, last.filter(|it| *it >= first && first > 0).unwrap_or(first))
}

fn list_as_json(workspace: &Workspace) -> anyhow::Result<Outcome> {
    let store = feedback_store(workspace)?;
    let (events, path) = (store.read(), store.path().display().to_string());
    output::json(&ListOutput { version: 1, path, events: &events })?;
    Ok(if events.is_empty() { Outcome::Nothing } else { Outcome::Done })
}

fn list(workspace: &Workspace) -> anyhow::Result<Outcome> {
    let events = feedback_store(workspace)?.read();
    if events.is_empty() {
        output::text("no feedback about this repository\n")?;
        return Ok(Outcome::Nothing);
    }
    let text: String = events.iter().map(line).collect();
    output::text(&text)?;
    Ok(Outcome::Done)
}

/// `good  path:lines symbol  "question"`.
fn line(it: &Event) -> String {
    let verdict = if it.verdict == Verdict::Good { "good" } else { "bad " };
    let Place { path, start_line, end_line, symbol } = &it.place;
    let lines = if *start_line == 0 { String::new() } else { format!(":{start_line}-{end_line}") };
    let (symbol, question) = (output::plain(symbol), output::plain(&it.question));
    format!(
        "{verdict} {NAME}{}{lines}{NAME:#}  {symbol}  {DIM}{question}{DIM:#}\n",
        output::path(path)
    )
}

fn clear(workspace: &Workspace) -> anyhow::Result<Outcome> {
    let n = feedback_store(workspace)?.clear()?;
    ShownAnswer::forget(workspace);
    output::text(&format!("{n} deleted\n"))?;
    Ok(Outcome::Done)
}

fn export(file: &Path, settings: &Settings, workspace: &Workspace) -> anyhow::Result<Outcome> {
    let events = feedback_store(workspace)?.read();
    let opened = workspace::open(settings, None)?;
    let mut text = String::new();
    for it in &events {
        let row = TrainingRow {
            question: &it.question,
            path: &it.place.path,
            symbol: &it.place.symbol,
            label: u8::from(it.verdict == Verdict::Good),
            weight: it.source.weight(),
            source: it.source,
            text: text_of(&opened, &it.place),
        };
        text.push_str(&serde_json::to_string(&row)?);
        text.push('\n');
    }
    if file == Path::new("-") {
        output::text(&text)?;
    } else {
        std::fs::write(file, &text)
            .map_err(|error| usage(format!("{} cannot be written: {error}", file.display())))?;
        output::note(&format!("{} rows", events.len()));
    }
    Ok(Outcome::Done)
}

/// The current lines of a place; empty if the file is gone.
fn text_of(opened: &OpenWorkspace, place: &Place) -> String {
    let Some(file) = opened.snapshot.file(&place.path) else { return String::new() };
    let text = opened.snapshot.text(file);
    let first = place.start_line.max(1) as usize;
    let last = if place.end_line == 0 { usize::MAX } else { place.end_line as usize };
    let lines = text.lines().skip(first - 1).take(last.saturating_sub(first - 1));
    lines.collect::<Vec<_>>().join("\n")
}
