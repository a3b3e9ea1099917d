//! Removes views that are no longer needed: of commits beyond a quota, and of directories that no longer exist.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use foreword_engine::index::{INDEX_TAG, Manifest, Store, Writer};

use crate::workspace::REVISION_VIEW;

/// Maximum number of commits with a view, and maximum bytes of the segments that only they need. The view in use is
/// kept in any case.
const MAX_COMMITS: usize = 8;
const MAX_COMMIT_BYTES: u64 = 512 << 20;

/// A view whose directory does not exist is kept this long after its last commit: a disk may be mounted again.
const MISSING_PERIOD: Duration = Duration::from_hours(7 * 24);

/// Removes the views that are no longer needed, before the view `current` is committed with this manifest.
pub(super) fn remove_unneeded(writer: &Writer, store: &Store, current: &str, manifest: &Manifest) {
    let mut needed: BTreeSet<_> = manifest.segments.iter().copied().collect();
    let mut commits = Vec::new();
    for (view, used) in store.views().into_iter().filter(|it| it.0 != current) {
        // A view that cannot be decoded may belong to another configuration.
        let Some(manifest) = store.manifest(&view) else { continue };
        if view.ends_with(REVISION_VIEW) {
            commits.push((view, manifest));
        } else if is_missing(store, Path::new(&manifest.root), used) {
            writer.remove(&view);
        } else {
            needed.extend(manifest.segments);
        }
    }
    let mut bytes = 0;
    for (number, (view, manifest)) in (1..).zip(commits) {
        let own = manifest.segments.iter().filter(|it| !needed.contains(it));
        bytes += own.map(|it| store.segment_bytes(*it)).sum::<u64>();
        if number >= MAX_COMMITS || bytes > MAX_COMMIT_BYTES {
            writer.remove(&view);
        } else {
            needed.extend(manifest.segments);
        }
    }
}

/// Whether the directory of a view does not exist, for some time or because [`remove_checkouts`] removed it.
fn is_missing(store: &Store, root: &Path, used: SystemTime) -> bool {
    let is_old = SystemTime::now().duration_since(used).is_ok_and(|it| it > MISSING_PERIOD);
    let is_gone = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
    (is_old || root.starts_with(store.workspace_dir()))
        && root.symlink_metadata().is_err_and(is_gone)
}

/// Removes the files of commits that earlier versions wrote below the directories of all indexes: they contain secrets.
pub(super) fn remove_checkouts(store: &Store) {
    let Some(base) = store.workspace_dir().parent() else { return };
    let all = fs::read_dir(base).into_iter().flatten().filter_map(Result::ok).map(|it| it.path());
    for index in all {
        let revisions = index.join("revisions");
        let is_tagged = || {
            let tag = fs::read_to_string(index.join("CACHEDIR.TAG"));
            tag.is_ok_and(|it| it == INDEX_TAG)
        };
        if revisions.symlink_metadata().is_ok_and(|it| it.is_dir()) && is_tagged() {
            for entry in fs::read_dir(&revisions).into_iter().flatten().filter_map(Result::ok) {
                if is_checkout(&entry.file_name().to_string_lossy()) {
                    let _ = fs::remove_dir_all(entry.path());
                }
            }
            let _ = fs::remove_dir(revisions);
        }
    }
}

/// Whether the name is a commit, or that of an unfinished checkout.
fn is_checkout(name: &str) -> bool {
    let is_commit = name.len() == 40 && name.bytes().all(|it| it.is_ascii_hexdigit());
    is_commit || name.starts_with("unfinished-")
}
