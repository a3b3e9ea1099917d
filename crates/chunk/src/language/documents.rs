//! Table entries of document, data and query languages: facts only, no code.

use super::entry::{C_LIKE, Family, HASH_COMMENTS, LanguageEntry, MARKUP, PLAIN};
use super::variants::Language;

/// In the order of [`Language`], after those of [`super::mixed`].
pub(super) const ENTRIES: &[LanguageEntry] = &[
    LanguageEntry {
        language: Language::Markdown,
        name: "markdown",
        grammar: grammar!("markdown", tree_sitter_md::LANGUAGE),
        extensions: &["md", "markdown", "mkd", "mdx"],
        keywords: words!(),
        queries: queries!("markdown"),
        family: Family { aliases: &["md"], comment_kinds: &["html_block"], ..MARKUP },
    },
    LanguageEntry {
        language: Language::Json,
        name: "json",
        grammar: grammar!("json", tree_sitter_json::LANGUAGE),
        extensions: &["json", "jsonc", "json5", "geojson", "webmanifest"],
        keywords: words!("false" "null" "true"),
        queries: queries!("json"),
        family: Family {
            aliases: &["jsonc"],
            files: &[".babelrc", ".eslintrc", ".prettierrc", "composer.lock"],
            ..PLAIN
        },
    },
    LanguageEntry {
        language: Language::Yaml,
        name: "yaml",
        grammar: grammar!("yaml", tree_sitter_yaml::LANGUAGE),
        extensions: &["yaml", "yml"],
        keywords: words!("false" "no" "null" "off" "on" "true" "yes"),
        queries: queries!("yaml"),
        family: Family {
            aliases: &["yml"],
            files: &[".clang-format", ".clang-tidy"],
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Toml,
        name: "toml",
        grammar: grammar!("toml", tree_sitter_toml_ng::LANGUAGE),
        extensions: &["toml"],
        keywords: words!("false" "inf" "nan" "true"),
        queries: queries!("toml"),
        family: Family { files: &["Cargo.lock", "Pipfile", "poetry.lock"], ..HASH_COMMENTS },
    },
    LanguageEntry {
        language: Language::Html,
        name: "html",
        grammar: grammar!("html", tree_sitter_html::LANGUAGE),
        extensions: &["html", "htm", "xhtml"],
        keywords: words!("DOCTYPE" "html"),
        queries: queries!("html"),
        family: Family { aliases: &["htm"], ..MARKUP },
    },
    LanguageEntry {
        language: Language::Css,
        name: "css",
        grammar: grammar!("css", tree_sitter_css::LANGUAGE),
        extensions: &["css"],
        keywords: words!("and" "import" "important" "not" "only" "or"),
        queries: queries!("css"),
        family: Family {
            block_comment: Some(("/*", "*/")),
            comment_kinds: &["comment", "js_comment"],
            ..PLAIN
        },
    },
    LanguageEntry {
        language: Language::Sql,
        name: "sql",
        grammar: grammar!("sql", tree_sitter_sequel::LANGUAGE),
        extensions: &["sql", "ddl", "dml"],
        keywords: words!("ADD" "ALL" "ALTER" "AND" "AS" "ASC" "BEGIN" "BETWEEN" "BY" "CASE" "CAST" "CHECK" "COLUMN" "COMMIT" "CONSTRAINT" "CREATE" "CROSS" "DATABASE" "DEFAULT" "DELETE" "DESC" "DISTINCT" "DROP" "ELSE" "END" "EXCEPT" "EXISTS" "FALSE" "FOREIGN" "FROM" "FULL" "FUNCTION" "GRANT" "GROUP" "HAVING" "IF" "IN" "INDEX" "INNER" "INSERT" "INTERSECT" "INTO" "IS" "JOIN" "KEY" "LEFT" "LIKE" "LIMIT" "NOT" "NULL" "OFFSET" "ON" "OR" "ORDER" "OUTER" "OVER" "PARTITION" "PRIMARY" "PROCEDURE" "REFERENCES" "REPLACE" "RETURNING" "RETURNS" "REVOKE" "RIGHT" "ROLLBACK" "SCHEMA" "SELECT" "SET" "TABLE" "THEN" "TRIGGER" "TRUE" "TRUNCATE" "UNION" "UNIQUE" "UPDATE" "USING" "VALUES" "VIEW" "WHEN" "WHERE" "WITH" "add" "all" "alter" "and" "as" "asc" "begin" "between" "by" "case" "cast" "check" "column" "commit" "constraint" "create" "cross" "database" "default" "delete" "desc" "distinct" "drop" "else" "end" "except" "exists" "false" "foreign" "from" "full" "function" "grant" "group" "having" "if" "in" "index" "inner" "insert" "intersect" "into" "is" "join" "key" "left" "like" "limit" "not" "null" "offset" "on" "or" "order" "outer" "over" "partition" "primary" "procedure" "references" "replace" "returning" "returns" "revoke" "right" "rollback" "schema" "select" "set" "table" "then" "trigger" "true" "truncate" "union" "unique" "update" "using" "values" "view" "when" "where" "with"),
        queries: queries!("sql"),
        family: Family {
            line_comment: Some("--"),
            comment_kinds: &["comment", "marginalia"],
            ..C_LIKE
        },
    },
    LanguageEntry {
        language: Language::Jinja,
        name: "jinja",
        grammar: grammar!("html", tree_sitter_html::LANGUAGE),
        extensions: &["j2", "jinja", "jinja2", "liquid", "njk", "twig"],
        keywords: words!("and" "as" "block" "elif" "else" "endblock" "endfor" "endif" "endmacro" "extends" "false" "for" "from" "if" "import" "in" "include" "is" "macro" "none" "not" "or" "set" "true" "with"),
        queries: queries!("html"),
        family: Family {
            aliases: &["django", "jinja2", "liquid", "nunjucks", "twig"],
            block_comment: Some(("{#", "#}")),
            ..PLAIN
        },
    },
];
