//! SCIP indexes on disk: files that were named, and `index.scip` at the root.

use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use foreword_engine::index::{IndexedText, ScipError, ScipImport, ScipSource, Snapshot, Store};

use crate::root::{EntryType, open_regular};
use crate::workspace::Workspace;

/// The name under which indexers write, and which is found at the root.
const OWN: &str = "index.scip";

/// The file `index.scip` at the root of a directory on disk; `None` if there is none.
pub fn own_scip(workspace: &Workspace) -> Option<PathBuf> {
    let path = workspace.root.join(OWN);
    let is_there = |path: &Path| {
        fs::symlink_metadata(path).is_ok_and(|it| EntryType::of(it.file_type()) == EntryType::File)
    };
    (workspace.revision.is_none() && is_there(&path)).then_some(path)
}

/// Takes the documents of a SCIP index that fit the files of the snapshot. Its paths are relative to the root, or to the
/// directory below the root in which the index lies.
pub fn import_scip(
    workspace: &Workspace,
    store: &Store,
    snapshot: &Snapshot,
    path: &Path,
) -> Result<ScipImport, ScipError> {
    let file = open_regular(path)?;
    let written = file.metadata()?.modified()?;
    let written_at_s = written.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let relative = workspace.relative(path).ok();
    let name = relative.clone().unwrap_or_else(|| path.display().to_string());
    let source = ScipSource { file: name, written_at_s };
    let directory = relative.as_deref().and_then(|it| Some(it.rsplit_once('/')?.0));
    let text_of = |path: &str| -> Option<IndexedText> {
        let below = || Some(format!("{}/{path}", directory?));
        let (path, file) = match snapshot.file(path) {
            Some(file) => (path.to_owned(), file),
            None => below().and_then(|it| Some((it.clone(), snapshot.file(&it)?)))?,
        };
        Some((path, snapshot.text(file), snapshot.hash(file)))
    };
    store.facts().import(BufReader::new(file), &source, &text_of)
}
