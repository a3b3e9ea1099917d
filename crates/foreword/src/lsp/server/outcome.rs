//! Tells the editor why there is no suggestion: a status for those that show one, and a message when the model is away.

use foreword_session::answer::complete::Suggestion;
use serde_json::{Value, json};

use super::state::Server;
use crate::lsp::worker::SuggestOutcome;

/// Type of a message that is a warning.
const WARNING: u8 = 2;

impl Server {
    /// Reports what came of a request; returns the suggestion.
    pub(super) fn report(&mut self, outcome: SuggestOutcome) -> Option<Suggestion> {
        if self.client.capabilities.status {
            self.client.notify("foreword/status", status(&outcome));
        }
        match outcome {
            SuggestOutcome::Failure(why) => {
                // Once, and not for every keystroke.
                if !std::mem::replace(&mut self.has_told_failure, true) {
                    let message = format!("foreword suggests nothing: {why}");
                    let params = json!({ "type": WARNING, "message": message });
                    self.client.notify("window/showMessage", params);
                }
                None
            }
            SuggestOutcome::Suggestion(it) => {
                self.has_told_failure = false;
                Some(it)
            }
            SuggestOutcome::Withheld { .. } | SuggestOutcome::Nothing => None,
        }
    }
}

/// The state with its numbers, and a line for a status bar.
fn status(outcome: &SuggestOutcome) -> Value {
    let percent = |it: &f64| format!("{:.0} %", it * 100.0);
    match outcome {
        SuggestOutcome::Suggestion(it) => json!({
            "state": "suggestion", "confidence": it.confidence, "text": percent(&it.confidence),
        }),
        SuggestOutcome::Withheld { confidence, least } => json!({
            "state": "withheld", "confidence": confidence, "least": least,
            "text": format!("withheld, {}", percent(confidence)),
        }),
        SuggestOutcome::Nothing => json!({ "state": "nothing", "text": "nothing to suggest" }),
        SuggestOutcome::Failure(why) => {
            json!({ "state": "failure", "text": "no model", "message": why })
        }
    }
}
