//! An entry of the language table.

use super::variants::Language;

/// The properties of a language.
pub(super) struct LanguageEntry {
    /// The variant. Entries are in the order of the variants.
    pub(super) language: Language,
    /// Name in lower case.
    pub(super) name: &'static str,
    /// The grammar; `None` if its feature is off.
    pub(super) grammar: fn() -> Option<tree_sitter::Language>,
    /// File extensions, without the dot, in lower case.
    pub(super) extensions: &'static [&'static str],
    /// Keywords, sorted.
    pub(super) keywords: &'static [&'static str],
    /// Query files. If two patterns define the same name, the first wins.
    pub(super) queries: &'static [&'static str],
    /// The other properties: those of a family below, and where the language differs from it.
    pub(super) family: Family,
}

/// The properties that many languages share.
pub(super) struct Family {
    /// Other common names.
    pub(super) aliases: &'static [&'static str],
    /// File names without an extension.
    pub(super) files: &'static [&'static str],
    /// Programs in a `#!` line.
    pub(super) interpreters: &'static [&'static str],
    /// Start of a comment that ends with its line.
    pub(super) line_comment: Option<&'static str>,
    /// Start and end of a comment of several lines.
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// Node kinds of comments.
    pub(super) comment_kinds: &'static [&'static str],
    /// Node kinds of attributes, decorators and signatures that are siblings before the node they belong to.
    pub(super) lead_kinds: &'static [&'static str],
    /// Whether a string at the beginning of a body is its documentation.
    pub(super) docstrings: bool,
    /// Names of methods that are constructors.
    pub(super) constructors: &'static [&'static str],
}

/// No comments.
pub(super) const PLAIN: Family = Family {
    aliases: &[],
    files: &[],
    interpreters: &[],
    line_comment: None,
    block_comment: None,
    comment_kinds: &["comment"],
    lead_kinds: &[],
    docstrings: false,
    constructors: &[],
};

/// `# comment`.
pub(super) const HASH_COMMENTS: Family = Family { line_comment: Some("#"), ..PLAIN };

/// `// comment` and `/* comment */`.
pub(super) const C_LIKE: Family =
    Family { line_comment: Some("//"), block_comment: Some(("/*", "*/")), ..PLAIN };

/// `<!-- comment -->`.
pub(super) const MARKUP: Family = Family { block_comment: Some(("<!--", "-->")), ..PLAIN };

/// JavaScript and TypeScript.
pub(super) const ECMASCRIPT: Family = Family {
    comment_kinds: &["comment", "html_comment"],
    lead_kinds: &["decorator"],
    constructors: &["constructor"],
    ..C_LIKE
};
