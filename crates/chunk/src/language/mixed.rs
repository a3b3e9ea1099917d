//! Table entries of languages that embed others: components, notebooks and templates. The grammar is that of the host
//! text; `crate::mixed` separates the embedded code.

use super::code::{
    ELIXIR_KEYWORDS, JAVASCRIPT_KEYWORDS, PHP_KEYWORDS, PYTHON_KEYWORDS, RUBY_KEYWORDS,
    TYPESCRIPT_KEYWORDS,
};
use super::entry::{C_LIKE, Family, HASH_COMMENTS, LanguageEntry, MARKUP};
use super::variants::Language;

/// In the order of [`Language`], after those of [`super::more_code`].
pub(super) const ENTRIES: &[LanguageEntry] = &[
    LanguageEntry {
        language: Language::Vue,
        name: "vue",
        grammar: grammar!("html", tree_sitter_html::LANGUAGE),
        extensions: &["vue"],
        keywords: TYPESCRIPT_KEYWORDS,
        queries: queries!("component"),
        family: Family { block_comment: Some(("<!--", "-->")), ..C_LIKE },
    },
    LanguageEntry {
        language: Language::Svelte,
        name: "svelte",
        grammar: grammar!("html", tree_sitter_html::LANGUAGE),
        extensions: &["svelte"],
        keywords: TYPESCRIPT_KEYWORDS,
        queries: queries!("component"),
        family: Family { block_comment: Some(("<!--", "-->")), ..C_LIKE },
    },
    LanguageEntry {
        language: Language::Astro,
        name: "astro",
        grammar: grammar!("html", tree_sitter_html::LANGUAGE),
        extensions: &["astro"],
        keywords: TYPESCRIPT_KEYWORDS,
        queries: queries!("component"),
        family: Family { block_comment: Some(("<!--", "-->")), ..C_LIKE },
    },
    LanguageEntry {
        language: Language::Notebook,
        name: "notebook",
        grammar: grammar!("json", tree_sitter_json::LANGUAGE),
        extensions: &["ipynb"],
        keywords: PYTHON_KEYWORDS,
        queries: queries!("notebook"),
        family: Family { aliases: &["ipynb", "jupyter"], ..HASH_COMMENTS },
    },
    LanguageEntry {
        language: Language::Erb,
        name: "erb",
        grammar: grammar!("html", tree_sitter_html::LANGUAGE),
        extensions: &["erb", "rhtml"],
        keywords: RUBY_KEYWORDS,
        queries: queries!("html"),
        family: Family { aliases: &["rhtml"], ..MARKUP },
    },
    LanguageEntry {
        language: Language::Ejs,
        name: "ejs",
        grammar: grammar!("html", tree_sitter_html::LANGUAGE),
        extensions: &["ejs"],
        keywords: JAVASCRIPT_KEYWORDS,
        queries: queries!("html"),
        family: MARKUP,
    },
    LanguageEntry {
        language: Language::Eex,
        name: "eex",
        grammar: grammar!("html", tree_sitter_html::LANGUAGE),
        extensions: &["eex", "heex", "leex"],
        keywords: ELIXIR_KEYWORDS,
        queries: queries!("html"),
        family: Family { aliases: &["heex", "leex"], ..MARKUP },
    },
    LanguageEntry {
        language: Language::Blade,
        name: "blade",
        grammar: grammar!("html", tree_sitter_html::LANGUAGE),
        extensions: &["blade.php"],
        keywords: PHP_KEYWORDS,
        queries: queries!("html"),
        family: MARKUP,
    },
];
