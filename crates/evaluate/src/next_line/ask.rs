//! One hole: its lines, one after another, with ever more to go by.

use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::context::{Situation, around, pieces, rank};
use foreword_engine::index::Snapshot;
use foreword_engine::order::Truncation;
use foreword_engine::preset::Preset;
use foreword_engine::scope::Cursor;
use foreword_model::embedded::{Extent, Hole, complete};
use foreword_model::ngram::Background;

use super::{Line, Outcome, Written};
use crate::bits::bits;
use crate::context::{Protocol, Reader, Selection, cursor_of};
use crate::corpus::count_tokens;
use crate::task::Task;

/// The tasks of one repository, in turn.
pub(super) fn all(
    selection: &Selection,
    lines: usize,
    tasks: &[Task],
    preset: &Preset,
) -> Vec<Result<Outcome, String>> {
    let mut reader = Reader::default();
    let mut counted: Option<(String, Background)> = None;
    let mut one = |task: &Task| -> Result<Outcome> {
        let code = reader.read(&selection.corpora, task)?;
        let cursor = cursor_of(task, Protocol::FillIn, &code.session)?;
        let file = code.snapshot.file(&cursor.path).filter(|_| code.is_past);
        ensure!(
            file.is_none_or(|it| *code.snapshot.text(it) == *cursor.text),
            "the parent commit's file is not prefix + suffix: the hole may be in the corpus"
        );
        let start = Instant::now();
        let known = counted.take().filter(|it| it.0 == code.snapshot.id());
        let (_, background) =
            counted.insert(known.unwrap_or_else(|| {
                (code.snapshot.id().to_owned(), background(&code.snapshot, None))
            }));
        let counting = start.elapsed().as_secs_f64() * 1e3;
        ask(lines, &code.snapshot, background, &cursor, task, preset, counting)
    };
    tasks.iter().map(|task| one(task).map_err(|error| format!("{}: {error:#}", task.id))).collect()
}

/// The counts of all files but one.
fn background(snapshot: &Snapshot, but: Option<&str>) -> Background {
    let files = snapshot.files().filter(|it| Some(snapshot.path(*it)) != but);
    let texts: Vec<_> = files.map(|it| snapshot.text(it)).collect();
    Background::new(texts.iter().map(AsRef::as_ref))
}

/// The pieces that the engine would show.
fn shown(snapshot: &Snapshot, cursor: &Cursor, preset: &Preset) -> Result<Vec<String>> {
    let situation = Situation::new(snapshot, cursor).context("cannot lay the text over")?;
    let scope = situation.scope(cursor);
    let ranked = rank(&situation, cursor, &scope, preset);
    let window = around(cursor, &scope, preset, &count_tokens);
    let spent = count_tokens(&window.prefix) + count_tokens(&window.suffix);
    let left = preset.budget.total.saturating_sub(spent);
    let chosen =
        pieces(&situation, &scope, &window, &ranked, preset, Truncation::Left, left, &count_tokens);
    Ok(chosen.pieces.into_iter().map(|it| it.text).collect())
}

/// The other files of the cursor's directory.
fn nearby(snapshot: &Snapshot, path: &str) -> Vec<std::sync::Arc<str>> {
    let directory = path.rfind('/').map_or("", |at| &path[..=at]);
    let is_near = |other: &str| !other[directory.len()..].contains('/') && other != path;
    let files = snapshot.files_under(directory).filter(|it| is_near(snapshot.path(*it)));
    files.map(|it| snapshot.text(it)).collect()
}

fn ask(
    lines: usize,
    snapshot: &Snapshot,
    background: &Background,
    cursor: &Cursor,
    task: &Task,
    preset: &Preset,
    counting: f64,
) -> Result<Outcome> {
    let truth = task.ground_truth.as_deref().context("the task has no ground truth")?;
    let shown = shown(snapshot, cursor, preset)?;
    let pieces: Vec<&str> = shown.iter().map(String::as_str).collect();
    let near = nearby(snapshot, &cursor.path);
    let nearby: Vec<&str> = near.iter().map(AsRef::as_ref).collect();
    let (prefix, suffix) = (cursor.prefix(), &cursor.text[cursor.offset..]);
    let file = Hole { suffix, ..Hole::default() };
    let context = Hole { pieces: &pieces, ..file };
    let directory = Hole { nearby: &nearby, ..context };
    let repository = Hole { background: Some(background), ..directory };
    let known = [file, context, directory, repository];
    let lines = places(truth, lines).into_iter().map(|(before, line)| {
        let prefix = format!("{prefix}{before}");
        // A line that is being written has its line feed after the cursor.
        let suffix = if line.ends_with('\n') { format!("\n{suffix}") } else { suffix.to_owned() };
        let at = |hole: &Hole<'_>| write(&Hole { prefix: &prefix, suffix: &suffix, ..*hole }, line);
        Line { truth: line.to_owned(), written: known.iter().map(at).collect() }
    });
    Ok(Outcome {
        id: task.id.clone(),
        repo: task.repo.clone(),
        language: task.language.clone(),
        is_test: task.meta.is_test_file,
        lines: lines.collect(),
        bits: [bits(truth, prefix, suffix, &[]), bits(truth, prefix, suffix, &pieces)],
        counting,
    })
}

fn write(hole: &Hole<'_>, truth: &str) -> Written {
    let start = Instant::now();
    let best = complete(hole, Extent::Line, 1).into_iter().next();
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let line = best.as_ref().map_or("", |it| it.text.as_str());
    Written {
        is_right: line.trim_end() == truth.trim_end(),
        line: line.to_owned(),
        probability: best.as_ref().map_or(0.0, |it| it.probability),
        confidence: best.as_ref().map_or(0.0, |it| it.confidence),
        milliseconds,
    }
}

/// The lines that are asked for, each with what of the hole stands before it.
fn places(truth: &str, limit: usize) -> Vec<(&str, &str)> {
    let mut at = 0;
    let mut all = Vec::new();
    for line in truth.split_inclusive('\n') {
        if !line.trim().is_empty() {
            all.push((&truth[..at], line));
        }
        at += line.len();
    }
    let (n, limit) = (all.len(), limit.min(all.len()));
    let chosen = |idx: usize| (idx + 1) * limit / n > idx * limit / n;
    all.into_iter().enumerate().filter(|it| chosen(it.0)).map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_is_asked_line_by_line_with_what_stands_before() {
        let truth = "a\n\n  b\nc";
        assert_eq!(places(truth, 9), [("", "a\n"), ("a\n\n", "  b\n"), ("a\n\n  b\n", "c")]);
        assert_eq!(places(truth, 1), [("a\n\n  b\n", "c")]);
        assert_eq!(places("", 3), []);
    }
}
