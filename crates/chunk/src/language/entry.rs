//! What an entry of the language table holds.

use super::variants::Language;

/// The properties of a language.
pub(super) struct LanguageEntry {
    /// The variant that stands for it; the entries are in the order of the variants.
    pub(super) language: Language,
    /// Its name in lower case.
    pub(super) name: &'static str,
    /// Other common names.
    pub(super) aliases: &'static [&'static str],
    /// Its grammar; `None` if its feature is off.
    pub(super) grammar: fn() -> Option<tree_sitter::Language>,
    /// Its file extensions, without the dot, in lower case.
    pub(super) extensions: &'static [&'static str],
    /// Names of files that have no extension.
    pub(super) files: &'static [&'static str],
    /// The programs that a `#!` line names.
    pub(super) interpreters: &'static [&'static str],
    /// What begins a comment that ends with its line.
    pub(super) line_comment: Option<&'static str>,
    /// What begins and ends a comment of several lines.
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// The node kinds of comments.
    pub(super) comment_kinds: &'static [&'static str],
    /// The node kinds of attributes and the like that are siblings before the node they belong to.
    pub(super) lead_kinds: &'static [&'static str],
    /// Whether a string at the beginning of a body is its documentation.
    pub(super) docstrings: bool,
    /// The names of methods that are constructors.
    pub(super) constructors: &'static [&'static str],
    /// Its keywords, sorted.
    pub(super) keywords: &'static [&'static str],
    /// Query files; of two patterns that define the same name the first wins.
    pub(super) queries: &'static [&'static str],
}
