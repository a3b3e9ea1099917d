//! Files that change on disk while a repository is open: an agent or another program edits them.

use foreword_engine::index::{FileId, Snapshot};

use crate::activity::{ActivityLog, MAX_FILES};

/// Records the files in which two complete snapshots of one commit's work tree differ. Many at once are no edits: a build,
/// a formatter, a stash.
pub(super) fn record(log: &ActivityLog, before: &Snapshot, after: &Snapshot) {
    if !before.is_complete() || !after.is_complete() {
        return;
    }
    let old = |it: FileId| before.file(after.path(it));
    let is_changed = |it: &FileId| old(*it).is_none_or(|old| before.hash(old) != after.hash(*it));
    let changed: Vec<FileId> = after.files().filter(is_changed).take(MAX_FILES + 1).collect();
    if changed.len() > MAX_FILES {
        return;
    }
    for it in changed {
        let earlier = old(it).map(|it| before.text(it).to_string());
        log.change_on_disk(after.path(it), &after.text(it), earlier);
    }
}
