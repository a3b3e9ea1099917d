//! Votes of people and programs on earlier answers: stored on this machine, one file per repository, and used as a bounded
//! factor of later scores ([`foreword_engine::feedback`]).
//!
//! `store` is the file and `event` one of its lines. `last` is the answer that votes on the command line refer to, `reads`
//! derives votes from what agents read, and `used` finds the pieces of a prompt that a completion reused.

mod event;
mod last;
mod reads;
mod store;
pub mod used;

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use foreword_engine::feedback::{Config, Feedback, Vote};
use foreword_load::{Environment, Workspace, index_dir};

pub use event::{About, Event, Place, Source, Verdict};
pub use last::{ShownAnswer, ShownPiece};
pub use reads::RecentSearches;
pub use store::FeedbackStore;

use crate::setup::{FeedbackUse, Setup};
use crate::shared_cache::SharedCache;

/// The feedback of a repository; `None` if switched off or without a data directory of the user.
pub fn store_of(setup: &Setup, workspace: &Workspace) -> Option<FeedbackStore> {
    (setup.feedback != FeedbackUse::Off).then(|| FeedbackStore::new(file_of(workspace)?)).flatten()
}

/// The file of a repository's feedback, common to all its worktrees.
pub fn file_of(workspace: &Workspace) -> Option<PathBuf> {
    let environment = Environment::current();
    let base = environment.data_dir.as_ref()?.join("foreword").join("feedback");
    let directory = index_dir(workspace, Some(&base), &environment).ok()?;
    Some(directory.with_added_extension("jsonl"))
}

/// Stores votes derived from actions, if the settings allow it. A write error is only logged.
pub fn observe(setup: &Setup, workspace: &Workspace, events: &[Event]) {
    let wanted = setup.feedback == FeedbackUse::All && !events.is_empty();
    if let Some(store) = wanted.then(|| store_of(setup, workspace)).flatten()
        && let Err(error) = store.append(events)
    {
        tracing::warn!("feedback is not kept: {error:#}");
    }
}

/// A file, its time of change, and its length.
type CacheKey = (PathBuf, Option<SystemTime>, u64);

/// The latest feedback of each file, because servers need it for every question.
static CACHE: SharedCache<CacheKey, Arc<Feedback>> = SharedCache::new(8);

/// The feedback on a repository; empty if there is none or it is switched off.
pub fn of(setup: &Setup, workspace: &Workspace) -> Arc<Feedback> {
    let Some(store) = store_of(setup, workspace) else { return Arc::default() };
    let Ok(metadata) = std::fs::metadata(store.path()) else { return Arc::default() };
    let key = (store.path().to_owned(), metadata.modified().ok(), metadata.len());
    let read = || Arc::new(Feedback::new(&votes(&store.read()), &Config::IN_FORCE));
    let Ok(feedback) = CACHE.get(key, || Ok::<_, Infallible>(read()));
    feedback
}

/// Seconds per day.
const SECONDS_PER_DAY: f32 = 86_400.0;

/// Turns events into votes, with their age in days before the latest one.
pub fn votes(events: &[Event]) -> Vec<Vote> {
    let latest = events.iter().map(|it| it.at).max().unwrap_or(0);
    let vote = |it: &Event| Vote {
        path: it.place.path.clone(),
        symbol: it.place.symbol.clone(),
        line: it.place.start_line,
        question: it.question.clone(),
        weight: it.source.weight() * if it.verdict == Verdict::Good { 1.0 } else { -1.0 },
        days: (latest - it.at) as f32 / SECONDS_PER_DAY,
    };
    events.iter().map(vote).collect()
}
