//! Which files are planned, and in which order.

use crate::sorting::sort_by_key;
use rustc_hash::FxHashMap;

use super::planner::StaticPlanner;
use super::store::Plans;
use crate::index::Snapshot;

/// The files of a snapshot by whether they need a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Files whose plan is as it would be made again.
    pub current: usize,
    /// Files to plan, the likeliest to be edited first.
    pub pending: Vec<String>,
    /// How many of these have a plan, which is outdated.
    pub outdated: usize,
    /// Files that would have been planned, beyond the most.
    pub beyond: usize,
}

/// Those files first that were changed `recently`, the latest first; then the others by path. At most `most` files have
/// plans.
pub fn schedule(snapshot: &Snapshot, plans: &Plans, recently: &[String], most: usize) -> Schedule {
    let mut recency: FxHashMap<&str, usize> = FxHashMap::default();
    for (age, path) in recently.iter().enumerate() {
        recency.entry(path).or_insert(age);
    }
    let planned = snapshot.files().filter(|it| StaticPlanner::is_planned(snapshot, *it));
    let mut paths: Vec<&str> = planned.map(|it| snapshot.path(it)).collect();
    // Paths are in order already.
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
    use crate::history::{CoChange, CoChangeConfig, History};
    use crate::index::{IndexConfig, Store};
    use crate::source::Source;
    use crate::speculate::{Background, PlanStore, plan_config};

    fn snapshot(paths: &[&str]) -> Snapshot {
        let text = "def open(path):\n    return read(path)\n";
        let source = |path: &&str| Source { path: (*path).into(), text: text.into() };
        Snapshot::of_sources(paths.iter().map(source).collect(), IndexConfig::default()).unwrap()
    }

    #[test]
    fn what_changed_last_is_planned_first_and_there_is_a_bound() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path().to_owned(), IndexConfig::default());
        let planner = StaticPlanner::new(plan_config(crate::preset::context()));
        let store = PlanStore::new(&store, "view", planner.key().clone());
        let snapshot = snapshot(&["a.py", "b.py", "c.py", "d.py", "README.md"]);
        let recently = ["c.py".to_owned(), "gone.py".into(), "b.py".into(), "c.py".into()];
        let first = schedule(&snapshot, &store.load(), &recently, 3);
        assert_eq!(first.pending, ["c.py", "b.py", "a.py"]);
        assert_eq!((first.current, first.beyond), (0, 1));
        let co_change = CoChange::new(History::default(), CoChangeConfig::measured());
        let background = Background { recently: &recently, co_change: &co_change };
        let plan = planner.plan(&snapshot, "c.py", background).unwrap();
        store.try_write().unwrap().unwrap().append(&[plan], 7).unwrap();
        let second = schedule(&snapshot, &store.load(), &recently, 3);
        assert_eq!(second.pending, ["b.py", "a.py"]);
        assert_eq!((second.current, second.outdated), (1, 0));
        assert_eq!(planner.plan(&snapshot, "gone.py", background), None);
    }
}
