//! The body sent to an upstream server: the composed prompt, and the client's other fields.

use foreword_model::http::Api;
use foreword_session::backend::Upstream;
use serde_json::{Map, Value, json};

use super::route::Route;
use crate::serve::protocols::request::ClientRequest;

/// Fields with the text to complete.
const PROMPT_FIELDS: [&str; 8] = [
    "prompt",
    "suffix",
    "input_prefix",
    "input_suffix",
    "input_extra",
    "raw",
    "skip_special_tokens",
    "segments",
];

/// Ollama's template fields, not sent with a rendered prompt.
const TEMPLATE_FIELDS: [&str; 3] = ["template", "system", "context"];

/// The body of a request with a prompt: foreword's own fields (`base`), and in the client's own protocol all of the
/// client's other fields.
pub(super) fn with_prompt(
    request: &ClientRequest,
    base: Value,
    route: Route,
    upstream: &Upstream,
) -> Value {
    let Value::Object(mut base) = base else { return base };
    if !route.is_relay() {
        add_options(request, &mut base, route.api);
        return Value::Object(base);
    }
    let mut res = request.body.clone();
    for field in PROMPT_FIELDS {
        res.remove(field);
        if let Some(value) = base.remove(field) {
            res.insert(field.to_owned(), value);
        }
    }
    if route.api == Api::Ollama {
        TEMPLATE_FIELDS.iter().for_each(|it| drop(res.remove(*it)));
        let stop = base.get("options").and_then(|it| it.get("stop")).cloned();
        let options = res.entry("options").or_insert_with(|| json!({}));
        if let (Some(options), Some(stop)) = (options.as_object_mut(), stop) {
            options.insert("stop".to_owned(), stop);
        }
    } else if let Some(stop) = base.remove("stop").filter(|it| *it != json!([])) {
        res.insert("stop".to_owned(), stop);
    }
    adapt_to_server(&mut res, request, upstream);
    Value::Object(res)
}

/// Adds the client's options to a request in another protocol.
fn add_options(request: &ClientRequest, base: &mut Map<String, Value>, api: Api) {
    let seed = if api == Api::Mistral { "random_seed" } else { "seed" };
    let fields = [
        ("top_p", request.options.top_p.map(Value::from)),
        (seed, request.options.seed.map(Value::from)),
    ];
    let into = match base.get_mut("options").and_then(Value::as_object_mut) {
        Some(options) => options,
        None => base,
    };
    for (name, value) in fields {
        if let Some(value) = value {
            into.insert(name.to_owned(), value);
        }
    }
}

/// The client's body without fields that the server would reject.
pub(super) fn unchanged(request: &ClientRequest, upstream: &Upstream) -> Value {
    let mut res = request.body.clone();
    adapt_to_server(&mut res, request, upstream);
    Value::Object(res)
}

/// Sets the server's model unless the client names one that the server has, and limits the choices to the server's slots.
fn adapt_to_server(body: &mut Map<String, Value>, request: &ClientRequest, upstream: &Upstream) {
    let model = upstream.server.model();
    let is_ours = request.model().is_none_or(|it| it.starts_with("foreword"));
    if is_ours && !model.is_empty() {
        body.insert("model".to_owned(), model.into());
    }
    if let Some(n) = body.get("n_cmpl").and_then(Value::as_u64) {
        body.insert("n_cmpl".to_owned(), n.min(upstream.slots).max(1).into());
    }
}

/// The body of a request that makes llama.cpp read the start of the next prompt.
pub(super) fn warm_up(request: &ClientRequest, head: String) -> Value {
    let mut res = request.body.clone();
    PROMPT_FIELDS.iter().for_each(|it| drop(res.remove(*it)));
    res.insert("prompt".to_owned(), head.into());
    Value::Object(res)
}

/// The prompt text in a body, for the record.
pub(super) fn prompt_of(body: &Value) -> String {
    if let Some(messages) = body["messages"].as_array() {
        let texts = messages.iter().filter_map(|it| it["content"].as_str());
        return texts.collect::<Vec<_>>().join("\n\n");
    }
    let text = |name: &str| body[name].as_str().unwrap_or_default();
    if let Some(prefix) = body["input_prefix"].as_str() {
        let extra = body["input_extra"].as_array().into_iter().flatten();
        let extra: String = extra
            .map(|it| {
                let part = |name: &str| it[name].as_str().unwrap_or_default();
                format!("[{}]\n{}\n", part("filename"), part("text"))
            })
            .collect();
        return format!("{extra}{prefix}{}[cursor]{}", text("prompt"), text("input_suffix"));
    }
    match body["suffix"].as_str() {
        Some(suffix) => format!("{}[cursor]{suffix}", text("prompt")),
        None => text("prompt").to_owned(),
    }
}
