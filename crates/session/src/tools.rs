//! The tools that agents call: `search`, `context`, `symbols`, `map`, and reading the lines of a file.
//!
//! A tool takes its arguments as JSON and returns a text for models and a structured value for programs, both within a
//! token budget. No protocol appears here: the doors translate to [`call`].

mod arguments;
mod cursor;
mod edit_context;
mod evidence;
mod map;
mod page;
mod read_lines;
mod repositories;
mod request;
mod schema;
mod search;
mod several;
mod symbols;
mod target;
mod tool;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foreword_engine::index::Snapshot;
use serde_json::Value;

use crate::answer::tokens;
use crate::host::{Indexing, Repository, View};

pub use evidence::{Evidence, EvidenceId, EvidenceReason, SiteKind};
pub use page::ToolAnswer;
pub use repositories::{Access, Repositories, StartDirectory};
pub use request::{Call, Topic};
pub use schema::output as output_schema;
pub use target::{BudgetScope, Origin, Target};
pub use tool::Tool;

use request::Request;

/// Instructions about the tools for a model.
pub const INSTRUCTIONS: &str = "\
foreword has this repository indexed and checks the disk before every answer, so edits made a moment ago are found. \
Prefer it to grep, find and reading whole files: `search` for a question, a name or a pattern; `symbols` for where a name \
is defined and everywhere used, before changing it; `context` for what to read before an edit; `map` for an unknown \
repository. Answers say `path:start-end`, which `file` takes; read the file itself when you need more of it. The last line \
says how fresh and complete the answer is. Use grep only for what is not in the index: ignored, generated and binary \
files.";

/// The same for repositories of a cluster, of which the model has no files.
pub const CLUSTER_INSTRUCTIONS: &str = "\
foreword searches repositories that were pushed to a cluster, as they were pushed; their files are not on this machine. \
`search` for a question, a name or a pattern; `symbols` for where a name is defined and everywhere used; `context` for what to read \
about a task or a line; `map` for an unknown repository; `read` for lines of a file. Pass `repository` (owner/name); `search` and `symbols` without it answer \
from the repositories that are likeliest to know, each under its name. Answers say `path:start-end`, which `file` takes.";

/// The inputs of a call besides its arguments.
pub struct CallContext<'c> {
    /// The repositories that the call may name.
    pub repositories: &'c Repositories,
    /// Receives the progress of indexing.
    pub on_indexing: &'c mut dyn FnMut(Indexing),
    /// The forms of the answer that its budget limits.
    pub counted: BudgetScope,
}

/// Calls the tool `name`: checks the arguments, waits for a fresh view of the repository, and answers from it. Without a
/// name, all repositories answer. Errors of the caller name the argument and the remedy.
pub fn call(
    name: &str,
    arguments: Value,
    context: &mut CallContext<'_>,
) -> anyhow::Result<ToolAnswer> {
    let mut call = Call::parse(name, arguments)?;
    let repositories = context.repositories.find(call.repository.as_deref())?;
    let patience = call.wait_ms.map_or(schema::DEFAULT_WAIT, Duration::from_millis);
    let patience = patience.min(schema::MAX_WAIT);
    match repositories.as_slice() {
        [one] => answer_from((one, None), &call.request, patience, context)?.1,
        all => answer_from_all(all, &mut call.request, patience, context),
    }
}

/// One answer of several repositories.
fn answer_from_all(
    all: &[Arc<Repository>],
    request: &mut Request,
    patience: Duration,
    context: &mut CallContext<'_>,
) -> anyhow::Result<ToolAnswer> {
    let (names, end, counted) =
        (repositories::names(all), Instant::now() + patience, context.counted);
    let mut first = |n: usize, request: &Request| {
        let left = end.saturating_duration_since(Instant::now());
        let (view, answer) = answer_from((&all[n], Some(&names[n])), request, left, context)?;
        Ok((view, answer?))
    };
    let again = |n: usize, view: &Option<View>, request: &Request| {
        let (repository, name) = (&*all[n], Some(&*names[n]));
        if view.is_none()
            && let Some(answer) = seeded((repository, name), request, counted)
        {
            return Ok(answer);
        }
        let view = view.clone().map_or_else(|| repository.view(None), Ok)?;
        answer_of_view((repository, name, &view), request, counted)
    };
    let members = several::Members { names: &names, first: &mut first, again: &again };
    several::answer(members, request, counted)
}

/// Work over a snapshot.
pub type SnapshotWork<'w> = &'w dyn Fn(&Snapshot) -> anyhow::Result<ToolAnswer>;

/// Answers a call from repositories on a cluster, by their names; `from` passes the snapshot of one to its work, until
/// nothing that it asks for is missing.
pub fn call_pushed(
    call: &mut Call,
    names: &[String],
    counted: BudgetScope,
    from: &dyn Fn(&str, SnapshotWork<'_>) -> anyhow::Result<ToolAnswer>,
) -> anyhow::Result<ToolAnswer> {
    let is_one_of_several = names.len() > 1;
    let of = |n: usize, request: &Request| {
        let name = &*names[n];
        from(name, &|snapshot| {
            let snapshot = Arc::new(snapshot.with_packed(&BTreeMap::new())?);
            let view = &View { snapshot, fresh: true, indexing: None, trouble: None };
            let (origin, counter) = (Origin::Pushed(name), tokens::general()?);
            let name = is_one_of_several.then_some(name);
            answer(request, &Target { origin, view, counter, counted, name })
        })
    };
    if let [_] = names {
        return of(0, &call.request);
    }
    let mut first = |n: usize, request: &Request| Ok(((), of(n, request)?));
    let again = |n: usize, (): &(), request: &Request| of(n, request);
    let members = several::Members { names, first: &mut first, again: &again };
    several::answer(members, &mut call.request, counted)
}

/// Answers from one repository, which is named if others answer the same call; also returns the view that it answered from,
/// `None` for the cluster.
fn answer_from(
    (repository, name): (&Repository, Option<&str>),
    request: &Request,
    patience: Duration,
    context: &mut CallContext<'_>,
) -> anyhow::Result<(Option<View>, anyhow::Result<ToolAnswer>)> {
    let end = Instant::now() + patience;
    if let Some(answer) = seeded((repository, name), request, context.counted) {
        return Ok((None, Ok(answer)));
    }
    let patience = end.saturating_duration_since(Instant::now());
    let mut from_view = || {
        let view = repository.view_with(Some(patience), context.on_indexing)?;
        let answer = answer_of_view((repository, name, &view), request, context.counted);
        anyhow::Ok((view, answer))
    };
    match from_view()? {
        // The index is damaged; the check for the next view repairs it.
        (view, _) if view.snapshot.is_damaged() => from_view(),
        answered => Ok(answered),
    }
    .map(|(view, answer)| (Some(view), answer))
}

/// An answer from the cluster of the user's configuration, while the clone is indexed.
fn seeded(
    (repository, name): (&Repository, Option<&str>),
    request: &Request,
    counted: BudgetScope,
) -> Option<ToolAnswer> {
    if !request.is_of_parts() {
        return None;
    }
    repository.seeded(&|view| {
        let (origin, counter) = (Origin::Seeded(repository), tokens::general()?);
        answer(request, &Target { origin, view, counter, counted, name })
    })
}

fn answer_of_view(
    (repository, name, view): (&Repository, Option<&str>, &View),
    request: &Request,
    counted: BudgetScope,
) -> anyhow::Result<ToolAnswer> {
    let counter = tokens::general()?;
    let origin = Origin::Local(repository);
    answer(request, &Target { origin, view, counter, counted, name })
}

fn answer(request: &Request, target: &Target<'_>) -> anyhow::Result<ToolAnswer> {
    match request {
        Request::Search(it) => search::answer(target, it),
        Request::Context(it) => edit_context::answer(target, it),
        Request::Symbols(it) => symbols::answer(target, it),
        Request::Map(it) => map::answer(target, it),
        Request::ReadLines(it) => read_lines::answer(target, it),
    }
}
