//! Tells the editor why there is no suggestion: a status for those that show one, and a message when the model is away.

use foreword_session::answer::complete::ContextSource;
use serde_json::{Value, json};

use super::state::Server;
use crate::lsp::worker::SuggestOutcome;

/// Type of a message that is a warning.
const WARNING: u8 = 2;

impl Server {
    /// Reports what came of a request.
    pub(super) fn report(&mut self, outcome: &SuggestOutcome) {
        let status = status(outcome);
        tracing::debug!(state = %status["state"], text = %status["text"], "suggestion");
        if self.client.capabilities.status {
            self.client.notify("foreword/status", status);
        }
        match outcome {
            // Once, and not for every keystroke.
            SuggestOutcome::Failure(why) => {
                if !std::mem::replace(&mut self.has_told_failure, true) {
                    let message = format!("foreword suggests nothing: {why}");
                    let params = json!({ "type": WARNING, "message": message });
                    self.client.notify("window/showMessage", params);
                }
            }
            SuggestOutcome::Suggestion(_)
            | SuggestOutcome::Withheld { .. }
            | SuggestOutcome::Dismissed => self.has_told_failure = false,
            // Nothing may also come of a model that is still being connected.
            SuggestOutcome::Nothing | SuggestOutcome::Refusal(_) => {}
        }
    }
}

/// The state with its numbers, and a line for a status bar.
fn status(outcome: &SuggestOutcome) -> Value {
    let percent = |it: &f64| format!("{:.0} %", it * 100.0);
    match outcome {
        SuggestOutcome::Suggestion(it) if it.context == ContextSource::Cluster => json!({
            "state": "suggestion", "confidence": it.confidence, "answered_from": "cluster",
            "text": format!("{}, from the cluster", percent(&it.confidence)),
        }),
        SuggestOutcome::Suggestion(it) => json!({
            "state": "suggestion", "confidence": it.confidence, "text": percent(&it.confidence),
        }),
        SuggestOutcome::Withheld { confidence, least } => json!({
            "state": "withheld", "confidence": confidence, "least": least,
            "text": format!("withheld, {}", percent(confidence)),
        }),
        SuggestOutcome::Dismissed => json!({ "state": "dismissed", "text": "dismissed" }),
        SuggestOutcome::Nothing => json!({ "state": "nothing", "text": "nothing to suggest" }),
        SuggestOutcome::Refusal(why) => {
            json!({ "state": "refusal", "text": "secret file", "message": why })
        }
        SuggestOutcome::Failure(why) => {
            json!({ "state": "failure", "text": "no answer", "message": why })
        }
    }
}
