//! Where a name is defined and used, in one repository of a cluster or in all that may be read.
//!
//! Of all repositories, those that define the name answer first. The others are then asked for uses of these definitions:
//! by SCIP symbols where both sides have some, else by the package that their files import and syntax.

use std::collections::BTreeSet;
use std::time::Instant;

use foreword_cluster::{Access, Cluster, NameHolder, NameHolders};
use foreword_engine::index::Snapshot;
use foreword_session::answer::symbols;
use foreword_session::answer::symbols::across::{Home, HomeUses, UseFilter, uses_across};
use foreword_session::usage::check_length;
use serde::Serialize;

use super::named::{FoundName, NameOutput};
use super::one::PushedBranch;
use super::{each, is_of_repository};

/// Repositories whose definitions and uses are listed; others are named.
const MAX_REPOSITORIES: usize = 10;

/// Further repositories that are listed because SCIP indexes name these definitions there.
const MAX_USERS: usize = 10;

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
    /// Uses of what other repositories define, by repository.
    pub(crate) uses_of: Vec<HomeUses>,
    /// What the definitions are called elsewhere, if there are some that match the name's qualifier.
    #[serde(skip)]
    home: Option<Home>,
}

impl RepositoryOutput {
    /// Whether it has definitions of the last part of the name only: `open` for `Store.open`.
    fn is_unmatched(&self) -> bool {
        self.home.is_none() && !self.answer.definitions.is_empty()
    }
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
    let mut lookup = Lookup::new(cluster, access, question);
    let more = match access.single() {
        Some(it) => {
            lookup.add(&[it.to_owned()], &[], UseFilter::All)?;
            false
        }
        None => {
            let found = cluster.holders(symbols::last_part(name), access, MAX_NAMED)?;
            let is_cut = found.is_cut;
            lookup.look_up(found)?;
            is_cut
        }
    };
    let Lookup { mut repositories, others, notes, .. } = lookup;
    repositories.retain(|it| !it.answer.is_empty());
    let elapsed_ms = start.elapsed().as_secs_f64() * 1e3;
    Ok(NamesOutput { version: 1, name, repositories, others, more, elapsed_ms, notes })
}

/// State of a question.
struct Lookup<'l> {
    cluster: &'l Cluster,
    access: &'l Access,
    question: &'l NameQuestion<'l>,
    repositories: Vec<RepositoryOutput>,
    others: Vec<String>,
    notes: Vec<String>,
}

impl<'l> Lookup<'l> {
    fn new(cluster: &'l Cluster, access: &'l Access, question: &'l NameQuestion<'l>) -> Self {
        let (repositories, others, notes) = (Vec::new(), Vec::new(), Vec::new());
        Self { cluster, access, question, repositories, others, notes }
    }

    /// Looks the name up in all repositories that have it.
    fn look_up(&mut self, found: NameHolders) -> anyhow::Result<()> {
        let mut first = found.repositories;
        let rest = first.split_off(first.len().min(MAX_REPOSITORIES));
        let (defining, using): (Vec<NameHolder>, Vec<NameHolder>) =
            first.into_iter().partition(|it| it.defining > 0);
        let names = |all: Vec<NameHolder>| -> Vec<String> {
            all.into_iter().map(|it| it.repository).collect()
        };
        let (defining, mut using, rest) = (names(defining), names(using), names(rest));
        self.add(&defining, &[], UseFilter::All)?;
        let homes: Vec<Home> = self.repositories.iter().filter_map(|it| it.home.clone()).collect();
        if !homes.is_empty() {
            // Others may use these, and their own of that last part are not meant.
            let unmatched = self.repositories.extract_if(.., |it| it.is_unmatched());
            using.splice(..0, unmatched.map(|it| it.repository));
        }
        let symbols: Vec<String> = homes.iter().flat_map(|it| it.symbols.clone()).collect();
        let most = MAX_REPOSITORIES + MAX_USERS;
        let known = self.cluster.symbol_holders(&symbols, self.access, most)?;
        let is_listed = |it: &&String| defining.contains(it) || using.contains(it);
        let further = known.iter().filter(|it| !is_listed(it));
        let further: Vec<String> = further.take(MAX_USERS).cloned().collect();
        using.extend(further.iter().cloned());
        self.add(&using, &homes, UseFilter::All)?;
        // What defines one thing of that name may use another.
        let known: BTreeSet<&String> = known.iter().collect();
        let both = defining.into_iter().filter(|it| known.contains(it) && !using.contains(it));
        let both: Vec<String> = both.collect();
        if homes.len() > 1 {
            self.add(&both, &homes, UseFilter::BySymbols)?;
        }
        // Which branch has the name is not known here.
        let is_open = |it: &String| self.access.reads_all_branches(it) && !further.contains(it);
        self.others.extend(rest.into_iter().filter(is_open));
        Ok(())
    }

    /// Adds the answers of repositories.
    fn add(&mut self, names: &[String], homes: &[Home], filter: UseFilter) -> anyhow::Result<()> {
        let all = each(names, &|it| self.answer(it, homes, filter));
        for (repository, answer) in names.iter().zip(all) {
            match answer {
                Ok(it) if filter == UseFilter::All => self.repositories.push(it),
                Ok(it) => self.add_uses(it),
                // One repository was asked for, or all are out of reach.
                Err(error) if self.access.single().is_some() || !is_of_repository(&error) => {
                    return Err(error);
                }
                Err(_) if !self.access.reads_all_branches(repository) => {}
                Err(error) => {
                    self.notes.push(error.to_string());
                    self.others.push(repository.clone());
                }
            }
        }
        Ok(())
    }

    /// Adds uses of what others define to the answer of a repository.
    fn add_uses(&mut self, it: RepositoryOutput) {
        let same = |known: &&mut RepositoryOutput| known.repository == it.repository;
        let Some(known) = self.repositories.iter_mut().find(same) else { return };
        known.uses_of = it.uses_of;
        known.answer.total_references += it.answer.total_references;
        known.answer.possible_references += it.answer.possible_references;
        let left = self.question.limit.saturating_sub(known.answer.references.len());
        known.answer.references.extend(it.answer.references.into_iter().take(left));
    }

    fn answer(
        &self,
        repository: &str,
        homes: &[Home],
        filter: UseFilter,
    ) -> anyhow::Result<RepositoryOutput> {
        let start = Instant::now();
        let &Self { cluster, access, question, .. } = self;
        let &NameQuestion { name, branch, limit } = question;
        let last = symbols::last_part(name);
        let homes: Vec<Home> =
            homes.iter().filter(|it| it.repository != repository).cloned().collect();
        let look_up = |snapshot: &Snapshot| {
            if filter == UseFilter::BySymbols {
                let (uses, of) = uses_across(snapshot, (last, &homes, filter), &|_| true, limit);
                return Ok(((Vec::new(), uses, Vec::new(), Vec::new()), of, None));
            }
            let named = symbols::definitions(snapshot, name, &|_| true);
            let notes: Vec<String> = named.note(name).into_iter().collect();
            if !homes.is_empty() && (named.found.is_empty() || !notes.is_empty()) {
                let (uses, of) = uses_across(snapshot, (last, &homes, filter), &|_| true, limit);
                return Ok(((Vec::new(), uses, Vec::new(), Vec::new()), of, None));
            }
            let (uses, of) =
                (symbols::uses(snapshot, last, &named.found, &|_| true, limit), Vec::new());
            let is_home = !named.found.is_empty() && notes.is_empty() && access.single().is_none();
            let home = is_home.then(|| Home::of(repository, (snapshot, last), &named.found));
            let found: FoundName = (named.found, uses, notes, Vec::new());
            Ok((found, of, home))
        };
        let of = PushedBranch { cluster, access, repository, branch };
        of.answer(look_up, |branch, (found, uses_of, home)| RepositoryOutput {
            repository: repository.to_owned(),
            branch: branch.name.clone(),
            answer: NameOutput::new(branch.snapshot(), name, found, start),
            uses_of,
            home,
        })
    }
}
