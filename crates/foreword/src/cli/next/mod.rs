//! `foreword next`: likely next edits, from changes since the last commit.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use foreword_engine::compose::edit::EditFormat;
use foreword_engine::index::Snapshot;
use foreword_engine::next::ProposedEdit;
use foreword_load::Workspace;
use foreword_model::wait;
use foreword_session::answer::next::{
    LikelyPlace, LikelyPlaces, ModelReport, NextOutput, PlaceQuery, apply, edit_prompt, likely,
    patch,
};
use foreword_session::host::PastChanges;
use foreword_session::usage::usage;

use super::args::NextArgs;
use super::config::Settings;
use super::position::Position;
use super::workspace::{self, OpenWorkspace};
use super::{Outcome, output};

/// The repository, of whose snapshot a model's question has a part.
struct Repository {
    workspace: Workspace,
    past: PastChanges,
    snapshot: Arc<Snapshot>,
}

impl From<OpenWorkspace> for Repository {
    fn from(it: OpenWorkspace) -> Self {
        let past = PastChanges::new(it.store.workspace_dir());
        Self { workspace: it.workspace, past, snapshot: Arc::new(it.snapshot) }
    }
}

impl Repository {
    fn likely(&self, wanted: &PlaceQuery<'_>) -> LikelyPlaces {
        likely(&self.snapshot, &self.workspace, &self.past, wanted)
    }
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
        written: &[],
        least: Some(args.least.map_or(0.0, |it| it as f32)),
    };
    let opened = Repository::from(opened);
    if let Some(name) = &args.format {
        return prompt(&opened, name, (args, &wanted));
    }
    let mut found = opened.likely(&wanted);
    let report = ask_model(args, settings, &opened, &mut found)?;
    if let Some(n) = args.apply {
        return write(&opened, &found, n);
    }
    if args.diff {
        return diff(&opened, &found);
    }
    let is_empty = found.places.is_empty();
    if args.json {
        output::json(&NextOutput::new(&opened.snapshot, found, report, start))?;
    } else {
        found.note.iter().for_each(|it| output::note(&output::plain(it)));
        output::text(&text(&opened.workspace, &found))?;
    }
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

/// Adds the edit of the configured model, if there is one; with `--apply` only at the place that is meant.
fn ask_model(
    args: &NextArgs,
    settings: &Settings,
    opened: &Repository,
    found: &mut LikelyPlaces,
) -> anyhow::Result<Option<ModelReport>> {
    let Some(model) = settings.edit_model()? else { return Ok(None) };
    let only = args.apply.map(|it| it.wrapping_sub(1));
    let report = wait(model.add_edit(&opened.snapshot, found, only));
    if let Some(sentence) = report.as_ref().and_then(ModelReport::sentence).filter(|_| !args.json) {
        output::note(&output::plain(&sentence));
    }
    Ok(report)
}

/// Prints the edits of all places as one patch.
fn diff(opened: &Repository, found: &LikelyPlaces) -> anyhow::Result<Outcome> {
    let mut by_file: BTreeMap<&str, Vec<ProposedEdit>> = BTreeMap::new();
    for place in found.places.iter().filter(|it| !it.edits.is_empty()) {
        let edits = place.edits.iter().map(|it| it.edit.clone());
        by_file.entry(&place.path).or_default().extend(edits);
    }
    let (root, snapshot) = (&opened.workspace.root, &opened.snapshot);
    let mut res = String::new();
    for (path, edits) in &by_file {
        res.push_str(&patch(root, snapshot, (path, edits))?);
    }
    if res.is_empty() {
        return Ok(without_edits());
    }
    output::bytes(res.as_bytes())
}

fn without_edits() -> Outcome {
    output::note("no edit follows from the uncommitted changes");
    Outcome::Nothing
}

/// Writes the edits of one place into its file.
fn write(opened: &Repository, found: &LikelyPlaces, n: usize) -> anyhow::Result<Outcome> {
    let place = n.checked_sub(1).and_then(|it| found.places.get(it));
    let Some(place) = place.filter(|it| !it.edits.is_empty()) else {
        let numbers = found.places.iter().enumerate().filter(|it| !it.1.edits.is_empty());
        let numbers: Vec<String> = numbers.map(|it| (it.0 + 1).to_string()).collect();
        if numbers.is_empty() {
            return Ok(without_edits());
        }
        return Err(usage(format!("--apply {n}: places with edits are {}", numbers.join(", "))));
    };
    let edits: Vec<ProposedEdit> = place.edits.iter().map(|it| it.edit.clone()).collect();
    apply(&opened.workspace.root, &opened.snapshot, (&place.path, &edits))?;
    let lines: Vec<String> = place.edits.iter().map(|it| it.start_line.to_string()).collect();
    output::text(&format!("{}: wrote line {}\n", output::path(&place.path), lines.join(", ")))
}

/// Prints the prompt for a next-edit model at the position, or at the likeliest place.
fn prompt(
    opened: &Repository,
    name: &str,
    (args, wanted): (&NextArgs, &PlaceQuery<'_>),
) -> anyhow::Result<Outcome> {
    let Some(format) = EditFormat::named(name) else {
        let known: Vec<&str> = EditFormat::ALL.iter().map(|it| it.name).collect();
        return Err(usage(format!("--format {name}: there are {}", known.join(", "))));
    };
    let snapshot = &opened.snapshot;
    let place = match wanted.cursor {
        Some((path, line)) => Some((path.to_owned(), line)),
        None => opened.likely(wanted).places.into_iter().next().map(|it| (it.path, it.start_line)),
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
    let (path, known) = workspace::indexed(settings, opened, &file)?;
    let (line, lines) = (position.line.unwrap_or(1), opened.snapshot.size(known).1.max(1));
    // After the last line break one more line begins.
    match u32::try_from(line).ok().filter(|it| *it <= lines + 1) {
        Some(line) => Ok((path, line)),
        None => Err(usage(format!("{path}:{line}: the file has {lines} lines"))),
    }
}

fn text(workspace: &Workspace, found: &LikelyPlaces) -> String {
    if found.places.is_empty() {
        return match (found.has_commit, found.edits) {
            (false, _) if workspace.git.is_none() => "no git here, so the changes are not known; pass FILE:LINE to start from a position\n",
            (false, _) => "no commit here yet, so the changes are not known; pass FILE:LINE to start from a position\n",
            (true, 0) if found.note.is_some() => "the changes are not known; pass FILE:LINE to start from a position\n",
            (true, 0) => "no uncommitted changes; pass FILE:LINE to start from a position\n",
            _ => "no likely place: none follows from the uncommitted changes\n",
        }
        .to_owned();
    }
    let dim = output::DIM;
    let mut res = String::new();
    for (at, it) in found.places.iter().enumerate() {
        if it.guess && (at == 0 || !found.places[at - 1].guess) {
            res.push_str(&format!("{dim}--- guesses ---{dim:#}\n"));
        }
        res.push_str(&place(it, at + 1));
    }
    res
}

fn place(it: &LikelyPlace, n: usize) -> String {
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
    for edit in &it.edits {
        let text = output::plain(edit.text.trim());
        res.push_str(&format!("    --apply {n}, line {}: {text}\n", edit.start_line));
    }
    res
}
