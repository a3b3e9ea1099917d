//! The user's `config.toml`: every key is optional, unknown keys are errors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::definitions::{Definition, definitions};
use super::role::Role;
use crate::usage::usage;
use foreword_engine::sorting::sort_by_key;

/// Table of the model roles.
const MODELS: &str = "models";

/// Table of `ask`.
const ASK: &str = "ask";

/// Table of the cluster with many repositories.
const CLUSTER: &str = "cluster";

/// Table of settings for single workspaces.
const WORKSPACES: &str = "workspaces";

/// Keys allowed in a workspace's table: settings of prompts.
const WORKSPACE_KEYS: [&str; 6] =
    ["budget", "piece_lines", "pieces", "order", "trim", "least_confidence"];

/// Values of the user's file by key; `models.chat.url` is `url` in `[models.chat]`.
#[derive(Debug, Default)]
pub(super) struct ConfigFile {
    pub(super) path: PathBuf,
    pub(super) values: BTreeMap<String, toml::Value>,
}

impl ConfigFile {
    /// Reads the file. For a command in `directory`, tables of workspaces that contain it override the general keys;
    /// the innermost wins.
    pub(super) fn read(path: &Path, directory: Option<&Path>) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| usage(format!("{} cannot be read: {error}", path.display())))?;
        Self::parse(path, &text, directory)
    }

    fn parse(path: &Path, text: &str, directory: Option<&Path>) -> anyhow::Result<Self> {
        let wrong = |message: String| usage(format!("{}: {message}", path.display()));
        let table: toml::Table =
            text.parse().map_err(|it: toml::de::Error| wrong(it.to_string()))?;
        let mut values = BTreeMap::new();
        let mut workspaces = toml::Table::new();
        for (key, value) in table {
            match value {
                toml::Value::Table(all) if key == WORKSPACES => workspaces = all,
                toml::Value::Table(roles) if key == MODELS => {
                    for (role, value) in roles {
                        values.extend(role_values(&role, value).map_err(wrong)?);
                    }
                }
                toml::Value::Table(keys) if [ASK, CLUSTER].contains(&&*key) => {
                    values.extend(keys.into_iter().map(|(name, it)| (format!("{key}.{name}"), it)));
                }
                value => drop(values.insert(key, value)),
            }
        }
        let known = definitions();
        let is_known = |key: &str| known.iter().any(|it| it.keys().any(|it| it == key));
        if let Some(key) = values.keys().find(|it| !is_known(it)) {
            return Err(wrong(unknown(key, known.iter().flat_map(Definition::keys))));
        }
        values.extend(workspace_values(workspaces, directory).map_err(wrong)?);
        Ok(Self { path: path.to_owned(), values })
    }
}

/// The keys of every `[workspaces."PATH"]` that contains `directory`, innermost last.
fn workspace_values(
    workspaces: toml::Table,
    directory: Option<&Path>,
) -> Result<Vec<(String, toml::Value)>, String> {
    let mut found = Vec::new();
    for (path, value) in workspaces {
        let toml::Value::Table(keys) = value else {
            return Err(format!("{WORKSPACES}.{path:?}: a table is expected"));
        };
        if let Some(key) = keys.keys().find(|it| !WORKSPACE_KEYS.contains(&it.as_str())) {
            let all = WORKSPACE_KEYS.join(", ");
            return Err(format!("[{WORKSPACES}.{path:?}]: unknown key `{key}`; there are {all}"));
        }
        if !Path::new(&path).is_absolute() {
            return Err(format!("[{WORKSPACES}.{path:?}]: an absolute path is expected"));
        }
        let root = dunce::canonicalize(&path).unwrap_or_else(|_| path.into());
        if directory.is_some_and(|it| it.starts_with(&root)) {
            found.push((root.as_os_str().len(), keys));
        }
    }
    sort_by_key(&mut found, |it| it.0);
    Ok(found.into_iter().flat_map(|it| it.1).collect())
}

/// The keys of `[models.<role>]`.
fn role_values(role: &str, value: toml::Value) -> Result<Vec<(String, toml::Value)>, String> {
    let known = Role::ALL.into_iter().find(|it| it.name() == role);
    let Some(known) = known else {
        let all = Role::ALL.map(Role::name).join(", ");
        return Err(format!("[models.{role}]: no such role; there are {all}"));
    };
    let toml::Value::Table(keys) = value else {
        return Err(format!("models.{role}: a table is expected, [models.{role}]"));
    };
    Ok(keys.into_iter().map(|(name, value)| (known.key(&name), value)).collect())
}

/// The error for an unknown key; lists the keys of the same table.
fn unknown<'k>(key: &str, known: impl Iterator<Item = &'k str>) -> String {
    let table = key.rsplit_once('.').map_or("", |it| it.0);
    let same = known.filter(|it| it.rsplit_once('.').map_or("", |it| it.0) == table);
    let names: Vec<&str> = same.map(|it| it.rsplit('.').next().unwrap_or(it)).collect();
    let tables = match table {
        "" => format!(
            ", and tables [{ASK}], [{CLUSTER}], {}",
            Role::ALL.map(|it| format!("[models.{}]", it.name())).join(", ")
        ),
        _ => String::new(),
    };
    format!("unknown key `{key}`; there are {}{tables}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> anyhow::Result<ConfigFile> {
        ConfigFile::parse(Path::new("/home/config.toml"), text, Some(Path::new("/src/app/lib")))
    }

    #[test]
    fn keys_of_roles_have_the_names_of_their_tables() {
        let file = parse("budget = 1\n[models.chat]\nurl = 'http://a'\n").unwrap();
        let keys: Vec<&str> = file.values.keys().map(String::as_str).collect();
        assert_eq!(keys, ["budget", "models.chat.url"]);
    }

    #[test]
    fn the_innermost_workspace_counts_first_and_others_not_at_all() {
        let text = "pieces = 1\norder = 'auto'\n[workspaces.\"/src/app/lib\"]\npieces = 3\n[workspaces.\"/src/app\"]\npieces = 2\ntrim = 'nearest'\n[workspaces.\"/src/other\"]\npieces = 4\n";
        let values = parse(text).unwrap().values;
        assert_eq!(values["pieces"], toml::Value::Integer(3));
        assert_eq!(values["trim"].as_str(), Some("nearest"));
        assert_eq!(values["order"].as_str(), Some("auto"));
    }

    #[test]
    fn mistakes_name_the_file_the_key_and_what_there_is() {
        let check = |text: &str, words: &[&str]| {
            let error = parse(text).unwrap_err().to_string();
            let all = [&["/home/config.toml"], words].concat();
            assert!(all.iter().all(|it| error.contains(it)), "{error}");
        };
        check("modle = 'x'", &["`modle`", "model", "budget"]);
        check("[models.chat]\nuri = 'x'", &["`models.chat.uri`", "url", "key_env"]);
        check(
            "[models.talk]\nurl = 'x'",
            &["[models.talk]", "complete, chat, embed, rerank, edit"],
        );
        check("models.chat = 'x'", &["models.chat", "a table is expected"]);
        check("[workspaces.app]\npieces = 1", &["app", "an absolute path"]);
        check("[workspaces.\"/app\"]\nmodel = 'x'", &["/app", "`model`", "piece_lines"]);
        check("[workspaces]\n\"/app\" = 1", &["/app", "a table is expected"]);
        check("budget = ", &["line 1"]);
    }
}
