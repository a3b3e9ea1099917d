//! What a pair holds, in full or as terms of the index.

use foreword_engine::index::terms::{identifiers, terms_of};
use serde::Serialize;

/// Where the text of a pair comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PairKind {
    /// A doc comment.
    Doc,
    /// The subject of a commit.
    Commit,
    /// The name of a test.
    Test,
}

/// A text, and a definition that it is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The source, as the caller calls it.
    pub source: String,
    /// What the text is.
    pub pair: PairKind,
    /// The text.
    pub text: String,
    /// The file of the definition.
    pub path: String,
    /// Its language.
    pub language: &'static str,
    /// What it is: `function`, `class`.
    pub kind: &'static str,
    /// Its name with those of the definitions around it, joined by dots.
    pub name: String,
    /// The names that it defines, itself included.
    pub names: Vec<String>,
    /// From its keywords to its body.
    pub signature: String,
    /// The definition without its doc comment, cut at about 2,400 bytes.
    pub body: String,
    /// Equal for equal code: the beginning of the BLAKE3 hash of the body without white space.
    pub key: String,
}

/// The same as terms of the index, separated by spaces, each as often as it occurs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermRow {
    /// The source.
    pub source: String,
    /// What the text is.
    pub pair: PairKind,
    /// The language of the definition.
    pub language: &'static str,
    /// What the definition is.
    pub kind: &'static str,
    /// As in [`Row`].
    pub key: String,
    /// The text.
    pub text: String,
    /// The path without its extension, and the names around the definition.
    pub place: String,
    /// The names that it defines.
    pub names: String,
    /// The definition.
    pub body: String,
}

impl Row {
    /// The row as terms.
    pub fn terms(self) -> TermRow {
        let stem = self.path.rfind('.').filter(|dot| *dot > self.path.rfind('/').unwrap_or(0));
        let path = &self.path[..stem.unwrap_or(self.path.len())];
        let around = self.name.rsplit_once('.').map_or("", |it| it.0);
        Self::in_terms(&self, &format!("{path} {around}"))
    }

    fn in_terms(&self, place: &str) -> TermRow {
        TermRow {
            source: self.source.clone(),
            pair: self.pair,
            language: self.language,
            kind: self.kind,
            key: self.key.clone(),
            text: terms(&self.text),
            place: terms(place),
            names: terms(&self.names.join(" ")),
            body: terms(&self.body),
        }
    }
}

/// The terms of a text, separated by spaces.
fn terms(text: &str) -> String {
    let (mut res, mut scratch) = (String::new(), String::new());
    identifiers(text, |start, end| {
        terms_of(&text[start..end], &mut scratch, |term, _| {
            if !res.is_empty() {
                res.push(' ');
            }
            res.push_str(term);
        });
    });
    res
}
