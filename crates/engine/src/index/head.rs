//! The head of a file: its licence comments, imports, and the start of its code. It is useful only to a reader who
//! writes a head.

use std::ops::Range;

use foreword_chunk::{Kind, Language, Span};

use super::record::FileRecord;

/// The parts of a file's head, as byte ranges of whole lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Comments before any code that state a licence or copyright.
    pub licence: Vec<Range<usize>>,
    /// Import statements outside of functions, with blank lines between them.
    pub imports: Vec<Range<usize>>,
    /// Start of the first line that is neither blank nor a comment.
    first_code: usize,
    /// Start of the first definition with a body, including its comment; the end of the text if there is none.
    body: usize,
}

/// A position in the head of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadPlace {
    /// At the start, where a licence may follow.
    Start,
    /// Among imports, or below a comment.
    Inside,
}

/// Phrases of licence and copyright comments.
const LICENCE: [&str; 14] = [
    "all rights reserved",
    "apache license",
    "bsd license",
    "bsd-style",
    "copyright",
    "licensed to",
    "licensed under",
    "license that can be found",
    "mit license",
    "permission is hereby granted",
    "public license",
    "redistribution and use",
    "spdx-license",
    "under the terms of",
];

impl Head {
    /// The head of a file.
    pub fn new(text: &str, record: &FileRecord) -> Self {
        let body = body_start(text, record);
        let comments = Comments::new(text, record.language);
        let first_code = comments.first_code;
        Self { licence: comments.licences(), imports: imports(text, record), first_code, body }
    }

    /// The licence and the imports.
    pub fn filler(&self) -> impl Iterator<Item = &Range<usize>> {
        self.licence.iter().chain(&self.imports)
    }

    /// Where byte `at` is in the head: before any code, before further imports, or directly after an import. `None`
    /// below the head.
    pub fn place(&self, text: &str, at: usize) -> Option<HeadPlace> {
        if at > self.body {
            return None;
        }
        let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let indentation = |start: usize| text[start..].find(|it| it != ' ' && it != '\t');
        // A line indented more than the following imports belongs to unfinished code.
        let leads = |it: &Range<usize>| it.start < at || indentation(it.start) >= indentation(line);
        let goes_on = |it: &Range<usize>| {
            it.start < self.body && (it.end == line || it.end > at && leads(it))
        };
        if text[..at].lines().all(|it| it.trim().is_empty() || is_opening(it)) {
            return Some(HeadPlace::Start);
        }
        let is_inside = at <= self.first_code || self.imports.iter().any(goes_on);
        is_inside.then_some(HeadPlace::Inside)
    }

    /// How much of this head to show a cursor in another file's head: up to the last import or the first definition;
    /// the licence only if the other file has none.
    pub fn seen_from(&self, text: &str, place: HeadPlace) -> Range<usize> {
        let behind = self.licence.last().map_or(0, |it| it.end);
        let start = if place == HeadPlace::Start { 0 } else { behind };
        let imports = self.imports.iter().filter(|it| it.start < self.body).map(|it| it.end).max();
        let end = self.body.max(imports.unwrap_or(0)).max(start);
        start..start + text[start..end].trim_end().len()
    }
}

/// Start of the first definition with a body that is not a module or namespace around everything.
fn body_start(text: &str, record: &FileRecord) -> usize {
    let has_body = |it: &&foreword_chunk::Definition| it.body.is_some() && it.kind != Kind::Module;
    let first = record.symbols.definitions.iter().find(has_body);
    let before =
        |doc: Span, span: Span| if doc.start < span.start { doc.start } else { span.start };
    let start = first.map(|it| it.doc.map_or(it.span.start, |doc| before(doc, it.span)) as usize);
    start.map_or(text.len(), |start| line_start(text, start))
}

/// Imports outside of functions and classes, as whole lines.
fn imports(text: &str, record: &FileRecord) -> Vec<Range<usize>> {
    let symbols = &record.symbols;
    let is_outside = |span: Span| {
        let mut around = symbols.ancestors(symbols.enclosing(span.start as usize));
        around.all(|it| it.body.is_none() || it.kind == Kind::Module)
    };
    let mut res: Vec<Range<usize>> = Vec::new();
    for it in symbols.imports.iter().map(|it| it.span).filter(|it| is_outside(*it)) {
        let start = line_start(text, it.start as usize);
        let last = (it.end as usize).max(start + 1).min(text.len());
        // Bytes, because spans of a damaged record may end inside a character.
        let rest = &text.as_bytes()[last - 1..];
        let end = memchr::memchr(b'\n', rest).map_or(text.len(), |at| last + at);
        match res.last_mut() {
            Some(last) if start <= last.end || text[last.end..start].trim().is_empty() => {
                last.end = last.end.max(end);
            }
            _ => res.push(start..end),
        }
    }
    res.into_iter().map(|it| with_brackets(text, it)).collect()
}

/// Includes the brackets around imports, if the statement began on the line before (Go).
fn with_brackets(text: &str, imports: Range<usize>) -> Range<usize> {
    let before =
        text[..imports.start].strip_suffix('\n').map_or(0, |it| line_start(text, it.len()));
    let line = text[before..imports.start].trim();
    let after = text[imports.end..].split_inclusive('\n').next().unwrap_or_default();
    match line.starts_with("import") && line.ends_with('(') && after.trim() == ")" {
        true => before..imports.end + after.len(),
        false => imports,
    }
}

fn line_start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |newline| newline + 1)
}

/// The comments before the first line of code.
struct Comments<'t> {
    text: &'t str,
    /// Adjacent comments without a blank line between them form a block.
    blocks: Vec<Range<usize>>,
    first_code: usize,
}

/// Lines that may precede a licence: interpreter directives and opening tags.
const OPENINGS: [&str; 4] = ["#!", "<?php", "<?xml", "\u{feff}"];

fn is_opening(line: &str) -> bool {
    OPENINGS.iter().any(|it| line.starts_with(it))
}

impl<'t> Comments<'t> {
    fn new(text: &'t str, language: Option<Language>) -> Self {
        let line_comment = language.and_then(Language::line_comment).unwrap_or("#");
        let mut res = Self { text, blocks: Vec::new(), first_code: text.len() };
        let (mut at, mut is_open, mut closes) = (0, false, None);
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let trimmed = line.trim();
            if let Some(end) = closes {
                closes = (!trimmed.contains(end)).then_some(end);
            } else if trimmed.is_empty() {
                is_open = false;
                continue;
            } else if let Some((begin, end)) = block_comment(trimmed, language) {
                closes = (!trimmed[begin.len()..].contains(end)).then_some(end);
            } else if start == 0 && is_opening(trimmed) {
                continue;
            } else if !trimmed.starts_with(line_comment) {
                res.first_code = start;
                break;
            }
            match res.blocks.last_mut() {
                Some(last) if is_open => last.end = at,
                _ => res.blocks.push(start..at),
            }
            is_open = true;
        }
        res
    }

    /// The blocks that state a licence or copyright.
    fn licences(self) -> Vec<Range<usize>> {
        let Self { text, blocks, .. } = self;
        let states = |it: &Range<usize>| {
            let comment = text[it.clone()].to_lowercase();
            LICENCE.iter().any(|it| comment.contains(it))
        };
        blocks.into_iter().filter(states).collect()
    }
}

/// Delimiters of the block comment or docstring that a line begins with.
fn block_comment(line: &str, language: Option<Language>) -> Option<(&'static str, &'static str)> {
    let of_language = language.and_then(Language::block_comment);
    let docstring = (language == Some(Language::Python)).then_some((r#"""""#, r#"""""#));
    of_language.into_iter().chain(docstring).find(|it| line.starts_with(it.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::AnalyzedFile;

    const LICENCE_TEXT: &str = "Copyright 2020 The Authors";

    fn head(path: &str, text: &str) -> Head {
        let file =
            AnalyzedFile::new(path.to_owned(), text.to_owned(), &foreword_chunk::Config::default());
        Head::new(text, &file.record)
    }

    /// In `expect`, `L` marks lines of a licence and `I ` lines of imports.
    #[track_caller]
    fn check(path: &str, marked: &str) {
        let text = marked.replace("I ", "").replacen('L', LICENCE_TEXT, 1);
        let found = head(path, &text);
        let lines = |ranges: &[Range<usize>]| -> Vec<String> {
            let shown = ranges.iter().flat_map(|it| text[it.clone()].lines());
            shown.filter(|it| !it.trim().is_empty()).map(str::to_owned).collect()
        };
        let imports: Vec<&str> = marked.lines().filter_map(|it| it.strip_prefix("I ")).collect();
        assert_eq!(lines(&found.imports), imports, "{path}");
        let licence = lines(&found.licence).concat();
        assert!(licence.contains(LICENCE_TEXT) && !licence.contains("ode"), "{path}: {licence}");
    }

    /// Paths and texts for [`check`].
    const LANGUAGES: &[(&str, &str)] = &[
        (
            "a.py",
            "# L\nI from __future__ import annotations\nI import os\nI from a import b\n\ndef code():\n    import late\n",
        ),
        ("a.rs", "// L\n\nI use std::io;\nI use a::{\nI     b,\nI };\n\nfn code() {}\n"),
        (
            "a.go",
            "// L\n\npackage a\n\nI import (\nI \t\"os\"\nI \t\"io\"\nI )\n\nfunc code() {}\n",
        ),
        (
            "A.java",
            "/*\n * L\n */\npackage a;\n\nI import a.B;\n\nI import a.C;\n\nclass Code {}\n",
        ),
        ("a.kt", "/*\n * L\n */\npackage a\n\nI import a.B\nI import a.C\n\nclass Code {}\n"),
        (
            "a.ts",
            "// L\nI import { a } from './a';\nI import b from 'b';\nexport function code() {}\n",
        ),
        ("a.js", "/* L */\nI const a = require('a');\nfunction code() {}\n"),
        ("a.c", "/* L */\nI #include <a.h>\nI #include \"b.h\"\nint code(void) { return 1; }\n"),
        ("a.cc", "// L\nI #include <a>\nnamespace a {\nint code() { return 1; }\n}\n"),
        ("a.cs", "// L\nI using System;\nnamespace A { class Code {} }\n"),
        ("a.rb", "# L\nI require 'a'\nclass Code\nend\n"),
        ("a.php", "<?php\n/* L */\nnamespace A;\nI use A\\B;\nclass Code {}\n"),
        ("a.swift", "// L\nI import Foundation\nstruct Code {}\n"),
        ("a.scala", "/* L */\npackage a\nI import a.b\nclass Code\n"),
        ("a.lua", "-- L\nI local a = require(\"a\")\nfunction code() end\n"),
        ("a.hs", "-- L\nmodule A where\nI import B\ncode = 1\n"),
        ("a.ex", "# L\ndefmodule A do\nI   alias A.B\nI   import C\n  def code, do: 1\nend\n"),
        ("a.sh", "#!/bin/sh\n# L\nI source ./a.sh\ncode() { :; }\n"),
        ("a.zig", "// L\nI const std = @import(\"std\");\nfn code() void {}\n"),
    ];

    #[test]
    fn licences_and_imports_are_found_in_each_language() {
        LANGUAGES.iter().for_each(|(path, marked)| check(path, marked));
    }

    /// `|` marks the position.
    #[track_caller]
    fn check_place(path: &str, marked: &str, expect: Option<HeadPlace>) {
        let at = marked.find('|').unwrap();
        let text = marked.replace('|', "");
        assert_eq!(head(path, &text).place(&text, at), expect, "{marked}");
    }

    #[test]
    fn a_place_among_imports_or_before_any_code_is_in_the_head() {
        use HeadPlace::{Inside, Start};
        check_place("a.py", "|", Some(Start));
        check_place("a.php", "<?php\n|\nuse A\\B;\n", Some(Start));
        check_place("a.py", "# Copyright\n|\nimport os\n\ndef f():\n    pass\n", Some(Inside));
        check_place("a.py", "import os\n|\ndef f():\n    pass\n", Some(Inside));
        check_place("a.py", "import os\n\nX = 1\n|\ndef f():\n    pass\n", None);
        check_place("a.py", "import os\n\ndef f():\n    import io\n    |\n", None);
        check_place("a.py", "import os\n\ndef f():\n    |\nimport io\n", None);
        check_place(
            "a.c",
            "#include <a.h>\n|\n#include <b.h>\nint f(void) { return 1; }\n",
            Some(Inside),
        );
        check_place(
            "A.java",
            "package a;\n\nimport a.B;\n|import a.C;\n\nclass A {\n}\n",
            Some(Inside),
        );
        check_place("A.java", "package a;\n\nimport a.B;\n\nclass A {\n    |\n}\n", None);
    }

    #[test]
    fn what_is_shown_of_a_head_ends_where_code_begins() {
        let text = "# Copyright 2020\n\nimport os\nX = 1\n\ndef f():\n    pass\n";
        let head = head("a.py", text);
        assert_eq!(&text[head.seen_from(text, HeadPlace::Inside)], "\nimport os\nX = 1");
        assert_eq!(
            &text[head.seen_from(text, HeadPlace::Start)],
            "# Copyright 2020\n\nimport os\nX = 1"
        );
    }

    #[test]
    fn any_other_comment_states_no_licence() {
        let text = "// Reads licences of packages.\n\nuse std::io;\n\nfn f() {}\n";
        assert!(head("a.rs", text).licence.is_empty());
    }
}
