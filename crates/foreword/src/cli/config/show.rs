//! `foreword config`: shows the settings with their sources, as a file of settings would have them.

use foreword_session::config::{Kind, Origin, ResolvedSetting, Value, path};
use serde::Serialize;

use super::super::args::ConfigArgs;
use super::super::{Outcome, output};
use super::Settings;

/// A setting in `config --json` (docs/json.md).
#[derive(Serialize)]
struct SettingRow {
    key: String,
    value: serde_json::Value,
    origin: String,
    /// Whether the named environment variable is set; its value is never shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_set: Option<bool>,
}

impl SettingRow {
    fn new(it: &ResolvedSetting) -> Self {
        let is_set = match (it.definition.kind, &it.value) {
            (Kind::Variable, Some(Value::Text(name))) => {
                Some(std::env::var_os(name).is_some_and(|it| !it.is_empty()))
            }
            _ => None,
        };
        let none = match it.definition.kind {
            Kind::Texts => serde_json::json!([]),
            _ => serde_json::Value::Null,
        };
        Self {
            key: it.definition.key.clone(),
            value: it.value.as_ref().map_or(none, Value::to_json),
            origin: it.origin(),
            is_set,
        }
    }
}

pub(in super::super) fn run(args: &ConfigArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    // Settings of roles are shown only if set.
    let is_shown = |it: &&ResolvedSetting| {
        !it.definition.key.starts_with("models.") || it.origin != Origin::Default
    };
    let rows: Vec<SettingRow> =
        settings.config.layers.iter().filter(is_shown).map(SettingRow::new).collect();
    if args.json {
        let file = settings.config.file.clone().or_else(path);
        let file = file.map(|it| it.display().to_string());
        return output::json(&serde_json::json!({ "version": 1, "file": file, "settings": rows }));
    }
    let width = rows.iter().map(|it| it.key.len()).max().unwrap_or(0).max(14);
    let mut text = String::new();
    for SettingRow { key, value, origin, is_set } in &rows {
        let state = match is_set {
            Some(true) => " (the variable is set)",
            Some(false) => " (the variable is not set)",
            None => "",
        };
        let value = value.to_string();
        text.push_str(&match value.as_str() {
            "null" => format!("# {key} is not set\n"),
            _ => format!("{key:width$} = {value:24}  # {origin}{state}\n"),
        });
    }
    if let Some(path) = path() {
        let state = if settings.config.file.is_some() { "read" } else { "not there" };
        text.push_str(&format!("\n# user's file: {} ({state})\n", path.display()));
    }
    output::text(&text)
}
