//! What the model's server is sent: the prompt that was made, and all else that the client said.

use foreword_model::http::Api;
use foreword_model::request::Fill;
use serde_json::{Map, Value, json};

use crate::backend::Upstream;
use crate::serve::app::App;
use crate::serve::backend::route::Route;
use crate::serve::context::locate::unfound;
use crate::serve::context::merge;
use crate::serve::context::prepare::Form;
use crate::serve::protocols::request::Ask;

/// Fields that say what is to be completed.
const PROMPT: [&str; 8] = [
    "prompt",
    "suffix",
    "input_prefix",
    "input_suffix",
    "input_extra",
    "raw",
    "skip_special_tokens",
    "segments",
];

/// Fields of Ollama that say how its own template is filled, which a rendered prompt does without.
const TEMPLATE: [&str; 3] = ["template", "system", "context"];

/// The body of a request. `base` is what foreword asks by itself; in the client's own protocol all of the client's
/// other fields stay.
pub(crate) fn body(ask: &Ask, base: Value, way: Route, upstream: &Upstream) -> Value {
    let Value::Object(mut base) = base else { return base };
    if !way.same {
        add_wants(ask, &mut base, way.api);
        return Value::Object(base);
    }
    let mut res = ask.body.clone();
    for field in PROMPT {
        res.remove(field);
        if let Some(value) = base.remove(field) {
            res.insert(field.to_owned(), value);
        }
    }
    if way.api == Api::Ollama {
        TEMPLATE.iter().for_each(|it| drop(res.remove(*it)));
        let stop = base.get("options").and_then(|it| it.get("stop")).cloned();
        let options = res.entry("options").or_insert_with(|| json!({}));
        if let (Some(options), Some(stop)) = (options.as_object_mut(), stop) {
            options.insert("stop".to_owned(), stop);
        }
    } else if let Some(stop) = base.remove("stop").filter(|it| *it != json!([])) {
        res.insert("stop".to_owned(), stop);
    }
    settle(&mut res, ask, upstream);
    Value::Object(res)
}

/// What the client wants, where the server's protocol is another.
fn add_wants(ask: &Ask, base: &mut Map<String, Value>, api: Api) {
    let seed = if api == Api::Mistral { "random_seed" } else { "seed" };
    let fields =
        [("top_p", ask.wants.top_p.map(Value::from)), (seed, ask.wants.seed.map(Value::from))];
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

/// The body as it came, but for what the server would refuse.
pub(crate) fn untouched(ask: &Ask, upstream: &Upstream) -> Value {
    let mut res = ask.body.clone();
    settle(&mut res, ask, upstream);
    Value::Object(res)
}

/// The model's name, where the client has none of the server's; no more choices than the server has slots.
fn settle(body: &mut Map<String, Value>, ask: &Ask, upstream: &Upstream) {
    let model = upstream.server.model();
    let is_ours = ask.model().is_none_or(|it| it.starts_with("foreword"));
    if is_ours && !model.is_empty() {
        body.insert("model".to_owned(), model.into());
    }
    if let Some(n) = body.get("n_cmpl").and_then(Value::as_u64) {
        body.insert("n_cmpl".to_owned(), n.min(upstream.slots).max(1).into());
    }
}

/// The prompt that the client's snippets begin, for a server that is to read it ahead: those of them that the next
/// prompt will have. To be called where one may block: counting takes a while.
pub(crate) fn warm_up(app: &App, ask: &Ask, form: &Form) -> Value {
    let mut res = ask.body.clone();
    PROMPT.iter().for_each(|it| drop(res.remove(*it)));
    res.insert("prompt".to_owned(), ahead(app, ask, form).into());
    Value::Object(res)
}

/// The same as text.
pub(crate) fn ahead(app: &App, ask: &Ask, form: &Form) -> String {
    let name = &app.repositories[unfound(app, ask)].workspace().name;
    let (brought, _) = merge::brought(ask, form);
    let whole = merge::render(form.format, name, "", None, &Fill::default(), &brought);
    whole.head().to_owned()
}

/// What of a body the model reads, for the record.
pub(crate) fn prompt(body: &Value) -> String {
    if let Some(messages) = body["messages"].as_array() {
        let said = messages.iter().filter_map(|it| it["content"].as_str());
        return said.collect::<Vec<_>>().join("\n\n");
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
