//! A search over several repositories of a cluster: the engine's, in those that are likely to answer, with the results in
//! one list.

use std::time::{Duration, Instant};

use foreword_cluster::{Access, Candidate, Candidates, Cluster, ClusterError, MergeInput, merge};
use foreword_engine::index::Snapshot;
use foreword_engine::index::bm25::WeightedTerm;
use foreword_engine::search::{SearchAnswer, SearchResult};
use foreword_session::answer::search::{Question, SearchMatch, ranked};
use foreword_session::filter::Filter;
use serde::Serialize;

use super::one::PushedBranch;
use super::{each, is_of_repository};

/// Repositories that are opened: each costs some requests.
pub(crate) const MAX_REPOSITORIES: usize = 10;

/// Candidates that are asked for; those that are not opened are named.
const MAX_CANDIDATES: usize = 30;

/// Time for an answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// JSON of a search over several repositories (docs/json.md).
#[derive(Serialize)]
pub(crate) struct ManyOutput<'s> {
    version: u32,
    query: &'s str,
    /// Repositories that were searched, the likeliest first.
    pub(crate) repositories: Vec<SearchScope>,
    /// Repositories that could have results and were not searched.
    pub(crate) left_out: Vec<LeftOut>,
    /// Shards that did not answer: repositories there may be missing.
    pub(crate) failed_shards: u64,
    pub(crate) shards: u64,
    pub(crate) results: Vec<ManyMatch>,
    elapsed_ms: f64,
    /// Terms that were searched for anywhere.
    #[serde(skip)]
    pub(crate) terms: Vec<String>,
}

/// A repository that was searched.
#[derive(Clone, Serialize)]
pub(crate) struct SearchScope {
    pub(crate) repository: String,
    pub(crate) branch: String,
    snapshot: String,
    complete: bool,
    pub(crate) files: u32,
    chunks: u32,
    /// True if more files could have had results than were read.
    pub(crate) cut: bool,
}

/// A repository that was not searched.
#[derive(Serialize)]
pub(crate) struct LeftOut {
    pub(crate) repository: String,
    /// Why, in words.
    pub(crate) reason: String,
}

/// A result and its repository.
#[derive(Serialize)]
pub(crate) struct ManyMatch {
    pub(crate) repository: String,
    pub(crate) branch: String,
    /// Place among the results of its repository, from 1.
    rank: usize,
    #[serde(flatten)]
    found: SearchMatch,
    /// The result as the engine has it.
    #[serde(skip)]
    pub(crate) result: SearchResult,
}

/// A question over several repositories.
pub(crate) struct ManyQuestion<'q> {
    pub(crate) question: Question<'q>,
    pub(crate) filter: &'q Filter,
    /// The branch; without, the only one, `main` or `master` of each repository.
    pub(crate) branch: Option<&'q str>,
    /// When the answer must be there.
    pub(crate) deadline: Instant,
}

impl ManyOutput<'_> {
    /// Leaves places alone.
    pub(crate) fn remove_texts(&mut self) {
        self.results.iter_mut().for_each(|it| it.found.text = None);
    }
}

/// Searches the repositories that may be read and are asked for; fails if one alone is asked for and cannot be searched.
pub(crate) fn search<'q>(
    cluster: &Cluster,
    access: &Access,
    asked: &ManyQuestion<'q>,
) -> anyhow::Result<ManyOutput<'q>> {
    let start = Instant::now();
    let cluster = &cluster.until(asked.deadline);
    let about = (asked.question.query, asked.branch);
    let found = answers(cluster, access, about, &|it| ranked(it, &asked.question, asked.filter))?;
    let answers = || found.answers.iter().map(|it| &it.1);
    let mut terms: Vec<String> = answers().flat_map(|it| it.terms.clone()).collect();
    terms.sort_unstable();
    terms.dedup();
    Ok(ManyOutput {
        version: 1,
        query: asked.question.query,
        results: merged(asked, &found.repositories, found.answers, &found.terms),
        repositories: found.repositories,
        left_out: found.left_out,
        failed_shards: found.failed_shards,
        shards: found.shards,
        elapsed_ms: start.elapsed().as_secs_f64() * 1e3,
        terms,
    })
}

/// The answers of several repositories.
pub(super) struct Answers<T> {
    /// Those that answered, the likeliest first.
    pub(super) repositories: Vec<SearchScope>,
    /// Their scores and answers.
    pub(super) answers: Vec<(f32, T)>,
    pub(super) left_out: Vec<LeftOut>,
    /// Terms of the question with their weights.
    terms: Vec<WeightedTerm>,
    pub(super) failed_shards: u64,
    pub(super) shards: u64,
}

/// The answers of the repositories that may be read, are asked for and are likely to have these words.
pub(super) fn answers<T: Send>(
    cluster: &Cluster,
    access: &Access,
    (words, branch): (&str, Option<&str>),
    work: &(dyn Fn(&Snapshot) -> anyhow::Result<T> + Sync),
) -> anyhow::Result<Answers<T>> {
    let mut found = candidates(cluster, access, words)?;
    let mut res = Answers {
        repositories: Vec::new(),
        answers: Vec::new(),
        left_out: left_out(&mut found, access),
        terms: found.terms,
        failed_shards: found.failed_shards,
        shards: found.shards,
    };
    let all = each(&found.candidates, &|it| {
        answer(PushedBranch { cluster, access, repository: &it.repository, branch }, work)
    });
    for (it, answer) in found.candidates.iter().zip(all) {
        match answer {
            Ok((searched, answer)) => {
                res.repositories.push(searched);
                res.answers.push((it.score, answer));
            }
            Err(error) if access.single().is_some() || is_of_all(&error) => return Err(error),
            Err(error) if access.reads_all_branches(&it.repository) || !is_absent(&error) => {
                let (repository, reason) = (it.repository.clone(), format!("{error:#}"));
                res.left_out.push(LeftOut { repository, reason });
            }
            Err(_) => {}
        }
    }
    Ok(res)
}

/// The repositories that are likely to answer, or the only one that is asked for.
fn candidates(cluster: &Cluster, access: &Access, words: &str) -> Result<Candidates, ClusterError> {
    let Some(it) = access.single() else {
        return cluster.candidates(words, access, MAX_CANDIDATES);
    };
    let only = Candidate { repository: it.to_owned(), score: 1.0 };
    Ok(Candidates { candidates: vec![only], ..Candidates::default() })
}

/// Leaves the first candidates alone. Of the others those are named of which all branches may be read: which branch has
/// the words is not known here.
fn left_out(found: &mut Candidates, access: &Access) -> Vec<LeftOut> {
    let rest = found.candidates.split_off(found.candidates.len().min(MAX_REPOSITORIES));
    let open = rest.into_iter().filter(|it| access.reads_all_branches(&it.repository));
    let reason = format!("{MAX_REPOSITORIES} others are likelier to answer");
    open.map(|it| LeftOut { repository: it.repository, reason: reason.clone() }).collect()
}

/// Whether there is nothing that may be read.
fn is_absent(error: &anyhow::Error) -> bool {
    use ClusterError::{NoBranch, NoRepository};
    matches!(error.downcast_ref(), Some(NoBranch { .. } | NoRepository { .. }))
}

/// Whether no repository can be searched. A shard that fails or is late is that of some repositories.
fn is_of_all(error: &anyhow::Error) -> bool {
    use ClusterError::{Late, Partial, Refused, Silent, TooLarge};
    let is_partial = matches!(
        error.downcast_ref(),
        Some(Late | Partial { .. } | Refused { .. } | Silent { .. } | TooLarge { .. })
    );
    !(is_partial || is_of_repository(error))
}

fn answer<T>(
    of: PushedBranch<'_>,
    work: &(dyn Fn(&Snapshot) -> anyhow::Result<T> + Sync),
) -> anyhow::Result<(SearchScope, T)> {
    of.answer(work, |branch, answer| {
        let snapshot = branch.snapshot();
        let searched = SearchScope {
            repository: of.repository.to_owned(),
            branch: branch.name.clone(),
            snapshot: snapshot.id().to_owned(),
            complete: snapshot.is_complete(),
            files: snapshot.totals().files,
            chunks: snapshot.totals().chunks,
            cut: branch.cost().is_cut,
        };
        (searched, answer)
    })
}

/// One list of the results of all repositories.
fn merged(
    asked: &ManyQuestion<'_>,
    repositories: &[SearchScope],
    answers: Vec<(f32, SearchAnswer)>,
    terms: &[WeightedTerm],
) -> Vec<ManyMatch> {
    let inputs: Vec<MergeInput<'_>> =
        answers.iter().map(|it| MergeInput { score: it.0, results: &it.1.results }).collect();
    let order = merge(&inputs, terms);
    let mut left: Vec<Vec<Option<SearchResult>>> =
        answers.into_iter().map(|it| it.1.results.into_iter().map(Some).collect()).collect();
    let mut tokens = asked.question.tokens.unwrap_or(usize::MAX);
    let mut res = Vec::new();
    for (repository, rank) in order {
        let Some(it) = left[repository][rank].take() else { continue };
        if res.len() == asked.question.limit || it.tokens > tokens {
            break;
        }
        tokens -= it.tokens;
        let of = &repositories[repository];
        res.push(ManyMatch {
            repository: of.repository.clone(),
            branch: of.branch.clone(),
            rank: rank + 1,
            result: it.clone(),
            found: SearchMatch::of_result(it),
        });
    }
    res
}
