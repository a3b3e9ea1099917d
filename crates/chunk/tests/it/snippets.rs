//! A few realistic lines of code in every language, for mutation, truncation and mixing.

use foreword_chunk::Language;

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
        _ => snippet_of_further(language),
    }
}

/// Files that embed other languages, and languages added later.
fn snippet_of_further(language: Language) -> &'static str {
    match language {
        Language::Vue => include_str!("snippets/snippet.vue"),
        Language::Svelte => include_str!("snippets/snippet.svelte"),
        Language::Astro => include_str!("snippets/snippet.astro"),
        Language::Notebook => include_str!("snippets/snippet.ipynb"),
        Language::Erb => include_str!("snippets/snippet.erb"),
        Language::Ejs => include_str!("snippets/snippet.ejs"),
        Language::Eex => include_str!("snippets/snippet.heex"),
        Language::Blade => include_str!("snippets/snippet.blade.php"),
        Language::Jinja => include_str!("snippets/snippet.j2"),
        Language::Dart => include_str!("snippets/snippet.dart"),
        Language::PowerShell => include_str!("snippets/snippet.ps1"),
        Language::R => include_str!("snippets/snippet.R"),
        Language::Make => include_str!("snippets/snippet.mk"),
        Language::Dockerfile => include_str!("snippets/snippet.dockerfile"),
        Language::Hcl => include_str!("snippets/snippet.tf"),
        Language::Protobuf => include_str!("snippets/snippet.proto"),
        Language::GraphQl => include_str!("snippets/snippet.graphql"),
        Language::Solidity => include_str!("snippets/snippet.sol"),
        Language::GdScript => include_str!("snippets/snippet.gd"),
        Language::Nix => include_str!("snippets/snippet.nix"),
        Language::Erlang => include_str!("snippets/snippet.erl"),
        _ => NONE,
    }
}

const NONE: &str = "a b c\n";

#[test]
fn every_language_has_a_snippet() {
    for language in Language::ALL {
        let message = "step 5 of CONTRIBUTING.md, \"To add a language\": no snippet of";
        assert_ne!(snippet(*language), NONE, "{message} {}", language.name());
    }
}
