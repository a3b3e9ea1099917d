//! `foreword symbols`: definitions and uses of a name, or the outline of a file.

mod cluster;

use std::time::Instant;

use foreword_engine::fuzzy;
use foreword_engine::retrieve::Certainty;
use foreword_session::answer::symbols::{self, Definition, Use, WithoutTree};
use foreword_session::usage::check_length;

use super::args::SymbolsArgs;
use super::config::Settings;
use super::output::{DIM, NAME};
use super::position::Position;
use super::{Outcome, output, usage, workspace};
use crate::many::named::NameOutput;
use crate::many::outputs::{OutlineOutput, PlaceOutput, PlacesOutput};

pub(super) fn run(args: &SymbolsArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    if !args.at.is_empty() {
        return at(args, settings, start);
    }
    match (&args.name, &args.file) {
        (Some(name), _) if args.on.cluster.is_some() => cluster::run(name, args, settings),
        (Some(name), _) => look_up(name, args, settings, start),
        (None, Some(file)) => outline(file, args, settings),
        (None, None) => Err(usage("give a name, or a file with --file")),
    }
}

/// The definitions of the names at places.
fn at(args: &SymbolsArgs, settings: &Settings, start: Instant) -> anyhow::Result<Outcome> {
    let parse = |it: &String| Position::parse(it);
    let positions = args.at.iter().map(parse).collect::<anyhow::Result<Vec<_>>>()?;
    let directory = workspace::directory_of(settings, &positions[0].file);
    let directory = directory.as_deref();
    let (opened, places) = workspace::answer_at(settings, &args.on, directory, |opened| {
        let snapshot = &opened.snapshot;
        let place = |(at, position): (&'_ String, &Position)| {
            let file = position.file.to_string_lossy();
            let (_, id) = workspace::file_in(settings, opened, &file)?;
            let byte = position.offset(&snapshot.text(id))?;
            Ok((at.clone(), symbols::at(snapshot, id, byte)))
        };
        // All of them ask for what is missing, before one of them is refused.
        let places: Vec<_> = args.at.iter().zip(&positions).map(place).collect();
        places.into_iter().collect::<anyhow::Result<Vec<_>>>()
    })?;
    let is_empty =
        places.iter().all(|it| it.1.definitions.is_empty() && it.1.references.is_empty());
    let places = places.iter().map(|it| (it.0.as_str(), &it.1));
    let answer = PlacesOutput::new(&opened.snapshot, places, start);
    match args.json {
        true => output::json(&answer)?,
        false => output::text(&answer.places.iter().map(place_text).collect::<String>())?,
    };
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

fn place_text(it: &PlaceOutput<'_>) -> String {
    let name = match it.found.name.as_str() {
        "" => "no name".to_owned(),
        name => output::plain(name),
    };
    let known = match (it.found.definitions.is_empty(), it.found.sure) {
        (true, _) => ": no definition is known",
        (false, true) => "",
        (false, false) => ": possible definitions (nothing identifies one)",
    };
    let uses = &it.found.references;
    let known = if uses.is_empty() { known } else { "" };
    let definitions = it.found.definitions.iter().filter(|_| it.found.sure || uses.is_empty());
    let mut text: String = definitions.map(definition).collect();
    if !uses.is_empty() {
        text.push_str(&format!("{DIM}used {} times{DIM:#}\n", uses.len()));
    }
    text.extend(uses.iter().map(reference));
    format!("{DIM}{}{DIM:#}  {name}{known}\n{text}", output::plain(it.at))
}

fn look_up(
    name: &str,
    args: &SymbolsArgs,
    settings: &Settings,
    start: Instant,
) -> anyhow::Result<Outcome> {
    check_length("the name", name)?;
    let (opened, found) = workspace::answer(settings, None, |opened| {
        let snapshot = &opened.snapshot;
        let named = symbols::definitions(snapshot, name, &|_| true);
        let mut notes: Vec<String> = named.note(name).into_iter().collect();
        let (definitions, last) = (named.found, symbols::last_part(name));
        let uses = symbols::uses(snapshot, last, &definitions, &|_| true, args.limit);
        if definitions.is_empty() {
            notes.extend(WithoutTree::of(snapshot).note());
            notes.extend(symbols::unseen(snapshot, name, uses.total()));
        }
        let is_empty = definitions.is_empty() && uses.total() == 0;
        let similar = if is_empty { fuzzy::similar(snapshot, name, 5) } else { Vec::new() };
        let similar = similar.into_iter().map(|it| it.name).collect();
        Ok((definitions, uses, notes, similar))
    })?;
    let snapshot = &opened.snapshot;
    let answer = NameOutput::new(snapshot, name, found, start);
    let is_empty = answer.is_empty();
    let path = workspace::relative(settings, &opened.workspace, name);
    // `src/lib.rs` is a file, even where some heading or key is called `rs`.
    let is_doubtful = is_empty || !answer.notes.is_empty();
    if is_doubtful && path.is_ok_and(|it| snapshot.file(&it).is_some()) {
        return outline(name, args, settings);
    }
    match args.json {
        true => output::json(&answer)?,
        false => output::text(&text(&answer, snapshot.totals().files))?,
    };
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

/// The answer in words; `files` is the number of files that were looked at.
fn text(it: &NameOutput, files: u32) -> String {
    if it.is_empty() {
        return nothing_found(it, files);
    }
    let mut text: String = it.notes.iter().map(|it| note(it)).collect();
    text.extend(it.definitions.iter().map(definition));
    if !it.implementations.is_empty() {
        let n = it.implementations.len();
        text.push_str(&format!("{DIM}implemented or overridden {n} times{DIM:#}\n"));
    }
    text.extend(it.implementations.iter().map(definition));
    if let Some(precise) = &it.precise {
        text.push_str(&note(&precise.note(it.total_references)));
    }
    let is_sure = |it: &&Use| it.certainty == Certainty::Sure;
    let sure = it.total_references - it.possible_references;
    if sure > 0 {
        text.push_str(&format!("{DIM}used {sure} times{DIM:#}\n"));
    }
    text.extend(it.references.iter().filter(is_sure).map(reference));
    if it.possible_references > 0 {
        let n = it.possible_references;
        text.push_str(&format!("{DIM}{n} possible uses (the object's type is unknown){DIM:#}\n"));
    }
    text.extend(it.references.iter().filter(|it| !is_sure(it)).map(reference));
    text
}

fn note(it: &str) -> String {
    format!("{DIM}{}{DIM:#}\n", output::plain(it))
}

fn definition(it: &Definition) -> String {
    format!(
        "{NAME}{}:{}-{}{NAME:#}  {} {}\n    {}\n",
        output::path(&it.path),
        it.start_line,
        it.end_line,
        it.kind.name(),
        output::plain(&it.symbol),
        output::plain(&it.signature)
    )
}

fn reference(it: &Use) -> String {
    let within = if it.symbol.is_empty() {
        String::new()
    } else {
        format!("  {DIM}in {}{DIM:#}", it.symbol)
    };
    format!(
        "  {}:{}:{}  {} {}{within}\n",
        output::path(&it.path),
        it.line,
        it.column,
        symbols::use_kind(it.kind),
        output::plain(&it.text),
    )
}

fn nothing_found(it: &NameOutput, files: u32) -> String {
    let mut text = format!("no definition or use of {} is known in {files} files\n", it.name);
    text.extend(it.notes.iter().map(|it| note(it)));
    if !it.similar.is_empty() {
        text.push_str(&format!("similar names: {}\n", it.similar.join(", ")));
    }
    text
}

fn outline(path: &str, args: &SymbolsArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let directory = workspace::directory_of(settings, &Position::parse(path)?.file);
    let (opened, (relative, outline, references)) =
        workspace::answer_at(settings, &args.on, directory.as_deref(), |opened| {
            let (relative, file) = workspace::file_in(settings, opened, path)?;
            let outline = symbols::outline(&opened.snapshot, file);
            Ok((relative, outline, symbols::uses_of_file(&opened.snapshot, file)))
        })?;
    let outline = OutlineOutput::new(&opened.snapshot, &relative, (outline, references));
    if args.json {
        return output::json(&outline);
    }
    let mut text = format!("{NAME}{}{NAME:#}\n", output::path(&relative));
    for it in &outline.definitions {
        let indent = "  ".repeat(it.depth + 1);
        let signature = output::plain(&it.signature);
        text.push_str(&format!("{indent}{DIM}{:>5}{DIM:#}  {signature}\n", it.start_line));
    }
    if !outline.references.is_empty() {
        text.push_str(&format!("{DIM}used {} times{DIM:#}\n", outline.references.len()));
    }
    text.extend(outline.references.iter().take(args.limit).map(reference));
    output::text(&text)
}
