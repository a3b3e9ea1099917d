//! Predicts the lines of one hole in turn, with growing contexts.

use std::time::Instant;

use anyhow::{Context as _, Result};
use foreword_engine::index::Snapshot;
use foreword_engine::preset::Preset;
use foreword_model::embedded::{Extent, Hole, complete};
use foreword_model::ngram::Background;

use super::outcome::{CONTEXTS, Line, LineSettings, Outcome, Prediction};
use crate::measures::bits::bits;
use crate::runs::completion::CompletionSettings;
use crate::runs::completion::cursor::{each, with_overlay};
use crate::runs::completion::retrieval::Retrieval;
use crate::tasks::task::Task;

/// The tasks of one repository, in turn.
pub(super) fn all(
    settings: &CompletionSettings,
    asked: LineSettings,
    tasks: &[Task],
    preset: &Preset,
) -> Vec<Result<Outcome, String>> {
    let mut counted: Option<(String, Background)> = None;
    each(settings, tasks, |code, task| {
        let start = Instant::now();
        let id = code.snapshot.id();
        let known = counted.take().filter(|it| it.0 == id);
        let count = || match usize::from(asked.contexts) == CONTEXTS.len() {
            true => background(code.snapshot, None),
            false => Background::new([]),
        };
        let (_, background) = counted.insert(known.unwrap_or_else(|| (id.to_owned(), count())));
        let counting = start.elapsed().as_secs_f64() * 1e3;
        with_overlay(settings.protocol, code, task, |view, cursor| {
            let retrieval = Retrieval::new(view, cursor, preset);
            ask(asked, code.snapshot, background, &retrieval, task, counting)
        })
    })
}

/// The counts of all files but one.
fn background(snapshot: &Snapshot, but: Option<&str>) -> Background {
    let files = snapshot.files().filter(|it| Some(snapshot.path(*it)) != but);
    let texts: Vec<_> = files.map(|it| snapshot.text(it)).collect();
    Background::new(texts.iter().map(AsRef::as_ref))
}

/// The other files of the cursor's directory.
fn nearby(snapshot: &Snapshot, path: &str) -> Vec<std::sync::Arc<str>> {
    let directory = path.rfind('/').map_or("", |at| &path[..=at]);
    let is_near = |other: &str| !other[directory.len()..].contains('/') && other != path;
    let files = snapshot.files_under(directory).filter(|it| is_near(snapshot.path(*it)));
    files.map(|it| snapshot.text(it)).collect()
}

fn ask(
    asked: LineSettings,
    snapshot: &Snapshot,
    background: &Background,
    retrieval: &Retrieval<'_>,
    task: &Task,
    counting: f64,
) -> Result<Outcome> {
    let truth = task.ground_truth.as_deref().context("the task has no ground truth")?;
    let cursor = retrieval.cursor;
    let shown = retrieval.pieces(retrieval.piece_budget());
    let pieces: Vec<&str> = shown.iter().map(|it| it.text.as_str()).collect();
    let near = nearby(snapshot, cursor.path());
    let nearby: Vec<&str> = near.iter().map(AsRef::as_ref).collect();
    let (prefix, suffix) = (cursor.prefix(), &cursor.text()[cursor.offset()..]);
    let file = Hole { suffix, ..Hole::default() };
    let context = Hole { pieces: &pieces, ..file };
    let directory = Hole { nearby: &nearby, ..context };
    let repository = Hole { background: Some(background), ..directory };
    let known = &[file, context, directory, repository][..asked.contexts.into()];
    let lines = places(truth, asked.lines).into_iter().map(|(before, line)| {
        let (begun, line) = line.split_at(written(line, asked.begun));
        let prefix = format!("{prefix}{before}{begun}");
        // The line feed of the current line is after the cursor.
        let suffix = if line.ends_with('\n') { format!("\n{suffix}") } else { suffix.to_owned() };
        let at = |hole: &Hole<'_>| {
            write(&Hole { prefix: &prefix, suffix: &suffix, ..*hole }, begun, line)
        };
        let written = known.iter().map(at).collect();
        Line { truth: line.to_owned(), begun: begun.to_owned(), written }
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

fn write(hole: &Hole<'_>, begun: &str, truth: &str) -> Prediction {
    let start = Instant::now();
    let best = complete(hole, Extent::Line, 1).into_iter().next();
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let second = complete(hole, Extent::Line, 2).into_iter().nth(1);
    let line = best.as_ref().map_or("", |it| it.text.as_str());
    Prediction {
        is_right: line.trim_end() == truth.trim_end(),
        line: line.to_owned(),
        probability: best.as_ref().map_or(0.0, |it| it.probability),
        second: second.map_or(0.0, |it| it.probability),
        tokens: best.as_ref().map_or(0, |it| it.tokens),
        repeated: repeated(hole, &format!("{begun}{line}")),
        confidence: best.as_ref().map_or(0.0, |it| it.confidence),
        milliseconds,
    }
}

/// How often `line` is a line of the file or of a piece.
fn repeated(hole: &Hole<'_>, line: &str) -> usize {
    let texts = [hole.prefix, hole.suffix].into_iter().chain(hole.pieces.iter().copied());
    texts.flat_map(str::lines).filter(|it| it.trim() == line.trim()).count()
}

/// Number of bytes in this fraction of a line.
fn written(line: &str, share: f64) -> usize {
    let (indent, len) = (line.len() - line.trim_start().len(), line.trim().len());
    let at = if share > 0.0 { indent + (len as f64 * share) as usize } else { 0 };
    line.floor_char_boundary(at)
}

/// The lines to predict, each with the text of the hole before it.
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

    #[test]
    fn a_begun_line_has_its_indentation_and_a_share_of_the_rest() {
        assert_eq!(written("    abcd\n", 0.0), 0);
        assert_eq!(written("    abcd\n", 0.5), 6);
        assert_eq!(written("é\n", 0.5), 0);
    }
}
