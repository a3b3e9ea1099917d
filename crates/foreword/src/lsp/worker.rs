//! The threads that work while messages are read: suggestions and symbols.

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, unbounded};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::scope::Cursor;
use lsp_server::RequestId;
use serde_json::{Value, json};

use super::places::Places;
use super::settings::Settings;
use crate::answer::complete::{Suggestion, Wish, complete};
use crate::answer::filter::Filter;
use crate::answer::search::{Question, ranked};
use crate::answer::symbols::{self, Row};

/// One works on what an editor asks for while another is at the end of what nobody waits for any more.
const THREADS: usize = 2;

/// Symbols that an editor is shown.
const SYMBOLS: usize = 50;

/// Something to be worked on.
pub(super) struct Job {
    pub(super) id: RequestId,
    /// Set when nobody waits any more.
    pub(super) stop: Arc<AtomicBool>,
    pub(super) work: Work,
}

pub(super) enum Work {
    Suggest(Suggest),
    /// A query for `workspace/symbol`.
    Symbols(String),
}

/// A place where something could stand.
pub(super) struct Suggest {
    pub(super) path: Option<PathBuf>,
    pub(super) text: String,
    pub(super) offset: usize,
    /// Files that were touched lately, the latest first.
    pub(super) recent: Vec<PathBuf>,
    /// Whether the user asked for it: then unsure suggestions are welcome.
    pub(super) is_invoked: bool,
    pub(super) settings: Settings,
    pub(super) asked_at: Instant,
}

/// What came of a job.
pub(super) struct Done {
    pub(super) id: RequestId,
    pub(super) result: Outcome,
}

pub(super) enum Outcome {
    Suggestion(Option<Suggestion>),
    Symbols(Value),
}

/// Starts the threads. They end when the sender of jobs is gone.
pub(super) fn start(places: &Arc<Places>) -> anyhow::Result<(Sender<Job>, Receiver<Done>)> {
    let (jobs, to_do) = unbounded::<Job>();
    let (finished, done) = unbounded();
    for n in 0..THREADS {
        let (places, to_do, finished) = (Arc::clone(places), to_do.clone(), finished.clone());
        let thread = std::thread::Builder::new().name(format!("work-{n}"));
        let work = move || {
            for job in to_do {
                if let Some(done) = run(&places, job)
                    && finished.send(done).is_err()
                {
                    return;
                }
            }
        };
        thread.spawn(work).context("cannot start a thread")?;
    }
    Ok((jobs, done))
}

/// Nothing comes of a job that nobody waits for, and nothing to suggest of one that fails: an editor is not told of it.
fn run(places: &Places, job: Job) -> Option<Done> {
    let Job { id, stop, work } = job;
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let result = match work {
        Work::Suggest(it) => {
            let found = std::panic::catch_unwind(AssertUnwindSafe(|| suggest(places, it, &stop)));
            Outcome::Suggestion(found.ok().and_then(Result::ok).flatten())
        }
        Work::Symbols(query) => {
            let found = std::panic::catch_unwind(AssertUnwindSafe(|| find(places, &query)));
            Outcome::Symbols(found.unwrap_or_else(|_| json!([])))
        }
    };
    Some(Done { id, result })
}

fn suggest(places: &Places, it: Suggest, stop: &AtomicBool) -> anyhow::Result<Option<Suggestion>> {
    let home = it.path.as_deref().and_then(|path| places.of_file(path));
    let relative = |path: &PathBuf| {
        let (of, relative) = places.of_file(path)?;
        let same = home.as_ref().is_some_and(|(repository, _)| Arc::ptr_eq(repository, &of));
        same.then_some(relative)
    };
    let recent = it.recent.iter().filter_map(relative).collect();
    let (snapshot, path) = match &home {
        Some((repository, path)) => (repository.glance(path)?.snapshot, path.clone()),
        None => (Arc::new(Snapshot::empty(IndexConfig::default())), name_of(it.path.as_ref())),
    };
    let cursor = Cursor {
        path,
        text: it.text,
        offset: it.offset,
        resume: it.offset,
        recent,
        ..Cursor::default()
    };
    let wish = Wish {
        deadline: it.asked_at + Duration::from_millis(it.settings.deadline_ms),
        lines: it.settings.max_lines,
        stopped: &|| stop.load(Ordering::Relaxed),
    };
    let found = complete(&snapshot, &cursor, &wish)?;
    Ok(found.filter(|found| it.is_invoked || found.confidence >= it.settings.least_confidence))
}

/// What a file without a repository is called: its ending says its language.
fn name_of(path: Option<&PathBuf>) -> String {
    let name = path.and_then(|it| it.file_name());
    name.map_or_else(|| "untitled".to_owned(), |it| it.to_string_lossy().into_owned())
}

/// Definitions of the very name, then those of what a search for the words finds.
fn find(places: &Places, query: &str) -> Value {
    let mut res = Vec::new();
    for folder in places.folders() {
        let Some(repository) = places.of_folder(&folder) else { continue };
        let Ok(view) = repository.view(None) else { continue };
        let snapshot = &view.snapshot;
        let mut rows = symbols::definitions(snapshot, query, &|_| true);
        let question = Question { query, limit: SYMBOLS, tokens: None, fuzzy: true };
        if let Ok(found) = ranked(snapshot, &question, &Filter::default()) {
            for it in found.results.into_iter().filter(|it| !it.symbol.is_empty()) {
                let name = it.symbol.rsplit('.').next().unwrap_or_default().to_owned();
                let of_file =
                    symbols::definitions(snapshot, &name, &|file| snapshot.path(file) == it.path);
                rows.extend(of_file);
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        rows.retain(|it| seen.insert((it.path.clone(), it.start_line, it.symbol.clone())));
        let root = &repository.workspace().root;
        res.extend(rows.iter().take(SYMBOLS).map(|it| symbol(it, root)));
    }
    res.into()
}

fn symbol(it: &Row, root: &std::path::Path) -> Value {
    let (container, name) = it.symbol.rsplit_once('.').unwrap_or(("", &it.symbol));
    let at = |line: u32| json!({ "line": line - 1, "character": 0 });
    json!({
        "name": name,
        "kind": kind(it.kind),
        "containerName": container,
        "location": {
            "uri": crate::uri::of_path(&root.join(&it.path)),
            "range": { "start": at(it.start_line), "end": at(it.end_line) },
        },
    })
}

/// The protocol's number of a kind.
fn kind(kind: &str) -> u32 {
    match kind {
        "module" => 2,
        "class" | "implementation" => 5,
        "method" => 6,
        "field" => 8,
        "constructor" => 9,
        "enum" => 10,
        "interface" => 11,
        "constant" => 14,
        "section" => 15,
        "type" => 23,
        _ => 12,
    }
}
