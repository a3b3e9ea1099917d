//! `--set key=value`: changes a number of a preset by its path in the preset's JSON, for sweeps.
//!
//! Keys are `query.half_life`, `bm25.weights.1`, `fuse.weights.symbol`. Short forms are `bm25.w1`, `fuse.w1` (the signal
//! at this index of [`Signal::ALL`]) and `fuse.k`, the constant of reciprocal rank fusion, where 0 fuses by scores.

use anyhow::{Context as _, Error, Result, anyhow};
use foreword_engine::evidence::Signal;
use foreword_engine::preset::Preset;
use serde_json::{Number as JsonNumber, Value, json};

use crate::measures::edit_ratio;

/// The constant of reciprocal rank fusion; 0 for fusion by scores.
const FUSE_K: &str = "fuse.k";

/// Minimum similarity of suggested keys.
const SIMILAR: f64 = 0.75;

/// A number of a preset.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    pub(crate) key: String,
    /// Its value; 0 for fusion by scores.
    pub(crate) value: f64,
    /// Whether it is a whole number.
    pub(crate) is_count: bool,
}

/// Every number of a preset.
pub fn numbers(preset: &Preset) -> Result<Vec<Number>> {
    let mut res = Vec::new();
    collect(&to_json(preset)?, "", &mut res);
    if res.iter().all(|it| it.key != FUSE_K) {
        res.push(Number { key: FUSE_K.to_owned(), value: 0.0, is_count: false });
    }
    Ok(res)
}

/// Sets the number called `key`. An unknown key is an error that lists the known ones, similar ones first.
pub fn set(preset: &mut Preset, key: &str, value: &str) -> Result<()> {
    let mut settings = to_json(preset)?;
    let wrong = || format!("`{value}` is no value for {key}");
    if key == FUSE_K {
        settings["fuse"]["method"] = method(value.parse().with_context(wrong)?);
    } else {
        let pointer = format!("/{}", long_key(key).replace('.', "/"));
        let Some(Value::Number(number)) = settings.pointer_mut(&pointer) else {
            return Err(unknown(key, &numbers(preset)?));
        };
        *number = parse(number, value).with_context(wrong)?;
    }
    *preset = serde_json::from_value(settings).with_context(wrong)?;
    Ok(())
}

/// Applies `key=value` pairs in order.
pub fn apply(mut preset: Preset, pairs: &[String]) -> Result<Preset> {
    for pair in pairs {
        let (key, value) =
            pair.split_once('=').with_context(|| format!("`{pair}` should be key=value"))?;
        set(&mut preset, key.trim(), value.trim())?;
    }
    Ok(preset)
}

/// The preset as JSON, parsed from text, where a number has its shortest decimal form: 0.2 instead of 0.20000000298.
fn to_json(preset: &Preset) -> Result<Value> {
    serde_json::from_str(&preset.text()).context("the preset is not JSON")
}

fn collect(value: &Value, path: &str, res: &mut Vec<Number>) {
    let below =
        |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, it)| collect(it, &below(name), res));
        }
        Value::Array(items) => {
            let indexed = items.iter().enumerate();
            indexed.for_each(|(idx, it)| collect(it, &below(&idx.to_string()), res));
        }
        Value::Number(number) => {
            let is_method = path.starts_with("fuse.method.");
            res.push(Number {
                key: if is_method { FUSE_K } else { path }.to_owned(),
                value: number.as_f64().unwrap_or_default(),
                is_count: number.is_u64(),
            });
        }
        _ => {}
    }
}

/// Expands the short forms of keys.
fn long_key(key: &str) -> String {
    let index = |prefix: &str| key.strip_prefix(prefix)?.parse::<usize>().ok();
    if let Some(signal) = index("fuse.w").and_then(|it| Signal::ALL.get(it)) {
        return format!("fuse.weights.{}", signal.name());
    }
    index("bm25.w").map_or_else(|| key.to_owned(), |it| format!("bm25.weights.{it}"))
}

/// Parses a number of the same kind as `current`.
fn parse(current: &JsonNumber, value: &str) -> Result<JsonNumber> {
    if current.is_u64() {
        return Ok(value.parse::<usize>()?.into());
    }
    let number: f32 = value.parse()?;
    Ok(serde_json::from_str(&number.to_string())?)
}

fn method(k: f32) -> Value {
    if k > 0.0 { json!({"reciprocal": {"k": k}}) } else { json!("scores") }
}

fn unknown(key: &str, numbers: &[Number]) -> Error {
    let last = |it: &str| it.rsplit('.').next().unwrap_or_default().to_owned();
    let is_similar = |it: &&Number| {
        let is_alike = last(&it.key) == last(key) || edit_ratio(&it.key, key) >= SIMILAR;
        is_alike || it.key.starts_with(key)
    };
    let keys = |numbers: Vec<&Number>| -> String {
        numbers.iter().map(|it| it.key.as_str()).collect::<Vec<_>>().join(", ")
    };
    let all = keys(numbers.iter().collect());
    match keys(numbers.iter().filter(is_similar).collect()).as_str() {
        "" => anyhow!("no setting is called `{key}`; there are: {all}"),
        similar => {
            anyhow!("no setting is called `{key}`; did you mean {similar}? There are: {all}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::fuse::Method;
    use foreword_engine::preset;

    #[test]
    fn a_named_number_changes_and_nothing_else_does() {
        let pairs = ["bm25.w1=3".to_owned(), "list=20".to_owned(), "fuse.w2=0.7".to_owned()];
        let changed = apply(preset::search(), &pairs).unwrap();
        let mut expect = preset::search();
        expect.bm25.weights[1] = 3.0;
        expect.list = 20;
        expect.fuse.weights[Signal::Graph] = 0.7;
        assert_eq!(changed, expect);
        let long = ["bm25.weights.1=3", "list=20", "fuse.weights.graph=0.7"].map(str::to_owned);
        assert_eq!(apply(preset::search(), &long).unwrap(), expect);
    }

    #[test]
    fn the_fusion_method_is_a_number_too() {
        let changed = apply(preset::search(), &["fuse.k=60".to_owned()]).unwrap();
        assert_eq!(changed.fuse.method, Method::Reciprocal { k: 60.0 });
        assert_eq!(apply(changed, &["fuse.k=0".to_owned()]).unwrap(), preset::search());
    }

    #[test]
    fn an_unknown_key_names_similar_and_known_ones() {
        let error =
            |pair: &str| format!("{:#}", apply(preset::search(), &[pair.to_owned()]).unwrap_err());
        assert!(error("stem=2").contains("did you mean rerank.stem?"), "{}", error("stem=2"));
        assert!(error("fuse.weight.symbol=2").contains("did you mean fuse.weights.symbol?"));
        assert!(error("nonsense=2").contains("there are: "));
        assert!(error("fuse.w9=1").contains("no setting is called `fuse.w9`"));
    }

    #[test]
    fn a_wrong_value_names_the_key() {
        for pair in ["list=x", "list=0.5", "list=-1", "query.half_life=x", "fuse.k=x"] {
            let error = format!("{:#}", apply(preset::search(), &[pair.to_owned()]).unwrap_err());
            assert!(error.contains("is no value for"), "{pair}: {error}");
        }
        assert!(apply(preset::search(), &["list".to_owned()]).is_err());
    }

    #[test]
    fn every_number_has_its_own_key_and_can_be_set() {
        let preset = preset::context();
        let numbers = numbers(&preset).unwrap();
        let mut keys: Vec<&str> = numbers.iter().map(|it| it.key.as_str()).collect();
        keys.sort_unstable();
        assert!(keys.is_sorted_by(|a, b| a < b) && keys.len() > 40, "{keys:?}");
        for it in &numbers {
            let mut same = preset.clone();
            set(&mut same, &it.key, &it.value.to_string()).unwrap();
            assert_eq!(same, preset, "{}", it.key);
        }
    }
}
