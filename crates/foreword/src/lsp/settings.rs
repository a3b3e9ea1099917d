//! The editor's settings: `initializationOptions`, and the section `foreword` of `workspace/configuration`.

use std::time::Duration;

use foreword_session::backend::Input;
use serde::Deserialize;
use serde_json::{Value, json};

/// Settings of the editor. Every field has a default.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Settings {
    /// Whether to suggest anything.
    pub(super) enabled: bool,
    /// Minimum confidence of a suggestion, between 0 and 1. `None` for foreword's configuration or the model's default.
    pub(super) least_confidence: Option<f64>,
    /// Maximum lines of a suggestion.
    pub(super) max_lines: usize,
    /// Maximum milliseconds for a suggestion; `None` for the model's default.
    pub(super) deadline_ms: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { enabled: true, least_confidence: None, max_lines: 8, deadline_ms: None }
    }
}

/// Time limit of the embedded model.
const EMBEDDED_DEADLINE: Duration = Duration::from_millis(150);

/// Time limit of models that process a prompt. Typing on cancels the request.
const PROMPTED_DEADLINE: Duration = Duration::from_secs(10);

impl Settings {
    /// Time limit of a suggestion: the editor's setting, else the model's limit, else a default by the model's input.
    pub(super) fn deadline(&self, input: Input, limit: Option<Duration>) -> Duration {
        let default = match input {
            Input::Files => EMBEDDED_DEADLINE,
            Input::Prompt => limit.unwrap_or(PROMPTED_DEADLINE),
        };
        self.deadline_ms.map_or(default, Duration::from_millis)
    }

    /// Merges `section`, the editor's latest configuration, over the options of `initialize`. Either may be null:
    /// Neovim answers `workspace/configuration` with null even if it has `init_options`. The error is for the user.
    pub(super) fn read(options: &Value, section: Value) -> Result<Self, String> {
        let merged = match (options, section) {
            (Value::Object(options), Value::Object(section)) => {
                let mut all = options.clone();
                all.extend(section);
                Value::Object(all)
            }
            (Value::Null, Value::Null) => json!({}),
            (options, Value::Null) => options.clone(),
            (_, section) => section,
        };
        serde_json::from_value(merged)
            .map_err(|error| format!("foreword's settings: {error}; using the defaults"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_settings_have_defaults_and_mistakes_are_named() {
        let read = |section: Value| Settings::read(&Value::Null, section);
        assert_eq!(read(Value::Null), Ok(Settings::default()));
        let set = read(json!({ "maxLines": 1 })).unwrap();
        assert_eq!((set.max_lines, set.enabled), (1, true));
        let set = Settings::read(&json!({ "maxLines": 1 }), json!({ "enabled": false })).unwrap();
        assert_eq!((set.max_lines, set.enabled), (1, false));
        assert_eq!(Settings::read(&json!({ "maxLines": 1 }), Value::Null).unwrap().max_lines, 1);
        let late = |section| read(section).unwrap().deadline(Input::Files, None).as_millis();
        assert_eq!((late(json!({})), late(json!({ "deadlineMs": null }))), (150, 150));
        assert_eq!(late(json!({ "deadlineMs": 7 })), 7);
        let second = Some(Duration::from_secs(1));
        assert_eq!(Settings::default().deadline(Input::Prompt, None), PROMPTED_DEADLINE);
        assert_eq!(Settings::default().deadline(Input::Prompt, second), Duration::from_secs(1));
        assert!(read(json!({ "maxLine": 1 })).unwrap_err().contains("maxLine"));
        assert!(read(json!({ "enabled": 1 })).unwrap_err().contains("boolean"));
    }
}
