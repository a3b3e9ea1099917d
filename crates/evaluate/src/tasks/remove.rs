//! Makes tasks from one state of a repository: removes a function with each mention of it, so that the rest resembles
//! the state before the function was written (after SpecAgent, arXiv 2510.17925, whose agents did this with a language
//! model).
//!
//! Syntax and names decide the cuts. A function is a candidate when its name is defined once. Each mention of the name
//! is removed (`mentions`): imports lose the name, lists of names their element, tests the test that uses it, comments
//! and documents the line; statements that only call it are dropped, and a caller that needs its result is removed too,
//! up to a limit. If a mention cannot be removed this way, or a file would lose its structure, the function is
//! rejected, and the reason is counted. So the corpus of a task never contains the name of the removed function.
//!
//! The hole is the body; the signature and the comment before it are already typed.

mod mentions;
mod plan;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use foreword_chunk::{Definition, Kind};
use foreword_engine::index::{FileId, FileRole, Snapshot};
use serde::Serialize;

use crate::random::Random;
use crate::tasks::git::Git;
use crate::tasks::mine::grain::inner;
use crate::tasks::mine::resolve;
use crate::tasks::task::Edit;
pub(crate) use mentions::whole;
use plan::{Plan, Texts};

/// Settings of removal, as the command line states them.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    /// Git directory of the repository.
    #[arg(long, value_name = "DIR")]
    pub git_dir: PathBuf,
    /// Name of the repository in tasks.
    #[arg(long, value_name = "OWNER/NAME")]
    pub repo: String,
    /// Commit; pin it for reproducible tasks.
    #[arg(long = "rev", value_name = "REV", default_value = "HEAD")]
    pub revision: String,
    /// Maximum number of tasks.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
    /// Seed of the order in which functions are tried.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// A task whose function was removed.
#[derive(Clone, Debug, Serialize)]
pub struct RemovalTask {
    /// Unique in a run.
    pub(crate) id: String,
    /// `removed`.
    pub(crate) dataset: &'static str,
    /// `completion`.
    pub(crate) task: &'static str,
    pub(crate) repo: String,
    pub(crate) language: &'static str,
    /// The commit, and the files that differ from it.
    pub(crate) corpus: RemovalCorpus,
    /// Empty: the cursor is the query.
    pub(crate) query_text: Option<String>,
    pub(crate) prefix: String,
    pub(crate) suffix: String,
    pub(crate) target_file: String,
    pub(crate) ground_truth: String,
    /// Empty: the relevant locations are unknown.
    pub(crate) relevant: [(); 0],
    /// Empty: the corpus lacks the answer.
    pub(crate) exclude: [(); 0],
    pub(crate) meta: RemovalMeta,
}

/// Location of the code.
#[derive(Clone, Debug, Serialize)]
pub struct RemovalCorpus {
    /// `git`.
    pub(crate) kind: &'static str,
    pub(crate) repo: String,
    pub(crate) rev: String,
    /// Files that differ, with their complete text.
    pub(crate) edits: Vec<Edit>,
}

/// Facts about the removal.
#[derive(Clone, Debug, Serialize)]
pub struct RemovalMeta {
    pub(crate) function: String,
    /// Definitions removed with it.
    pub(crate) also_removed: Vec<String>,
    /// Number of removed further mentions.
    pub(crate) mentions: usize,
    /// Always false.
    pub(crate) is_test_file: bool,
    /// Bytes before the hole that the corpus lacks.
    pub(crate) typed_before: usize,
    /// Bytes after the hole that the corpus lacks.
    pub(crate) typed_after: usize,
    pub(crate) seed: u64,
}

/// The result of removing functions.
#[derive(Debug, Default)]
pub struct RemovalResult {
    /// Tasks in the order of trial.
    pub tasks: Vec<RemovalTask>,
    /// Number of candidate functions.
    pub candidates: usize,
    /// Number of rejected functions, by reason.
    pub left_out: BTreeMap<&'static str, usize>,
}

/// Makes one task per removed function.
pub fn remove(request: &Request) -> Result<RemovalResult> {
    let revision = resolve(&request.git_dir, &request.revision)?;
    let snapshot = Git::open(&request.git_dir)?.snapshot(&revision)?;
    let texts = Texts::new(&snapshot);
    let mut candidates = candidates(&snapshot);
    ensure!(!candidates.is_empty(), "{} has no function to remove", request.revision);
    Random::of_name(&request.seed.to_string()).shuffle(&mut candidates);
    let mut found = RemovalResult { candidates: candidates.len(), ..RemovalResult::default() };
    for (file, definition) in candidates.into_iter().take(TRIES * request.limit) {
        if found.tasks.len() == request.limit {
            break;
        }
        match task(request, &revision, &texts, file, definition) {
            Ok(task) => found.tasks.push(task),
            Err(why) => *found.left_out.entry(why).or_default() += 1,
        }
    }
    Ok(found)
}

/// Functions tried per wanted task. Each is looked for in all files: in a large repository where most fail, trying all
/// takes minutes.
const TRIES: usize = 20;
const SHORTEST_NAME: usize = 4;
const BODY_LINES: std::ops::RangeInclusive<usize> = 2..=60;

/// Functions outside of tests whose names are defined once.
fn candidates(snapshot: &Snapshot) -> Vec<(FileId, u32)> {
    let mut res = Vec::new();
    for file in snapshot.files() {
        if !matches!(snapshot.role(file), FileRole::Code | FileRole::Gathering) {
            continue;
        }
        let (text, record) = snapshot.contents(file);
        for (idx, it) in (0..).zip(&record.symbols.definitions) {
            let name = it.name.of(&text);
            let in_tests = record.symbols.ancestors(it.parent).any(|around| {
                around.kind == Kind::Module && around.name.of(&text).starts_with("test")
            });
            if is_candidate(it, &text) && !in_tests && snapshot.definitions(name).len() == 1 {
                res.push((file, idx));
            }
        }
    }
    res
}

fn is_candidate(it: &Definition, text: &str) -> bool {
    let name = it.name.of(text);
    let lines = it.body.map_or(0, |body| body.of(text).lines().count());
    matches!(it.kind, Kind::Function | Kind::Method)
        && name.len() >= SHORTEST_NAME
        && !name.starts_with("__")
        && !mentions::is_test(text, it)
        && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
        && BODY_LINES.contains(&lines)
}

fn task(
    request: &Request,
    revision: &str,
    texts: &Texts<'_>,
    file: FileId,
    definition: u32,
) -> Result<RemovalTask, &'static str> {
    let plan = Plan::new(texts, file, definition)?;
    let snapshot = texts.snapshot;
    let (text, record) = snapshot.contents(file);
    let it = &record.symbols.definitions[definition as usize];
    let whole = mentions::whole(&text, it);
    let (hole, closing) = inner(&text, it.body.ok_or("no body")?.range());
    if hole.end + closing > whole.end || text[hole.clone()].trim().is_empty() {
        return Err("no body");
    }
    let rest = plan.texts.get(&file).ok_or("not taken out")?;
    let at = plan.place(file, whole.start);
    let path = snapshot.path(file);
    let name = it.name.of(&text);
    let typed = (hole.start - whole.start, closing);
    Ok(RemovalTask {
        id: format!("removed/{}/{}/{path}:{name}", request.repo, &revision[..12]),
        dataset: "removed",
        task: "completion",
        repo: request.repo.clone(),
        language: record.language.ok_or("no language")?.name(),
        query_text: None,
        prefix: format!("{}{}", &rest[..at], &text[whole.start..hole.start]),
        suffix: format!("{}{}", &text[hole.end..hole.end + closing], &rest[at..]),
        target_file: path.to_owned(),
        ground_truth: text[hole].to_owned(),
        relevant: [],
        exclude: [],
        meta: meta(request, &plan, name, typed),
        corpus: corpus(request, revision, plan.edits(snapshot)),
    })
}

fn corpus(request: &Request, revision: &str, edits: Vec<Edit>) -> RemovalCorpus {
    let (repo, rev) = (request.repo.clone(), revision.to_owned());
    RemovalCorpus { kind: "git", repo, rev, edits }
}

fn meta(
    request: &Request,
    plan: &Plan,
    function: &str,
    (typed_before, typed_after): (usize, usize),
) -> RemovalMeta {
    RemovalMeta {
        function: function.to_owned(),
        also_removed: plan.also_removed.clone(),
        mentions: plan.mentions,
        is_test_file: false,
        typed_before,
        typed_after,
        seed: request.seed,
    }
}

#[cfg(test)]
mod tests;
