//! Which files need a plan, and in which order.

use crate::sorting::sort_by_key;
use rustc_hash::FxHashMap;

use super::store::Plans;
use crate::index::{FileId, FileRole, Snapshot};

/// The files of a snapshot by whether they need a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Number of files with a current plan.
    pub current: usize,
    /// Files to plan, the likeliest to be edited first.
    pub pending: Vec<String>,
    /// Number of pending files that have an outdated plan.
    pub outdated: usize,
    /// Number of files beyond the maximum, which get no plan.
    pub beyond: usize,
}

/// Larger files, in bytes, are data or generated.
const MAX_FILE_SIZE: u32 = 1 << 20;

/// Whether plans are made for a file: code of the project that people edit.
pub fn is_planned_for(snapshot: &Snapshot, file: FileId) -> bool {
    let is_code = snapshot.language(file).is_some_and(foreword_chunk::Language::is_code);
    let is_own =
        !matches!(snapshot.role(file), FileRole::Prose | FileRole::Data | FileRole::ThirdParty);
    is_code && is_own && snapshot.size(file).0 <= MAX_FILE_SIZE
}

/// Orders files by the age of their last change (`recently`, the latest first), then by path, and keeps the first `most`.
pub fn schedule(snapshot: &Snapshot, plans: &Plans, recently: &[String], most: usize) -> Schedule {
    let mut recency: FxHashMap<&str, usize> = FxHashMap::default();
    for (age, path) in recently.iter().enumerate() {
        recency.entry(path).or_insert(age);
    }
    let files = snapshot.files().filter(|it| is_planned_for(snapshot, *it));
    let mut paths: Vec<&str> = files.map(|it| snapshot.path(it)).collect();
    // The sort is stable and paths are already in order.
    sort_by_key(&mut paths, |it| recency.get(it).copied().unwrap_or(usize::MAX));
    let beyond = paths.len().saturating_sub(most);
    paths.truncate(most);
    let (current, pending): (Vec<&str>, Vec<&str>) =
        paths.into_iter().partition(|it| plans.is_current(snapshot, it));
    Schedule {
        current: current.len(),
        outdated: pending.iter().filter(|it| plans.has(it)).count(),
        pending: pending.into_iter().map(str::to_owned).collect(),
        beyond,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{IndexConfig, Store};
    use crate::source::Source;
    use crate::speculate::plan::{FilePlan, PlannerKey};
    use crate::speculate::store::PlanStore;

    fn snapshot(paths: &[&str]) -> Snapshot {
        let text = "def open(path):\n    return read(path)\n";
        let source = |path: &&str| Source { path: (*path).into(), text: text.into() };
        Snapshot::of_sources(paths.iter().map(source).collect(), IndexConfig::default()).unwrap()
    }

    #[test]
    fn recently_changed_files_come_first_up_to_the_maximum() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path().to_owned(), IndexConfig::default());
        let planner = PlannerKey { name: "agents".into(), fingerprint: "1".into() };
        let store = PlanStore::new(&store, "view", planner.clone());
        let snapshot = snapshot(&["a.py", "b.py", "c.py", "d.py", "README.md"]);
        let recently = ["c.py".to_owned(), "gone.py".into(), "b.py".into(), "c.py".into()];
        let first = schedule(&snapshot, &store.load(), &recently, 3);
        assert_eq!(first.pending, ["c.py", "b.py", "a.py"]);
        assert_eq!((first.current, first.beyond), (0, 1));
        let hash = snapshot.hash(snapshot.file("c.py").unwrap());
        let (path, blocks, forecasts) = ("c.py".into(), Vec::new(), Vec::new());
        let plan = FilePlan {
            path,
            hash,
            sketch: Vec::new(),
            planner,
            inputs: Vec::new(),
            blocks,
            forecasts,
        };
        store.try_write().unwrap().unwrap().append(&[plan], 7).unwrap();
        let second = schedule(&snapshot, &store.load(), &recently, 3);
        assert_eq!(second.pending, ["b.py", "a.py"]);
        assert_eq!((second.current, second.outdated), (1, 0));
    }
}
