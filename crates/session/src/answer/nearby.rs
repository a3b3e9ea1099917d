//! Files that probably resemble the cursor's file, as training text for the embedded model.

use std::sync::Arc;

use foreword_engine::index::Snapshot;
use foreword_engine::scope::Cursor;
use foreword_engine::trim::Piece;

/// Maximum bytes of nearby files; the model reads them in some milliseconds.
const MAX_BYTES: usize = 200_000;

/// The texts of the files that the pieces come from, then of those in the cursor's directory, without the cursor's file.
pub fn nearby(snapshot: &Snapshot, cursor: &Cursor, context: &[Piece]) -> Vec<Arc<str>> {
    let directory = cursor.path().rfind('/').map_or("", |at| &cursor.path()[..=at]);
    let of_pieces = context.iter().filter_map(|it| snapshot.file(&it.path));
    let is_beside = |path: &str| !path[directory.len()..].contains('/');
    let beside = snapshot.files_under(directory).filter(|it| is_beside(snapshot.path(*it)));
    let (mut left, mut seen, mut res) = (MAX_BYTES, Vec::new(), Vec::new());
    for file in of_pieces.chain(beside) {
        let size = snapshot.size(file).0 as usize;
        if snapshot.path(file) == cursor.path() || seen.contains(&file) || size > left {
            continue;
        }
        left -= size;
        seen.push(file);
        res.push(snapshot.text(file));
    }
    res
}
