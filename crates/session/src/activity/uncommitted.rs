//! The session that the disk tells: uncommitted changes, the latest written first.

use foreword_engine::index::{FileDiff, Snapshot};

use super::edited_lines::lines_of;
use super::{ActivityElsewhere, MAX_FILES};

/// Maximum positions in one file: its last hunks say little about where the user is.
const MAX_PLACES: usize = 4;

/// The uncommitted changes of files other than `path`, the latest written first. The snapshot has the difference to the
/// last commit, whose texts are masked as its own are.
pub fn uncommitted(snapshot: &Snapshot, path: &str) -> ActivityElsewhere {
    let mut res = ActivityElsewhere::default();
    let others = snapshot.diff().files.iter().filter(|it| it.path != path);
    for it in others.take(MAX_FILES) {
        add(&mut res, snapshot, it);
    }
    res
}

fn add(res: &mut ActivityElsewhere, snapshot: &Snapshot, diff: &FileDiff) {
    let Some(file) = snapshot.file(&diff.path) else { return };
    res.recent.push(diff.path.clone());
    let text = snapshot.text(file);
    // An unsaved buffer over the file has hunks of its own, which its editor tells.
    if snapshot.hash(file) != diff.hash {
        return;
    }
    // A file that is new is no edit of one line or another.
    if diff.committed.is_some() {
        let line = |at: usize| text[..at].matches('\n').count() as u32 + 1;
        let places = diff.hunks.iter().take(MAX_PLACES);
        let places = places.map(|it| (diff.path.clone(), line(it.range.start)));
        res.activity.visited.extend(places);
    }
    let ranges = diff.hunks.iter().map(|it| it.range.clone());
    res.activity.edited.extend(lines_of(&text, ranges));
}
