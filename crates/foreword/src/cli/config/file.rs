//! The user's `config.toml`: every key is optional, and an unknown one is an error that lists those that there are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::usage;
use super::definitions::{Definition, definitions};
use super::role::Role;

/// The table of model roles.
const MODELS: &str = "models";

/// What the user's file has, by key; `models.chat.url` is `url` in `[models.chat]`.
#[derive(Debug, Default)]
pub(super) struct ConfigFile {
    pub(super) path: PathBuf,
    pub(super) values: BTreeMap<String, toml::Value>,
}

impl ConfigFile {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| usage(format!("{} cannot be read: {error}", path.display())))?;
        Self::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> anyhow::Result<Self> {
        let wrong = |message: String| usage(format!("{}: {message}", path.display()));
        let table: toml::Table =
            text.parse().map_err(|it: toml::de::Error| wrong(it.to_string()))?;
        let mut values = BTreeMap::new();
        for (key, value) in table {
            match value {
                toml::Value::Table(roles) if key == MODELS => {
                    for (role, value) in roles {
                        values.extend(role_values(&role, value).map_err(wrong)?);
                    }
                }
                value => drop(values.insert(key, value)),
            }
        }
        let known = definitions();
        let is_known = |key: &str| known.iter().any(|it| it.keys().any(|it| it == key));
        if let Some(key) = values.keys().find(|it| !is_known(it)) {
            return Err(wrong(unknown(key, known.iter().flat_map(Definition::keys))));
        }
        Ok(Self { path: path.to_owned(), values })
    }
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

/// Lists the keys of the same table.
fn unknown<'k>(key: &str, known: impl Iterator<Item = &'k str>) -> String {
    let table = key.rsplit_once('.').map_or("", |it| it.0);
    let same = known.filter(|it| it.rsplit_once('.').map_or("", |it| it.0) == table);
    let names: Vec<&str> = same.map(|it| it.rsplit('.').next().unwrap_or(it)).collect();
    let tables = match table {
        "" => format!(
            ", and tables {}",
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
        ConfigFile::parse(Path::new("/home/config.toml"), text)
    }

    #[test]
    fn keys_of_roles_have_the_names_of_their_tables() {
        let file = parse("budget = 1\n[models.chat]\nurl = 'http://a'\n").unwrap();
        let keys: Vec<&str> = file.values.keys().map(String::as_str).collect();
        assert_eq!(keys, ["budget", "models.chat.url"]);
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
        check("[models.talk]\nurl = 'x'", &["[models.talk]", "complete, chat, embed"]);
        check("models.chat = 'x'", &["models.chat", "a table is expected"]);
        check("budget = ", &["line 1"]);
    }
}
