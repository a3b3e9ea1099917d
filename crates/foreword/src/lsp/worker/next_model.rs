//! Asks the next-edit model for a place of the document; only for a request of a next edit, never while somebody types.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use foreword_session::answer::next::{EditModel, LikelyPlace};
use foreword_session::recurring_error::RecurringError;

use crate::lsp::next_answer::{ModelAnswer, NextEdits};

/// How often a wait looks whether the answer is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The last problem, to avoid logging it with every request.
static PROBLEM: RecurringError = RecurringError::new();

/// The place with the edit of the model; `None` where it would change nothing. The last answer is repeated while nothing
/// has changed.
///
/// # Errors
/// Why there is no edit, as a sentence.
pub(super) fn ask(
    model: &EditModel,
    found: &NextEdits,
    place: &LikelyPlace,
    cancelled: &AtomicBool,
) -> Result<Option<Arc<LikelyPlace>>, String> {
    let known = || found.model.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(it) = known().as_ref().filter(|it| it.path == place.path) {
        return Ok(it.place.clone());
    }
    let asking = async {
        tokio::select! {
            answer = model.edit_of(&found.edited, place) => Some(answer),
            () = is_set(cancelled) => None,
        }
    };
    match foreword_model::wait(asking) {
        Some(Ok(edited)) => {
            let (place_path, place) = (place.path.clone(), edited.map(Arc::new));
            *known() = Some(ModelAnswer { path: place_path, place: place.clone() });
            PROBLEM.clear();
            Ok(place)
        }
        Some(Err(error)) => {
            let problem = format!("{error:#}");
            PROBLEM.warn("the next-edit model proposes nothing", &problem);
            Err(problem)
        }
        None => Err("the request was cancelled".to_owned()),
    }
}

/// Ends when the flag is set.
async fn is_set(cancelled: &AtomicBool) {
    while !cancelled.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
