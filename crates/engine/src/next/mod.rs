//! Where the next edit is likely, given those just made.
//!
//! The edits change names: they rename, remove and define them, and change signatures (`change`). Every other line with
//! such a name is a place that may have to follow, as are lines like those that were replaced, and the files that history
//! changes together with these (`lines`, `companions`). Hits that are near each other are one place; its confidence is
//! the chance that at least one of its reasons is right (`place`), where the chance of a single reason is about its
//! share of right places on other repositories.

mod change;
mod companions;
mod hit;
mod lines;
mod place;
mod reason;

use std::ops::Range;

pub use self::change::ChangeKind;
pub use self::place::{Config, Place};
pub use self::reason::NextReason;
use crate::history::CoChange;
use crate::index::Snapshot;

/// An edit that was just made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file, relative to the root.
    pub path: String,
    /// Bytes of the file as it is now: whole lines that were written; empty where lines are gone.
    pub range: Range<usize>,
    /// The lines that were there before.
    pub removed: String,
}

/// What is known of the user's work.
#[derive(Clone, Copy)]
pub struct NextRequest<'a> {
    /// The edits, the latest first. What they wrote is in the snapshot.
    pub edits: &'a [Edit],
    /// Which files change together; empty where there is no history.
    pub co_change: &'a CoChange,
    /// At most so many places.
    pub limit: usize,
}

/// The places where the next edit is likely, the likeliest first, equal ones by path and line.
pub fn next_edits(snapshot: &Snapshot, request: &NextRequest<'_>, config: &Config) -> Vec<Place> {
    let edited = change::EditedFiles::new(snapshot, request.edits);
    let changes = change::changes(snapshot, &edited, request.edits);
    let companions = companions::companions(snapshot, &edited, request);
    let mut hits = lines::hits(snapshot, &edited, &changes, &companions);
    hits.extend(lines::imports(snapshot, &edited, request.edits));
    hits.extend(lines::following(snapshot, &edited, request.edits));
    hits.extend(lines::neighbours(snapshot, &edited, request.edits));
    hits.extend(companions::hits(snapshot, &edited, &companions, &changes));
    place::places(snapshot, hits, config, request.limit)
}

/// The edits that a snapshot's difference to the last commit consists of: those of the file written last first, and of a
/// file those from below.
pub fn edits_since_commit(snapshot: &Snapshot) -> Vec<Edit> {
    let mut res = Vec::new();
    for diff in &snapshot.diff().files {
        let Some(file) = snapshot.file(&diff.path) else { continue };
        let text = snapshot.text(file);
        let committed = diff.committed.as_deref().unwrap_or_default();
        let edit = |it: crate::index::Hunk| Edit {
            path: diff.path.clone(),
            range: it.range,
            removed: committed.get(it.replaced).unwrap_or_default().to_owned(),
        };
        res.extend(diff.hunks_of(&text).into_iter().rev().map(edit));
    }
    res
}
