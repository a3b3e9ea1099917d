//! The table of settings; a new setting is a new row.

use foreword_engine::speculate::MAX_FORECASTS;

use super::role::Role;
use super::value::Kind;

/// A setting and its sources.
#[derive(Debug)]
pub struct Definition {
    /// Key in the user's file, for example `models.chat.url` for `url` in `[models.chat]`.
    pub key: String,
    /// Alternative key in `[models.complete]`.
    pub(super) role_key: Option<&'static str>,
    /// Environment variable, where the command line has a flag; the program has it read by clap.
    pub(super) variable: Option<Variable>,
    /// Kind of its values.
    pub kind: Kind,
    /// Default, as it would be written on the command line.
    pub(super) default: Option<&'static str>,
}

/// The environment variable of a setting that the command line has, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) name: &'static str,
    /// The key of the setting.
    key: &'static str,
}

/// Maximum number of threads, because each costs memory.
const MAX_THREADS: usize = 256;

/// Most seconds to wait for an answer of a cluster.
const MAX_CLUSTER_TIMEOUT: usize = 600;

/// Names of the formats in which a next-edit model can be asked.
const EDIT_FORMATS: &[&str] =
    &["zeta", "zeta2", "zeta2_1", "sweep", "sweep2", "mercury", "instinct", "chat"];

/// All settings, in display order.
pub(super) fn definitions() -> Vec<Definition> {
    let mut res = vec![
        flag("index_dir", Kind::Path, None, "FOREWORD_INDEX_DIR"),
        // Enough for a batch of about 10 MB of source besides the fixed needs.
        flag("memory", Kind::Size, Some("192M"), "FOREWORD_MEMORY"),
        flag("threads", Kind::Number(MAX_THREADS), Some("0"), "FOREWORD_THREADS"),
        flag("max_file_size", Kind::Size, Some("1M"), "FOREWORD_MAX_FILE_SIZE"),
        file("model", Kind::Text, Some("qwen2.5-coder")).or_role("models.complete.model"),
        flag("model_url", Kind::Text, None, "FOREWORD_MODEL_URL").or_role("models.complete.url"),
        flag("model_api", Kind::Text, None, "FOREWORD_MODEL_API").or_role("models.complete.api"),
        flag("gguf", Kind::Path, None, "FOREWORD_GGUF").or_role("models.complete.gguf"),
        flag("gguf_context", Kind::Number(usize::MAX), None, "FOREWORD_GGUF_CONTEXT")
            .or_role("models.complete.gguf_context"),
        file("budget", Kind::Number(usize::MAX), Some("4096")),
        file("piece_lines", Kind::Number(usize::MAX), Some("40")),
        file("pieces", Kind::Number(usize::MAX), Some("48")),
        file("forecasts", Kind::Number(MAX_FORECASTS), Some("3")),
        file("order", Kind::Word(&["auto", "best-first", "best-last"]), Some("auto")),
        file("trim", Kind::Word(&["scope", "nearest"]), Some("scope")),
        file("least_confidence", Kind::Share, None),
        file("tokenizer", Kind::Path, None),
        file("customise", Kind::Word(&["on", "off"]), Some("on")),
        file("feedback", Kind::Word(&["off", "votes", "all"]), Some("votes")),
        file("remember", Kind::Word(&["on", "off"]), Some("on")),
        file("ignore", Kind::Texts, None),
        file("not_secret", Kind::Texts, None),
        file("mcp_roots", Kind::Texts, None),
        file("git_alternates", Kind::Texts, None),
    ];
    res.extend(ask_definitions());
    res.extend([
        file("cluster.url", Kind::Text, None),
        file("cluster.index", Kind::Text, Some("foreword-v1")),
        file("cluster.key", Kind::Text, None),
        file("cluster.timeout", Kind::Number(MAX_CLUSTER_TIMEOUT), None),
    ]);
    res.extend(Role::ALL.into_iter().flat_map(role_definitions));
    res
}

/// Help of models before answers.
fn ask_definitions() -> [Definition; 3] {
    [
        file("ask.write", Kind::Texts, None),
        file("ask.rerank", Kind::Word(&["off", "pointwise", "listwise"]), Some("off")),
        file("ask.help_ms", Kind::Number(usize::MAX), Some("5000")),
    ]
}

/// Settings of a role.
fn role_definitions(role: Role) -> impl Iterator<Item = Definition> {
    let endpoint = [("url", Kind::Text), ("api", Kind::Text), ("model", Kind::Text)];
    let limits = [
        ("key_env", Kind::Variable),
        ("timeout_ms", Kind::Number(usize::MAX)),
        ("max_tokens", Kind::Number(usize::MAX)),
        ("context", Kind::Number(usize::MAX)),
        ("parallel", Kind::Number(usize::MAX)),
    ];
    let prefixes = [("query_prefix", Kind::Text), ("text_prefix", Kind::Text)];
    let file_of = [("gguf", Kind::Path)];
    let of_embedders = file_of.into_iter().chain(prefixes).filter(move |_| role == Role::Embed);
    let limits = limits.into_iter().chain(of_embedders);
    let costs =
        [("prompt_price", Kind::Price), ("answer_price", Kind::Price), ("hourly", Kind::Text)];
    let format = [("format", Kind::Word(EDIT_FORMATS))];
    let format = format.into_iter().filter(move |_| role == Role::Edit);
    // The endpoint of completions has general keys, too.
    let endpoint = endpoint.into_iter().filter(move |_| role != Role::Complete);
    let costs = costs.into_iter().filter(move |_| role == Role::Chat);
    endpoint
        .chain(format)
        .chain(limits)
        .chain(costs)
        .map(move |(name, kind)| file(&role.key(name), kind, None))
}

/// A setting of the user's file only.
fn file(key: &str, kind: Kind, default: Option<&'static str>) -> Definition {
    let key = key.to_owned();
    Definition { key, role_key: None, variable: None, kind, default }
}

/// A setting of the command line, the environment and the user's file.
fn flag(
    key: &'static str,
    kind: Kind,
    default: Option<&'static str>,
    variable: &'static str,
) -> Definition {
    let variable = Some(Variable { name: variable, key });
    Definition { variable, ..file(key, kind, default) }
}

impl Definition {
    /// The key and the environment variable of a setting that the command line has.
    pub(super) fn flag(&self) -> Option<(&'static str, &'static str)> {
        self.variable.map(|it| (it.key, it.name))
    }

    /// Adds an alternative key in a role's table.
    fn or_role(mut self, key: &'static str) -> Self {
        self.role_key = Some(key);
        self
    }

    /// Keys in the user's file.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.key.as_str()).chain(self.role_key)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const PAGE: &str = include_str!("../../../../docs/configuration.md");

    /// The cells of the page's rows that begin with a key: key, type, default, example.
    fn rows(table: &str) -> Vec<[&str; 4]> {
        let rows = PAGE.split(table).nth(1).unwrap_or_default();
        let rows = rows.split("\n## ").next().unwrap().lines();
        let cells = |it: &'static str| {
            let mut cells =
                it.strip_prefix("| `")?.split(" | ").map(|it| it.trim_matches(['`', ' ']));
            Some([cells.next()?, cells.next()?, cells.next()?, cells.next()?])
        };
        rows.filter_map(cells).collect()
    }

    fn name_of(kind: Kind) -> String {
        match kind {
            Kind::Path => "path".to_owned(),
            Kind::Text => "text".to_owned(),
            Kind::Size => "size".to_owned(),
            Kind::Number(_) => "number".to_owned(),
            Kind::Share => "0 to 1".to_owned(),
            Kind::Price => "price".to_owned(),
            Kind::Word(words) => words.join("`, `"),
            Kind::Texts => "list".to_owned(),
            Kind::Variable => "variable".to_owned(),
        }
    }

    #[track_caller]
    fn check(key: &str, [name, kind, default, example]: [&str; 4], seen: &mut BTreeSet<String>) {
        let all = definitions();
        let found = all.iter().find(|it| it.keys().any(|it| it == key));
        let definition = found.unwrap_or_else(|| panic!("there is no setting {key}"));
        assert_eq!(kind, name_of(definition.kind), "{key}");
        if let Some(it) = definition.default.filter(|_| definition.key == key) {
            assert_eq!(default, it, "{key}");
        }
        let table: toml::Table = example.parse().unwrap();
        definition.kind.read(&table[name]).unwrap();
        seen.extend(definition.keys().map(str::to_owned));
    }

    #[test]
    fn every_format_of_a_next_edit_model_has_a_name_in_the_settings() {
        let all: Vec<&str> =
            foreword_engine::compose::edit::EditFormat::ALL.iter().map(|it| it.name).collect();
        assert_eq!(all, EDIT_FORMATS);
    }

    #[test]
    fn docs_configuration_md_has_every_setting_with_its_type_default_and_a_valid_example() {
        let mut seen = BTreeSet::new();
        for row in rows("\n## General\n") {
            check(row[0], row, &mut seen);
        }
        for row in rows("\n## `[ask]`\n") {
            check(&format!("ask.{}", row[0]), row, &mut seen);
        }
        for row in rows("\n## `[cluster]`\n") {
            check(&format!("cluster.{}", row[0]), row, &mut seen);
        }
        for role in Role::ALL {
            let table = format!("\n## `[models.{}]`\n", role.name());
            for row in rows("\n## All models\n").into_iter().chain(rows(&table)) {
                check(&role.key(row[0]), row, &mut seen);
            }
        }
        let all: BTreeSet<String> = definitions()
            .iter()
            .flat_map(|it| it.keys().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        assert_eq!(seen, all);
    }
}
