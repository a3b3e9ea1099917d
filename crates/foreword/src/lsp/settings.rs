//! Settings of an editor: `initializationOptions`, and the section `foreword` of `workspace/configuration`.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

/// What an editor's user may set. Every field has a default.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Settings {
    /// Whether anything is suggested.
    pub(super) enabled: bool,
    /// Suggestions that are less likely right than this are not shown, between 0 and 1.
    pub(super) least_confidence: f64,
    /// Most lines of a suggestion.
    pub(super) max_lines: usize,
    /// Milliseconds after which a suggestion is no use any more; by the model without it.
    pub(super) deadline_ms: Option<u64>,
    /// Whether places that were visited are kept from one session to the next.
    pub(super) remember: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            least_confidence: 0.3,
            max_lines: 8,
            deadline_ms: None,
            remember: false,
        }
    }
}

/// What the embedded model needs at the most.
const QUICK: Duration = Duration::from_millis(150);

/// What a model may need that reads a prompt first. Whoever types on does not wait for it.
const PATIENT: Duration = Duration::from_secs(10);

impl Settings {
    /// How long a suggestion may take, of a model that reads a prompt or of the embedded one.
    pub(super) fn deadline(&self, reads_prompt: bool) -> Duration {
        let otherwise = if reads_prompt { PATIENT } else { QUICK };
        self.deadline_ms.map_or(otherwise, Duration::from_millis)
    }

    /// Reads what an editor sends: the options that it started with, and over them what it said later, each of which
    /// may be nothing (Neovim answers the question for a section with null, whatever its `init_options` are). The error
    /// says what is wrong, for the user.
    pub(super) fn read(options: &Value, section: Value) -> Result<Self, String> {
        let said = match (options, section) {
            (Value::Object(options), Value::Object(section)) => {
                let mut all = options.clone();
                all.extend(section);
                Value::Object(all)
            }
            (Value::Null, Value::Null) => json!({}),
            (options, Value::Null) => options.clone(),
            (_, section) => section,
        };
        serde_json::from_value(said)
            .map_err(|error| format!("foreword's settings: {error}; the defaults are used"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_has_its_default_and_mistakes_are_named() {
        let read = |section: Value| Settings::read(&Value::Null, section);
        assert_eq!(read(Value::Null), Ok(Settings::default()));
        let set = read(json!({ "maxLines": 1 })).unwrap();
        assert_eq!((set.max_lines, set.enabled), (1, true));
        let set = Settings::read(&json!({ "maxLines": 1 }), json!({ "enabled": false })).unwrap();
        assert_eq!((set.max_lines, set.enabled), (1, false));
        assert_eq!(Settings::read(&json!({ "maxLines": 1 }), Value::Null).unwrap().max_lines, 1);
        let late = |section| read(section).unwrap().deadline(false).as_millis();
        assert_eq!((late(json!({})), late(json!({ "deadlineMs": null }))), (150, 150));
        assert_eq!(late(json!({ "deadlineMs": 7 })), 7);
        assert_eq!(Settings::default().deadline(true), PATIENT);
        assert!(read(json!({ "maxLine": 1 })).unwrap_err().contains("maxLine"));
        assert!(read(json!({ "enabled": 1 })).unwrap_err().contains("boolean"));
    }
}
