//! `Index`: a directory, indexed, and what can be asked of it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use foreword_chunk::Language;
use foreword_engine::compose::Format;
use foreword_engine::index::{FileId, IndexConfig, Snapshot, Store};
use foreword_engine::pipeline::Control;
use foreword_engine::prompt::{PromptAnswer, Target};
use foreword_engine::retrieve::Question;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::search::SearchRequest;
use foreword_engine::{preset, prompt, search};
use foreword_load::{
    Analyzer, Environment, Limits, Options, Reuse, SyncOptions, WalkConfig, Workspace,
};
use foreword_model::TokenCounter;
use pyo3::exceptions::{PyIndexError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::answer::{Context, Result};
use crate::chunk::language_of;

/// What indexing may take, as the command line's default.
const MEMORY: usize = 192 << 20;

/// How long to wait for another process that indexes the same repository, as on the command line.
const WAIT: Duration = Duration::from_mins(30);

/// The largest file that is read because it was named, as on the command line.
const MAX_NAMED_BYTES: u64 = 64 << 20;

/// What of a model's window is left for the completion, in tokens, as on the command line.
const COMPLETION_TOKENS: usize = 256;

/// The index of a directory. One can be asked by many threads.
#[pyclass(frozen, module = "foreword")]
pub(crate) struct Index {
    workspace: Workspace,
    store: Store,
    threads: usize,
    snapshot: Mutex<Arc<Snapshot>>,
}

impl Index {
    fn lock(&self) -> MutexGuard<'_, Arc<Snapshot>> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.lock())
    }

    /// Brings the index up to date with the disk; gives the number of files whose contents are new.
    fn update(&self) -> PyResult<usize> {
        let options = SyncOptions {
            analyzer: &Analyzer::in_process(),
            walk: WalkConfig {
                threads: self.threads,
                global_excludes: Environment::current().global_excludes,
                ..WalkConfig::default()
            },
            limits: Limits::default(),
            memory: MEMORY,
            threads: self.threads,
            wait: WAIT,
            waiting: None,
            reuse: Reuse::Stored,
            progress: None,
            partial: None,
        };
        let outcome = foreword_load::sync(&self.workspace, &self.store, &options);
        let outcome = outcome.map_err(|it| PyRuntimeError::new_err(it.to_string()))?;
        let files = &outcome.manifest.files;
        let diff = foreword_load::commit_diff(&self.workspace, files, &outcome.snapshot);
        *self.lock() = Arc::new(outcome.snapshot.with_diff(Arc::new(diff)));
        Ok(outcome.report.parsed)
    }

    /// What `make` makes of the snapshot. One that met damage is discarded: what is damaged is read again first.
    fn answered<T>(&self, make: impl Fn(&Snapshot) -> PyResult<T>) -> PyResult<T> {
        let snapshot = self.snapshot();
        let answer = make(&snapshot);
        if !snapshot.is_damaged() {
            return answer;
        }
        self.store.distrust_damaged(&snapshot);
        self.update()?;
        make(&self.snapshot())
    }

    /// The cursor at a line and column of a file, or of its unsaved text.
    fn cursor(
        &self,
        path: &str,
        (line, column): (usize, Option<usize>),
        text: Option<String>,
    ) -> PyResult<Cursor> {
        let given = PathBuf::from(path);
        let file = if given.is_absolute() { given } else { self.workspace.root.join(given) };
        let path = self.workspace.relative(&file);
        let path = path.map_err(|it| PyValueError::new_err(it.to_string()))?;
        let text = match text {
            Some(text) => text,
            None => {
                foreword_load::read_below(&self.workspace.root, &path, MAX_NAMED_BYTES)
                    .map_err(|it| PyOSError::new_err(format!("{path}: {it}")))?
                    .0
            }
        };
        let offset = offset_of(&text, line, column)
            .ok_or_else(|| PyIndexError::new_err(no_place(&path, line, column)))?;
        Cursor::new(path, text, offset).map_err(|it| PyIndexError::new_err(it.to_string()))
    }
}

#[pymethods]
impl Index {
    /// Indexes the workspace around `path`, or what has changed in it.
    #[new]
    #[pyo3(signature = (path=PathBuf::from("."), *, index_dir=None, threads=0))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        index_dir: Option<PathBuf>,
        threads: usize,
    ) -> PyResult<Self> {
        py.detach(|| {
            let environment = Environment::current();
            let options = Options { root_is_path: false, home: environment.home.clone() };
            let failed = |it: foreword_load::LoadError| PyOSError::new_err(it.to_string());
            let workspace = Workspace::discover(&path, &options).map_err(failed)?;
            let dir = foreword_load::index_dir(&workspace, index_dir.as_deref(), &environment);
            let store = Store::new(dir.map_err(failed)?, IndexConfig::default());
            let snapshot = Mutex::new(Arc::new(Snapshot::empty(IndexConfig::default())));
            let index = Self { workspace, store, threads, snapshot };
            index.update()?;
            Ok(index)
        })
    }

    /// The directory that is indexed.
    #[getter]
    fn root(&self) -> PathBuf {
        self.workspace.root.clone()
    }

    /// Indexes what has changed on the disk; gives the number of files whose contents are new.
    fn refresh(&self, py: Python<'_>) -> PyResult<usize> {
        py.detach(|| self.update())
    }

    /// The files in the index, relative to the root, sorted.
    fn files(&self) -> Vec<String> {
        let snapshot = self.snapshot();
        let mut files: Vec<String> =
            snapshot.files().map(|it| snapshot.path(it).to_owned()).collect();
        files.sort_unstable();
        files
    }

    fn __len__(&self) -> usize {
        self.snapshot().files().len()
    }

    /// The code that answers a question in words, or the name of a symbol; best first.
    #[pyo3(signature = (query, *, limit=10, tokens=None, language=None, path=None))]
    fn search(
        &self,
        py: Python<'_>,
        query: &str,
        limit: usize,
        tokens: Option<usize>,
        language: Option<&str>,
        path: Option<&str>,
    ) -> PyResult<Vec<Result>> {
        let language = language.map(language_of).transpose()?;
        let filter = Filter { language, path: path.map(|it| it.trim_end_matches('/')) };
        py.detach(|| {
            self.answered(|snapshot| {
                let counter = counter_of(reader_format()?)?;
                let keep = |file: FileId| filter.accepts(snapshot, file);
                let keep = filter.restricts().then_some(&keep as &dyn Fn(FileId) -> bool);
                let question = Question { keep, ..Question::new(query) };
                let request = SearchRequest { question, limit, tokens };
                let count = |text: &str| counter.count(text);
                let preset = preset::search();
                let answer = search(snapshot, &request, &preset, &count, &mut Control::default());
                Ok(answer.results.into_iter().map(Result::from).collect())
            })
        })
    }

    /// The prompt for a place in a file, in the format of a model.
    #[pyo3(signature = (path, line, column=None, *, text=None, model="qwen2.5-coder", budget=4096, intent=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn context(
        &self,
        py: Python<'_>,
        path: &str,
        line: usize,
        column: Option<usize>,
        text: Option<String>,
        model: &str,
        budget: usize,
        intent: Option<String>,
    ) -> PyResult<Context> {
        let (format, counter) = py.detach(|| -> PyResult<_> {
            let format = format_of(model)?;
            Ok((format, counter_of(format)?))
        })?;
        let answer = py.detach(|| {
            let cursor = self.cursor(path, (line, column), text)?;
            let cursor = cursor.with_intent(intent.unwrap_or_default());
            let total = budget.min(format.window_of(model).saturating_sub(COMPLETION_TOKENS));
            let prompted =
                |snapshot: &Snapshot| self.prompted(snapshot, &cursor, (format, &counter), total);
            self.answered(prompted)
        })?;
        Context::new(py, answer, &counter)
    }

    fn __repr__(&self) -> String {
        format!("<Index of {}, {} files>", self.workspace.root.display(), self.__len__())
    }
}

impl Index {
    fn prompted(
        &self,
        snapshot: &Snapshot,
        cursor: &Cursor,
        (format, counter): (&'static Format, &TokenCounter),
        total: usize,
    ) -> PyResult<PromptAnswer> {
        let view = View::new(snapshot, cursor);
        let view = view.map_err(|it| PyRuntimeError::new_err(it.to_string()))?;
        let mut preset = preset::context();
        preset.budget.total = total.saturating_sub(counter.added());
        let count = |text: &str| counter.count(text);
        let target = Target { format, repository: &self.workspace.name, count: &count };
        let answer = prompt(view, cursor, &preset, target, &mut Control::default());
        answer.map_err(|it| PyValueError::new_err(format!("{it}; raise budget")))
    }
}

/// Which files a search looks at.
struct Filter<'f> {
    language: Option<Language>,
    path: Option<&'f str>,
}

impl Filter<'_> {
    fn restricts(&self) -> bool {
        self.language.is_some() || self.path.is_some()
    }

    fn accepts(&self, snapshot: &Snapshot, file: FileId) -> bool {
        let rest = |it: &str| snapshot.path(file).strip_prefix(it).map(str::to_owned);
        let is_below = |it: &str| rest(it).is_some_and(|it| it.is_empty() || it.starts_with('/'));
        self.path.is_none_or(is_below)
            && self.language.is_none_or(|it| snapshot.language(file) == Some(it))
    }
}

/// The byte of a place that is counted from 1; without a column the end of the line.
fn offset_of(text: &str, line: usize, column: Option<usize>) -> Option<usize> {
    let before = text.split_inclusive('\n').take(line.checked_sub(1)?);
    let (count, start) = before.fold((0, 0), |(n, at), it| (n + 1, at + it.len()));
    let is_there = count == line - 1 && (start == 0 || text[..start].ends_with('\n'));
    let content = text.get(start..).filter(|_| is_there)?.lines().next().unwrap_or_default();
    let Some(column) = column else { return Some(start + content.len()) };
    let mut offsets = content.char_indices().map(|it| it.0).chain([content.len()]);
    offsets.nth(column.checked_sub(1)?).map(|it| start + it)
}

fn no_place(path: &str, line: usize, column: Option<usize>) -> String {
    let column = column.map_or_else(String::new, |it| format!(":{it}"));
    format!("{path}:{line}{column}: the file has no such place; lines and columns begin at 1")
}

/// The format for a model's name; an unknown name is an error, never a guess.
fn format_of(model: &str) -> PyResult<&'static Format> {
    Format::named(model).or_else(|| Format::of_model(model)).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|it| it.name).collect();
        let names = names.join(", ");
        PyValueError::new_err(format!("model {model:?}: no such prompt format; there are {names}"))
    })
}

/// The format for readers that are no completion model, by which results of a search are counted.
fn reader_format() -> PyResult<&'static Format> {
    format_of("none")
}

fn counter_of(format: &Format) -> PyResult<TokenCounter> {
    let counter = TokenCounter::for_format(format, None);
    counter.map_err(|it| PyRuntimeError::new_err(it.to_string()))
}
