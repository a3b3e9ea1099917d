//! Plans of a repository's files: which there are, which are missing, and making them, for the command and for servers.

pub mod agents;
pub mod budget;
pub mod coverage;

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use foreword_engine::history::{CoChange, CoChangeConfig};
use foreword_engine::index::{Snapshot, Store, StoreError};
use foreword_engine::preset;
use foreword_engine::sorting::sort_by_key;
use foreword_engine::speculate::{
    Background, FilePlan, PlanStore, Plans, Schedule, StaticPlanner, plan_config, schedule,
};
use foreword_load::{HistoryLimits, Workspace, history};

/// How many files have plans, of a larger repository those that are likeliest to be edited.
pub const MOST_FILES: usize = 20_000;

/// Files that are planned and written together: what a kill loses at the most.
const BATCH: usize = 64;

/// The planner of a repository, with where its plans are.
pub struct Speculator {
    planner: StaticPlanner,
    store: PlanStore,
    /// Files that were changed, the latest first.
    recently: Vec<String>,
    /// Which files change together.
    co_change: CoChange,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Planned {
    /// Number of files.
    pub files: usize,
    /// Number of blocks.
    pub blocks: usize,
    /// Number of forecasts.
    pub forecasts: usize,
}

impl Speculator {
    /// Reads which files were changed lately, from the history.
    pub fn new(workspace: &Workspace, store: &Store) -> Self {
        let planner = StaticPlanner::new(plan_config(preset::context()));
        let plans = PlanStore::new(store, &workspace.view_key(), planner.key().clone());
        let history = history(workspace, Some(store.dir()), &HistoryLimits::usual());
        let files = history.commits.iter().flat_map(|it| &it.files);
        let mut met = std::collections::BTreeSet::new();
        let recently = files.filter(|it| met.insert(**it));
        let recently = recently.filter_map(|it| history.paths.get(*it as usize).cloned()).collect();
        let co_change = CoChange::new(history, CoChangeConfig::measured());
        Self { planner, store: plans, recently, co_change }
    }

    /// Where the plans of a workspace are.
    pub fn store_of(workspace: &Workspace, store: &Store) -> PlanStore {
        let planner = StaticPlanner::new(plan_config(preset::context()));
        PlanStore::new(store, &workspace.view_key(), planner.key().clone())
    }

    /// Where the plans are.
    pub fn store(&self) -> &PlanStore {
        &self.store
    }

    /// Which files need plans.
    pub fn schedule(&self, snapshot: &Snapshot, plans: &Plans, most: usize) -> Schedule {
        schedule(snapshot, plans, &self.recently, most)
    }

    /// The plan of one file; `None` if it is not planned for.
    pub fn plan(&self, snapshot: &Snapshot, path: &str) -> Option<FilePlan> {
        let background = Background { recently: &self.recently, co_change: &self.co_change };
        self.planner.plan(snapshot, path, background)
    }

    /// Plans files in their order, and writes the plans batch by batch, until `goes_on` says no. `None` while another
    /// process does it.
    pub fn run(
        &self,
        snapshot: &Snapshot,
        paths: &[String],
        threads: usize,
        goes_on: &(dyn Fn(Planned) -> bool + Sync),
    ) -> Result<Option<Planned>, StoreError> {
        let Some(mut writer) = self.store.try_write()? else { return Ok(None) };
        let mut res = Planned::default();
        for batch in paths.chunks(BATCH) {
            if !goes_on(res) {
                break;
            }
            let plans = self.plan_batch(snapshot, batch, threads, &|| goes_on(res));
            writer.append(&plans, now())?;
            res.files += plans.len();
            res.blocks += plans.iter().map(|it| it.blocks.len()).sum::<usize>();
            res.forecasts += plans.iter().map(|it| it.forecasts.len()).sum::<usize>();
        }
        writer.compact(&|path| snapshot.file(path).is_some())?;
        Ok(Some(res))
    }

    /// The plans of some files, in their order, made on several threads; of the first ones only, when time is over.
    fn plan_batch(
        &self,
        snapshot: &Snapshot,
        paths: &[String],
        threads: usize,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Vec<FilePlan> {
        let next = AtomicUsize::new(0);
        let made: Mutex<Vec<(usize, FilePlan)>> = Mutex::default();
        let work = || {
            while goes_on() {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(path) = paths.get(at) else { break };
                if let Some(plan) = self.plan(snapshot, path) {
                    made.lock().unwrap_or_else(PoisonError::into_inner).push((at, plan));
                }
            }
        };
        std::thread::scope(|scope| {
            (1..threads.min(paths.len())).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
        sort_by_key(&mut made, |it| it.0);
        made.into_iter().map(|it| it.1).collect()
    }
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs())
}

/// As many threads as there are cores, unless a number was asked for.
pub fn threads(asked: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    if asked == 0 { cores() } else { asked }
}
