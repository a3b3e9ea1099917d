//! Worker threads for slow work: suggestions, symbols, context pages.

mod context_page;
mod location;
mod next_edits;
mod next_forms;
mod next_model;
mod suggest;
mod symbols;

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use foreword_session::recurring_error::RecurringError;
use gen_lsp_types::Range;
use serde_json::{Value, json};

pub(super) use self::context_page::ContextPageTask;
use self::location::Location;
pub(super) use self::next_edits::{NextEditsQuery, WithoutEdits};
pub(super) use self::next_forms::{
    ActionQuery, JUMP_COMMAND, NEXT_COMMAND, NextEditsTask, NextForm,
};
pub(super) use self::suggest::{SuggestOutcome, SuggestTask, Trigger};
use super::workspaces::Workspaces;

/// Two threads, so that the newest request starts while a cancelled one winds down, and one that may wait for a next-edit
/// model.
const THREADS: usize = 3;

/// Maximum tasks in the queue; reading pauses while it is full.
const MAX_QUEUED: usize = 256;

pub(super) struct Job {
    /// Identifies the output.
    pub(super) number: u64,
    /// Set when the output is no longer needed.
    pub(super) cancelled: Arc<AtomicBool>,
    pub(super) task: Task,
}

pub(super) enum Task {
    Suggest(SuggestTask),
    /// A query for `workspace/symbol`.
    Symbols(String),
    ContextPage(ContextPageTask),
    NextEdits(NextEditsTask),
    /// The file of a document that was opened, and its text.
    Prepare(PathBuf, Arc<str>),
}

/// The output of a job.
pub(super) struct JobResult {
    pub(super) number: u64,
    pub(super) output: Output,
}

pub(super) enum Output {
    Suggestion(SuggestOutcome),
    /// A proposed edit at the cursor: what it replaces and by what.
    EditAtCursor(Range, String),
    Symbols(Value),
    /// The page, or an error message.
    ContextPage(Result<String, String>),
    /// The places, or an error message.
    NextEdits(Result<Value, String>),
}

/// The last error of suggestions, to avoid logging it with every keystroke.
static SUGGESTION_ERROR: RecurringError = RecurringError::new();

/// Starts the threads, which end when the sender of jobs is dropped.
pub(super) fn start(
    workspaces: &Arc<Workspaces>,
) -> anyhow::Result<(Sender<Job>, Receiver<JobResult>)> {
    let (jobs, queue) = bounded::<Job>(MAX_QUEUED);
    let (completed, results) = unbounded();
    for n in 0..THREADS {
        let (workspaces, queue, completed) =
            (Arc::clone(workspaces), queue.clone(), completed.clone());
        let thread = std::thread::Builder::new().name(format!("work-{n}"));
        let work = move || {
            for job in queue {
                if let Some(it) = run(&workspaces, job)
                    && completed.send(it).is_err()
                {
                    return;
                }
            }
        };
        thread.spawn(work).context("cannot start a thread")?;
    }
    Ok((jobs, results))
}

/// Runs a job unless it was cancelled; some have no output. Failed symbols give empty results, without a message in the
/// editor.
fn run(workspaces: &Workspaces, job: Job) -> Option<JobResult> {
    let Job { number, cancelled, task } = job;
    if cancelled.load(Ordering::Relaxed) {
        return None;
    }
    let output = match task {
        Task::Suggest(it) => {
            if let Some((range, text)) = edit_at_cursor(workspaces, &it) {
                let output = Output::EditAtCursor(range, text);
                return Some(JobResult { number, output });
            }
            Output::Suggestion(suggestion(workspaces, &it, &cancelled))
        }
        Task::Symbols(query) => {
            let symbols = guarded(|| Ok(symbols::find(workspaces, &query)));
            Output::Symbols(symbols.unwrap_or_else(|_| json!([])))
        }
        Task::ContextPage(it) => {
            let page = guarded(|| context_page::render(workspaces, it));
            Output::ContextPage(page.map_err(|error| {
                tracing::warn!("no context page: {error:#}");
                format!("{error:#}")
            }))
        }
        Task::Prepare(path, text) => {
            // A secret is not prepared; the first key says why.
            drop(guarded(|| Location::of(workspaces, Some(&path)).map(|it| it.prepare(&text))));
            return None;
        }
        Task::NextEdits(it) => {
            let answer = guarded(|| next_forms::answer(workspaces, &it, &cancelled));
            Output::NextEdits(answer.or_else(|error| {
                tracing::warn!("no next edits: {error:#}");
                it.form.nothing().ok_or_else(|| format!("{error:#}"))
            }))
        }
    };
    Some(JobResult { number, output })
}

fn suggestion(workspaces: &Workspaces, it: &SuggestTask, cancelled: &AtomicBool) -> SuggestOutcome {
    let suggestion = guarded(|| suggest::suggest(workspaces, it, cancelled));
    let outcome = suggestion.unwrap_or_else(|error| SuggestOutcome::Failure(format!("{error:#}")));
    if let SuggestOutcome::Refusal(why) | SuggestOutcome::Failure(why) = &outcome {
        SUGGESTION_ERROR.warn("no suggestion", why);
    }
    outcome
}

fn edit_at_cursor(workspaces: &Workspaces, it: &SuggestTask) -> Option<(Range, String)> {
    let (task, cursor) = it.edit.as_ref()?;
    guarded(|| Ok(next_forms::at_cursor(workspaces, task, *cursor))).ok().flatten()
}

/// Turns a panic into an error, so that the thread survives; the panic hook has logged it.
fn guarded<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    std::panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(anyhow::anyhow!("this is a bug in foreword")))
}

#[cfg(test)]
mod tests {
    use tracing::level_filters::LevelFilter;

    use super::*;
    use crate::logging::tests::logged;

    #[test]
    fn a_panic_in_a_job_is_logged_and_costs_that_job_alone() {
        let log = logged(LevelFilter::WARN, || {
            let failed: anyhow::Result<()> = guarded(|| panic!("out of luck"));
            assert!(failed.unwrap_err().to_string().contains("a bug"));
            assert_eq!(guarded(|| Ok(1)).unwrap(), 1);
        });
        assert!(log.contains("ERROR") && log.contains("out of luck"), "{log}");
        assert!(log.contains("worker.rs"), "{log}");
    }
}
