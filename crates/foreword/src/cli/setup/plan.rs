//! What would change in the file of a client, before anything is written.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::clients::{CLIENTS, Client, Locations, Scope};
use super::{NAME, Removal, file, json, toml_block};
use crate::cli::doctor::agents;

/// Adds foreword to files, or takes it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Add,
    Undo,
}

/// A file of one or several clients, and what would become of it.
pub(super) struct Plan {
    pub(super) names: Vec<&'static str>,
    pub(super) path: PathBuf,
    pub(super) outcome: Result<Outcome, String>,
}

pub(super) enum Outcome {
    /// Write `after`, or delete the file.
    Write { before: Option<String>, after: Option<String> },
    /// It has an entry for foreword.
    Present,
    /// Its entry for foreword is not the one that is written here.
    Edited,
    /// It has no entry for foreword.
    Absent,
}

/// One plan for each file; clients may share one.
pub(super) fn plans(
    clients: &[&'static Client],
    scope: Scope,
    action: Action,
    locations: &Locations,
) -> Vec<Plan> {
    let mut res: Vec<Plan> = Vec::new();
    for client in clients {
        let paths = match action {
            Action::Add => client.file(scope, locations).into_iter().collect(),
            Action::Undo => client.files(scope, locations),
        };
        for path in paths {
            if let Some(known) = res.iter_mut().find(|it| it.path == path) {
                known.names.push(client.name);
                continue;
            }
            let outcome = match scope == Scope::User || is_inside(locations, &path) {
                true => outcome(client, &path, action),
                false => Err("leads out of the repository".to_owned()),
            };
            res.push(Plan { names: vec![client.name], path, outcome });
        }
    }
    res
}

fn is_inside(locations: &Locations, path: &Path) -> bool {
    locations.root.as_deref().is_some_and(|root| file::is_inside(root, path))
}

fn outcome(client: &Client, path: &Path, action: Action) -> Result<Outcome, String> {
    let before = file::read(path).map_err(|it| it.to_string())?;
    let (mark, text) = match &before {
        Some(text) => {
            text.strip_prefix('\u{feff}').map_or(("", text.as_str()), |it| ("\u{feff}", it))
        }
        None if action == Action::Add => {
            return Ok(Outcome::Write { before: None, after: Some(new_file(client, path)) });
        }
        None => return Ok(Outcome::Absent),
    };
    let value = agents::parse_file(text, path)?;
    let after = match action {
        Action::Add => {
            if agents::entry(&value, client.table, None).is_some() {
                return Ok(Outcome::Present);
            }
            Some(added(client, path, text, &value)?)
        }
        Action::Undo => match removal(client, path, text)? {
            Removal::File => None,
            Removal::Rest(rest) if is_rest(&rest, path, client, &value) => Some(rest),
            Removal::Rest(_) | Removal::Changed => return Ok(Outcome::Edited),
            Removal::Nothing => return Ok(Outcome::Absent),
        },
    };
    let after = after.map(|it| format!("{mark}{it}"));
    Ok(Outcome::Write { before, after })
}

fn is_toml(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("toml"))
}

fn new_file(client: &Client, path: &Path) -> String {
    match is_toml(path) {
        true => toml_block::new_file("\n", client.table),
        false => json::new_file("\n", client.table, client.entry),
    }
}

/// What is left without the entry. Clients that share the file may have written another form of it.
fn removal(client: &Client, path: &Path, text: &str) -> Result<Removal, String> {
    if is_toml(path) {
        return Ok(toml_block::remove(text, client.table));
    }
    let others = CLIENTS.iter().filter(|it| it.table == client.table && it.entry != client.entry);
    let mut removal = json::remove(text, client.table, client.entry)?;
    for it in others {
        if matches!(removal, Removal::Changed) {
            removal = json::remove(text, it.table, it.entry)?;
        }
    }
    Ok(removal)
}

/// Whether a text, read again, has all that `whole` had but the entry, and at most lacks the table that it was in.
fn is_rest(rest: &str, path: &Path, client: &Client, whole: &Value) -> bool {
    let mut whole = whole.clone();
    let Ok(mut rest) = agents::parse_file(rest, path) else { return false };
    if let Some(table) = whole.get_mut(client.table).and_then(Value::as_object_mut) {
        table.remove(NAME);
    }
    for it in [&mut rest, &mut whole] {
        if let Some(root) = it.as_object_mut() {
            root.retain(|key, value| key != client.table || *value != serde_json::json!({}));
        }
    }
    let is_empty = |it: &Value| it.is_null() || *it == serde_json::json!({});
    rest == whole || is_empty(&rest) && is_empty(&whole)
}

/// The text with the entry. Read again, it has all that it had before, and the entry, else this fails.
fn added(client: &Client, path: &Path, text: &str, before: &Value) -> Result<String, String> {
    let after = match is_toml(path) {
        true => toml_block::insert(text, client.table),
        false => json::insert(text, client.table, client.entry)?,
    };
    let entry: Value = serde_json::from_str(client.entry).map_err(|it| it.to_string())?;
    let mut expected =
        if before.is_null() { Value::Object(serde_json::Map::new()) } else { before.clone() };
    let root = expected.as_object_mut();
    let table = root.map(|it| it.entry(client.table).or_insert_with(|| serde_json::json!({})));
    if let Some(table) = table.and_then(Value::as_object_mut) {
        table.insert(NAME.to_owned(), entry);
    }
    match agents::parse_file(&after, path) {
        Ok(it) if it == expected => Ok(after),
        _ => Err(format!("its layout is not understood; add the entry `{NAME}` by hand")),
    }
}
