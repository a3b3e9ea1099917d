//! Finds errors in the pieces of prompts.
//!
//! A piece is a few lines of a file below the headers of its enclosing definitions, so it can contradict its file: a
//! statement without its beginning, a header that never closes, a field below the header of another type, the second
//! half of a comment. Each piece of code is parsed separately, by the parser of its file, and is wrong
//!
//! * if it has a syntax error and its file has none;
//! * if it defines a name that its file does not define, qualified by enclosing definitions (`toJson in Gson`);
//! * if it begins inside a block comment.
//!
//! A file may have errors of its own (C with macros). Of its pieces those that parse are right, and one with an error that
//! shows a line with an error of the file cannot be judged, and neither can one of a file without a tree. Of a component (Vue, Svelte,
//! Astro) the script is judged. Both are counted separately, and so are lines that a better piece or the window shows, too
//! (`repetition.rs`).

mod repetition;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use anyhow::{Context as _, Result};
use foreword_chunk::{Config, Definition, Kind, Language, Parse, analyze};
use foreword_engine::index::Snapshot;
use foreword_engine::preset::Preset;
use foreword_engine::trim::Piece;
use serde::Serialize;

use self::repetition::Repetition;

use crate::runs::completion::cursor::{CodeView, each, with_overlay};
use crate::runs::completion::retrieval::Retrieval;
use crate::runs::completion::{CompletionSettings, choose};
use crate::runs::run::Run;
use crate::tasks::task::Task;

/// The error of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// Does not parse.
    Syntax,
    /// Defines a name that its file does not.
    Definition,
    /// Begins inside a comment.
    Comment,
}

/// A piece with an error.
#[derive(Clone, Debug, Serialize)]
pub struct FalsePiece {
    /// The task of the prompt.
    pub(crate) task: String,
    /// The prompt's budget for pieces, in tokens.
    pub(crate) budget: usize,
    /// `path:first-last line`.
    pub(crate) place: String,
    pub(crate) form: &'static str,
    pub(crate) fault: Fault,
    pub(crate) text: String,
}

/// The pieces of one language.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LanguagePieces {
    pub(crate) judged: usize,
    /// Number of pieces from files with errors, or without a tree.
    pub(crate) not_judged: usize,
    pub(crate) wrong: Vec<FalsePiece>,
}

/// The pieces of all prompts.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Validity {
    pub(crate) tasks: usize,
    /// By language, without documents and data.
    pub(crate) languages: BTreeMap<&'static str, LanguagePieces>,
    /// Lines that are shown twice.
    pub(crate) repetition: Repetition,
}

/// Judges the pieces of the prompts at the cursors of all selected tasks.
pub fn validity(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Validity>> {
    let mut batch = choose(settings)?;
    let one = |code: &CodeView<'_>, task: &Task| {
        with_overlay(settings.protocol, code, task, |view, cursor| {
            let retrieval = Retrieval::new(view, cursor, preset);
            let mut found = Validity { tasks: 1, ..Validity::default() };
            for budget in &settings.budgets {
                let tokens = budget.unwrap_or(preset.budget.total);
                let pieces = retrieval.select(&retrieval.window, tokens).pieces;
                found.repetition.add(&retrieval.window, &pieces);
                for piece in &pieces {
                    found.add(view.snapshot(), piece, &task.id, tokens)?;
                }
            }
            Ok(found)
        })
    };
    let asked = batch.ask(|tasks| each(settings, tasks, one));
    let mut all = Validity::default();
    asked.into_iter().for_each(|it| all.join(it));
    Ok(Run::new(preset, batch, all))
}

impl Validity {
    fn join(&mut self, other: Self) {
        self.tasks += other.tasks;
        self.repetition.join(&other.repetition);
        for (language, pieces) in other.languages {
            let of = self.languages.entry(language).or_default();
            of.judged += pieces.judged;
            of.not_judged += pieces.not_judged;
            of.wrong.extend(pieces.wrong);
        }
    }

    fn add(&mut self, snapshot: &Snapshot, it: &Piece, task: &str, budget: usize) -> Result<()> {
        let file = snapshot.file(&it.path).context("a piece is of a file that is not there")?;
        let Some(language) = snapshot.language(file).filter(|it| it.is_code()) else {
            return Ok(());
        };
        let of = self.languages.entry(language.name()).or_default();
        let text = snapshot.text(file);
        let part = script(&text, language, (it.start_line, it.end_line));
        let file = part.and_then(|(text, language)| FileNames::new(&text, language));
        let shown = if has_scripts(language) { script_of_piece(&it.text) } else { &it.text };
        let Some(file) = file.filter(|file| file.can_judge(shown)) else {
            of.not_judged += 1;
            return Ok(());
        };
        of.judged += 1;
        if let Some(fault) = file.fault(shown) {
            of.wrong.push(FalsePiece {
                task: task.to_owned(),
                budget,
                place: format!("{}:{}-{}", it.path, it.start_line, it.end_line),
                form: it.form.name(),
                fault,
                text: it.text.clone(),
            });
        }
        Ok(())
    }
}

fn has_scripts(language: Language) -> bool {
    matches!(language, Language::Vue | Language::Svelte | Language::Astro)
}

/// The text by which lines of a file are judged, and its language: of a component, the first script that has some of the
/// lines.
fn script(text: &str, language: Language, lines: (u32, u32)) -> Option<(String, Language)> {
    if !has_scripts(language) {
        return Some((text.to_owned(), language));
    }
    let all: Vec<&str> = text.lines().collect();
    let (first, last) = (lines.0 as usize - 1, lines.1 as usize);
    let starts = (0..last.min(all.len())).filter(|it| opens_script(all[*it]));
    let ended = starts.filter_map(|start| {
        let len = all[start..].iter().position(|it| closes_script(it))?;
        Some(start..start + len)
    });
    // The lines of a template or a style are markup.
    let script = ended.into_iter().find(|it| first <= it.end && it.start + 1 < last)?;
    Some((all[script.start + 1..script.end].join("\n") + "\n", Language::TypeScript))
}

/// What a piece of a component shows of a script: all between the tags, or all of it if it shows no whole element.
fn script_of_piece(piece: &str) -> &str {
    let line_ends = || {
        piece.split_inclusive('\n').scan(0, |at, it| {
            *at += it.len();
            Some((*at - it.len(), *at, it))
        })
    };
    let open = line_ends().find(|it| opens_script(it.2)).map(|it| it.1);
    let close = line_ends().find(|it| closes_script(it.2)).map(|it| it.0);
    let inner = open.zip(close).and_then(|(open, close)| piece.get(open..close));
    inner.unwrap_or(piece)
}

fn opens_script(line: &str) -> bool {
    line.trim_start().starts_with("<script")
}

fn closes_script(line: &str) -> bool {
    line.trim_start().starts_with("</script")
}

/// The definitions of a file, and its lines with errors.
struct FileNames {
    language: Language,
    names: BTreeSet<String>,
    wrong_lines: BTreeSet<String>,
}

impl FileNames {
    /// `None` if the file has no tree.
    fn new(text: &str, language: Language) -> Option<Self> {
        let defects = Parse::new(text.as_bytes(), Some(language)).defects()?;
        let of_defect = |it: &foreword_chunk::Span| lines_around(text, it.range());
        let wrong_lines = defects.iter().flat_map(of_defect).map(str::to_owned).collect();
        Some(Self { language, names: names(text, language), wrong_lines })
    }

    /// Whether the errors of a piece are its own: it has none, or shows no line with an error of the file.
    fn can_judge(&self, piece: &str) -> bool {
        let is_wrong = |it: &str| self.wrong_lines.contains(it.trim());
        !piece.lines().any(is_wrong) || is_valid(piece, self.language)
    }

    /// The first error of a piece of the file.
    fn fault(&self, piece: &str) -> Option<Fault> {
        let language = self.language;
        // PHP outside of this tag is text.
        let opened = match language {
            Language::Php if !piece.contains("<?") => format!("<?php\n{piece}"),
            _ => piece.to_owned(),
        };
        if begins_in_comment(piece, language) {
            Some(Fault::Comment)
        } else if !is_valid(&opened, language) {
            Some(Fault::Syntax)
        } else if self.wrong_lines.is_empty() && !names(&opened, language).is_subset(&self.names) {
            Some(Fault::Definition)
        } else {
            None
        }
    }
}

fn is_valid(text: &str, language: Language) -> bool {
    let defects = Parse::new(text.as_bytes(), Some(language)).defects();
    defects.is_some_and(|it| it.is_empty())
}

/// The lines of a text that a range of bytes touches, trimmed, without blank ones.
fn lines_around(text: &str, range: Range<usize>) -> impl Iterator<Item = &str> {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    text[start..end].lines().map(str::trim).filter(|it| !it.is_empty())
}

/// The names that a text defines, qualified by enclosing definitions.
fn names(text: &str, language: Language) -> BTreeSet<String> {
    let symbols = analyze(text.as_bytes(), Some(language), &Config::default()).symbols;
    let dotted = |idx: u32| {
        let around = symbols.ancestors(Some(idx)).filter(|it| !is_of_file(it, text, language));
        around.map(|it| it.name.of(text)).collect::<Vec<_>>().join(" in ")
    };
    (0..symbols.definitions.len() as u32).map(dotted).collect()
}

/// Whether a definition is a namespace without brackets, which extends to the end of the file.
fn is_of_file(it: &Definition, text: &str, language: Language) -> bool {
    let signature = it.signature.of(text);
    let rest = text[it.signature.start as usize + signature.len()..].trim_start();
    let opens = signature.ends_with('{') || rest.starts_with(['{', ':']);
    let may = matches!(language, Language::CSharp | Language::Php | Language::Scala);
    may && it.kind == Kind::Module && !opens
}

/// Whether a line closes or continues a block comment that no earlier line opened.
fn begins_in_comment(text: &str, language: Language) -> bool {
    let Some((open, close)) = language.block_comment().filter(|it| it.0 == "/*") else {
        return false;
    };
    let first_close = text.lines().position(|it| it.trim_start().starts_with(close));
    let first_open = text.lines().position(|it| it.contains(open));
    first_close.is_some_and(|at| first_open.is_none_or(|open| at < open))
}

/// A table by language, with examples.
pub fn text(run: &Run<Validity>, examples: usize) -> String {
    let mut res = format!("{} prompts\n", run.result.tasks);
    let mut all = [0; 5];
    res.push_str("language    judged  false  syntax  definition  comment  not judged\n");
    for (language, pieces) in &run.result.languages {
        let of = |fault| pieces.wrong.iter().filter(|it| it.fault == fault).count();
        let counts = [
            pieces.judged,
            of(Fault::Syntax),
            of(Fault::Definition),
            of(Fault::Comment),
            pieces.not_judged,
        ];
        row(&mut res, language, counts);
        all.iter_mut().zip(counts).for_each(|(sum, it)| *sum += it);
    }
    row(&mut res, "all", all);
    let _ = writeln!(res, "{}", run.result.repetition);
    let wrong = |it: &LanguagePieces| it.wrong.iter().take(examples).cloned().collect::<Vec<_>>();
    for it in run.result.languages.values().flat_map(wrong) {
        let FalsePiece { task, budget, place, form, fault, text } = it;
        // Writing to a `String` cannot fail.
        let _ = write!(res, "\n{fault:?}, {form} {place} of {task} at {budget}\n{text}");
    }
    res
}

fn row(res: &mut String, name: &str, counts: [usize; 5]) {
    let [judged, syntax, definition, comment, not_judged] = counts;
    let wrong = syntax + definition + comment;
    let _ = writeln!(
        res,
        "{name:<12}{judged:>6}{wrong:>7}{syntax:>8}{definition:>12}{comment:>9}{not_judged:>12}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "class Gson {\n  /**\n   * Reads.\n   */\n  int read(int a) {\n    return a;\n  }\n  int b;\n}\nclass Other {\n  int c;\n}\n";

    fn fault(piece: &str) -> Option<Fault> {
        FileNames::new(FILE, Language::Java).unwrap().fault(piece)
    }

    #[test]
    fn a_piece_is_false_if_it_says_what_its_file_does_not() {
        assert_eq!(fault("class Gson {\n  // ...\n  int b;\n}\n"), None);
        assert_eq!(fault("class Gson {\n  int b;\n"), Some(Fault::Syntax));
        assert_eq!(fault("class Gson {\n  int c;\n}\n"), Some(Fault::Definition));
        assert_eq!(fault("   * Reads.\n   */\n"), Some(Fault::Comment));
    }

    #[test]
    fn a_file_with_errors_judges_by_its_other_lines() {
        let text = "int one(void) {\n  return 1;\n}\nBROKEN(a {\nint two(void) {\n  return 2;\n}\n";
        let file = FileNames::new(text, Language::C).unwrap();
        assert!(file.can_judge("int one(void) {\n  return 1;\n}\n"));
        assert!(!file.can_judge("BROKEN(a {\n"));
        assert_eq!(file.fault("int one(void) {\n  return 1;\n}\n"), None);
        assert_eq!(file.fault("int one(void) {\n  return 1;\n"), Some(Fault::Syntax));
    }

    #[test]
    fn the_script_of_a_component_judges() {
        let text = "<script setup lang=\"ts\">\nfunction one() {\n  return 1\n}\n</script>\n<template>\n  <p>{{ one }}</p>\n</template>\n";
        let part = script(text, Language::Vue, (2, 4)).unwrap();
        assert_eq!(part.0, "function one() {\n  return 1\n}\n");
        assert_eq!(script(text, Language::Vue, (7, 7)), None);
        let file = FileNames::new(&part.0, part.1).unwrap();
        let fault = |piece: &str| file.fault(script_of_piece(piece));
        assert_eq!(fault("function one() {\n  return 1\n"), Some(Fault::Syntax));
        assert_eq!(fault("<script setup lang=\"ts\">\n/* ... */\n</script>\n<template>\n"), None);
        assert_eq!(fault("<script setup lang=\"ts\">\nfunction one() {\n"), Some(Fault::Syntax));
    }
}
