//! Requests a suggestion from the configured model.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use foreword_engine::speculate::ShownForecasts;
use foreword_session::answer::complete::{SuggestOptions, Suggestion};

use gen_lsp_types::Position;

use super::location::Location;
use super::next_forms::NextEditsTask;
use crate::lsp::settings::Settings;
use crate::lsp::workspaces::Workspaces;

/// A cursor for a suggestion.
pub(in crate::lsp) struct SuggestTask {
    pub(in crate::lsp) path: Option<PathBuf>,
    pub(in crate::lsp) text: Arc<str>,
    pub(in crate::lsp) offset: usize,
    pub(in crate::lsp) trigger: Trigger,
    /// Where a proposed edit at the cursor is looked for first.
    pub(in crate::lsp) edit: Option<(NextEditsTask, Position)>,
    pub(in crate::lsp) settings: Settings,
    pub(in crate::lsp) received_at: Instant,
}

/// Trigger of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lsp) enum Trigger {
    /// Explicit request: low-confidence suggestions are shown, too.
    Invoked,
    /// The completion menu, which editors request while typing but mostly report as invoked.
    Menu,
    /// Typing, or a prefetch.
    Automatic,
}

pub(super) fn suggest(
    workspaces: &Workspaces,
    it: &SuggestTask,
    cancelled: &AtomicBool,
) -> anyhow::Result<Option<Suggestion>> {
    let location = Location::of(workspaces, it.path.as_ref())?;
    let (text, offset) = location.analysable(&it.text, it.offset);
    let view = location.view(text)?;
    let (cursor, activity) = location.elsewhere(&view).at(location.cursor(text, offset)?);
    let completer = workspaces.completer();
    let (plan, most) = location.plan();
    let options = SuggestOptions {
        deadline: it.received_at + it.settings.deadline(completer.input(), completer.timeout()),
        lines: it.settings.max_lines,
        cancelled: &|| cancelled.load(Ordering::Relaxed),
        forecasts: ShownForecasts::beside(plan.as_ref(), most),
    };
    let view = view.engine_view().with_activity(activity);
    let repository = location.repository_name();
    let suggestion = completer.suggest(view, &cursor, repository, &options)?;
    log_deadline(it.received_at, options.deadline);
    let least = it.settings.least_confidence.unwrap_or_else(|| completer.least_confidence());
    Ok(suggestion.filter(|found| it.trigger == Trigger::Invoked || found.confidence >= least))
}

fn log_deadline(received_at: Instant, deadline: Instant) {
    let ms = received_at.elapsed().as_millis();
    match Instant::now() > deadline {
        true => tracing::debug!(ms, "a suggestion missed its deadline"),
        false => tracing::trace!(ms, "suggestion"),
    }
}
