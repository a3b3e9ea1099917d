//! Where the cursor was, kept from one session to the next where the user turned that on (`remember`): one small file
//! per repository in the user's state directory, with paths and lines and no text.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use super::interactions::{Outcomes, Visit};
use crate::host::Repository;

/// The file's content.
#[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct History {
    version: u32,
    /// Paths in the repository and lines that count from 1, the earliest first.
    visited: Vec<(String, u32)>,
    /// Accepted suggestions of all sessions.
    accepted: u64,
    /// Suggestions of all sessions instead of which something else was typed.
    dismissed: u64,
}

const VERSION: u32 = 1;

/// Loads the visits of earlier sessions to a repository; none where no file can be read.
pub(super) fn load(repository: &Repository) -> Vec<Visit> {
    let root = &repository.workspace().root;
    let history = file_of(repository).map(|it| read(&it)).unwrap_or_default();
    history.visited.into_iter().map(|(path, line)| Visit { path: root.join(path), line }).collect()
}

/// Saves those of `visits` (the latest first) that are in a repository, and adds the outcomes to its counts.
pub(super) fn save(
    repository: &Repository,
    visits: &[Visit],
    outcomes: Outcomes,
) -> anyhow::Result<()> {
    let file = file_of(repository).context("there is no state directory: set XDG_STATE_HOME")?;
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
    let bytes = std::fs::read(file).unwrap_or_default();
    let history: History = serde_json::from_slice(&bytes).unwrap_or_default();
    if history.version == VERSION { history } else { History::default() }
}

/// Writes the whole file or nothing: another session may read it meanwhile.
fn write(file: &Path, history: &History) -> anyhow::Result<()> {
    let directory = file.parent().context("a file has a directory")?;
    let context = || format!("cannot write {}", file.display());
    std::fs::create_dir_all(directory).with_context(context)?;
    let mut temporary = tempfile::NamedTempFile::new_in(directory).with_context(context)?;
    serde_json::to_writer(&mut temporary, history).with_context(context)?;
    temporary.persist(file).with_context(context)?;
    Ok(())
}

/// The file has the name of the repository's index.
fn file_of(repository: &Repository) -> Option<PathBuf> {
    let name = repository.store().workspace_dir().file_name()?.to_owned();
    Some(state_directory()?.join("foreword").join(name).with_extension("json"))
}

/// `XDG_STATE_HOME`, else the platform's.
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
