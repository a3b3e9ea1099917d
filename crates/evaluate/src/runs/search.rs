//! Questions and names → files, by the protocol of the semble benchmark: the first 10 chunks are looked at, a relevant
//! file's rank is that of its first chunk, ranks count chunks (a second chunk of one file costs a place), and nDCG@10
//! is binary over all files listed as relevant, primary or secondary.
//!
//! Token efficiency, after the same benchmark: recall of relevant files in an answer of so many tokens (cl100k, as
//! published), asked for as `foreword search --tokens` does: chunks that no longer fit make way for later ones that do.
//! The tokens to the first hit are those of an answer without a limit.
//!
//! Beside it stand the file-collapsed nDCG@10 (ranks count files), the reciprocal rank of the first relevant chunk, and
//! recall@10 over chunks.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use foreword_engine::index::Snapshot;
use foreword_engine::preset::Preset;
use foreword_engine::retrieve::question_query;
use foreword_engine::search::{SearchRequest, SearchResult, rank, search};
use foreword_engine::trim::Count;
use foreword_model::{TokenCounter, Vocabulary};
use rayon::prelude::*;
use serde::Serialize;

use crate::measures::budget::{BUDGETS, Paid, recall_at, tokens_to_first_hit};
use crate::measures::{
    Estimate, bootstrap, mean, ndcg, over_groups, percentile, recall, reciprocal_rank,
};
use crate::runs::provenance::Provenance;
use crate::tasks::corpus::exclude::blanked;
use crate::tasks::corpus::{count_tokens, is_checked_out, snapshot_cut};
use crate::tasks::loader;
use crate::tasks::split::{Split, short_name};
use crate::tasks::task::{Task, by_repository, is_wanted};

/// How many places are looked at.
const DEPTH: usize = 10;

/// Which tasks, and where their code is.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The file of tasks.
    pub tasks: PathBuf,
    /// The directory with a checkout for each repository, named by the last part of its name.
    pub corpora: PathBuf,
    /// Only these repositories; all when empty.
    pub repos: Vec<String>,
    /// Only this part.
    pub split: Split,
    /// How files are cut.
    pub chunk: foreword_chunk::Config,
}

/// A repository that is ready to be asked.
pub struct Repository {
    name: String,
    snapshot: Arc<Snapshot>,
    questions: Vec<Question>,
    failed: Vec<String>,
}

struct Question {
    task: Task,
    /// The repository without what the task excludes, where it does.
    blanked: Option<Arc<Snapshot>>,
    text: String,
    /// Relevant files, from the root of the snapshot.
    gold: Vec<String>,
}

/// Repositories that are ready, and the names of those that are not checked out.
pub struct QuestionSet {
    /// Which tasks: [`loader::TaskFile::revision`].
    pub data: String,
    /// Rows that were no tasks, and unknown fields.
    pub notice: Option<String>,
    /// In the order of the file.
    pub repositories: Vec<Repository>,
    /// Left out.
    pub skipped: Vec<String>,
    /// Questions that cannot be asked, and why.
    pub failed: Vec<String>,
    /// Relevant files that no snapshot has, `repository path`: they cannot be found.
    pub missing: Vec<String>,
}

/// Where a relevant file was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoldRank {
    /// From the root of what was searched.
    pub path: String,
    /// The place of its first chunk among the first 10.
    pub chunk: Option<usize>,
    /// Its place among the first 10 files.
    pub file: Option<usize>,
}

/// A place of an answer.
#[derive(Clone, Debug, Serialize)]
pub struct TopResult {
    /// `path:first-last`.
    pub place: String,
    /// The definition that names it.
    pub symbol: String,
    /// After reranking.
    pub score: f32,
    /// Why, in words.
    pub reasons: Vec<String>,
}

/// What came of one question.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The task's id.
    pub id: String,
    /// `owner/name`.
    pub repo: String,
    /// In lower case.
    pub language: String,
    /// The kind of question.
    pub category: String,
    /// The question.
    pub query: String,
    /// The protocol's score.
    pub ndcg: f64,
    /// The same where ranks count files.
    pub file_ndcg: f64,
    /// One by the first relevant chunk's place.
    pub reciprocal_rank: f64,
    /// The share of relevant files among the first 10 chunks.
    pub recall: f64,
    /// The share of relevant files within each budget of [`BUDGETS`].
    pub recall_at: [f64; BUDGETS.len()],
    /// Tokens up to the first relevant chunk, with it.
    pub tokens_to_hit: Option<usize>,
    /// How long the answer took.
    pub milliseconds: f64,
    /// Each relevant file's place.
    pub gold: Vec<GoldRank>,
    /// The answer.
    pub top: Vec<TopResult>,
}

/// Means over some outcomes.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// How many.
    pub n: usize,
    /// Mean.
    pub ndcg: Estimate,
    /// Mean.
    pub file_ndcg: f64,
    /// Mean.
    pub mrr: f64,
    /// Mean.
    pub recall: f64,
}

/// What a number of tokens gives.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AtBudget {
    /// Tokens of chunks, from the first.
    pub budget: usize,
    /// Recall of relevant files, mean over questions.
    pub recall: Estimate,
    /// The same, mean over repositories' means.
    pub by_repository: Estimate,
}

/// A run, as it is written and printed.
#[derive(Serialize)]
pub struct Run {
    /// What it was made with.
    pub provenance: Provenance,
    /// Rows that were no tasks, and unknown fields.
    pub notice: Option<String>,
    /// The part of the repositories.
    pub split: Split,
    /// Repositories that were not there.
    pub skipped: Vec<String>,
    /// Questions that could not be asked, and why.
    pub failed: Vec<String>,
    /// Relevant files that no snapshot has.
    pub missing: Vec<String>,
    /// nDCG@10, mean over questions.
    pub by_query: Estimate,
    /// nDCG@10, mean over repositories' means.
    pub by_repository: Estimate,
    /// Recall within each budget of [`BUDGETS`].
    pub budgets: Vec<AtBudget>,
    /// Tokens up to the first relevant chunk, over the questions that have one.
    pub tokens_to_hit: Estimate,
    /// All, then by category, repository and language.
    pub groups: Vec<(&'static str, Vec<Group>)>,
    /// Milliseconds that half of the answers took at most.
    pub p50: f64,
    /// Milliseconds that 95 of 100 answers took at most.
    pub p95: f64,
    /// One by one.
    pub outcomes: Vec<Outcome>,
}

/// Reads the tasks and indexes their repositories.
pub fn prepare(selection: &Selection) -> Result<QuestionSet> {
    let loaded = loader::load(&selection.tasks, None)?;
    let notice = loaded.notice();
    let mut tasks = loaded.tasks;
    tasks.retain(|it| it.task == "nl2file" && selection.split.has(&it.repo));
    tasks.retain(|it| is_wanted(&it.repo, &selection.repos));
    ensure!(!tasks.is_empty(), "no nl2file task is left in {}", selection.tasks.display());
    let groups = by_repository(tasks);
    let made: Vec<Result<(String, Option<Repository>)>> = groups
        .into_par_iter()
        .map(|(name, tasks)| Ok((name.clone(), repository(selection, name, tasks)?)))
        .collect();
    let mut res = QuestionSet {
        data: loaded.revision,
        notice,
        repositories: Vec::new(),
        skipped: Vec::new(),
        failed: Vec::new(),
        missing: Vec::new(),
    };
    for it in made {
        match it? {
            (_, Some(mut repository)) => {
                res.failed.append(&mut repository.failed);
                res.repositories.push(repository);
            }
            (name, None) => res.skipped.push(name),
        }
    }
    res.missing = res.repositories.iter().flat_map(missing).collect();
    Ok(res)
}

fn repository(selection: &Selection, name: String, tasks: Vec<Task>) -> Result<Option<Repository>> {
    let subdir = tasks.first().and_then(|it| it.corpus.subdir.clone()).unwrap_or_default();
    let root = selection.corpora.join(short_name(&name)).join(&subdir);
    if !is_checked_out(&root) {
        return Ok(None);
    }
    let snapshot = Arc::new(snapshot_cut(&root, selection.chunk)?);
    let mut res = Repository { name, snapshot, questions: Vec::new(), failed: Vec::new() };
    for task in tasks {
        let id = task.id.clone();
        match Question::new(task, &subdir, &res.snapshot) {
            Ok(it) => res.questions.extend(it),
            Err(why) => res.failed.push(format!("{id}: {why:#}")),
        }
    }
    Ok(Some(res))
}

fn missing(it: &Repository) -> Vec<String> {
    let gold = it.questions.iter().flat_map(|it| &it.gold);
    let absent = gold.filter(|path| it.snapshot.file(path).is_none());
    let mut res: Vec<String> = absent.map(|path| format!("{} {path}", it.name)).collect();
    res.sort_unstable();
    res.dedup();
    res
}

impl Question {
    fn new(task: Task, subdir: &str, snapshot: &Arc<Snapshot>) -> Result<Option<Self>> {
        let inside =
            |path: &str| path.strip_prefix(subdir).map(|it| it.trim_start_matches('/').to_owned());
        let mut gold: Vec<String> = task
            .relevant
            .iter()
            .map(|it| inside(&it.path).unwrap_or_else(|| it.path.clone()))
            .collect();
        gold.sort_unstable();
        gold.dedup();
        let Some(text) = task.query_text.clone().filter(|_| !gold.is_empty()) else {
            return Ok(None);
        };
        let blanked = match task.exclude.is_empty() {
            true => None,
            false => Some(blanked(snapshot, &task, subdir)?),
        };
        Ok(Some(Self { task, blanked, text, gold }))
    }
}

/// Asks every question. Repositories are asked side by side, the questions of one in turn.
pub fn ask_all(repositories: &[Repository], preset: &Preset) -> Vec<Outcome> {
    let ask_one = |it: &Repository| -> Vec<Outcome> {
        let of = |question: &Question| {
            ask(question.blanked.as_ref().unwrap_or(&it.snapshot), question, preset)
        };
        it.questions.iter().map(of).collect()
    };
    let answers: Vec<Vec<Outcome>> = repositories.par_iter().map(ask_one).collect();
    answers.into_iter().flatten().collect()
}

fn ask(snapshot: &Snapshot, question: &Question, preset: &Preset) -> Outcome {
    let request = SearchRequest { query: &question.text, limit: DEPTH, ..SearchRequest::default() };
    let start = Instant::now();
    let answer = search(snapshot, &request, preset, &count_tokens);
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let chunks: Vec<&str> = answer.results.iter().map(|it| it.path.as_str()).collect();
    let files = ranked_files(snapshot, &request, preset);
    let place = |list: &[&str], path: &str| list.iter().position(|it| *it == path).map(|it| it + 1);
    let gold: Vec<GoldRank> = question
        .gold
        .iter()
        .map(|path| GoldRank {
            path: path.clone(),
            chunk: place(&chunks, path),
            file: place(&files, path),
        })
        .collect();
    let by_chunk: Vec<_> = gold.iter().map(|it| it.chunk).collect();
    let by_file: Vec<_> = gold.iter().map(|it| it.file).collect();
    // The same chunks come with every budget.
    let (counter, counted) =
        (TokenCounter::of_vocabulary(Vocabulary::Cl100k), RefCell::new(HashMap::new()));
    let count = |text: &str| -> usize {
        *counted.borrow_mut().entry(text.to_owned()).or_insert_with(|| counter.count(text))
    };
    let within = |budget| paid(snapshot, question, preset, budget, &count);
    let task = &question.task;
    Outcome {
        id: task.id.clone(),
        repo: task.repo.clone(),
        language: task.language.clone(),
        category: task.meta.category.clone().unwrap_or_else(|| "none".to_owned()),
        query: question.text.clone(),
        ndcg: ndcg(&by_chunk, DEPTH),
        file_ndcg: ndcg(&by_file, DEPTH),
        reciprocal_rank: reciprocal_rank(&by_chunk, DEPTH),
        recall: recall(&by_chunk, DEPTH),
        recall_at: BUDGETS.map(|budget| recall_at(&within(budget), gold.len(), budget)),
        tokens_to_hit: tokens_to_first_hit(&within(usize::MAX)),
        milliseconds,
        gold,
        top: answer.results.iter().map(top_result).collect(),
    }
}

/// What each chunk of an answer within `budget` tokens costs, and which relevant files it is of.
fn paid(
    snapshot: &Snapshot,
    question: &Question,
    preset: &Preset,
    budget: usize,
    count: Count<'_>,
) -> Vec<Paid> {
    let request = SearchRequest {
        query: &question.text,
        limit: usize::MAX,
        tokens: Some(budget),
        ..SearchRequest::default()
    };
    let answer = search(snapshot, &request, preset, count);
    let has = |path: &str| -> Vec<usize> {
        question.gold.iter().position(|it| it == path).into_iter().collect()
    };
    let paid = |it: &SearchResult| Paid { tokens: it.tokens, has: has(&it.path) };
    answer.results.iter().map(paid).collect()
}

/// The files of the whole ranking, each at its first chunk.
fn ranked_files<'s>(
    snapshot: &'s Snapshot,
    request: &SearchRequest<'_>,
    preset: &Preset,
) -> Vec<&'s str> {
    let query = question_query(request.query, snapshot, &preset.query);
    let mut res: Vec<&str> = Vec::new();
    for it in rank(snapshot, request, &query, preset) {
        let path = snapshot.path(it.chunk.file);
        if res.len() < DEPTH && !res.contains(&path) {
            res.push(path);
        }
    }
    res
}

fn top_result(it: &SearchResult) -> TopResult {
    TopResult {
        place: format!("{}:{}-{}", it.path, it.start_line, it.end_line),
        symbol: it.symbol.clone(),
        score: it.score,
        reasons: it.reasons.iter().map(ToString::to_string).collect(),
    }
}

/// Puts outcomes together.
pub fn run(prepared: &QuestionSet, split: Split, preset: &Preset) -> Run {
    let outcomes = ask_all(&prepared.repositories, preset);
    let scores: Vec<f64> = outcomes.iter().map(|it| it.ndcg).collect();
    let repositories = groups(&outcomes, |it| short_name(&it.repo));
    let of_repositories: Vec<f64> = repositories.iter().map(|it| it.ndcg.mean).collect();
    let to_hit: Vec<f64> =
        outcomes.iter().filter_map(|it| Some(it.tokens_to_hit? as f64)).collect();
    let times: Vec<f64> = outcomes.iter().map(|it| it.milliseconds).collect();
    Run {
        provenance: Provenance::new(preset).over(&prepared.data),
        notice: prepared.notice.clone(),
        split,
        skipped: prepared.skipped.clone(),
        failed: prepared.failed.clone(),
        missing: prepared.missing.clone(),
        by_query: bootstrap(&scores),
        by_repository: bootstrap(&of_repositories),
        budgets: budgets(&outcomes),
        tokens_to_hit: bootstrap(&to_hit),
        groups: vec![
            ("all", groups(&outcomes, |_| "all")),
            ("category", groups(&outcomes, |it| &it.category)),
            ("repository", repositories),
            ("language", groups(&outcomes, |it| &it.language)),
        ],
        p50: percentile(&times, 0.5),
        p95: percentile(&times, 0.95),
        outcomes,
    }
}

fn budgets(outcomes: &[Outcome]) -> Vec<AtBudget> {
    let at = |(idx, budget): (usize, usize)| {
        let values = || outcomes.iter().map(|it| (it.repo.as_str(), it.recall_at[idx]));
        let recall = bootstrap(&values().map(|it| it.1).collect::<Vec<_>>());
        AtBudget { budget, recall, by_repository: over_groups(values()) }
    };
    BUDGETS.into_iter().enumerate().map(at).collect()
}

/// Means by what `key` says, sorted by it.
fn groups(outcomes: &[Outcome], key: impl Fn(&Outcome) -> &str) -> Vec<Group> {
    let names: std::collections::BTreeSet<&str> = outcomes.iter().map(&key).collect();
    let group = |name: &str| {
        let its: Vec<&Outcome> = outcomes.iter().filter(|it| key(it) == name).collect();
        let mean_of =
            |value: fn(&Outcome) -> f64| mean(&its.iter().map(|it| value(it)).collect::<Vec<_>>());
        Group {
            name: name.to_owned(),
            n: its.len(),
            ndcg: bootstrap(&its.iter().map(|it| it.ndcg).collect::<Vec<_>>()),
            file_ndcg: mean_of(|it| it.file_ndcg),
            mrr: mean_of(|it| it.reciprocal_rank),
            recall: mean_of(|it| it.recall),
        }
    };
    names.into_iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::IndexConfig;
    use foreword_engine::preset;
    use foreword_engine::source::Source;

    fn empty() -> Arc<Snapshot> {
        Arc::new(Snapshot::empty(IndexConfig::default()))
    }

    fn task(subdir: &str, paths: &[&str]) -> Task {
        let relevant: Vec<String> =
            paths.iter().map(|it| format!(r#"{{"path": "{it}"}}"#)).collect();
        let line = format!(
            r#"{{"id": "a", "task": "nl2file", "repo": "o/n", "language": "python",
            "corpus": {{"kind": "git", "subdir": "{subdir}"}}, "query_text": "parse the url",
            "relevant": [{}]}}"#,
            relevant.join(",")
        );
        serde_json::from_str(&line).unwrap()
    }

    #[test]
    fn gold_paths_are_counted_from_the_searched_folder() {
        let question =
            Question::new(task("src/a", &["src/a/url.py", "src/a/url.py"]), "src/a", &empty());
        assert_eq!(question.unwrap().unwrap().gold, ["url.py"]);
    }

    #[test]
    fn a_question_finds_its_file_in_the_first_place() {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![
            source("url.py", "def parse_url(text):\n    return text.split('/')\n"),
            source("mail.py", "def send(mail):\n    return mail\n"),
        ];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let question = Question::new(task("", &["url.py"]), "", &empty()).unwrap().unwrap();
        let outcome = ask(&snapshot, &question, &preset::search());
        assert_eq!(
            outcome.gold,
            [GoldRank { path: "url.py".into(), chunk: Some(1), file: Some(1) }]
        );
        assert!((outcome.ndcg - 1.0).abs() < 1e-9);
    }
}
