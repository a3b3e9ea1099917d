//! Answers of an index as plain Python values.

use foreword_engine::prompt::PromptAnswer;
use foreword_engine::trim;
use foreword_model::{Counting, TokenCounter};
use foreword_session::answer::search::SearchMatch;
use pyo3::prelude::*;

/// A definition in a chunk.
#[pyclass(frozen, get_all, module = "foreword")]
pub(crate) struct Definition {
    /// Its name.
    pub(crate) name: String,
    /// Kind: `class`, `function`, `method` and so on.
    pub(crate) kind: &'static str,
    /// The line of its name, from 1.
    pub(crate) line: u32,
}

#[pymethods]
impl Definition {
    fn __repr__(&self) -> String {
        format!("<{} {}, line {}>", self.kind, self.name, self.line)
    }
}

/// A match of a search.
#[pyclass(frozen, get_all, module = "foreword")]
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
    fn __repr__(&self) -> String {
        let Self { path, start_line, end_line, symbol, score, .. } = self;
        format!("<Result {path}:{start_line}-{end_line} {symbol} {score:.2}>")
    }
}

/// A piece of the repository in a prompt.
#[pyclass(frozen, get_all, module = "foreword")]
pub(crate) struct Piece {
    /// The file, relative to the root.
    path: String,
    /// The first line, from 1.
    start_line: u32,
    /// The last line, from 1, inclusive.
    end_line: u32,
    /// How it is shown: `chunk`, `excerpt`, `skeleton` or `signature`.
    form: &'static str,
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
            form: it.form.name(),
            score: it.score,
            tokens: it.tokens,
            reasons: it.reasons.iter().map(ToString::to_string).collect(),
            text: it.text,
        }
    }
}

#[pymethods]
impl Piece {
    fn __repr__(&self) -> String {
        let Self { path, start_line, end_line, form, tokens, .. } = self;
        format!("<Piece {path}:{start_line}-{end_line} {form}, {tokens} tokens>")
    }
}

/// A prompt for a cursor.
#[pyclass(frozen, get_all, module = "foreword")]
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
    pieces: Vec<Py<Piece>>,
}

impl Context {
    /// Converts an answer whose tokens `counter` counted.
    pub(crate) fn new(
        py: Python<'_>,
        answer: PromptAnswer,
        counter: &TokenCounter,
    ) -> PyResult<Self> {
        let pieces = answer.selection.pieces.into_iter();
        let pieces = pieces.map(|it| Py::new(py, Piece::from(it))).collect::<PyResult<_>>()?;
        Ok(Self {
            prompt: answer.prompt.text,
            stop: answer.prompt.stop,
            tokens: answer.tokens + counter.added(),
            base_tokens: answer.base_tokens + counter.added(),
            exact: matches!(counter.kind(), Counting::Exact { .. }),
            pieces,
        })
    }
}

#[pymethods]
impl Context {
    fn __str__(&self) -> &str {
        &self.prompt
    }

    fn __repr__(&self) -> String {
        format!("<Context {} tokens, {} pieces>", self.tokens, self.pieces.len())
    }
}
