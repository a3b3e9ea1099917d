//! Makes tasks from any history: the corpus is a commit's parent, and the hole is code that the commit added.
//!
//! Of its commit, a task contains only the text before the hole in the same insertion, none of the other changes. Code
//! that the commit added elsewhere cannot be found, as in an editor a moment before. Each hole is checked: prefix +
//! suffix without the typed text around the hole equals the parent's file, byte for byte, and the hole's lines are the
//! commit's. Rejected holes are counted by reason.
//!
//! * [`Grain::Block`]: an insertion of 2 to 40 lines.
//! * [`Grain::Function`]: the body of a function that was inserted whole; the insertion's text before it, with the
//!   signature, is already typed.
//! * [`Grain::Line`]: one line of an insertion; the insertion's text before it is already typed.
//!
//! With [`Request::sessions`] a task also has the hunks of its commit that were plausibly written before the hole
//! (`session`), as edits since the commit; never later ones.
//!
//! Merges, vendored, generated and minified files are skipped, and so is code that the same commit removed elsewhere:
//! it was moved, not written. The same repository, revision, seed and settings give the same tasks.

mod filter;
pub(crate) mod grain;
mod history;
mod hunks;
mod next_edit;
mod order;
mod patch;
mod request;
mod session;
mod task;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::random::Random;
use history::{Commit, History};

pub(crate) use next_edit::NEAR;
pub use next_edit::{EditStep, PastCommit, RemainingHunk, Target, commits, steps};
pub use request::{Grain, Request, TestFilter};
pub use task::{MinedCorpus, MinedMeta, MinedTask, Position};

/// The result of mining.
#[derive(Debug, Default)]
pub struct MiningResult {
    /// Tasks, newest commit first.
    pub tasks: Vec<MinedTask>,
    /// Number of commits read before there were enough tasks.
    pub commits: usize,
    /// Number of holes before the limits.
    pub candidates: usize,
    /// Number of rejected commits and holes, by reason.
    pub left_out: LeftOut,
}

/// Counts by reason.
type LeftOut = BTreeMap<&'static str, usize>;

/// The reason for skipping a whole commit.
const UNREAD: &str = "commits that git cannot read";

/// The full hash of a revision.
pub(crate) fn resolve(git_dir: &Path, revision: &str) -> Result<String> {
    History::open(git_dir)?.resolve(revision)
}

/// Mines tasks: reads the commits in a random order until there are enough, so that the time depends on the number of
/// tasks and not on the length of the history.
pub fn mine(request: &Request) -> Result<MiningResult> {
    let history = History::open(&request.git_dir)?;
    let last = history.resolve(&request.revision)?;
    let commits = history.commits(&last, request.commits)?;
    ensure!(!commits.is_empty(), "{} has no commit with one parent", request.revision);
    let mut found = MiningResult::default();
    let mut unread = None;
    let mut order: Vec<usize> = (0..commits.len()).collect();
    Random::of_name(&request.seed.to_string()).shuffle(&mut order);
    let mut tasks: Vec<(usize, MinedTask)> = Vec::new();
    for idx in order {
        if tasks.len() >= request.limit {
            break;
        }
        found.commits += 1;
        let of_commit = if request.sessions { session::of_commit } else { of_commit };
        let commit = &commits[idx];
        let mut of_commit = match of_commit(&history, request, commit, &last, &mut found.left_out) {
            Ok(tasks) => tasks,
            // A partial or damaged clone lacks objects of some commits; the others are unaffected.
            Err(why) => {
                *found.left_out.entry(UNREAD).or_default() += 1;
                unread.get_or_insert(why);
                continue;
            }
        };
        found.candidates += of_commit.len();
        let seeds = Random::of_name(&format!("{} {}", request.seed, commit.id));
        let sampled = sample(&mut of_commit, request.of_a_commit, seeds);
        tasks.extend(sampled.into_iter().map(|it| (idx, it)));
    }
    if let Some(why) = unread.filter(|_| found.left_out[UNREAD] == found.commits) {
        return Err(why);
    }
    tasks.sort_by_key(|it| it.0);
    let mut tasks: Vec<MinedTask> = tasks.into_iter().map(|it| it.1).collect();
    // The last commit read may have given more than were missing.
    found.tasks = sample(&mut tasks, request.limit, Random::of_name(&request.seed.to_string()));
    Ok(found)
}

/// A random sample of at most `n` tasks, in their original order.
fn sample(tasks: &mut Vec<MinedTask>, n: usize, mut random: Random) -> Vec<MinedTask> {
    let mut places: Vec<usize> = (0..tasks.len()).collect();
    random.shuffle(&mut places);
    places.truncate(n);
    let chosen = |idx: usize| places.contains(&idx);
    let all = std::mem::take(tasks).into_iter().enumerate();
    all.filter(|it| chosen(it.0)).map(|it| it.1).collect()
}

/// All holes of a commit.
fn of_commit(
    history: &History,
    request: &Request,
    commit: &Commit,
    last: &str,
    left_out: &mut LeftOut,
) -> Result<Vec<MinedTask>> {
    let patch = history.patch(commit)?;
    let mut res = Vec::new();
    for insertion in &patch.insertions {
        let holes = match filter::unwanted(insertion, &patch.removed, request.tests) {
            Some(why) => Err(why),
            None => history.holes(commit, insertion, request.grain)?,
        };
        match holes {
            Ok(holes) => {
                let source = task::Source { request, commit, insertion, last };
                res.extend(holes.into_iter().map(|it| source.task(it)));
            }
            Err(why) => *left_out.entry(why).or_default() += 1,
        }
    }
    Ok(res)
}

#[cfg(test)]
mod tests;
