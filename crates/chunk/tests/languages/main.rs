//! The symbols that the queries find in one file of each language, marked in the file itself.
//!
//! A file `tests/languages/<language>.<ext>` is code with marks: lines that begin with a comment sign and then `^`,
//! `<-` or `~`. They are taken out before the code is analysed, so they need not be comments of the language. `^` points
//! at a column of the code line above, `<-` at the column where its own comment sign stands:
//!
//! ```text
//! class Point(Base):
//! #     ^ definition.class (doc, body)       its name begins here; it has a doc and a body; `of A`: its qualifier
//! # ~ base Base                              every reference of the line, in order
//!     def norm(self):
//!     #   ^ definition.method in Point (body)    every definition must be marked
//!     #   ^ signature def norm(self):            whitespace counts as one space
//!     #   ^ begins def norm                      how its span begins …
//!     #   ^ ends self.x)                         … and ends
//!         return abs(self.x)
//!         # ~ call abs
//!         # ^ scope Point.norm               the names of the definitions around
//! import numpy as np
//! # <- import numpy as np                    every import must be marked; names: `import m (a, b as c)`
//! ```
//!
//! With `UPDATE_MARKS=1` in the environment definitions, references and imports of all files are marked anew, and the test
//! fails if any were not marked before; read the difference and run it again without the variable.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use foreword_chunk::{
    Config, Definition, Import, Kind, Language, LineIndex, ReferenceKind, Symbols, analyze,
};

#[path = "../it/marks.rs"]
mod marks;

use marks::mark;

#[test]
fn every_language_finds_the_marked_symbols() {
    let mut failures = String::new();
    for path in files() {
        let marked = std::fs::read_to_string(&path).unwrap();
        let file = MarkedFile::new(&path, &marked);
        let found = file.found();
        if std::env::var_os("UPDATE_MARKS").is_some() {
            std::fs::write(&path, file.render(&found)).unwrap();
        }
        for failure in file.failures(&found) {
            writeln!(failures, "{}: {failure}", path.file_name().unwrap().display()).unwrap();
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn every_language_has_a_marked_file_and_a_grammar() {
    let files: Vec<Language> = files().iter().map(|it| language(it)).collect();
    for language in Language::ALL {
        assert!(
            files.contains(language),
            "step 4 of CONTRIBUTING.md: tests/languages/{}.* is missing",
            language.name()
        );
    }
    for (path, language) in files_with_languages() {
        let text = MarkedFile::new(&path, &std::fs::read_to_string(&path).unwrap()).text;
        let analysis = analyze(text.as_bytes(), Some(language), &Config::default());
        assert!(analysis.outcome.is_parsed(), "{} has no tree", path.display());
    }
}

#[test]
fn no_prefix_of_a_marked_file_is_too_broken_for_the_queries() {
    for (path, language) in files_with_languages() {
        let text = MarkedFile::new(&path, &std::fs::read_to_string(&path).unwrap()).text;
        for end in (0..text.len()).step_by(97) {
            let symbols =
                analyze(&text.as_bytes()[..end], Some(language), &Config::default()).symbols;
            check_invariants(&symbols, end as u32);
        }
    }
}

/// Checks invariants of the symbols of any text.
fn check_invariants(symbols: &Symbols, len: u32) {
    let definitions = &symbols.definitions;
    assert!(definitions.is_sorted_by_key(|it| it.span.start));
    assert!(symbols.references.is_sorted_by_key(|it| it.name));
    assert!(symbols.imports.is_sorted_by_key(|it| it.span));
    for (idx, it) in definitions.iter().enumerate() {
        assert!(it.span.end <= len && it.span.contains(it.name) && it.span.contains(it.signature));
        assert!(it.body.is_none_or(|body| it.span.contains(body)));
        assert!(it.parent.is_none_or(|parent| (parent as usize) < idx));
        assert!(it.parent.is_none_or(|parent| definitions[parent as usize].span.contains(it.span)));
    }
    let mut in_order = symbols.enclosing_in_order();
    for at in 0..=len as usize {
        assert_eq!(in_order(at), symbols.enclosing(at));
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|it| it.file_name().is_some_and(|it| it != "main.rs"));
    files.sort();
    files
}

fn files_with_languages() -> impl Iterator<Item = (PathBuf, Language)> {
    files().into_iter().map(|it| (it.clone(), language(&it)))
}

fn language(path: &Path) -> Language {
    Language::of_path(path.to_str().unwrap(), "").unwrap()
}

/// Line, column and text of a mark.
type Mark = (u32, u32, String);

/// A marked file, split into code and marks.
struct MarkedFile {
    language: Language,
    /// The code without marks.
    text: String,
    marks: Vec<Mark>,
}

impl MarkedFile {
    fn new(path: &Path, marked: &str) -> Self {
        let mut file = Self { language: language(path), text: String::new(), marks: Vec::new() };
        let mut line = 0;
        for it in marked.split_inclusive('\n') {
            match mark(it) {
                Some((column, said)) => file.marks.push((line, column, said)),
                None => {
                    file.text.push_str(it);
                    line += 1;
                }
            }
        }
        file
    }

    /// Every definition, reference and import as a mark.
    fn found(&self) -> Vec<Mark> {
        let symbols = self.symbols();
        let mut found = Vec::new();
        for it in &symbols.definitions {
            found.push(self.at(it.name.start, definition(&self.text, &symbols, it)));
        }
        for it in &symbols.imports {
            found.push(self.at(it.span.start, import(it)));
        }
        for it in &symbols.references {
            let kind = match it.kind {
                ReferenceKind::Call => "call",
                ReferenceKind::Type => "type",
                ReferenceKind::Base => "base",
            };
            let (line, _, said) =
                self.at(it.name.start, format!("{kind} {}", it.name.of(&self.text)));
            match found.last_mut() {
                Some((last, u32::MAX, list)) if *last == line => *list = format!("{list}, {said}"),
                _ => found.push((line, u32::MAX, said)),
            }
        }
        found.sort_by_key(|it| (it.0, it.1));
        found
    }

    fn symbols(&self) -> Symbols {
        let symbols =
            analyze(self.text.as_bytes(), Some(self.language), &Config::default()).symbols;
        check_invariants(&symbols, self.text.len() as u32);
        symbols
    }

    fn at(&self, byte: u32, said: String) -> Mark {
        let lines = LineIndex::new(self.text.as_bytes());
        let line = lines.line_of(byte as usize);
        (line, byte - lines.start_of(line) as u32, said)
    }

    /// Missing marks, wrong marks, and differences.
    fn failures(&self, found: &[Mark]) -> Vec<String> {
        let mut failures = Vec::new();
        for it in found.iter().filter(|it| !self.marks.contains(it)) {
            failures.push(format!("found, but not marked: {}", show(it)));
        }
        for it in self.marks.iter().filter(|it| !found.contains(it)) {
            match self.actual(it) {
                None => failures.push(format!("marked, but not found: {}", show(it))),
                Some(actual) if !holds(&it.2, &actual) => {
                    failures.push(format!("{} is not\n    {actual}", show(it)));
                }
                Some(_) => {}
            }
        }
        failures
    }

    /// For a mark that asks about a symbol: the answer.
    fn actual(&self, (line, column, said): &Mark) -> Option<String> {
        let symbols = self.symbols();
        let start = LineIndex::new(self.text.as_bytes()).start_of(*line) as u32;
        let byte = start.checked_add(*column)?;
        let word = said.split(' ').next()?;
        if word == "scope" {
            return Some(path(&self.text, &symbols, symbols.enclosing(byte as usize)));
        }
        let it = symbols.definitions.iter().find(|it| it.name.start == byte)?;
        let span = match word {
            "signature" => it.signature,
            "doc" => it.doc?,
            "body" => it.body?,
            "begins" | "ends" => it.span,
            _ => return None,
        };
        Some(span.of(&self.text).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The file with `found` in place of its marks; marks that only ask are kept.
    fn render(&self, found: &[Mark]) -> String {
        let sign = self.language.line_comment().unwrap_or("//");
        let mut rendered = String::new();
        for (number, line) in (1..).zip(self.text.split_inclusive('\n')) {
            rendered.push_str(line);
            let kept = self.marks.iter().filter(|it| is_question(&it.2));
            let mut marks: Vec<&Mark> =
                found.iter().chain(kept).filter(|it| it.0 == number).collect();
            marks.sort_by_key(|it| it.1);
            for (_, column, said) in marks {
                let column = *column as usize;
                let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
                let indent = &line[..indent.min(column)];
                let line = if column == u32::MAX as usize {
                    format!("{indent}{sign} ~ {said}")
                } else if column >= indent.len() + sign.len() {
                    let blank = " ".repeat(column - indent.len() - sign.len());
                    format!("{indent}{sign}{blank}^ {said}")
                } else {
                    format!("{indent}{}{sign} <- {said}", " ".repeat(column - indent.len()))
                };
                writeln!(rendered, "{line}").unwrap();
            }
        }
        rendered
    }
}

/// Whether the answer to a mark agrees.
fn holds(said: &str, actual: &str) -> bool {
    let (word, expected) = said.split_once(' ').unwrap_or((said, ""));
    match word {
        "scope" | "signature" => actual == expected,
        "doc" => actual.contains(expected),
        "ends" => actual.ends_with(expected),
        _ => actual.starts_with(expected),
    }
}

fn is_question(said: &str) -> bool {
    ["scope", "signature", "doc", "body", "begins", "ends"]
        .contains(&said.split(' ').next().unwrap_or(said))
}

fn show((line, column, said): &Mark) -> String {
    if *column == u32::MAX {
        format!("line {line}: ~ {said}")
    } else {
        format!("line {line}, column {column}: {said}")
    }
}

fn definition(text: &str, symbols: &Symbols, it: &Definition) -> String {
    let kind = match it.kind {
        Kind::Module => "module",
        Kind::Class => "class",
        Kind::Interface => "interface",
        Kind::Enum => "enum",
        Kind::Implementation => "implementation",
        Kind::Function => "function",
        Kind::Method => "method",
        Kind::Constructor => "constructor",
        Kind::Field => "field",
        Kind::Constant => "constant",
        Kind::Type => "type",
        Kind::Macro => "macro",
        Kind::Section => "section",
    };
    let around = path(text, symbols, it.parent);
    let around = if around.is_empty() { String::new() } else { format!(" in {around}") };
    let has = match (it.doc, it.body) {
        (Some(_), Some(_)) => " (doc, body)",
        (Some(_), None) => " (doc)",
        (None, Some(_)) => " (body)",
        (None, None) => "",
    };
    let of = it.qualifier.map(|it| format!(" of {}", it.of(text))).unwrap_or_default();
    format!("definition.{kind}{of}{around}{has}")
}

/// The names of the definition at `idx` and those around it, outermost first.
fn path(text: &str, symbols: &Symbols, idx: Option<u32>) -> String {
    let mut names: Vec<&str> = symbols.ancestors(idx).map(|it| it.name.of(text)).collect();
    names.reverse();
    names.join(".")
}

fn import(it: &Import) -> String {
    let named = |name: &str, alias: &Option<String>| match alias {
        Some(alias) => format!("{name} as {alias}"),
        None => name.to_owned(),
    };
    let names: Vec<String> = it.names.iter().map(|it| named(&it.name, &it.alias)).collect();
    let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    format!("import {}{names}", named(&it.module, &it.alias))
}
