//! `foreword symbols NAME --cluster`: where a name is defined and used, in one repository of a cluster or in all.

use std::time::Instant;

use foreword_cluster::{Cluster, ClusterError};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_session::answer::symbols;
use foreword_session::usage::check_length;
use serde::Serialize;

use super::{NameOutput, text};
use crate::cli::args::SymbolsArgs;
use crate::cli::config::Settings;
use crate::cli::output::{DIM, NAME};
use crate::cli::push::connect;
use crate::cli::{Outcome, output, usage};

/// Repositories whose definitions and uses are listed; others are named.
const MAX_REPOSITORIES: usize = 10;

/// JSON of `symbols NAME --cluster URL --json` (docs/json.md).
#[derive(Serialize)]
struct ClusterOutput<'s> {
    version: u32,
    name: &'s str,
    repositories: Vec<RepositoryOutput>,
    /// Further repositories that have the name, and those that could not be read.
    others: Vec<String>,
    elapsed_ms: f64,
}

/// The answer of one repository.
#[derive(Serialize)]
struct RepositoryOutput {
    repository: String,
    branch: String,
    #[serde(flatten)]
    answer: NameOutput,
}

pub(super) fn run(
    args: &SymbolsArgs,
    settings: &Settings,
    start: Instant,
) -> anyhow::Result<Outcome> {
    let Some(name) = &args.name else {
        return Err(usage("--cluster takes a name; outlines and places are those of a clone"));
    };
    check_length("the name", name)?;
    let cluster = connect(&args.on)?;
    let named = |it: &String| vec![it.clone()];
    let holders = match &args.on.repository {
        Some(it) => named(it),
        None => {
            let found = cluster.holders(symbols::last_part(name))?;
            found.into_iter().map(|it| it.repository).collect()
        }
    };
    let (first, rest) = holders.split_at(holders.len().min(MAX_REPOSITORIES));
    let (mut repositories, mut others) = (Vec::new(), rest.to_vec());
    for repository in first {
        match answer(&cluster, repository, name, args) {
            Ok(it) => repositories.push(it),
            // One repository was asked for, or all are out of reach.
            Err(error) if args.on.repository.is_some() || !is_of_repository(&error) => {
                return Err(error);
            }
            Err(error) => {
                if !settings.quiet {
                    output::note(&error.to_string());
                }
                others.push(repository.clone());
            }
        }
    }
    repositories.retain(|it| !it.answer.is_empty());
    let is_empty = repositories.is_empty();
    let elapsed_ms = start.elapsed().as_secs_f64() * 1e3;
    let found = ClusterOutput { version: 1, name, repositories, others, elapsed_ms };
    match args.json {
        true => output::json(&found)?,
        false => output::text(&page(&found))?,
    };
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

/// Whether an error is about one repository and not about the cluster.
fn is_of_repository(error: &anyhow::Error) -> bool {
    use ClusterError::{Damaged, Missing, NoBranch, NoRepository, OtherAnalysis, Unanswerable};
    matches!(
        error.downcast_ref(),
        Some(
            NoRepository { .. }
                | NoBranch { .. }
                | OtherAnalysis { .. }
                | Missing { .. }
                | Damaged { .. }
                | Unanswerable { .. }
        )
    )
}

fn answer(
    cluster: &Cluster,
    repository: &str,
    name: &str,
    args: &SymbolsArgs,
) -> anyhow::Result<RepositoryOutput> {
    let start = Instant::now();
    let mut branch = cluster.open(repository, args.on.branch.as_deref(), IndexConfig::default())?;
    let look_up = |snapshot: &Snapshot| {
        let named = symbols::definitions(snapshot, name, &|_| true);
        let notes: Vec<String> = named.note(name).into_iter().collect();
        let last = symbols::last_part(name);
        let uses = symbols::uses(snapshot, last, &named.found, &|_| true, args.limit);
        (named.found, uses, notes, Vec::new())
    };
    let found = branch.answer(look_up)?;
    let answer = NameOutput::new(branch.snapshot(), name, found, start);
    Ok(RepositoryOutput { repository: repository.to_owned(), branch: branch.name.clone(), answer })
}

fn page(it: &ClusterOutput<'_>) -> String {
    let mut res = String::new();
    for of in &it.repositories {
        let (repository, branch) = (output::plain(&of.repository), output::plain(&of.branch));
        res.push_str(&format!("{NAME}{repository}{NAME:#} {DIM}{branch}{DIM:#}\n"));
        res.push_str(&text(&of.answer, 0));
    }
    if it.repositories.is_empty() {
        let name = output::plain(it.name);
        res.push_str(&format!("no repository of the cluster is known to have {name}\n"));
    }
    if !it.others.is_empty() {
        let others = output::plain(&it.others.join(", "));
        res.push_str(&format!("{DIM}also in {others} (--repository NAME){DIM:#}\n"));
    }
    res
}
