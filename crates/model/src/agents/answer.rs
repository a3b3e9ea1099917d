//! The shape of what agents answer, and reading it: by a schema where the server has schemas, and leniently in any case.

use foreword_engine::speculate::{
    MAX_BLOCKS, MAX_FORECASTS, StatedBlock, StatedForecast, StatedLines,
};
use serde_json::{Value, json};

use crate::chat::AnswerSchema;

/// How long texts may be in the answer of a server whose grammar can bound them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texts {
    /// They are bounded: a model that never ends a text ends the answer all the same (llama.cpp).
    Bounded,
    /// The schema does not say: OpenAI's strict mode refuses `maxLength`.
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

/// The schema of the blocks that are chosen.
pub(super) fn blocks_schema(texts: Texts) -> AnswerSchema {
    let blocks = list(texts, &lines(texts, "reason"), MAX_BLOCKS);
    AnswerSchema { name: "blocks".to_owned(), schema: object(&json!({ "blocks": blocks })) }
}

/// The schema of what is foretold.
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

/// The blocks of an answer; the error is told to the model.
pub(super) fn blocks(text: &str) -> Result<Vec<StatedBlock>, String> {
    let items = items(text, "blocks")?;
    Ok(items.iter().map(|it| stated_lines(it, "reason")).collect())
}

/// The functions of an answer.
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

/// What is missing is empty or 0, which the check then throws out with its reason.
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

/// A line; some models write numbers in quotes.
fn number(it: &Value) -> u32 {
    let number = it.as_u64().or_else(|| it.as_str()?.trim().parse().ok());
    number.and_then(|it| u32::try_from(it).ok()).unwrap_or(0)
}

/// The list of that name in the JSON of an answer, which may stand in other text.
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
