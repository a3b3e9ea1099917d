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
//! Pieces of files with errors, or without a tree, cannot be judged and are counted separately.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use foreword_chunk::{Config, Definition, Kind, Language, Parse, analyze};
use foreword_engine::index::Snapshot;
use foreword_engine::preset::Preset;
use foreword_engine::trim::Piece;
use serde::Serialize;

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
                for piece in &retrieval.select(&retrieval.window, tokens).pieces {
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
        let Some(file) = FileNames::new(&snapshot.text(file), language) else {
            of.not_judged += 1;
            return Ok(());
        };
        of.judged += 1;
        if let Some(fault) = file.fault(&it.text) {
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

/// A file without errors, and its definitions.
struct FileNames {
    language: Language,
    names: BTreeSet<String>,
}

impl FileNames {
    /// `None` if the file has errors or no tree.
    fn new(text: &str, language: Language) -> Option<Self> {
        is_valid(text, language).then(|| Self { language, names: names(text, language) })
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
        } else if !names(&opened, language).is_subset(&self.names) {
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
    fn a_file_with_errors_cannot_judge() {
        assert!(FileNames::new("class {", Language::Java).is_none());
    }
}
