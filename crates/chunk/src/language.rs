//! The table of languages.
//!
//! # To add a language
//!
//! 1. `Cargo.toml`: the grammar crate as an optional dependency, a feature that names it, the feature in
//!    `all-languages`.
//! 2. A variant of [`Language`] and, in the same place of the order, a row in `language/table.rs`.
//! 3. `queries/<language>/tags.scm` and `imports.scm`, in the part of tree-sitter's query language that
//!    `symbol/pattern.rs` describes. A node under `@definition.<kind>` is a definition; its name and body are the node's
//!    fields of that name unless `@name` and `@body` say otherwise. What a name node wraps (a declarator, a path, a
//!    generic type) is unwrapped by code. `symbol/capture.rs` lists every capture with what it means; where two patterns
//!    define the same name, the first in the file gives the kind and the wider one the span. Comments, attributes before
//!    a definition and constructors are found by the row; methods and local variables are told apart by code.
//! 4. `tests/languages/<language>.<ext>`: realistic code with what is expected marked in comments under it
//!    (`tests/languages/main.rs` says how). Every definition of the file must be marked; `UPDATE_MARKS=1` writes the
//!    marks, and you read them.

mod table;

use table::{ROWS, Row};

/// A language with a grammar; a row in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Language {
    Python,
    Rust,
    JavaScript,
    TypeScript,
    Tsx,
    Go,
    Java,
    Kotlin,
    C,
    Cpp,
    CSharp,
    Ruby,
    Php,
    Swift,
    Scala,
    Bash,
    Lua,
    Haskell,
    Elixir,
    Zig,
    Markdown,
    Json,
    Yaml,
    Toml,
    Html,
    Css,
    Sql,
}

impl Language {
    /// Every language, in the table's order.
    pub const ALL: &'static [Self] = &ALL;

    /// The language of a file, by its name; by its text where the name leaves a choice (`.h`) or says nothing (`#!`).
    ///
    /// `head` is the beginning of the text: the first line decides on `#!`, some kilobytes decide whether a `.h` is
    /// C++. It may be empty.
    pub fn of_path(path: &str, head: &str) -> Option<Self> {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if let Some(row) = ROWS.iter().find(|it| it.files.contains(&file)) {
            return Some(row.language);
        }
        let Some((_, extension)) = file.rsplit_once('.') else { return of_interpreter(head) };
        let extension = extension.to_ascii_lowercase();
        let row = ROWS.iter().find(|it| it.extensions.contains(&extension.as_str()));
        match row.map(|it| it.language) {
            Some(Self::C) if extension == "h" && is_cpp(head) => Some(Self::Cpp),
            Some(language) => Some(language),
            None => of_interpreter(head),
        }
    }

    /// The name in lower case, as `--lang` takes it: `python`, `rust`, `cpp`, `csharp`, ….
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The language with that name, or with that other common name (`js`, `c++`, `golang`).
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        ROWS.iter()
            .find(|it| it.name == name || it.aliases.contains(&name.as_str()))
            .map(|it| it.language)
    }

    /// What begins a line comment (`//`, `#`, `--`); `None` where the language has none.
    pub fn line_comment(self) -> Option<&'static str> {
        self.row().line_comment
    }

    /// What begins and what ends a comment of several lines; `None` where the language has none.
    pub fn block_comment(self) -> Option<(&'static str, &'static str)> {
        self.row().block_comment
    }

    /// The words of the language itself, sorted; they say nothing in a query.
    pub fn keywords(self) -> &'static [&'static str] {
        self.row().keywords
    }

    /// The grammar; `None` when the language's feature is off.
    pub(crate) fn grammar(self) -> Option<tree_sitter::Language> {
        (self.row().grammar)()
    }

    /// The node kinds that are comments.
    pub(crate) fn comment_kinds(self) -> &'static [&'static str] {
        self.row().comment_kinds
    }

    /// The node kinds (attributes, decorators, signatures) that stand as siblings before what they belong to.
    pub(crate) fn lead_kinds(self) -> &'static [&'static str] {
        self.row().lead_kinds
    }

    /// Whether a string that begins a body documents it.
    pub(crate) fn has_docstrings(self) -> bool {
        self.row().docstrings
    }

    /// The names of methods that are constructors.
    pub(crate) fn constructors(self) -> &'static [&'static str] {
        self.row().constructors
    }

    /// The text of the query files.
    pub(crate) fn queries(self) -> &'static [&'static str] {
        self.row().queries
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

/// The variants, taken from the rows so that none is forgotten.
const ALL: [Language; ROWS.len()] = {
    let mut all = [Language::Python; ROWS.len()];
    let mut i = 0;
    while i < ROWS.len() {
        all[i] = ROWS[i].language;
        assert!(all[i] as usize == i, "the rows are not in the order of the variants");
        i += 1;
    }
    all
};

/// The language that a `#!` line asks for: `#!/bin/sh`, `#!/usr/bin/env -S python3 -u`, `#!/usr/bin/python3.12`.
fn of_interpreter(head: &str) -> Option<Language> {
    let line = head.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace().map(|it| it.rsplit('/').next().unwrap_or(it));
    let mut program = words.next()?;
    if program == "env" {
        program = words.find(|it| !it.starts_with('-') && !it.contains('='))?;
    }
    let plain = program.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.' || it == '-');
    let row = ROWS
        .iter()
        .find(|it| it.interpreters.iter().any(|&known| known == program || known == plain));
    row.map(|it| it.language)
}

/// Whether a header holds what only C++ has, in a line that begins with it (so not in prose).
fn is_cpp(head: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "class ",
        "namespace ",
        "template <",
        "template<",
        "using ",
        "public:",
        "private:",
        "protected:",
        "constexpr ",
        "virtual ",
        "explicit ",
        "friend ",
        "inline namespace ",
    ];
    // A C header may offer itself to C++ (`#ifdef __cplusplus`, `extern "C"`), and may even add C++ conveniences there.
    let guarded = head.contains("#ifdef __cplusplus") || head.contains("#if defined(__cplusplus)");
    let mut lines = head.lines().map(str::trim_start);
    !guarded
        && lines
            .any(|line| BEGINNINGS.iter().any(|it| line.starts_with(it)) || is_cpp_include(line))
}

/// Whether a line includes a header of the C++ standard library: `#include <vector>`.
fn is_cpp_include(line: &str) -> bool {
    let included = line.strip_prefix("#include <").and_then(|it| it.split_once('>'));
    included.is_some_and(|(name, _)| !name.contains(['.', '/']))
}

#[cfg(test)]
mod tests {
    use super::{Language, ROWS};

    #[test]
    fn keywords_are_sorted_and_unique() {
        for row in ROWS {
            assert!(row.keywords.is_sorted_by(|a, b| a < b), "{}", row.name);
        }
    }

    #[test]
    fn no_extension_file_or_name_means_two_languages() {
        let mut seen = std::collections::BTreeSet::new();
        for row in ROWS {
            let kinds = [row.extensions, row.files, row.interpreters, row.aliases, &[row.name]];
            for (idx, words) in kinds.iter().enumerate() {
                for word in *words {
                    assert!(seen.insert((idx.min(3), *word)), "{word} of {}", row.name);
                }
            }
        }
    }

    #[test]
    fn a_path_tells_the_language() {
        let of = |path| Language::of_path(path, "");
        assert_eq!(of("a/b.PY"), Some(Language::Python));
        assert_eq!(of("web\\x.d.ts"), Some(Language::TypeScript));
        assert_eq!(of("lib/Rakefile"), Some(Language::Ruby));
        assert_eq!(of("Cargo.lock"), Some(Language::Toml));
        assert_eq!(of("x/.bashrc"), Some(Language::Bash));
        assert_eq!(of("a.unknown"), None);
        assert_eq!(of("LICENSE"), None);
    }

    #[test]
    fn a_first_line_tells_the_language_of_a_nameless_file() {
        let of = |head| Language::of_path("bin/tool", head);
        assert_eq!(of("#!/usr/bin/env python3\nimport os"), Some(Language::Python));
        assert_eq!(of("#!/usr/bin/env -S A=1 node --flag"), Some(Language::JavaScript));
        assert_eq!(of("#! /bin/bash -e"), Some(Language::Bash));
        assert_eq!(of("#!/usr/local/bin/python3.12"), Some(Language::Python));
        assert_eq!(of("#!/usr/bin/perl"), None);
        assert_eq!(of("no hash"), None);
    }

    #[test]
    fn a_header_is_cpp_only_where_its_text_says_so() {
        let of = |head| Language::of_path("a.h", head);
        assert_eq!(of("struct a { int b; };"), Some(Language::C));
        assert_eq!(of("/* a class for\n * the class of */\nint f(void);"), Some(Language::C));
        assert_eq!(of("#pragma once\n#include <vector>"), Some(Language::Cpp));
        assert_eq!(of("namespace a {\nclass B;\n}"), Some(Language::Cpp));
        assert_eq!(
            of("#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);"),
            Some(Language::C)
        );
    }

    #[test]
    fn a_name_leads_back_to_its_language() {
        for &language in Language::ALL {
            assert_eq!(Language::from_name(language.name()), Some(language));
        }
        assert_eq!(Language::from_name("C++"), Some(Language::Cpp));
        assert_eq!(Language::from_name("cobol"), None);
    }
}
