//! The editor's settings: `initializationOptions`, and the section `foreword` of `workspace/configuration`.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::backend::Input;

/// What the user may set in the editor. Every field has a default.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Settings {
    /// Whether anything is suggested.
    pub(super) enabled: bool,
    /// Suggestions with a lower confidence are not shown; between 0 and 1.
    /// `None` for what the configuration of foreword says, or the default of the model.
    pub(super) least_confidence: Option<f64>,
    /// Most lines of a suggestion.
    pub(super) max_lines: usize,
    /// Milliseconds that a suggestion may take; `None` for the default of the model.
    pub(super) deadline_ms: Option<u64>,
    /// Whether visited places are kept from one session to the next.
    pub(super) remember: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            least_confidence: None,
            max_lines: 8,
            deadline_ms: None,
            remember: false,
        }
    }
}

/// How long the embedded model may take.
const EMBEDDED_DEADLINE: Duration = Duration::from_millis(150);

/// How long a model may take that reads a prompt first. A user who goes on typing does not wait for it.
const PROMPTED_DEADLINE: Duration = Duration::from_secs(10);

impl Settings {
    /// How long a suggestion may take: as the editor says, else up to the limit of the model, else by what the model
    /// reads.
    pub(super) fn deadline(&self, input: Input, limit: Option<Duration>) -> Duration {
        let default = match input {
            Input::Files => EMBEDDED_DEADLINE,
            Input::Prompt => limit.unwrap_or(PROMPTED_DEADLINE),
        };
        self.deadline_ms.map_or(default, Duration::from_millis)
    }

    /// Merges `section`, the configuration that the editor sent last, over the options of `initialize`. Either may be
    /// null: Neovim answers `workspace/configuration` with null, whatever its `init_options` are. The error is a message
    /// for the user.
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
            .map_err(|error| format!("foreword's settings: {error}; the defaults are used"))
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
