//! The stored plans of a repository, read again when another process has written some. No model is asked.

use std::sync::{Arc, Mutex, PoisonError};

use foreword_engine::index::{Snapshot, Store};
use foreword_engine::speculate::{FilePlan, Plans};
use foreword_load::Workspace;

use crate::speculation::{KnownModel, PlanPaths};

/// The plans that were read last.
#[derive(Default)]
pub(super) struct PlanCache(Mutex<Option<CachedPlans>>);

#[derive(Clone)]
struct CachedPlans {
    model: KnownModel,
    size: u64,
    plans: Arc<Plans>,
}

impl PlanCache {
    /// The current plan of a file; `None` if no model has planned it, or since when it or what it cites has changed.
    pub(super) fn current(
        &self,
        (workspace, store): (&Workspace, &Store),
        snapshot: &Snapshot,
        path: &str,
    ) -> Option<FilePlan> {
        let paths = PlanPaths::new(workspace, store);
        let model = paths.model()?;
        let stored = paths.plans(store)?;
        let size = stored.size();
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |it: &CachedPlans| it.size == size && it.model == model;
        let known = cached.take().filter(is_same).unwrap_or_else(|| CachedPlans {
            model,
            size,
            plans: Arc::new(stored.load()),
        });
        let plans = Arc::clone(&known.plans);
        *cached = Some(known);
        drop(cached);
        plans.current(snapshot, path)
    }
}
