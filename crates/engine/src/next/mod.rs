//! Predicts where the next edit is likely, given the latest edits.
//!
//! Edits rename, remove and define names, and change signatures (`change`). Code that used a changed definition in the
//! state before the edits must follow (`earlier`); other lines with these names may have to, as may lines like replaced
//! ones (`lines`), lines that repeat what was replaced (`repeats`), and files that usually change together with the edited ones (`companions`). Near hits form one place
//! (`place`). Its score is a weighted sum of what is known of it (`features`), its confidence also depends on the other places. Where the new text
//! is known, the place has it (`text`). What a model wrote for a place is checked before it is proposed (`text/written.rs`).

mod change;
mod companions;
mod earlier;
mod features;
mod group;
mod hit;
mod lines;
mod place;
mod reason;
mod repeats;
mod suggestion;
mod text;

use std::ops::Range;

pub use self::change::ChangeKind;
pub use self::features::Feature;
pub use self::place::Config;
pub use self::reason::NextReason;
pub use self::suggestion::{Place, ProposedEdit};
pub use self::text::{WrittenFault, written_edit};
use crate::history::CoChange;
use crate::index::Snapshot;

/// An edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file, relative to the root.
    pub path: String,
    /// Written lines, as bytes of the current file; empty where lines were deleted.
    pub range: Range<usize>,
    /// The lines that were there before.
    pub removed: String,
}

/// The user's recent work.
#[derive(Clone, Copy)]
pub struct NextRequest<'a> {
    /// The edits, the latest first; the snapshot contains them.
    pub edits: &'a [Edit],
    /// Files that change together; empty without a history.
    pub co_change: &'a CoChange,
    /// Maximum number of places.
    pub limit: usize,
}

/// Returns the likely places of the next edit, the likeliest first, equal ones by path and line.
pub fn next_edits(snapshot: &Snapshot, request: &NextRequest<'_>, config: &Config) -> Vec<Place> {
    let edited = change::EditedFiles::new(snapshot, request.edits);
    let earlier = earlier::EarlierState::new(snapshot, &edited);
    let changes = change::changes(&edited, request.edits, &earlier.definitions, snapshot);
    let companions = companions::companions(snapshot, &edited, request);
    let mut hits = lines::hits(snapshot, &edited, &changes, &companions);
    hits.extend(earlier.hits(snapshot));
    hits.extend(lines::imports(snapshot, &edited, request.edits));
    hits.extend(repeats::hits(snapshot, &edited, &companions, request.edits));
    hits.extend(lines::near(&edited));
    hits.extend(companions::hits(snapshot, &edited, &companions, &changes));
    let context = group::Context::new(snapshot, &edited, request.edits, &changes);
    let mut res = place::places(&context, hits, config, request.limit);
    text::check(snapshot, &edited, &mut res);
    res
}

/// The edits since the last commit: those of the file written last come first, and those of a file from the bottom.
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
