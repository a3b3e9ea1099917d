//! `chunk()`: cuts a text along its syntax.

use std::path::PathBuf;
use std::sync::Arc;

use foreword_chunk::{Analysis, Config, Granularity, Language, LineIndex, analyze};
use foreword_engine::index::scope_names;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use serde_json::json;

use crate::answer::{Definition, hash_of, html};
use crate::number::small_number;
use crate::value;

/// Bytes at the start of a text used to detect its language.
const HEAD_BYTES: usize = 4096;

/// Accepted values of `language`.
#[pyfunction]
pub(crate) fn languages() -> Vec<&'static str> {
    Language::ALL.iter().map(|it| it.name()).collect()
}

/// The chunks of a text, in order; joined, they are the text.
#[pyfunction]
#[pyo3(signature = (text, language=None, *, path=None, max_size=2000, granularity="cast", overlap_lines=0))]
pub(crate) fn chunk(
    py: Python<'_>,
    text: PyBackedStr,
    language: Option<&str>,
    path: Option<PathBuf>,
    #[pyo3(from_py_with = small_number)] max_size: u32,
    granularity: &str,
    #[pyo3(from_py_with = small_number)] overlap_lines: u32,
) -> PyResult<Vec<Chunk>> {
    if max_size == 0 {
        return Err(PyValueError::new_err("max_size: a chunk holds one character at least"));
    }
    if u32::try_from(text.len()).is_err() {
        return Err(PyValueError::new_err("text: longer than 4 GiB"));
    }
    let config = Config { max_size, granularity: granularity_of(granularity)?, overlap_lines };
    let language = match language {
        Some(name) => Some(language_of(name)?),
        None => path.and_then(|it| Language::of_path(&it.to_string_lossy(), head(&text))),
    };
    let chunked = py.detach(|| Arc::new(ChunkedText::new(text, language, &config)));
    let indexes = 0..chunked.analysis.chunks.len();
    Ok(indexes.map(|index| Chunk { of: Arc::clone(&chunked), index }).collect())
}

/// The language with this name.
pub(crate) fn language_of(name: &str) -> PyResult<Language> {
    Language::from_name(name).ok_or_else(|| {
        let names = languages().join(", ");
        PyValueError::new_err(format!("language {name:?}: no such language; there are {names}"))
    })
}

fn granularity_of(text: &str) -> PyResult<Granularity> {
    Granularity::from_name(text).ok_or_else(|| {
        PyValueError::new_err(format!("granularity {text:?}: write {}", Granularity::NAMES))
    })
}

fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(HEAD_BYTES)]
}

/// A text with its analysis, shared by its chunks.
struct ChunkedText {
    text: PyBackedStr,
    language: Option<Language>,
    analysis: Analysis,
    lines: LineIndex,
    /// Start of each chunk in characters, and the end of the text.
    starts: Vec<usize>,
}

impl ChunkedText {
    fn new(text: PyBackedStr, language: Option<Language>, config: &Config) -> Self {
        let analysis = analyze(text.as_bytes(), language, config);
        let lines = LineIndex::new(text.as_bytes());
        let mut starts = vec![0];
        for it in &analysis.chunks {
            let before = starts.last().copied().unwrap_or_default();
            starts.push(before + it.span.of(&text).chars().count());
        }
        Self { text, language, analysis, lines, starts }
    }

    fn definition(&self, it: &foreword_chunk::Definition) -> Definition {
        Definition {
            name: it.name.of(&self.text).to_owned(),
            kind: it.kind.name().to_owned(),
            line: self.lines.line_of(it.name.start as usize),
        }
    }
}

/// A chunk of a text. `text[chunk.start:chunk.end]` is `chunk.text`.
#[pyclass(frozen, module = "foreword")]
pub(crate) struct Chunk {
    of: Arc<ChunkedText>,
    index: usize,
}

impl Chunk {
    fn chunk(&self) -> &foreword_chunk::Chunk {
        &self.of.analysis.chunks[self.index]
    }
}

#[pymethods]
impl Chunk {
    /// The text of the chunk, created on access.
    #[getter]
    fn text(&self) -> &str {
        self.chunk().span.of(&self.of.text)
    }

    /// The text with the requested overlap before it.
    #[getter]
    fn overlapping_text(&self) -> &str {
        let it = self.chunk();
        foreword_chunk::Span { start: it.overlap, end: it.span.end }.of(&self.of.text)
    }

    /// Start, in characters.
    #[getter]
    fn start(&self) -> usize {
        self.of.starts[self.index]
    }

    /// End, in characters, exclusive.
    #[getter]
    fn end(&self) -> usize {
        self.of.starts[self.index + 1]
    }

    /// Start, in bytes of UTF-8.
    #[getter]
    fn start_byte(&self) -> u32 {
        self.chunk().span.start
    }

    /// End, in bytes of UTF-8, exclusive.
    #[getter]
    fn end_byte(&self) -> u32 {
        self.chunk().span.end
    }

    /// The first line, from 1.
    #[getter]
    fn start_line(&self) -> u32 {
        self.chunk().start_line
    }

    /// The last line, from 1, inclusive.
    #[getter]
    fn end_line(&self) -> u32 {
        self.chunk().end_line
    }

    /// Size in non-whitespace characters.
    #[getter]
    fn size(&self) -> u32 {
        self.chunk().size
    }

    /// The name of the language; `None` if unknown: then chunks follow blank lines.
    #[getter]
    fn language(&self) -> Option<&'static str> {
        self.of.language.map(Language::name)
    }

    /// Whether the chunks follow a syntax tree.
    #[getter]
    fn parsed(&self) -> bool {
        self.of.analysis.outcome.is_parsed()
    }

    /// The names of the enclosing definitions, outermost first, each after the names of its qualifier.
    #[getter]
    fn scope(&self) -> Vec<String> {
        let (symbols, text) = (&self.of.analysis.symbols, &self.of.text);
        self.chunk().scope.map_or_else(Vec::new, |it| scope_names(symbols, text, it))
    }

    /// Definitions in the chunk.
    #[getter]
    fn definitions(&self) -> Vec<Definition> {
        let span = self.chunk().span;
        let all = self.of.analysis.symbols.definitions.iter();
        let inside = all.filter(|it| span.contains_byte(it.name.start as usize));
        inside.map(|it| self.of.definition(it)).collect()
    }

    /// Names used in the chunk, sorted.
    #[getter]
    fn references(&self) -> Vec<&str> {
        let span = self.chunk().span;
        let all = self.of.analysis.symbols.references.iter();
        let inside = all.filter(|it| span.contains_byte(it.name.start as usize));
        let mut names: Vec<&str> = inside.map(|it| it.name.of(&self.of.text)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// All attributes by their names.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let definitions = serde_json::to_value(self.definitions()).unwrap_or_default();
        let value = json!({
            "text": self.text(),
            "overlapping_text": self.overlapping_text(),
            "start": self.start(),
            "end": self.end(),
            "start_byte": self.start_byte(),
            "end_byte": self.end_byte(),
            "start_line": self.start_line(),
            "end_line": self.end_line(),
            "size": self.size(),
            "language": self.language(),
            "parsed": self.parsed(),
            "scope": self.scope(),
            "definitions": definitions,
            "references": self.references(),
        });
        value::python(py, &value)
    }

    fn __eq__(&self, other: &Self) -> bool {
        let own = |it: &Self| (it.start(), it.start_line(), it.size(), it.language(), it.parsed());
        own(self) == own(other)
            && self.overlapping_text() == other.overlapping_text()
            && self.scope() == other.scope()
            && self.definitions() == other.definitions()
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(self.start(), self.text()))
    }

    fn _repr_html_(&self) -> String {
        let it = self.chunk();
        let place = format!("lines {}-{}", it.start_line, it.end_line);
        html(&place, &self.scope().join("."), self.text())
    }

    fn __repr__(&self) -> String {
        let it = self.chunk();
        let scope = self.scope().join(".");
        let scope = if scope.is_empty() { scope } else { format!(", in {scope}") };
        format!("<Chunk lines {}-{}, {} characters{scope}>", it.start_line, it.end_line, it.size)
    }
}
