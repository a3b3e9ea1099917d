//! The languages that have a grammar.

/// A language with a grammar: an entry of the table.
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
