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

use std::time::Duration;

use serde_json::Value;

use crate::answer::tokens;
use crate::host::{Indexing, Repository, View};

pub use evidence::{Evidence, EvidenceId, EvidenceReason, SiteKind};
pub use page::ToolAnswer;
pub use repositories::{Access, Repositories, StartDirectory};
pub use schema::output as output_schema;
pub use target::{BudgetScope, Target};
pub use tool::Tool;

use request::{Call, Request};

/// Instructions about the tools for a model.
pub const INSTRUCTIONS: &str = "\
foreword has this repository indexed and checks the disk before every answer, so edits made a moment ago are found. \
Prefer it to grep, find and reading whole files: `search` for a question, a name or a pattern; `symbols` for where a name \
is defined and everywhere used, before changing it; `context` for what to read before an edit; `map` for an unknown \
repository. Answers say `path:start-end`, which `file` takes; read the file itself when you need more of it. The last line \
says how fresh and complete the answer is. Use grep only for what is not in the index: ignored, generated and binary \
files.";

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
        all => several::answer(all, &mut call.request, patience, context),
    }
}

/// Answers from one repository, which is named if others answer the same call; also returns the view that it answered from.
fn answer_from(
    (repository, name): (&Repository, Option<&str>),
    request: &Request,
    patience: Duration,
    context: &mut CallContext<'_>,
) -> anyhow::Result<(View, anyhow::Result<ToolAnswer>)> {
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
}

fn answer_of_view(
    (repository, name, view): (&Repository, Option<&str>, &View),
    request: &Request,
    counted: BudgetScope,
) -> anyhow::Result<ToolAnswer> {
    let counter = tokens::general()?;
    answer(request, &Target { repository, view, counter, counted, name })
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
