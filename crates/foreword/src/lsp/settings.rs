//! Settings of an editor: `initializationOptions`, and the section `foreword` of `workspace/configuration`.

use serde::Deserialize;
use serde_json::Value;

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
    /// Milliseconds after which a suggestion is no use any more.
    pub(super) deadline_ms: u64,
    /// Whether places that were visited are kept from one session to the next.
    pub(super) remember: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            least_confidence: 0.3,
            max_lines: 8,
            deadline_ms: 150,
            remember: false,
        }
    }
}

impl Settings {
    /// Reads what an editor sends. The error says what is wrong, for the user.
    pub(super) fn read(value: Value) -> Result<Self, String> {
        serde_json::from_value(value)
            .map_err(|error| format!("foreword's settings: {error}; the defaults are used"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_set_has_its_default_and_mistakes_are_named() {
        assert_eq!(Settings::read(json!({})), Ok(Settings::default()));
        let set = Settings::read(json!({ "maxLines": 1 })).unwrap();
        assert_eq!((set.max_lines, set.enabled), (1, true));
        assert!(Settings::read(json!({ "maxLine": 1 })).unwrap_err().contains("maxLine"));
        assert!(Settings::read(json!({ "enabled": 1 })).unwrap_err().contains("boolean"));
    }
}
