//! Where the cursor was, kept from one session to the next where the user turned that on (`remember`): one small file a
//! repository in the user's state directory, with paths and lines and no text.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use super::signals::{Outcomes, Visit};
use crate::host::Repository;

/// What the file says.
#[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Kept {
    version: u32,
    /// Paths in the repository and lines that count from 1, the earliest first.
    visited: Vec<(String, u32)>,
    /// Suggestions that were taken, in all sessions.
    accepted: u64,
    /// Suggestions instead of which something else was typed, in all sessions.
    dismissed: u64,
}

const VERSION: u32 = 1;

/// Reads what was kept of a repository; nothing where there is nothing that can be read.
pub(super) fn recall(repository: &Repository) -> Vec<Visit> {
    let root = &repository.workspace().root;
    let kept = place_of(repository).map(|it| read(&it)).unwrap_or_default();
    kept.visited.into_iter().map(|(path, line)| Visit { path: root.join(path), line }).collect()
}

/// Writes what is to be kept of a repository: `visits`, the latest first, as far as they are in it.
pub(super) fn keep(
    repository: &Repository,
    visits: &[Visit],
    outcomes: Outcomes,
) -> anyhow::Result<()> {
    let place = place_of(repository).context("there is no state directory: set XDG_STATE_HOME")?;
    let known = read(&place);
    let workspace = repository.workspace();
    let relative = |it: &Visit| Some((workspace.relative(&it.path).ok()?, it.line));
    let kept = Kept {
        version: VERSION,
        visited: visits.iter().rev().filter_map(relative).collect(),
        accepted: known.accepted + outcomes.accepted,
        dismissed: known.dismissed + outcomes.dismissed,
    };
    write(&place, &kept)
}

fn read(place: &Path) -> Kept {
    let bytes = std::fs::read(place).unwrap_or_default();
    let kept: Kept = serde_json::from_slice(&bytes).unwrap_or_default();
    if kept.version == VERSION { kept } else { Kept::default() }
}

/// Whole or not at all: another session may read it meanwhile.
fn write(place: &Path, kept: &Kept) -> anyhow::Result<()> {
    let directory = place.parent().context("a file has a directory")?;
    let tell = || format!("cannot write {}", place.display());
    std::fs::create_dir_all(directory).with_context(tell)?;
    let mut file = tempfile::NamedTempFile::new_in(directory).with_context(tell)?;
    serde_json::to_writer(&mut file, kept).with_context(tell)?;
    file.persist(place).with_context(tell)?;
    Ok(())
}

/// Its name is that of the repository's index.
fn place_of(repository: &Repository) -> Option<PathBuf> {
    let name = repository.store().dir().file_name()?.to_owned();
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
    fn what_was_written_is_read_and_what_is_broken_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("deep/it.json");
        assert_eq!(read(&place), Kept::default());
        let kept =
            Kept { version: VERSION, visited: vec![("a.py".into(), 3)], accepted: 1, dismissed: 2 };
        write(&place, &kept).unwrap();
        assert_eq!(read(&place), kept);
        std::fs::write(&place, "{").unwrap();
        assert_eq!(read(&place), Kept::default());
        std::fs::write(&place, r#"{"version":9,"visited":[],"accepted":1,"dismissed":1}"#).unwrap();
        assert_eq!(read(&place), Kept::default());
    }
}
