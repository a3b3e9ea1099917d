//! What was really added to a file.

use std::collections::{BTreeMap, BTreeSet};

use foreword_chunk::{Config, Definition, Kind, Language, analyze};
use foreword_engine::speculate::{Forecast, ForecastForm};

use super::defines;
use crate::measures::{chrf, edit_similarity};

/// The functions and types of a text, and its lines.
#[derive(Default)]
pub(crate) struct Definitions {
    /// By where they are and their name: signature and code.
    all: BTreeMap<(String, String), (String, String)>,
    lines: BTreeSet<String>,
}

impl Definitions {
    pub(crate) fn of(path: &str, text: &str) -> Self {
        let head = &text[..text.floor_char_boundary(4096)];
        let language = Language::of_path(path, head);
        let symbols = analyze(text.as_bytes(), language, &Config::default()).symbols;
        let mut res = Self { lines: text.lines().map(bare).collect(), ..Self::default() };
        let is_kept = |it: &Definition| {
            !matches!(it.kind, Kind::Field | Kind::Constant | Kind::Section | Kind::Implementation)
        };
        for it in symbols.definitions.iter().filter(|it| is_kept(it)) {
            let mut around: Vec<&str> =
                symbols.ancestors(it.parent).map(|it| it.name.of(text)).collect();
            around.extend(it.qualifier.map(|it| it.of(text)));
            let key = (around.join("."), it.name.of(text).to_owned());
            let value = (it.signature.of(text).to_owned(), it.span.of(text).to_owned());
            res.all.insert(key, value);
        }
        res
    }
}

/// A line without what may differ at its ends.
fn bare(line: &str) -> String {
    let line: String = line.chars().filter(|it| !it.is_whitespace()).collect();
    line.trim_end_matches([',', ';']).to_owned()
}

/// What was added to a file since a state.
#[derive(Default)]
pub(crate) struct Additions {
    /// By name: signature and code.
    definitions: BTreeMap<String, (String, String)>,
    lines: BTreeSet<String>,
}

/// How close a forecast that came true is to what was written.
pub(crate) struct Realisation {
    pub(crate) signature: Option<f64>,
    pub(crate) body: Option<f64>,
}

impl Additions {
    /// Adds what a later text has and the first one has not.
    pub(crate) fn note(&mut self, before: &Definitions, after: &Definitions) {
        for (key, it) in after.all.iter().filter(|it| !before.all.contains_key(it.0)) {
            self.definitions.entry(key.1.clone()).or_insert_with(|| it.clone());
        }
        self.lines.extend(after.lines.difference(&before.lines).cloned());
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.definitions.keys().map(String::as_str)
    }

    /// What a forecast came true as, if it did.
    pub(crate) fn realisation(&self, forecast: &Forecast) -> Option<Realisation> {
        if !defines(forecast.kind) {
            let label = label(forecast);
            let is_true = self.lines.iter().any(|it| it.starts_with(&label));
            return is_true.then_some(Realisation { signature: None, body: None });
        }
        let (signature, code) = self.definitions.get(&forecast.name)?;
        let own = signature_of(&forecast.code);
        let is_code = forecast.form == ForecastForm::Code;
        Some(Realisation {
            signature: Some(edit_similarity(own, signature)),
            body: is_code.then(|| chrf(&forecast.code, code)),
        })
    }
}

/// What a line must begin with for an arm or a registration to have come true.
fn label(forecast: &Forecast) -> String {
    let line = forecast.code.trim().lines().next().unwrap_or_default();
    let end = line.find("=>").or_else(|| line.find("->")).or_else(|| line.find(": "));
    let is_arm = forecast.kind == foreword_engine::speculate::ForecastKind::MissingCase;
    bare(if is_arm { &line[..end.unwrap_or(line.len())] } else { line })
}

/// The part of a definition before its body, roughly.
fn signature_of(code: &str) -> &str {
    let line =
        code.trim().lines().find(|it| !it.trim_start().starts_with(['@', '#'])).unwrap_or_default();
    line.trim().trim_end_matches(['{', ':', ' '])
}
