//! A few realistic lines of code in every language, for mutation, truncation and mixing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use foreword_chunk::Language;

use crate::marks::mark;

/// Some code in `language`.
pub(crate) fn snippet(language: Language) -> &'static str {
    match language {
        Language::Python => include_str!("snippets/snippet.py"),
        Language::Rust => include_str!("snippets/snippet.rs"),
        Language::JavaScript => include_str!("snippets/snippet.js"),
        Language::TypeScript => include_str!("snippets/snippet.ts"),
        Language::Tsx => include_str!("snippets/snippet.tsx"),
        Language::Go => include_str!("snippets/snippet.go"),
        Language::Java => include_str!("snippets/snippet.java"),
        Language::Kotlin => include_str!("snippets/snippet.kt"),
        Language::C => include_str!("snippets/snippet.c"),
        Language::Cpp => include_str!("snippets/snippet.cpp"),
        Language::CSharp => include_str!("snippets/snippet.cs"),
        Language::Ruby => include_str!("snippets/snippet.rb"),
        Language::Php => include_str!("snippets/snippet.php"),
        Language::Swift => include_str!("snippets/snippet.swift"),
        Language::Scala => include_str!("snippets/snippet.scala"),
        Language::Bash => include_str!("snippets/snippet.sh"),
        Language::Lua => include_str!("snippets/snippet.lua"),
        Language::Haskell => include_str!("snippets/snippet.hs"),
        Language::Elixir => include_str!("snippets/snippet.ex"),
        Language::Zig => include_str!("snippets/snippet.zig"),
        Language::Markdown => include_str!("snippets/snippet.md"),
        Language::Json => include_str!("snippets/snippet.json"),
        Language::Yaml => include_str!("snippets/snippet.yaml"),
        Language::Toml => include_str!("snippets/snippet.toml"),
        Language::Html => include_str!("snippets/snippet.html"),
        Language::Css => include_str!("snippets/snippet.css"),
        Language::Sql => include_str!("snippets/snippet.sql"),
        _ => code_without_marks(language),
    }
}

/// The marked file of a language (`tests/languages`), without its marks.
fn code_without_marks(language: Language) -> &'static str {
    static TEXTS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
        let paths = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        let code = |path: PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let lines = text.split_inclusive('\n').filter(|it| mark(it).is_none());
            (name.split('.').next().unwrap().to_owned(), lines.collect())
        };
        paths.map(code).collect()
    });
    TEXTS.get(language.name()).map_or(NONE, String::as_str)
}

const NONE: &str = "a b c\n";

#[test]
fn every_language_has_a_snippet() {
    for language in Language::ALL {
        assert_ne!(snippet(*language), NONE, "{}", language.name());
    }
}
