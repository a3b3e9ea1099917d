//! The agents' answers: their schemas, and a lenient parser.

use foreword_engine::speculate::{
    MAX_BLOCKS, MAX_FORECASTS, StatedBlock, StatedForecast, StatedLines,
};
use serde_json::{Value, json};

use crate::chat::AnswerSchema;

/// Whether a schema bounds the length of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texts {
    /// Bounded, for servers with grammars (llama.cpp): a model that never ends a text is stopped.
    Bounded,
    /// Unbounded: OpenAI's strict mode refuses `maxLength`.
    Free,
}

fn text(texts: Texts, most: usize) -> Value {
    match texts {
        Texts::Bounded => json!({ "type": "string", "maxLength": most }),
        Texts::Free => json!({ "type": "string" }),
    }
}

fn object(properties: &Value) -> Value {
    let names: Vec<String> =
        properties.as_object().map(|it| it.keys().cloned().collect()).unwrap_or_default();
    json!({
        "type": "object", "properties": properties, "required": names,
        "additionalProperties": false,
    })
}

fn list(texts: Texts, items: &Value, most: usize) -> Value {
    match texts {
        Texts::Bounded => json!({ "type": "array", "items": items, "maxItems": most }),
        Texts::Free => json!({ "type": "array", "items": items }),
    }
}

fn lines(texts: Texts, what: &str) -> Value {
    let line = json!({ "type": "integer" });
    object(&json!({
        "path": text(texts, 120), "start_line": line, "end_line": line, what: text(texts, 120),
    }))
}

/// Schema of the retriever's answer.
pub(super) fn blocks_schema(texts: Texts) -> AnswerSchema {
    let blocks = list(texts, &lines(texts, "reason"), MAX_BLOCKS);
    AnswerSchema { name: "blocks".to_owned(), schema: object(&json!({ "blocks": blocks })) }
}

/// Schema of the forecaster's answer.
pub(super) fn functions_schema(texts: Texts) -> AnswerSchema {
    let function = object(&json!({
        "name": text(texts, 80), "code": text(texts, 1500),
        "insert_before_line": { "type": "integer" },
        "evidence": list(texts, &lines(texts, "what"), 4),
    }));
    let functions = list(texts, &function, MAX_FORECASTS);
    AnswerSchema {
        name: "functions".to_owned(),
        schema: object(&json!({ "functions": functions })),
    }
}

/// Parses the blocks of an answer; the error is a message to the model.
pub(super) fn blocks(text: &str) -> Result<Vec<StatedBlock>, String> {
    let items = items(text, "blocks")?;
    Ok(items.iter().map(|it| stated_lines(it, "reason")).collect())
}

/// Parses the functions of an answer.
pub(super) fn functions(text: &str) -> Result<Vec<StatedForecast>, String> {
    let function = |it: &Value| StatedForecast {
        name: string(&it["name"]),
        code: string(&it["code"]),
        line: number(&it["insert_before_line"]),
        evidence: it["evidence"]
            .as_array()
            .map(|all| all.iter().map(|it| stated_lines(it, "what")).collect())
            .unwrap_or_default(),
    };
    Ok(items(text, "functions")?.iter().map(function).collect())
}

/// Missing values become empty or 0, which the check rejects.
fn stated_lines(it: &Value, what: &str) -> StatedLines {
    StatedLines {
        path: string(&it["path"]).trim_start_matches("./").to_owned(),
        first_line: number(&it["start_line"]),
        last_line: number(&it["end_line"]),
        what: string(&it[what]),
    }
}

fn string(it: &Value) -> String {
    it.as_str().unwrap_or_default().to_owned()
}

/// Parses a line number; some models quote numbers.
fn number(it: &Value) -> u32 {
    let number = it.as_u64().or_else(|| it.as_str()?.trim().parse().ok());
    number.and_then(|it| u32::try_from(it).ok()).unwrap_or(0)
}

/// Parses the named list in the JSON of an answer, which other text may surround.
fn items(text: &str, name: &str) -> Result<Vec<Value>, String> {
    let (Some(start), Some(end)) = (text.find(['{', '[']), text.rfind(['}', ']'])) else {
        return Err("there is no JSON in the answer".to_owned());
    };
    let json = text.get(start..=end).unwrap_or_default();
    let value: Value =
        serde_json::from_str(json).map_err(|error| format!("the JSON cannot be read: {error}"))?;
    match value {
        Value::Array(items) => Ok(items),
        mut value => match value[name].take() {
            Value::Array(items) => Ok(items),
            _ => Err(format!("the JSON has no list `{name}`")),
        },
    }
}
