//! Answers of an index as plain Python values: they compare by what they say, convert to dicts, pickle, and show themselves
//! in a notebook.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use foreword_engine::prompt::PromptAnswer;
use foreword_engine::trim;
use foreword_model::{Counting, TokenCounter};
use foreword_session::answer::search::SearchMatch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::value;

/// A value from the text by which it was pickled.
fn restored<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json)
        .map_err(|it| PyValueError::new_err(format!("not a pickled value: {it}")))
}

/// The text by which a value is pickled.
fn pickled(it: &impl Serialize) -> PyResult<(String,)> {
    let text = serde_json::to_string(it);
    Ok((text.map_err(|it| PyValueError::new_err(it.to_string()))?,))
}

fn dict<'py>(py: Python<'py>, it: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(it);
    value::python(py, &value.map_err(|it| PyValueError::new_err(it.to_string()))?)
}

pub(crate) fn hash_of(it: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    it.hash(&mut hasher);
    hasher.finish()
}

/// Code under its place, as a notebook shows it.
pub(crate) fn html(place: &str, symbol: &str, text: &str) -> String {
    let escaped = |it: &str| {
        it.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    };
    let (place, symbol, text) = (escaped(place), escaped(symbol), escaped(text));
    format!(
        "<details open><summary><code>{place}</code> {symbol}</summary><pre>{text}</pre></details>"
    )
}

/// A definition in a chunk.
#[pyclass(frozen, eq, get_all, module = "foreword")]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Definition {
    /// Its name.
    pub(crate) name: String,
    /// Kind: `class`, `function`, `method` and so on.
    pub(crate) kind: String,
    /// The line of its name, from 1.
    pub(crate) line: u32,
}

#[pymethods]
impl Definition {
    #[new]
    fn new(json: &str) -> PyResult<Self> {
        restored(json)
    }

    fn __getnewargs__(&self) -> PyResult<(String,)> {
        pickled(self)
    }

    /// All attributes by their names.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dict(py, self)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(&self.name, &self.kind, self.line))
    }

    fn __repr__(&self) -> String {
        format!("<{} {}, line {}>", self.kind, self.name, self.line)
    }
}

/// A match of a search.
#[pyclass(frozen, eq, get_all, module = "foreword")]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Result {
    /// The file, relative to the root.
    path: String,
    /// The first line, from 1.
    start_line: u32,
    /// The last line, from 1, inclusive.
    end_line: u32,
    /// The dotted name of the definition that matches best; empty if there is none.
    symbol: String,
    /// Kind of that definition; empty if there is none.
    kind: String,
    /// Comparable within one answer only.
    score: f32,
    /// Tokens of `text`, estimated.
    tokens: usize,
    /// Reasons for the match, as sentences.
    reasons: Vec<String>,
    /// The code.
    text: String,
}

impl From<SearchMatch> for Result {
    fn from(it: SearchMatch) -> Self {
        Self {
            path: it.path,
            start_line: it.start_line,
            end_line: it.end_line,
            symbol: it.symbol,
            kind: it.kind,
            score: it.score,
            tokens: it.tokens,
            reasons: it.reasons,
            text: it.text.unwrap_or_default(),
        }
    }
}

#[pymethods]
impl Result {
    #[new]
    fn new(json: &str) -> PyResult<Self> {
        restored(json)
    }

    fn __getnewargs__(&self) -> PyResult<(String,)> {
        pickled(self)
    }

    /// All attributes by their names.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dict(py, self)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(&self.path, self.start_line, self.end_line, &self.text))
    }

    fn _repr_html_(&self) -> String {
        let Self { path, start_line, end_line, symbol, text, .. } = self;
        html(&format!("{path}:{start_line}-{end_line}"), symbol, text)
    }

    fn __repr__(&self) -> String {
        let Self { path, start_line, end_line, symbol, score, .. } = self;
        format!("<Result {path}:{start_line}-{end_line} {symbol} {score:.2}>")
    }
}

/// A piece of the repository in a prompt.
#[pyclass(frozen, eq, get_all, module = "foreword")]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Piece {
    /// The file, relative to the root.
    path: String,
    /// The first line, from 1.
    start_line: u32,
    /// The last line, from 1, inclusive.
    end_line: u32,
    /// How it is shown: `chunk`, `excerpt`, `skeleton` or `signature`.
    form: String,
    /// Comparable within one prompt only.
    score: f32,
    /// Tokens of the text and of the path above it.
    tokens: usize,
    /// Reasons for its selection, as sentences.
    reasons: Vec<String>,
    /// The shown text.
    text: String,
}

impl From<trim::Piece> for Piece {
    fn from(it: trim::Piece) -> Self {
        Self {
            path: it.path,
            start_line: it.start_line,
            end_line: it.end_line,
            form: it.form.name().to_owned(),
            score: it.score,
            tokens: it.tokens,
            reasons: it.reasons.iter().map(ToString::to_string).collect(),
            text: it.text,
        }
    }
}

#[pymethods]
impl Piece {
    #[new]
    fn new(json: &str) -> PyResult<Self> {
        restored(json)
    }

    fn __getnewargs__(&self) -> PyResult<(String,)> {
        pickled(self)
    }

    /// All attributes by their names.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dict(py, self)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(&self.path, self.start_line, self.end_line, &self.text))
    }

    fn _repr_html_(&self) -> String {
        let Self { path, start_line, end_line, form, text, .. } = self;
        html(&format!("{path}:{start_line}-{end_line}"), form, text)
    }

    fn __repr__(&self) -> String {
        let Self { path, start_line, end_line, form, tokens, .. } = self;
        format!("<Piece {path}:{start_line}-{end_line} {form}, {tokens} tokens>")
    }
}

/// A prompt for a cursor.
#[pyclass(frozen, eq, get_all, module = "foreword")]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Context {
    /// The prompt in the model family's format, for a completion endpoint without a template.
    prompt: String,
    /// Stop strings.
    stop: Vec<String>,
    /// Tokens of the prompt, including those that a server adds.
    tokens: usize,
    /// Tokens of the text around the cursor.
    base_tokens: usize,
    /// Whether `tokens` is exact; otherwise it does not undercount.
    exact: bool,
    /// The pieces, in the order of the prompt.
    pieces: Vec<Piece>,
}

impl Context {
    /// Converts an answer whose tokens `counter` counted.
    pub(crate) fn of(answer: PromptAnswer, counter: &TokenCounter) -> Self {
        Self {
            prompt: answer.prompt.text,
            stop: answer.prompt.stop,
            tokens: answer.tokens + counter.added(),
            base_tokens: answer.base_tokens + counter.added(),
            exact: matches!(counter.kind(), Counting::Exact { .. }),
            pieces: answer.selection.pieces.into_iter().map(Piece::from).collect(),
        }
    }
}

#[pymethods]
impl Context {
    #[new]
    fn new(json: &str) -> PyResult<Self> {
        restored(json)
    }

    fn __getnewargs__(&self) -> PyResult<(String,)> {
        pickled(self)
    }

    /// All attributes by their names.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dict(py, self)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.prompt)
    }

    fn _repr_html_(&self) -> String {
        let pieces: String = self.pieces.iter().map(Piece::_repr_html_).collect();
        format!("<p>{} tokens, {} pieces</p>{pieces}", self.tokens, self.pieces.len())
    }

    fn __str__(&self) -> &str {
        &self.prompt
    }

    fn __repr__(&self) -> String {
        format!("<Context {} tokens, {} pieces>", self.tokens, self.pieces.len())
    }
}
