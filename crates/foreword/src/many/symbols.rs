//! Where a name is defined and used, in one repository of a cluster or in all that may be read.

use std::time::Instant;

use foreword_cluster::{Access, Cluster};
use foreword_engine::index::Snapshot;
use foreword_session::answer::symbols;
use foreword_session::usage::check_length;
use serde::Serialize;

use super::is_of_repository;
use super::named::NameOutput;
use super::one::PushedBranch;

/// Repositories whose definitions and uses are listed; others are named.
const MAX_REPOSITORIES: usize = 10;

/// Repositories that are named.
const MAX_NAMED: usize = 1000;

/// A question for a name.
pub(crate) struct NameQuestion<'q> {
    pub(crate) name: &'q str,
    /// The branch; without, the only one, `main` or `master`.
    pub(crate) branch: Option<&'q str>,
    /// Maximum number of references.
    pub(crate) limit: usize,
}

/// JSON of `symbols NAME --cluster URL --json` (docs/json.md).
#[derive(Serialize)]
pub(crate) struct NamesOutput<'s> {
    version: u32,
    pub(crate) name: &'s str,
    pub(crate) repositories: Vec<RepositoryOutput>,
    /// Further repositories that have the name, and those that could not be read.
    pub(crate) others: Vec<String>,
    /// True if there are more than these.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) more: bool,
    elapsed_ms: f64,
    /// Why repositories could not be read.
    #[serde(skip)]
    pub(crate) notes: Vec<String>,
}

/// The answer of one repository.
#[derive(Serialize)]
pub(crate) struct RepositoryOutput {
    pub(crate) repository: String,
    pub(crate) branch: String,
    #[serde(flatten)]
    pub(crate) answer: NameOutput,
}

/// Looks a name up in the repositories that are asked for.
pub(crate) fn symbols<'q>(
    cluster: &Cluster,
    access: &Access,
    question: &NameQuestion<'q>,
) -> anyhow::Result<NamesOutput<'q>> {
    let start = Instant::now();
    let name = question.name;
    check_length("the name", name)?;
    let (holders, more): (Vec<String>, bool) = match access.single() {
        Some(it) => (vec![it.to_owned()], false),
        None => {
            let found = cluster.holders(symbols::last_part(name), access, MAX_NAMED)?;
            let names = found.repositories.into_iter().map(|it| it.repository);
            (names.collect(), found.is_cut)
        }
    };
    let (first, rest) = holders.split_at(holders.len().min(MAX_REPOSITORIES));
    // Which branch has the name is not known here.
    let is_open = |it: &&String| access.reads_all_branches(it);
    let mut others: Vec<String> = rest.iter().filter(is_open).cloned().collect();
    let (mut repositories, mut notes) = (Vec::new(), Vec::new());
    for repository in first {
        match answer(cluster, access, repository, question) {
            Ok(it) => repositories.push(it),
            // One repository was asked for, or all are out of reach.
            Err(error) if access.single().is_some() || !is_of_repository(&error) => {
                return Err(error);
            }
            Err(_) if !is_open(&repository) => {}
            Err(error) => {
                notes.push(error.to_string());
                others.push(repository.clone());
            }
        }
    }
    repositories.retain(|it| !it.answer.is_empty());
    let elapsed_ms = start.elapsed().as_secs_f64() * 1e3;
    Ok(NamesOutput { version: 1, name, repositories, others, more, elapsed_ms, notes })
}

fn answer(
    cluster: &Cluster,
    access: &Access,
    repository: &str,
    question: &NameQuestion<'_>,
) -> anyhow::Result<RepositoryOutput> {
    let start = Instant::now();
    let &NameQuestion { name, branch, limit } = question;
    let of = PushedBranch { cluster, access, repository, branch };
    let look_up = |snapshot: &Snapshot| {
        let named = symbols::definitions(snapshot, name, &|_| true);
        let notes: Vec<String> = named.note(name).into_iter().collect();
        let last = symbols::last_part(name);
        let uses = symbols::uses(snapshot, last, &named.found, &|_| true, limit);
        Ok((named.found, uses, notes, Vec::new()))
    };
    of.answer(look_up, |branch, found| RepositoryOutput {
        repository: repository.to_owned(),
        branch: branch.name.clone(),
        answer: NameOutput::new(branch.snapshot(), name, found, start),
    })
}
