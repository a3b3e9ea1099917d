//! Finds the results in a run's JSON.
//!
//! A result is an object with `n`, `mean`, `low` and `high`, or a fractional number. Its path names it: the last name
//! is the column, the one before it the row, the rest the table. An entry of a list is named by its `name`, `method`,
//! `series`, `measure` and `budget`, instead of the list's name.

use serde_json::{Map, Value};

use crate::measures::Estimate;

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub(crate) table: String,
    pub(crate) row: String,
    pub(crate) column: String,
    /// The value; without an interval, `low` and `high` are the mean and `n` is 0.
    pub(crate) value: Estimate,
}

/// Parts of a run that are not results, or are read separately.
const PASSED_OVER: [&str; 3] = ["provenance", "outcomes", "settings"];

/// Fields that name an entry of a list, in display order.
const LABELS: [&str; 5] = ["name", "series", "method", "measure", "budget"];

/// All results, in the order of the JSON.
pub fn cells(run: &Value) -> Vec<Cell> {
    let mut res = Vec::new();
    walk(run, &mut Vec::new(), "run", &mut res);
    res
}

fn walk(value: &Value, path: &mut Vec<String>, list: &str, res: &mut Vec<Cell>) {
    match value {
        Value::Object(object) => {
            if let Some(value) = estimate(object) {
                res.extend(cell(path, list, value));
                return;
            }
            for (name, it) in object {
                if !PASSED_OVER.contains(&name.as_str()) {
                    path.push(name.replace('_', " "));
                    walk(it, path, list, res);
                    path.pop();
                }
            }
        }
        Value::Array(entries) => {
            let own = path.pop();
            let list = own.clone().unwrap_or_else(|| list.to_owned());
            entries.iter().for_each(|it| entry(it, path, &list, res));
            path.extend(own);
        }
        Value::Number(number) if number.is_f64() => {
            let mean = number.as_f64().unwrap_or_default();
            res.extend(cell(path, list, Estimate { n: 0, mean, low: mean, high: mean }));
        }
        _ => {}
    }
}

fn entry(value: &Value, path: &mut Vec<String>, list: &str, res: &mut Vec<Cell>) {
    let (label, inner) = match value {
        Value::Object(object) => (label(object), value),
        // A pair of a name and a list.
        Value::Array(pair) => match pair.as_slice() {
            [Value::String(name), inner] => (Some(name.clone()), inner),
            _ => return,
        },
        _ => return,
    };
    let Some(label) = label else { return };
    path.push(label);
    match inner {
        Value::Array(entries) => entries.iter().for_each(|it| entry(it, path, list, res)),
        _ => walk(inner, path, list, res),
    }
    path.pop();
}

fn label(object: &Map<String, Value>) -> Option<String> {
    let part = |name: &&str| match object.get(*name)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(format!("{number} tokens")),
        Value::Null => Some("its own budget".to_owned()),
        _ => None,
    };
    let parts: Vec<String> = LABELS.iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn estimate(object: &Map<String, Value>) -> Option<Estimate> {
    let number = |name: &str| object.get(name).and_then(Value::as_f64);
    let n = object.get("n")?.as_u64()? as usize;
    Some(Estimate { n, mean: number("mean")?, low: number("low")?, high: number("high")? })
}

fn cell(path: &[String], list: &str, value: Estimate) -> Option<Cell> {
    let mut path = path.to_vec();
    let last = path.pop()?;
    let column = match last.as_str() {
        "estimate" => path.pop()?,
        "ours higher by" | "above reference" if path.len() > 1 => {
            format!("{}: {last}", path.pop()?)
        }
        _ => last,
    };
    let row = path.pop().unwrap_or_else(|| "all".to_owned());
    let table = if path.is_empty() { list.to_owned() } else { path.join(" / ") };
    Some(Cell { table, row, column, value })
}
