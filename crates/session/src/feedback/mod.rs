//! What people and programs made of earlier answers: kept on this machine, one file a repository, and used as a bounded
//! factor on later scores ([`foreword_engine::feedback`]).
//!
//! `store` is the file; `event` what it has a line of; `last` the answer that verdicts on the command line refer to; `reads` what agents read of what they found;
//! `used` what a completion took from the pieces of its prompt.

mod event;
mod last;
mod reads;
mod store;
pub mod used;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use foreword_engine::feedback::{Config, Feedback, Vote};
use foreword_load::{Environment, Workspace, index_dir};

pub use event::{About, Event, Place, Source, Verdict};
pub use last::{ShownAnswer, ShownPiece};
pub use reads::RecentSearches;
pub use store::FeedbackStore;

use crate::setup::{FeedbackUse, Setup};

/// Seconds since 1970.
pub fn unix_seconds() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

/// The file of a repository; `None` where feedback is switched off or the user has no data directory.
pub fn store_of(setup: &Setup, workspace: &Workspace) -> Option<FeedbackStore> {
    (setup.feedback != FeedbackUse::Off).then(|| FeedbackStore::new(file_of(workspace)?)).flatten()
}

/// Where the feedback on a repository is kept: all its work trees have one file.
pub fn file_of(workspace: &Workspace) -> Option<PathBuf> {
    let environment = Environment::current();
    let base = environment.data_dir.as_ref()?.join("foreword").join("feedback");
    let directory = index_dir(workspace, Some(&base), &environment).ok()?;
    Some(directory.with_added_extension("jsonl"))
}

/// Keeps what an action tells, if the user wants that to be kept. That it cannot be written is no reason to fail.
pub fn observe(setup: &Setup, workspace: &Workspace, events: &[Event]) {
    let wanted = setup.feedback == FeedbackUse::All && !events.is_empty();
    if let Some(store) = wanted.then(|| store_of(setup, workspace)).flatten()
        && let Err(error) = store.append(events)
    {
        tracing::warn!("feedback is not kept: {error:#}");
    }
}

/// Of one file: when it was changed, how long it was, and what it says.
type Read = (Option<SystemTime>, u64, Arc<Feedback>);

/// What was read last of each file: servers ask with every question.
static READ: LazyLock<Mutex<HashMap<PathBuf, Read>>> = LazyLock::new(Mutex::default);

/// The files that are remembered.
const REMEMBERED: usize = 8;

/// The feedback on a repository; empty where there is none, or it is switched off.
pub fn of(setup: &Setup, workspace: &Workspace) -> Arc<Feedback> {
    let Some(store) = store_of(setup, workspace) else { return Arc::default() };
    let Ok(metadata) = std::fs::metadata(store.path()) else { return Arc::default() };
    let (changed, length) = (metadata.modified().ok(), metadata.len());
    let mut all = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, _, known)) =
        all.get(store.path()).filter(|it| it.0 == changed && it.1 == length)
    {
        return Arc::clone(known);
    }
    let feedback = Arc::new(Feedback::new(&votes(&store.read()), &Config::IN_FORCE));
    if all.len() >= REMEMBERED {
        all.clear();
    }
    all.insert(store.path().to_owned(), (changed, length, Arc::clone(&feedback)));
    feedback
}

/// Seconds of a day.
const DAY: f32 = 86_400.0;

/// Events as votes, which count back from the latest one.
pub fn votes(events: &[Event]) -> Vec<Vote> {
    let latest = events.iter().map(|it| it.at).max().unwrap_or(0);
    let vote = |it: &Event| Vote {
        path: it.place.path.clone(),
        symbol: it.place.symbol.clone(),
        line: it.place.start_line,
        question: it.question.clone(),
        weight: it.source.weight() * if it.verdict == Verdict::Good { 1.0 } else { -1.0 },
        days: (latest - it.at) as f32 / DAY,
    };
    events.iter().map(vote).collect()
}
