//! Agents' tools over the repositories of a cluster. Nothing there is on this machine: no files, no session, no votes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use foreword_cluster::{Access, Cluster};
use foreword_session::answer::symbols::across::HomeUses;
use foreword_session::tools::{BudgetScope, Call, Tool, ToolAnswer, Topic, call_pushed};
use foreword_session::usage::usage;
use serde_json::Value;

use crate::many::one::PushedBranch;
use crate::many::pattern::NO_WORD;
use crate::many::search::PATIENCE;
use crate::many::symbols::{NameQuestion, RepositoryOutput, symbols};

/// The tools. Agents cannot read these files otherwise, so reading lines is one of them.
pub(super) const OFFERED: [Tool; 5] =
    [Tool::Search, Tool::Context, Tool::Symbols, Tool::Map, Tool::ReadLines];

/// Arguments that mean nothing there.
pub(super) const WITHOUT: [&str; 2] = ["wait_ms", "next"];

/// Repositories that a call without a name is answered from.
const MAX_REPOSITORIES: usize = 4;

/// Further repositories that are named.
const MAX_NAMED: usize = 10;

/// The repositories of a cluster for agents.
pub(crate) struct PushedRepositories {
    pub(crate) cluster: Arc<Cluster>,
    /// Those that calls are about.
    pub(crate) access: Access,
    /// The branch; without, the only one, `main` or `master`.
    pub(crate) branch: Option<String>,
    /// Makes of an error the one that an agent is told: a server hides the cluster's address and messages.
    pub(crate) told: fn(anyhow::Error) -> anyhow::Error,
    /// Counts calls that were answered.
    pub(crate) calls: Arc<CallCounts>,
}

/// Numbers of calls.
#[derive(Default)]
pub(crate) struct CallCounts {
    pub(crate) done: AtomicU64,
    pub(crate) failed: AtomicU64,
}

impl PushedRepositories {
    /// The description of the argument `repository`.
    pub(super) fn describe(&self) -> String {
        match self.access.single() {
            Some(it) => format!("{it}, and no other."),
            None => "Its name, owner/name. `search` and `symbols` take several by a pattern (acme/*), and none for all."
                .to_owned(),
        }
    }

    /// The repositories that a call is about: those that it names among those that its sender may read.
    fn access_of(
        &self,
        of_sender: Option<Access>,
        named: Option<&String>,
    ) -> anyhow::Result<Access> {
        let is_of_all = of_sender.is_none();
        let access = of_sender.unwrap_or_else(|| self.access.clone());
        let Some(named) = named else { return Ok(access) };
        let res = access.only(std::slice::from_ref(named)).map_err(|it| usage(it.to_string()))?;
        match res.single() {
            Some(it) if is_of_all && !res.reads_repository(it) => {
                Err(usage(format!("repository {named}: this server has others only")))
            }
            _ => Ok(res),
        }
    }

    /// Answers a call and counts it; `access` is what the caller may read, where that is not the same for all.
    pub(super) fn call(
        &self,
        access: Option<Access>,
        called: (&str, Value),
        counted: BudgetScope,
    ) -> anyhow::Result<ToolAnswer> {
        let answer = self.answer(access, called, counted);
        let count = if answer.is_ok() { &self.calls.done } else { &self.calls.failed };
        count.fetch_add(1, Ordering::Relaxed);
        answer
    }

    fn answer(
        &self,
        access: Option<Access>,
        (name, arguments): (&str, Value),
        counted: BudgetScope,
    ) -> anyhow::Result<ToolAnswer> {
        let mut call = Call::parse(name, arguments)?;
        let access = self.access_of(access, call.repository.as_ref())?;
        let cluster = &self.cluster.until(Instant::now() + PATIENCE);
        let mut names = match access.single() {
            Some(it) => vec![it.to_owned()],
            None => likely(cluster, &access, &call).map_err(self.told)?,
        };
        let others = names.split_off(names.len().min(MAX_REPOSITORIES));
        let mut answer = call_pushed(&mut call, &names, counted, &|repository, work| {
            let of = PushedBranch {
                cluster,
                access: &access,
                repository,
                branch: self.branch.as_deref(),
            };
            let answer = of.answer(work, |branch, answer| {
                let note = "(more files could matter than were read)\n";
                let note = if branch.cost().is_cut { note } else { "" };
                ToolAnswer { text: answer.text + note, ..answer }
            });
            answer.map_err(self.told)
        })?;
        if let Some(name) = call.symbol().filter(|_| names.len() > 1) {
            // The answer is right without it.
            let of = self.uses_of(cluster, (&access, &names), name);
            let of = of.unwrap_or_else(|error| {
                let why = (self.told)(error);
                vec![format!("whose definitions the uses are about could not be read: {why:#}")]
            });
            of.iter().for_each(|it| answer.text.push_str(&format!("{it}\n")));
            answer.structured["uses_of"] = of.into();
        }
        // Which branch of the others has it is not known here.
        let open = others.into_iter().filter(|it| access.reads_all_branches(it));
        let open: Vec<String> = open.take(MAX_NAMED).collect();
        if !open.is_empty() {
            answer
                .text
                .push_str(&format!("perhaps also in {} (pass repository)\n", open.join(", ")));
        }
        Ok(answer)
    }
}

impl PushedRepositories {
    /// Whose definitions the uses of a name in some repositories are about, in sentences.
    fn uses_of(
        &self,
        cluster: &Cluster,
        (access, names): (&Access, &[String]),
        name: &str,
    ) -> anyhow::Result<Vec<String>> {
        let access = access.only(names).map_err(|it| usage(it.to_string()))?;
        let question = NameQuestion { name, branch: self.branch.as_deref(), limit: 0 };
        let found = symbols(cluster, &access, &question)?;
        let sentence =
            |of: &RepositoryOutput, it: &HomeUses| format!("{}: {}", of.repository, it.note());
        let all = found.repositories.iter();
        Ok(all.flat_map(|of| of.uses_of.iter().map(|it| sentence(of, it))).collect())
    }
}

/// The repositories that may have what a call looks for, likeliest first.
fn likely(cluster: &Cluster, access: &Access, call: &Call) -> anyhow::Result<Vec<String>> {
    let most = MAX_REPOSITORIES + MAX_NAMED;
    let (what, names): (String, Vec<String>) = match call.topic() {
        None => {
            return Err(usage(
                "repository is missing; pass one, which `search` without a repository finds",
            ));
        }
        Some(Topic::Words(words)) if words.is_empty() => return Err(usage(NO_WORD)),
        Some(Topic::Words(words)) => {
            let found = cluster.candidates(&words, access, most)?.candidates;
            (words, found.into_iter().map(|it| it.repository).collect())
        }
        Some(Topic::Name(name)) => {
            let found = cluster.holders(name, access, most)?.repositories;
            (name.to_owned(), found.into_iter().map(|it| it.repository).collect())
        }
    };
    match names.is_empty() {
        true => Err(usage(format!("nothing matched: no repository is known to have {what}"))),
        false => Ok(names),
    }
}
