//! The function that fills a hole, as a model would foretell it.

use std::ops::Range;

use anyhow::{Context as _, Result, bail};
use foreword_chunk::{Config, Definition, Kind, Language, Symbols, analyze};
use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{StatedForecast, StatedLines};

use crate::tasks::remove::whole;
use crate::tasks::task::Task;

/// A function that was added, or removed by the task, with those that were added right before it.
pub(crate) struct AddedFunction {
    pub(crate) path: String,
    pub(crate) language: Language,
    /// The function comes last.
    pub(crate) forecasts: Vec<StatedForecast>,
    /// The names that the function refers to, with their kind of use, each once, without itself.
    pub(crate) references: Vec<String>,
}

/// The function of a task's hole. Its evidence is the line before which it stands.
pub(crate) fn added_function(snapshot: &Snapshot, task: &Task) -> Result<AddedFunction> {
    let path = task.target_file.clone().context("the task names no file")?;
    let part = |it: &Option<String>| it.clone().unwrap_or_default();
    let [prefix, truth, suffix] = [&task.prefix, &task.ground_truth, &task.suffix].map(part);
    let text = format!("{prefix}{truth}{suffix}");
    let hole = prefix.len()..prefix.len() + truth.len();
    let (before, after) = (task.meta.typed_before, task.meta.typed_after);
    let start = hole.start.checked_sub(before).context("more is typed than there is")?;
    let inserted = start..hole.end + after;
    let language = Language::of_path(&path, &text[..text.floor_char_boundary(4096)]);
    let language = language.filter(|it| it.is_code()).context("no code")?;
    let symbols = analyze(text.as_bytes(), Some(language), &Config::default()).symbols;
    let outer = outermost(&symbols, &inserted);
    let is_around = |it: &&&Definition| {
        let body = it.body.map_or(0..0, |body| body.range());
        it.span.range().start <= hole.start && hole.start < body.end
    };
    let own = outer.iter().find(is_around);
    let own = *own.context("the hole is in no added definition")?;
    if !is_function(own) {
        bail!("the hole is in an added type");
    }
    let line_of = |at: usize| 1 + prefix[..at].matches('\n').count() as u32;
    let evidence = evidence(snapshot, &path, line_of(start)).context("the file is empty")?;
    // A patch may begin in the comment before a function, whose first lines are then those of the next one.
    let stated = |it: &Definition| StatedForecast {
        name: it.name.of(&text).to_owned(),
        code: text[whole(&text, it)].to_owned(),
        line: line_of(whole(&text, it).start.min(start)),
        evidence: vec![evidence.clone()],
    };
    let earlier = outer.iter().filter(|it| it.span.start < own.span.start && is_function(it));
    let forecasts = earlier.map(|it| stated(it)).chain([stated(own)]).collect();
    let references = references(&symbols, own, &text);
    Ok(AddedFunction { path, language, forecasts, references })
}

/// The definitions inside `inserted` that are in no other one of it.
fn outermost<'s>(symbols: &'s Symbols, inserted: &Range<usize>) -> Vec<&'s Definition> {
    let is_inside = |it: &Definition| {
        inserted.start <= it.span.start as usize && it.name.end as usize <= inserted.end
    };
    let has_outer = |it: &Definition| symbols.ancestors(it.parent).any(is_inside);
    symbols.definitions.iter().filter(|it| is_inside(it) && !has_outer(it)).collect()
}

fn is_function(it: &Definition) -> bool {
    matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor)
}

/// The last line above `line` that is not blank, else the first below it.
fn evidence(snapshot: &Snapshot, path: &str, line: u32) -> Option<StatedLines> {
    let text = snapshot.text(snapshot.file(path)?);
    let lines: Vec<&str> = text.lines().collect();
    let is_there = |it: &u32| !lines[*it as usize - 1].trim().is_empty();
    let n = lines.len() as u32;
    let above = (1..line.min(n + 1)).rev().find(is_there);
    let at = above.or_else(|| (line..=n).find(is_there))?;
    let what = "stands before it".to_owned();
    Some(StatedLines { path: path.to_owned(), first_line: at, last_line: at, what })
}

fn references(symbols: &Symbols, own: &Definition, text: &str) -> Vec<String> {
    let inside = own.span.range();
    let of_own = symbols.references.iter().filter(|it| inside.contains(&(it.name.start as usize)));
    let mut res: Vec<String> = of_own.map(|it| it.name.of(text).to_owned()).collect();
    res.sort_unstable();
    res.dedup();
    res.retain(|it| it != own.name.of(text));
    res
}
