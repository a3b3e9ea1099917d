//! An earlier answer of a conversation, from `ask --json`.

use std::path::Path;

use foreword_model::chat::Message;
use foreword_session::usage::usage;
use serde_json::Value;

/// Maximum places of an earlier answer that stay in the evidence.
const MAX_PLACES: usize = 6;

/// An earlier answer.
pub(super) struct EarlierAnswer {
    pub(super) question: String,
    /// The model's answer; empty without a model.
    answer: String,
    /// Path, first and last line of its citations, or of the first pieces of evidence.
    pub(super) places: Vec<(String, u32, u32)>,
}

impl EarlierAnswer {
    pub(super) fn read(file: &Path) -> anyhow::Result<Self> {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|error| {
            usage(format!(
                "--after {name} cannot be read: {error}; name a file with the output of `foreword ask --json`"
            ))
        })?;
        let value: Value = serde_json::from_str(text.trim()).map_err(|error| {
            usage(format!("--after {name}: {error}; pass the output of `foreword ask --json`"))
        })?;
        let evidence = value["evidence"].as_array().ok_or_else(|| {
            usage(format!(
                "--after {name}: no `evidence`; pass the output of `foreword ask --json`"
            ))
        })?;
        let cited: Vec<u64> = value["answer"]["cited"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_u64)
            .collect();
        let is_cited =
            |it: &&Value| cited.is_empty() || it["n"].as_u64().is_some_and(|n| cited.contains(&n));
        let line = |it: &Value, key: &str| it[key].as_u64().and_then(|it| u32::try_from(it).ok());
        let place = |it: &Value| {
            Some((it["path"].as_str()?.to_owned(), line(it, "start_line")?, line(it, "end_line")?))
        };
        Ok(Self {
            question: value["question"].as_str().unwrap_or_default().to_owned(),
            answer: value["answer"]["text"].as_str().unwrap_or_default().to_owned(),
            places: evidence.iter().filter(is_cited).filter_map(place).take(MAX_PLACES).collect(),
        })
    }

    /// The earlier question and answer as messages; empty if no model answered.
    pub(super) fn messages(&self) -> Vec<Message> {
        if self.answer.is_empty() {
            return Vec::new();
        }
        let answer = Message::Assistant { text: self.answer.clone(), tool_calls: Vec::new() };
        vec![Message::User(self.question.clone()), answer]
    }
}
