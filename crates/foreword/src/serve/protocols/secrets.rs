//! Secrets in a client's request: texts of files that are secrets by their name are removed, other secrets are masked.

use foreword_engine::compose::{Hole, Part, compose};
use foreword_engine::secret::{find, mask};
use foreword_load::Masking;
use serde_json::{Map, Value, json};

use super::fim;
use super::next_edit::{self, is_next_edit};
use super::request::{ClientRequest, Endpoint, PromptKind};

/// Fields of Tabby's segments that hold snippets.
const TABBY_LISTS: [&str; 3] = [
    "relevant_snippets_from_recently_opened_files",
    "relevant_snippets_from_changed_files",
    "declarations",
];

impl ClientRequest {
    /// Masks secrets in the texts from which a prompt is made, and in a copy of the body for records. The body itself, which
    /// is forwarded if no prompt is made, is unchanged.
    pub(crate) fn mask_secrets(&mut self) {
        let before = [self.prefix.clone(), self.suffix.clone()];
        if self.masking == Masking::On {
            let at = self.prefix.len();
            let mut text = std::mem::take(&mut self.prefix) + &self.suffix;
            mask(&mut text);
            self.suffix = text.split_off(at);
            self.prefix = text;
        }
        let are_clean: Vec<bool> =
            self.snippets.iter_mut().map(|it| mask(&mut it.text) == 0).collect();
        let snippets = self.snippets.iter().zip(are_clean).filter(|it| it.1);
        let mut clean: Vec<&str> = snippets.map(|it| &*it.0.text).collect();
        if self.masking == Masking::On && before == [&*self.prefix, &*self.suffix] {
            clean.extend([&*self.prefix, &*self.suffix]);
        }
        let around = self.around(&before);
        let has_secrets = self.body.values().any(|it| has_secrets(it, &around, &clean));
        self.masked_body = has_secrets.then(|| {
            let mut body = self.body.clone();
            body.values_mut().for_each(|it| mask_value(it, &around));
            body
        });
    }

    /// The texts before and after the cursor as fields of the body have them, each as it was and masked: a secret around
    /// the cursor is found in the joined text only.
    fn around<'t>(&'t self, before: &'t [String; 2]) -> Vec<(&'t str, &'t str)> {
        let ([prefix, suffix], mut res) = (before, Vec::new());
        let own_line =
            if self.endpoint == Endpoint::Infill { self.text("prompt").len() } else { 0 };
        let at = prefix.len().saturating_sub(own_line);
        let parts = |it: &'t str| it.split_at_checked(at).unwrap_or((it, ""));
        let ((top, line), (masked_top, masked_line)) = (parts(prefix), parts(&self.prefix));
        res.extend([(top, masked_top), (line, masked_line), (suffix, &*self.suffix)]);
        res.retain(|(before, after)| before != after);
        res
    }

    /// The body for records.
    pub(crate) fn recorded_body(&self) -> &Map<String, Value> {
        self.masked_body.as_ref().unwrap_or(&self.body)
    }

    /// Removes all texts, so that no record has them.
    pub(crate) fn remove_texts(&mut self) {
        let kept = ["model", "stream", "n", "n_cmpl", "response_fields"];
        self.body.retain(|name, _| kept.contains(&name.as_str()));
        self.body.insert("not_kept".to_owned(), json!("the text of a secret file"));
        for text in [&mut self.prefix, &mut self.suffix] {
            text.clear();
        }
        self.snippets.clear();
    }

    /// The files of prompts that are not parsed otherwise: of a request that has several, and for next-edit models.
    pub(crate) fn files_of_prompts(&self) -> Vec<String> {
        let one = self.body.get("prompt").and_then(Value::as_str).filter(|it| is_next_edit(it));
        if let Some(prompt) = one {
            return next_edit::files(prompt);
        }
        let prompts = self.body.get("prompt").and_then(Value::as_array);
        let is_opaque = self.kind == PromptKind::Opaque;
        let texts = prompts.into_iter().flatten().filter_map(Value::as_str);
        let files = |text: &str| {
            let (snippets, path) = match fim::parse(text, None) {
                Some(it) => (it.snippets, it.path),
                None => {
                    let (snippets, path, _) = fim::comments(text);
                    (snippets, path)
                }
            };
            snippets.into_iter().map(|it| it.path).chain(path).collect::<Vec<_>>()
        };
        texts.filter(|_| is_opaque).flat_map(files).collect()
    }

    /// Removes the client's snippets of secret files, also from the body; returns their number.
    pub(crate) fn remove_snippets(&mut self, is_secret: impl Fn(&str) -> bool) -> usize {
        let before = self.snippets.len();
        self.snippets.retain(|it| !is_secret(&it.path));
        let removed = before - self.snippets.len();
        if removed == 0 {
            return 0;
        }
        match (self.endpoint, self.kind) {
            (Endpoint::Infill, _) => {
                retain(self.body.get_mut("input_extra"), "filename", is_secret);
            }
            (Endpoint::Tabby, _) => {
                for name in TABBY_LISTS {
                    let list = self.body.get_mut("segments").and_then(|it| it.get_mut(name));
                    retain(list, "filepath", &is_secret);
                }
            }
            (_, PromptKind::Rendered(format)) => {
                let parts: Vec<Part<'_>> = self
                    .snippets
                    .iter()
                    .map(|it| Part { path: &it.path, text: &it.text })
                    .collect();
                let hole = Hole {
                    repository: "",
                    path: self.file.as_deref().unwrap_or_default(),
                    line_comment: None,
                    language_name: None,
                    prefix: &self.prefix,
                    suffix: &self.suffix,
                };
                let text = compose(format, &hole, &parts).text;
                self.body.insert("prompt".to_owned(), text.into());
            }
            _ => drop(self.body.insert("prompt".to_owned(), self.prefix.as_str().into())),
        }
        removed
    }
}

/// Keeps the snippets of a list that are of no secret file.
fn retain(list: Option<&mut Value>, field: &str, is_secret: impl Fn(&str) -> bool) {
    if let Some(list) = list.and_then(Value::as_array_mut) {
        list.retain(|it| !it[field].as_str().is_some_and(&is_secret));
    }
}

/// Whether masking would change a value. A string that is the start of a clean text has no secrets and is not searched
/// again: nearly all bytes of a body are the text around the cursor and the snippets.
fn has_secrets(value: &Value, around: &[(&str, &str)], clean: &[&str]) -> bool {
    match value {
        Value::String(text) if clean.iter().any(|it| it.starts_with(&**text)) => false,
        Value::String(text) => {
            around.iter().any(|(before, _)| text.contains(before)) || !find(text).is_empty()
        }
        Value::Array(all) => all.iter().any(|it| has_secrets(it, around, clean)),
        Value::Object(all) => all.values().any(|it| has_secrets(it, around, clean)),
        _ => false,
    }
}

/// Masks the strings of a value. `around` has texts that may be in them, each as it was and masked.
fn mask_value(value: &mut Value, around: &[(&str, &str)]) {
    match value {
        Value::String(text) => {
            for (before, after) in around {
                if text.contains(before) {
                    *text = text.replace(before, after);
                }
            }
            mask(text);
        }
        Value::Array(all) => all.iter_mut().for_each(|it| mask_value(it, around)),
        Value::Object(all) => all.values_mut().for_each(|it| mask_value(it, around)),
        _ => {}
    }
}
