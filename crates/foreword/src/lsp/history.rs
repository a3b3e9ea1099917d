//! Cursor positions kept between sessions, if the user enables `remember`: a small file per repository in the user's
//! state directory, with paths and line numbers but no text.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use foreword_session::host::Repository;
use serde::{Deserialize, Serialize};

use super::interactions::{Outcomes, Visit};

/// Contents of the file.
#[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct History {
    version: u32,
    /// Paths in the repository with 1-based lines, oldest first.
    visited: Vec<(String, u32)>,
    /// Number of accepted suggestions in all sessions.
    accepted: u64,
    /// Number of dismissed suggestions in all sessions.
    dismissed: u64,
}

const VERSION: u32 = 1;

/// Loads earlier visits to a repository; empty if the file cannot be read.
pub(super) fn load(repository: &Repository) -> Vec<Visit> {
    let root = &repository.workspace().root;
    let history = file_of(repository).map(|it| read(&it)).unwrap_or_default();
    history.visited.into_iter().map(|(path, line)| Visit { path: root.join(path), line }).collect()
}

/// Saves the `visits` (latest first) that are in the repository, and adds the outcomes to its counts.
pub(super) fn save(
    repository: &Repository,
    visits: &[Visit],
    outcomes: Outcomes,
) -> anyhow::Result<()> {
    let file = file_of(repository).context("no state directory: set XDG_STATE_HOME")?;
    let earlier = read(&file);
    let workspace = repository.workspace();
    let relative = |it: &Visit| Some((workspace.relative(&it.path).ok()?, it.line));
    let history = History {
        version: VERSION,
        visited: visits.iter().rev().filter_map(relative).collect(),
        accepted: earlier.accepted + outcomes.accepted,
        dismissed: earlier.dismissed + outcomes.dismissed,
    };
    write(&file, &history)
}

fn read(file: &Path) -> History {
    let file = foreword_load::open_regular(file).ok().map(std::io::BufReader::new);
    let history = file.and_then(|it| serde_json::from_reader::<_, History>(it).ok());
    let history = history.unwrap_or_default();
    if history.version == VERSION { history } else { History::default() }
}

/// Writes atomically, since another session may read the file meanwhile.
fn write(file: &Path, history: &History) -> anyhow::Result<()> {
    let directory = file.parent().context("a file has a directory")?;
    let context = || format!("cannot write {}", file.display());
    std::fs::create_dir_all(directory).with_context(context)?;
    let mut temporary = tempfile::NamedTempFile::new_in(directory).with_context(context)?;
    serde_json::to_writer(&mut temporary, history).with_context(context)?;
    temporary.persist(file).with_context(context)?;
    Ok(())
}

/// Named like the repository's index.
fn file_of(repository: &Repository) -> Option<PathBuf> {
    let name = repository.store().workspace_dir().file_name()?.to_owned();
    Some(state_directory()?.join("foreword").join(name).with_extension("json"))
}

/// `XDG_STATE_HOME`, else the platform's default.
fn state_directory() -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    absolute("XDG_STATE_HOME").or_else(|| match cfg!(windows) {
        true => absolute("LOCALAPPDATA"),
        false => absolute("HOME").map(|it| it.join(".local/state")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_history_is_read_and_a_broken_one_counts_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/it.json");
        assert_eq!(read(&file), History::default());
        let visited = vec![("a.py".into(), 3)];
        let history = History { version: VERSION, visited, accepted: 1, dismissed: 2 };
        write(&file, &history).unwrap();
        assert_eq!(read(&file), history);
        std::fs::write(&file, "{").unwrap();
        assert_eq!(read(&file), History::default());
        std::fs::write(&file, r#"{"version":9,"visited":[],"accepted":1,"dismissed":1}"#).unwrap();
        assert_eq!(read(&file), History::default());
    }
}
