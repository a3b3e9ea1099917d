//! Tasks from any history: the corpus is a commit's parent, and the hole is code that the commit added.
//!
//! Nothing of the commit but what stands before the hole in its own insertion is in a task: not its other changes to
//! the file, not its other files. So nothing that the code needs and the commit brought with it can be found; that is
//! the honest state of an editor a moment before. Every hole is checked to line up: the parent's file, with what was
//! typed before and after the hole taken away again, is prefix + suffix, byte for byte, and the hole's lines are the
//! commit's. What is left out is counted by reason.
//!
//! * [`Grain::Block`]: an insertion of 2 to 40 lines.
//! * [`Grain::Function`]: the body of a function that was inserted whole; what the same insertion has before it, its
//!   signature included, is already typed.
//! * [`Grain::Line`]: one line of an insertion; what the insertion has before it is typed.
//!
//! Merges, vendored, generated and minified files are left out, and so is code that the same commit took away
//! elsewhere: it was moved, not written. The same repository, revision, seed and settings give the same tasks.

mod filter;
pub(crate) mod grain;
mod history;
mod patch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use foreword_engine::index::{Prior, prior_of};
use serde::Serialize;

use crate::random::Random;
use history::{Commit, History};
use patch::Insertion;

/// What a hole is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grain {
    /// The body of a function.
    Function,
    /// A whole insertion.
    Block,
    /// A line.
    Line,
}

/// Which tasks are wanted by where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "kebab-case")]
pub enum TestFilter {
    /// All, those in tests marked.
    #[default]
    Keep,
    /// Those outside of tests.
    LeaveOut,
    /// Those in tests.
    Only,
}

/// What is mined.
#[derive(Clone, Debug)]
pub struct Request {
    /// The repository's git directory.
    pub git_dir: PathBuf,
    /// `owner/name`, as tasks call it.
    pub repo: String,
    /// The last commit.
    pub revision: String,
    /// How many commits are looked at, from the last one back.
    pub commits: usize,
    /// What a hole is.
    pub grain: Grain,
    /// Which holes by where they are.
    pub tests: TestFilter,
    /// At most so many holes of one commit.
    pub of_a_commit: usize,
    /// At most so many tasks.
    pub limit: usize,
    /// Decides which are taken when there are more.
    pub seed: u64,
}

/// A task, as it is written.
#[derive(Clone, Debug, Serialize)]
pub struct MinedTask {
    /// Unique in a run.
    pub id: String,
    /// `mined`.
    pub dataset: &'static str,
    /// `completion`.
    pub task: &'static str,
    /// `owner/name`.
    pub repo: String,
    /// In lower case.
    pub language: &'static str,
    /// The parent commit.
    pub corpus: MinedCorpus,
    /// Nothing: the place is the question.
    pub query_text: Option<String>,
    /// The file before the hole.
    pub prefix: String,
    /// The file after it.
    pub suffix: String,
    /// The file.
    pub target_file: String,
    /// Where the hole's text would stand.
    pub position: Position,
    /// What the commit wrote there.
    pub ground_truth: String,
    /// Nothing is known to be relevant.
    pub relevant: [(); 0],
    /// Nothing has to be blanked: the parent does not have it.
    pub exclude: [(); 0],
    /// How it came about.
    pub meta: MinedMeta,
}

/// Where the code of a mined task is.
#[derive(Clone, Debug, Serialize)]
pub struct MinedCorpus {
    /// `git`.
    pub kind: &'static str,
    /// `owner/name`.
    pub repo: String,
    /// The parent commit.
    pub rev: String,
    /// All of it.
    pub subdir: Option<String>,
}

/// Lines of the file as the task has it with its hole filled, 1-based, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// First line.
    pub start_line: usize,
    /// Last line.
    pub end_line: usize,
}

/// How a mined task came about.
#[derive(Clone, Debug, Serialize)]
pub struct MinedMeta {
    /// The commit that wrote it.
    pub commit: String,
    /// What the hole is.
    pub grain: Grain,
    /// Whether the file is a test.
    pub is_test_file: bool,
    /// How many bytes before the hole the parent's file does not have.
    pub typed_before: usize,
    /// How many bytes after it.
    pub typed_after: usize,
    /// The last commit of the history that was mined.
    pub mined_from: String,
    /// What decided which are taken.
    pub seed: u64,
}

/// What came of mining.
#[derive(Debug, Default)]
pub struct MiningResult {
    /// In the order of history, the latest first.
    pub tasks: Vec<MinedTask>,
    /// How many commits were looked at.
    pub commits: usize,
    /// How many holes there were before the limits.
    pub candidates: usize,
    /// What was left out, by reason.
    pub left_out: BTreeMap<&'static str, usize>,
}

/// Why all of a commit is left out.
const UNREAD: &str = "commits that git cannot read";

/// The whole name of a revision.
pub(crate) fn resolve(git_dir: &Path, revision: &str) -> Result<String> {
    History::open(git_dir)?.resolve(revision)
}

/// Mines tasks.
pub fn mine(request: &Request) -> Result<MiningResult> {
    let history = History::open(&request.git_dir)?;
    let last = history.resolve(&request.revision)?;
    let commits = history.commits(&last, request.commits)?;
    ensure!(!commits.is_empty(), "{} has no commit with one parent", request.revision);
    let mut found = MiningResult { commits: commits.len(), ..MiningResult::default() };
    let mut unread = None;
    for commit in &commits {
        let tasks = of_commit(&history, request, commit, &last, &mut found.left_out);
        let mut tasks = match tasks {
            Ok(tasks) => tasks,
            // A partial or damaged clone lacks objects of some commits; the others are as good.
            Err(why) => {
                *found.left_out.entry(UNREAD).or_default() += 1;
                unread.get_or_insert(why);
                continue;
            }
        };
        found.candidates += tasks.len();
        let seeds = Random::of_name(&format!("{} {}", request.seed, commit.id));
        found.tasks.append(&mut drawn(&mut tasks, request.of_a_commit, seeds));
    }
    if let Some(why) = unread.filter(|_| found.left_out[UNREAD] == commits.len()) {
        return Err(why);
    }
    let mut tasks = std::mem::take(&mut found.tasks);
    found.tasks = drawn(&mut tasks, request.limit, Random::of_name(&request.seed.to_string()));
    Ok(found)
}

/// At most `n` of the tasks by chance, in their order.
fn drawn(tasks: &mut Vec<MinedTask>, n: usize, mut random: Random) -> Vec<MinedTask> {
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
    left_out: &mut BTreeMap<&'static str, usize>,
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
                let tasks = holes.into_iter().map(|it| task(request, commit, insertion, last, it));
                res.extend(tasks);
            }
            Err(why) => *left_out.entry(why).or_default() += 1,
        }
    }
    Ok(res)
}

fn task(
    request: &Request,
    commit: &Commit,
    insertion: &Insertion,
    last: &str,
    hole: grain::Hole,
) -> MinedTask {
    let start_line = hole.prefix.matches('\n').count() + 1;
    let end_line = start_line + hole.truth.lines().count().max(1) - 1;
    let Request { repo, grain, seed, .. } = request;
    MinedTask {
        id: format!("mined/{repo}/{}/{}:{start_line}", &commit.id[..12], insertion.path),
        dataset: "mined",
        task: "completion",
        repo: repo.clone(),
        language: hole.language.name(),
        corpus: MinedCorpus {
            kind: "git",
            repo: repo.clone(),
            rev: commit.parent.clone(),
            subdir: None,
        },
        query_text: None,
        prefix: hole.prefix,
        suffix: hole.suffix,
        target_file: insertion.path.clone(),
        position: Position { start_line, end_line },
        ground_truth: hole.truth,
        relevant: [],
        exclude: [],
        meta: MinedMeta {
            commit: commit.id.clone(),
            grain: *grain,
            is_test_file: prior_of(&insertion.path, Some(hole.language)) == Prior::Test,
            typed_before: hole.typed_before,
            typed_after: hole.typed_after,
            mined_from: last.to_owned(),
            seed: *seed,
        },
    }
}

#[cfg(test)]
mod tests;
