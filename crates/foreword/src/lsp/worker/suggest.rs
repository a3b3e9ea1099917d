//! Requests a suggestion from the configured model.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use foreword_engine::speculate::ShownForecasts;
use foreword_session::answer::complete::{Completer, SuggestOptions, Suggestion};

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
    /// The completion menu. Editors request it while typing, too, but mostly report it as invoked.
    Menu,
    /// Typing, or a prefetch.
    Automatic,
}

/// What came of a request.
pub(in crate::lsp) enum SuggestOutcome {
    Suggestion(Suggestion),
    /// The model was not sure enough.
    Withheld {
        confidence: f64,
        least: f64,
    },
    /// The user typed something else when it was shown.
    Dismissed,
    Nothing,
    /// Why the file is no business of a model's: it is a secret by its name.
    Refusal(String),
    /// Why the model did not answer.
    Failure(String),
}

impl SuggestOutcome {
    pub(in crate::lsp) fn suggestion(self) -> Option<Suggestion> {
        match self {
            Self::Suggestion(it) => Some(it),
            _ => None,
        }
    }
}

pub(super) fn suggest(
    workspaces: &Workspaces,
    it: &SuggestTask,
    cancelled: &AtomicBool,
) -> anyhow::Result<SuggestOutcome> {
    let location = match Location::of(workspaces, it.path.as_ref()) {
        Ok(location) => location,
        Err(why) => return Ok(SuggestOutcome::Refusal(why.to_string())),
    };
    let (text, offset) = location.analysable(&it.text, it.offset);
    let completer = workspaces.completer();
    let (plan, most) = location.plan();
    let options = SuggestOptions {
        deadline: it.received_at + it.settings.deadline(completer.input(), completer.timeout()),
        lines: it.settings.max_lines,
        cancelled: &|| cancelled.load(Ordering::Relaxed),
        forecasts: ShownForecasts::beside(plan.as_ref(), most),
    };
    let repository = location.repository_name();
    let cursor = location.cursor(text, offset)?;
    let suggestion = location.answer(&cursor, |view, context| {
        let (cursor, activity) = location.elsewhere(view).at(cursor.clone());
        let view = view.engine_view().with_activity(activity);
        let suggestion = completer.suggest(&view, &cursor, repository, &options)?;
        Ok(suggestion.map(|it| Suggestion { context, ..it }))
    })?;
    log_deadline(it.received_at, options.deadline);
    let least = least(it, completer, cursor.prefix());
    Ok(match suggestion {
        None => SuggestOutcome::Nothing,
        Some(found) if found.confidence >= least => SuggestOutcome::Suggestion(found),
        Some(Suggestion { confidence, .. }) => SuggestOutcome::Withheld { confidence, least },
    })
}

/// Minimum confidence of a suggestion after this text.
fn least(it: &SuggestTask, completer: &Completer, prefix: &str) -> f64 {
    let set = it.settings.least_confidence;
    match it.trigger {
        Trigger::Invoked => 0.0,
        Trigger::Menu => set.unwrap_or_else(|| completer.least_listed_confidence()),
        Trigger::Automatic => set.unwrap_or_else(|| completer.least_confidence(prefix)),
    }
}

fn log_deadline(received_at: Instant, deadline: Instant) {
    let ms = received_at.elapsed().as_millis();
    match Instant::now() > deadline {
        true => tracing::debug!(ms, "a suggestion missed its deadline"),
        false => tracing::trace!(ms, "suggestion"),
    }
}
