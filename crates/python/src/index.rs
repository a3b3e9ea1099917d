//! `Index`: an indexed directory, with its searches and prompts.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use foreword_engine::grep::GrepError;
use foreword_engine::index::{Snapshot, Store};
use foreword_engine::prompt::{PromptAnswer, TooSmall};
use foreword_engine::scope::{Activity, Cursor};
use foreword_engine::speculate::ShownForecasts;
use foreword_load::{Analyzer, Effort, Reuse, WorkerCommand, Workspace};
use foreword_model::TokenCounter;
use foreword_session::answer::map::around;
use foreword_session::answer::place::offset_of;
use foreword_session::answer::prompt::{COMPLETION_TOKENS, PromptRequest, compose, format_of};
use foreword_session::answer::search::{
    Pattern, QueryForm, Question, SearchMatch, matching, ranked,
};
use foreword_session::answer::tokens;
use foreword_session::config::{Config, environment};
use foreword_session::custom::Adjustments;
use foreword_session::embedding::{Embedding, QuestionMeaning};
use foreword_session::filter::Filter;
use foreword_session::host::large_text;
use foreword_session::setup::{Setup, SyncRequest, WRITER_WAIT};
use foreword_session::usage::{UsageError, check_length};
use pyo3::exceptions::{
    PyIndexError, PyNotADirectoryError, PyOSError, PyRuntimeError, PyValueError,
};
use pyo3::prelude::*;

use crate::answer::{Context, Result};
use crate::chunk::language_of;
use crate::number::{number, optional_number};
use crate::questions;
use crate::value;
use crate::worker;

/// Interval of looks at Python's signals while the index is updated.
const POLL: Duration = Duration::from_millis(50);

/// The index of a directory, safe to use from several threads.
#[pyclass(frozen, module = "foreword")]
pub(crate) struct Index(Arc<IndexedDirectory>);

/// What an `Index` shares with the thread that updates it.
pub(crate) struct IndexedDirectory {
    config: Config,
    pub(crate) setup: Setup,
    pub(crate) workspace: Workspace,
    pub(crate) store: Store,
    /// The embedding model of the user's settings.
    pub(crate) embedding: Option<Embedding>,
    snapshot: Mutex<Arc<Snapshot>>,
}

impl Deref for Index {
    type Target = IndexedDirectory;

    fn deref(&self) -> &IndexedDirectory {
        &self.0
    }
}

impl IndexedDirectory {
    fn lock(&self) -> MutexGuard<'_, Arc<Snapshot>> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.lock())
    }

    /// Opens the index of the workspace around `path` by the user's settings; the arguments take precedence.
    #[expect(
        clippy::disallowed_methods,
        reason = "settings of a directory are found by its real path"
    )]
    fn open(
        path: &Path,
        index_dir: Option<PathBuf>,
        threads: usize,
        workers: Option<WorkerCommand>,
    ) -> PyResult<Self> {
        let mut flags = environment();
        flags.extend(index_dir.map(|it| ("index_dir", it.into())));
        flags.extend((threads > 0).then(|| ("threads", threads.to_string().into())));
        let directory = std::path::absolute(path).and_then(std::fs::canonicalize).ok();
        // The repository around a file may be all of the user's, or of the system's.
        if directory.as_ref().is_some_and(|it| !it.is_dir()) {
            let why = format!("{}: not a directory; name that of the repository", path.display());
            return Err(PyNotADirectoryError::new_err(why));
        }
        let config = Config::read(&flags, directory.as_deref()).map_err(|it| error_of(&it))?;
        let setup = config
            .setup(&Arc::new(workers.map_or_else(Analyzer::in_process, Analyzer::in_workers)));
        let failed = |it: foreword_load::LoadError| PyOSError::new_err(it.to_string());
        let workspace = setup.discover(path).map_err(failed)?;
        let store = setup.store(&workspace).map_err(failed)?;
        let embedding = config.embedder().map_err(|it| error_of(&it))?;
        let embedding = embedding.map(|it| Embedding::new(&it, &store));
        let snapshot = Mutex::new(Arc::new(Snapshot::empty(store.config())));
        Ok(Self { config, setup, workspace, store, embedding, snapshot })
    }

    /// Updates the index from the disk; returns the number of files with new contents.
    fn update(&self, cancel: &AtomicBool) -> PyResult<usize> {
        let request = SyncRequest {
            wait: WRITER_WAIT,
            waiting: None,
            reuse: Reuse::Stored,
            effort: Effort::Round,
            progress: &|_| {},
            partial: None,
            cancel: Some(cancel),
        };
        let outcome = self.setup.sync(&self.workspace, &self.store, request);
        let outcome = outcome.map_err(|it| PyRuntimeError::new_err(it.to_string()))?;
        let files = &outcome.manifest.files;
        let diff = foreword_load::commit_diff(&self.workspace, files, &outcome.snapshot);
        *self.lock() = Arc::new(outcome.snapshot.with_diff(Arc::new(diff)));
        Ok(outcome.report.parsed)
    }

    /// Computes an answer from the snapshot. If that met damage, the damaged files are read again first.
    fn answered<T>(&self, make: impl Fn(&Snapshot) -> PyResult<T>) -> PyResult<T> {
        let snapshot = self.snapshot();
        let answer = make(&snapshot);
        if !snapshot.is_damaged() {
            return answer;
        }
        self.store.distrust_damaged(&snapshot);
        self.update(&AtomicBool::new(false))?;
        make(&self.snapshot())
    }

    /// The absolute path of a file, and that relative to the root.
    fn located(&self, path: &Path) -> PyResult<(PathBuf, String)> {
        let file = self.workspace.root.join(path);
        let path = self.workspace.relative(&file);
        Ok((file, path.map_err(|it| PyValueError::new_err(it.to_string()))?))
    }

    /// The cursor at a line and column of a file, or of its unsaved text.
    fn cursor(
        &self,
        path: &Path,
        (line, column): (usize, Option<usize>),
        text: Option<String>,
    ) -> PyResult<Cursor> {
        let (file, path) = self.located(path)?;
        let masking = self.setup.admit_file(Some(&self.workspace), &file);
        let masking = masking.map_err(|it| error_of(&it))?;
        let text = if let Some(text) = text {
            text
        } else {
            let most = self.config.max_named_bytes();
            let root = self.workspace.open().map_err(|it| PyOSError::new_err(it.to_string()))?;
            let read = foreword_load::read_below(&root, &path, most, masking);
            read.map_err(|it| PyOSError::new_err(format!("{path}: {it}")))?.0
        };
        let offset = offset_of(&text, line, column)
            .map_err(|it| PyIndexError::new_err(format!("{path}:{line}: {it}")))?;
        let (text, offset) =
            large_text::analysable(&path, &text, offset, self.setup.max_text_bytes());
        let cursor = self.setup.cursor(&self.workspace.root, path, text, offset);
        cursor.map_err(|it| error_of(&it))
    }
}

#[pymethods]
impl Index {
    /// Indexes the workspace around `path`, or the changes in it.
    #[new]
    #[pyo3(signature = (path=PathBuf::from("."), *, index_dir=None, threads=0))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        index_dir: Option<PathBuf>,
        #[pyo3(from_py_with = number)] threads: usize,
    ) -> PyResult<Self> {
        let workers = worker::command(py);
        let index = interruptible(py, move |cancel| {
            let index = IndexedDirectory::open(&path, index_dir, threads, workers)?;
            index.update(cancel)?;
            Ok(Self(Arc::new(index)))
        })?;
        worker::warn_without(py, &index.setup.analyzer)?;
        Ok(index)
    }

    /// Where files are parsed.
    #[getter]
    fn parses_in(&self, py: Python<'_>) -> &'static str {
        match py.detach(|| self.setup.analyzer.check()) {
            Ok(()) => "workers",
            Err(_) => "process",
        }
    }

    /// The indexed directory.
    #[getter]
    fn root(&self) -> PathBuf {
        self.workspace.root.clone()
    }

    /// Indexes the changes on the disk; returns the number of files with new contents.
    fn refresh(&self, py: Python<'_>) -> PyResult<usize> {
        let index = Arc::clone(&self.0);
        interruptible(py, move |cancel| index.update(cancel))
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

    /// Finds code for a question in words or the name of a symbol, or lines with a text or that match a pattern.
    #[pyo3(signature = (query, *, mode="auto", limit=10, tokens=None, language=None, kind=None, path=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn search(
        &self,
        py: Python<'_>,
        query: &str,
        mode: &str,
        #[pyo3(from_py_with = number)] limit: usize,
        #[pyo3(from_py_with = optional_number)] tokens: Option<usize>,
        language: Option<OneOrMany<String>>,
        kind: Option<OneOrMany<String>>,
        path: Option<OneOrMany<PathBuf>>,
    ) -> PyResult<Vec<Result>> {
        let languages = OneOrMany::list(language);
        languages.iter().try_for_each(|it| language_of(it).map(drop))?;
        let paths = OneOrMany::list(path);
        let paths: Vec<String> =
            paths.iter().map(|it| self.pattern(it)).collect::<PyResult<_>>()?;
        let form = form_of(query, mode)?;
        py.detach(|| {
            check_length("query", query).map_err(|it| error_of(&it))?;
            let filter = Filter::new(&paths, &languages, &OneOrMany::list(kind));
            let filter = filter.map_err(|it| error_of(&it))?;
            if !matches!(form, QueryForm::Words(_)) && !filter.kinds().is_empty() {
                return Err(PyValueError::new_err("kind: a pattern finds lines, which have none"));
            }
            self.answered(|snapshot| {
                if let Some(pattern) = form.pattern(limit) {
                    return lines(snapshot, &pattern, &filter);
                }
                let tags = &[];
                let adjustments = Adjustments::new(&self.setup, &self.workspace, snapshot, tags);
                let adjustments = &adjustments.map_err(|it| error_of(&it))?;
                let meaning = self.embedding.as_ref().map(|it| it.meaning(snapshot, query));
                let meanings = meaning.as_ref().and_then(QuestionMeaning::meanings);
                let question = Question { query, limit, tokens, meanings, adjustments };
                let answer = ranked(snapshot, &question, &filter).map_err(|it| error_of(&it))?;
                let results = answer.results.into_iter().map(SearchMatch::of_result);
                Ok(results.map(Result::from).collect())
            })
        })
    }

    /// The prompt for a position in a file, in the format of a model.
    #[pyo3(signature = (path, line, column=None, *, text=None, model=None, budget=None, intent=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn context(
        &self,
        py: Python<'_>,
        path: PathBuf,
        #[pyo3(from_py_with = number)] line: usize,
        #[pyo3(from_py_with = optional_number)] column: Option<usize>,
        text: Option<String>,
        model: Option<String>,
        #[pyo3(from_py_with = optional_number)] budget: Option<usize>,
        intent: Option<String>,
    ) -> PyResult<Context> {
        let (answer, counter) = py.detach(|| {
            let cursor = self.cursor(&path, (line, column), text)?;
            let intent = intent.unwrap_or_default();
            check_length("intent", &intent).map_err(|it| error_of(&it))?;
            let cursor = cursor.with_intent(intent);
            let model = model.or_else(|| self.config.layers.text("model").value);
            let model = model.unwrap_or_default();
            let budget = budget.unwrap_or_else(|| self.config.layers.number("budget").value);
            self.prompt(&cursor, &model, budget)
        })?;
        Ok(Context::of(answer, &counter))
    }

    /// Where a name is defined, and everywhere used.
    #[pyo3(signature = (name, *, limit=100))]
    fn symbols<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        #[pyo3(from_py_with = number)] limit: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let find = || self.answered(|snapshot| questions::name(snapshot, name, limit));
        value::python(py, &py.detach(find)?)
    }

    /// What a file imports and defines.
    fn outline<'py>(&self, py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyAny>> {
        let (_, path) = self.located(&path)?;
        let find = || self.answered(|snapshot| questions::outline(snapshot, &path));
        value::python(py, &py.detach(find)?)
    }

    /// The most referred-to definitions, around paths or names, as a text.
    #[pyo3(signature = (focus=None, *, tokens=1500))]
    fn map(
        &self,
        py: Python<'_>,
        focus: Option<OneOrMany<PathBuf>>,
        #[pyo3(from_py_with = number)] tokens: usize,
    ) -> PyResult<String> {
        let focus = OneOrMany::list(focus);
        let focus: Vec<String> =
            focus.iter().map(|it| self.pattern(it)).collect::<PyResult<_>>()?;
        let ranked = |snapshot: &Snapshot| {
            around(snapshot, &focus, tokens).map(|it| it.text).map_err(|it| error_of(&it))
        };
        py.detach(|| self.answered(ranked))
    }

    /// Where the next edit is likely, after the changes since the last commit.
    #[pyo3(signature = (path=None, line=1, *, limit=10))]
    fn next<'py>(
        &self,
        py: Python<'py>,
        path: Option<PathBuf>,
        #[pyo3(from_py_with = number)] line: usize,
        #[pyo3(from_py_with = number)] limit: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let path = path.map(|it| self.located(&it)).transpose()?.map(|it| it.1);
        let cursor = path.as_deref().map(|it| (it, line));
        let find = || self.answered(|snapshot| self.0.next(snapshot, cursor, limit));
        value::python(py, &py.detach(find)?)
    }

    /// The evidence for a question in words.
    #[pyo3(signature = (question, *, tokens=4000))]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        question: &str,
        #[pyo3(from_py_with = number)] tokens: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let find = || self.answered(|snapshot| self.0.ask(snapshot, question, tokens));
        value::python(py, &py.detach(find)?)
    }

    fn __repr__(&self) -> String {
        format!("<Index of {}, {} files>", self.workspace.root.display(), self.__len__())
    }
}

/// An argument that may be a list.
#[derive(FromPyObject)]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    fn list(it: Option<Self>) -> Vec<T> {
        match it {
            None => Vec::new(),
            Some(Self::One(it)) => vec![it],
            Some(Self::Many(list)) => list,
        }
    }
}

/// How a query is meant.
fn form_of<'q>(query: &'q str, mode: &str) -> PyResult<QueryForm<'q>> {
    match mode {
        "auto" => Ok(QueryForm::of(query)),
        "exact" => Ok(QueryForm::Exact(query)),
        "regex" => Ok(QueryForm::Regex(query)),
        _ => Err(PyValueError::new_err(format!("mode {mode:?}: write auto, exact or regex"))),
    }
}

impl IndexedDirectory {
    /// A path or pattern relative to the root.
    fn pattern(&self, path: &Path) -> PyResult<String> {
        if path.is_absolute() {
            return Ok(self.located(path)?.1);
        }
        let text = path.to_str().map(str::to_owned);
        text.ok_or_else(|| PyValueError::new_err(format!("{}: not in UTF-8", path.display())))
    }
}

/// The lines that a pattern matches.
fn lines(snapshot: &Snapshot, pattern: &Pattern<'_>, filter: &Filter) -> PyResult<Vec<Result>> {
    let answer = matching(snapshot, pattern, filter).map_err(|it| error_of(&it))?;
    let counter = tokens::general().map_err(|it| error_of(&it))?;
    let of_line = |it| Result::from(SearchMatch::of_line(it, &counter));
    Ok(answer.matches.iter().map(of_line).collect())
}

impl IndexedDirectory {
    /// The prompt at a cursor, and the counter of its tokens.
    fn prompt(
        &self,
        cursor: &Cursor,
        model: &str,
        budget: usize,
    ) -> PyResult<(PromptAnswer, TokenCounter)> {
        let unknown = |it: String| PyValueError::new_err(format!("model {model:?}: {it}"));
        let format = format_of(model).map_err(unknown)?;
        let tokenizer = self.config.layers.path("tokenizer").value;
        let counter = TokenCounter::for_format(format, tokenizer.as_deref());
        let counter = counter.map_err(|it| PyRuntimeError::new_err(it.to_string()))?;
        let budget = budget.min(format.window_of(model).saturating_sub(COMPLETION_TOKENS));
        let budget = budget.saturating_sub(counter.added());
        let preset = self.config.shape().preset(budget).map_err(|it| error_of(&it))?;
        let answer = self.answered(|snapshot| {
            let request = PromptRequest {
                repository: &self.workspace.name,
                snapshot,
                cursor,
                activity: &Activity::default(),
                preset: &preset,
                format,
                counter: &counter,
                deadline: None,
                is_fresh: true,
                forecasts: ShownForecasts::NONE,
            };
            let run = compose(request, &self.setup.analyzer);
            run.map(|it| it.answer).map_err(|it| error_of(&it))
        })?;
        Ok((answer, counter))
    }
}

/// Runs `work` on a thread of its own, and Python's signal handlers meanwhile. If one of these fails, as for Ctrl-C,
/// `work` is told to end, and keeps what it has done; nobody waits for that.
fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    let cancel = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = channel();
    let told = Arc::clone(&cancel);
    let thread = std::thread::Builder::new().name("index".to_owned());
    let thread = thread.spawn(move || drop(sender.send(work(&told))));
    thread.map_err(|it| PyOSError::new_err(format!("cannot start a thread: {it}")))?;
    let receiver = Mutex::new(receiver);
    loop {
        let result = py
            .detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(POLL));
        match result {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| cancel.store(true, Ordering::Relaxed))?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("indexing failed; this is a bug in foreword"));
            }
        }
    }
}

/// Converts an error: `ValueError` if the caller can correct it.
pub(crate) fn error_of(error: &anyhow::Error) -> PyErr {
    let is_wrong_call = error.is::<UsageError>() || error.is::<GrepError>();
    match error.downcast_ref::<TooSmall>() {
        Some(error) => PyValueError::new_err(format!("{error}; raise budget")),
        None if is_wrong_call => PyValueError::new_err(error.to_string()),
        None => PyRuntimeError::new_err(format!("{error:#}")),
    }
}
