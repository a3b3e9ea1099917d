//! The table of languages.
//!
//! # Queries
//!
//! CONTRIBUTING.md, "To add a language", lists all steps. This is step 3, how to write `queries/<language>/tags.scm` and
//! `imports.scm`:
//!
//! * They use the part of tree-sitter's query language that `symbol/pattern.rs` describes. It has no quantifiers, so an
//!   optional node takes two patterns.
//! * A node under `@definition.<kind>` is a definition. Its name and body are the node's fields of that name unless
//!   `@name` and `@body` say otherwise. A node that wraps a name (a declarator, a path, a generic type) is unwrapped by
//!   code.
//! * If two patterns define the same name, the first in the file gives the kind and the wider one the span.
//! * Comments, attributes before a definition and constructors come from the table; methods and local variables are
//!   recognised by code.

mod entry;
#[macro_use]
mod macros;
mod code;
mod declarations_of_c;
mod documents;
mod macros_of_c;
mod macros_of_rust;
mod mixed;
mod more_code;
mod newer_kotlin;
mod table;
mod tokens;
mod variants;

use std::borrow::Cow;
use std::ops::Range;

use self::entry::LanguageEntry;
use self::table::{LEN, entries, entry};
pub use self::variants::Language;

impl Language {
    /// Every language, in the table's order.
    pub const ALL: &'static [Self] = &ALL;

    /// The language of a file by its name, or by its text if the name is ambiguous (`.h`) or unknown (`#!`).
    ///
    /// `head` is the beginning of the text and may be empty: `#!` needs the first line, `.h` some kilobytes.
    pub fn of_path(path: &str, head: &str) -> Option<Self> {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if let Some(entry) = entries().find(|it| it.family.files.contains(&file)) {
            return Some(entry.language);
        }
        let Some((stem, extension)) = file.rsplit_once('.') else { return of_interpreter(head) };
        let extension = extension.to_ascii_lowercase();
        // `a.blade.php` has a double extension.
        let double = stem.rsplit_once('.').map(|it| format!("{}.{extension}", it.1));
        let of = |extension: &str| entries().find(|it| it.extensions.contains(&extension));
        let entry = double.and_then(|it| of(&it)).or_else(|| of(&extension));
        match entry.map(|it| it.language) {
            Some(Self::C) if extension == "h" && is_cpp(head) => Some(Self::Cpp),
            Some(language) => Some(language),
            None => of_stem(stem).or_else(|| of_interpreter(head)),
        }
    }

    /// Name in lower case, as `--lang` accepts it: `python`, `rust`, `cpp`, `csharp`, ….
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The language with this name or alias (`js`, `c++`, `golang`).
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        entries()
            .find(|it| it.name == name || it.family.aliases.contains(&name.as_str()))
            .map(|it| it.language)
    }

    /// Start of a line comment (`//`, `#`, `--`); `None` if the language has none.
    pub fn line_comment(self) -> Option<&'static str> {
        self.entry().family.line_comment
    }

    /// Start and end of a block comment; `None` if the language has none.
    pub fn block_comment(self) -> Option<(&'static str, &'static str)> {
        self.entry().family.block_comment
    }

    /// Keywords, sorted. They carry no information in a query.
    pub fn keywords(self) -> &'static [&'static str] {
        self.entry().keywords
    }

    /// True for programming languages and files that embed one; false for documents, data and queries.
    pub fn is_code(self) -> bool {
        table::is_code(self)
    }

    /// The language of the embedded code, whose rules imports and names follow: TypeScript for Vue, Ruby for ERB.
    /// Returns `self` if the language embeds none.
    #[must_use]
    pub fn of_code(self) -> Self {
        match self {
            Self::Vue | Self::Svelte | Self::Astro => Self::TypeScript,
            Self::Ejs => Self::JavaScript,
            Self::Notebook => Self::Python,
            Self::Erb => Self::Ruby,
            Self::Eex => Self::Elixir,
            _ => self,
        }
    }

    /// True if this build contains the grammar (the language's feature is on).
    pub fn has_grammar(self) -> bool {
        self.grammar().is_some()
    }

    /// The grammar; `None` if the feature of the language is off.
    pub(crate) fn grammar(self) -> Option<tree_sitter::Language> {
        (self.entry().grammar)()
    }

    /// The text that the parser reads, and the ranges in which it differs. It has the same length, with spaces for
    /// macros that would hide definitions and for syntax newer than the grammar, and with blocks for macros of Rust
    /// around items.
    pub(crate) fn parser_text(self, text: &[u8]) -> (Cow<'_, [u8]>, Vec<Range<usize>>) {
        let hidden = match self {
            Self::C | Self::Cpp => {
                [macros_of_c::macros(text), declarations_of_c::macros(text, self)].concat()
            }
            Self::Kotlin => newer_kotlin::newer_syntax(text),
            Self::Rust => macros_of_rust::macros(text),
            _ => Vec::new(),
        };
        if hidden.is_empty() {
            return (Cow::Borrowed(text), hidden);
        }
        let mut shown = text.to_vec();
        for range in &hidden {
            let shown = &mut shown[range.clone()];
            shown.iter_mut().filter(|it| !matches!(it, b'\n' | b'\r')).for_each(|it| *it = b' ');
            if self == Self::Rust && shown.len() >= macros_of_rust::BLOCK.len() {
                shown[..macros_of_rust::BLOCK.len()].copy_from_slice(macros_of_rust::BLOCK);
            }
        }
        (Cow::Owned(shown), hidden)
    }

    /// Node kinds of comments.
    pub(crate) fn comment_kinds(self) -> &'static [&'static str] {
        self.entry().family.comment_kinds
    }

    /// Node kinds (attributes, decorators, signatures) that are siblings before the node they belong to.
    pub(crate) fn lead_kinds(self) -> &'static [&'static str] {
        self.entry().family.lead_kinds
    }

    /// Whether a string at the beginning of a body is its documentation.
    pub(crate) fn has_docstrings(self) -> bool {
        self.entry().family.docstrings
    }

    /// Names of methods that are constructors.
    pub(crate) fn constructors(self) -> &'static [&'static str] {
        self.entry().family.constructors
    }

    /// Texts of the query files.
    pub(crate) fn queries(self) -> &'static [&'static str] {
        self.entry().queries
    }

    fn entry(self) -> &'static LanguageEntry {
        entry(self as usize)
    }
}

/// The variants, taken from the entries: the list cannot miss one.
const ALL: [Language; LEN] = {
    let mut all = [Language::Python; LEN];
    let mut i = 0;
    while i < LEN {
        all[i] = entry(i).language;
        assert!(all[i] as usize == i, "the entries are not in the order of the variants");
        i += 1;
    }
    all
};

/// The language of files whose names continue after a dot: `Dockerfile.dev`, `Makefile.in`.
fn of_stem(stem: &str) -> Option<Language> {
    let entry = entries().find(|it| it.family.files.contains(&stem))?;
    matches!(entry.language, Language::Dockerfile | Language::Make).then_some(entry.language)
}

/// The language of a `#!` line: `#!/bin/sh`, `#!/usr/bin/env -S python3 -u`, `#!/usr/bin/python3.12`.
fn of_interpreter(head: &str) -> Option<Language> {
    let line = head.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace().map(|it| it.rsplit('/').next().unwrap_or(it));
    let mut program = words.next()?;
    if program == "env" {
        program = words.find(|it| !it.starts_with('-') && !it.contains('='))?;
    }
    let plain = program.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.' || it == '-');
    let entry = entries()
        .find(|it| it.family.interpreters.iter().any(|&known| known == program || known == plain));
    entry.map(|it| it.language)
}

/// Detects C++ in a header: a line begins with syntax that C does not have. Matching at the start of lines excludes prose.
fn is_cpp(head: &str) -> bool {
    const CPP_LINE_STARTS: &[&str] = &[
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
    // A C header may support C++ callers (`#ifdef __cplusplus`, `extern "C"`), and even contain C++ helpers there.
    let guarded = head.contains("#ifdef __cplusplus") || head.contains("#if defined(__cplusplus)");
    let mut lines = head.lines().map(str::trim_start);
    !guarded
        && lines.any(|line| {
            CPP_LINE_STARTS.iter().any(|it| line.starts_with(it)) || is_cpp_include(line)
        })
}

/// Whether a line includes a header of the C++ standard library: `#include <vector>`.
fn is_cpp_include(line: &str) -> bool {
    let included = line.strip_prefix("#include <").and_then(|it| it.split_once('>'));
    included.is_some_and(|(name, _)| !name.contains(['.', '/']))
}

#[cfg(test)]
#[track_caller]
fn check_parser_text(language: Language, text: &str, shown: &str) {
    assert_eq!(String::from_utf8_lossy(&language.parser_text(text.as_bytes()).0), shown);
}

#[cfg(test)]
mod tests {
    use super::{Language, entries};

    #[test]
    fn keywords_are_sorted_and_unique() {
        for entry in entries() {
            assert!(entry.keywords.is_sorted_by(|a, b| a < b), "{}", entry.name);
        }
    }

    #[test]
    fn no_extension_file_or_name_means_two_languages() {
        let mut seen = std::collections::BTreeSet::new();
        for entry in entries() {
            let family = &entry.family;
            let (aliases, names) = (family.aliases, &[entry.name][..]);
            let kinds = [entry.extensions, family.files, family.interpreters, aliases, names];
            for (idx, words) in kinds.iter().enumerate() {
                for word in *words {
                    assert!(seen.insert((idx.min(3), *word)), "{word} of {}", entry.name);
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
        assert_eq!(of("docker/Dockerfile.dev"), Some(Language::Dockerfile));
        assert_eq!(of("a.unknown"), None);
        assert_eq!(of("views/a.blade.php"), Some(Language::Blade));
        assert_eq!(of("views/a.html.erb"), Some(Language::Erb));
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
