//! The threads that work while messages are read: suggestions and symbols.

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, unbounded};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::scope::{Activity, Cursor};
use serde_json::{Value, json};

use super::places::Places;
use super::settings::Settings;
use super::signals::Visit;
use crate::answer::complete::{Suggestion, Wish, complete};
use crate::answer::explain::explain;
use crate::answer::filter::Filter;
use crate::answer::search::{Question, ranked};
use crate::answer::symbols::{self, Row};
use crate::host::{Around, Repository};

/// One works on what an editor asks for while another is at the end of what nobody waits for any more.
const THREADS: usize = 2;

/// Symbols that an editor is shown.
const SYMBOLS: usize = 50;

/// Something to be worked on.
pub(super) struct Job {
    /// By which its result is found again.
    pub(super) number: u64,
    /// Set when nobody waits any more.
    pub(super) stop: Arc<AtomicBool>,
    pub(super) work: Work,
}

pub(super) enum Work {
    Suggest(Suggest),
    /// A query for `workspace/symbol`.
    Symbols(String),
    /// The prompt at a place, explained.
    Show {
        path: Option<PathBuf>,
        text: String,
        offset: usize,
        recent: Vec<PathBuf>,
    },
}

/// A place where something could stand.
pub(super) struct Suggest {
    pub(super) path: Option<PathBuf>,
    pub(super) text: String,
    pub(super) offset: usize,
    /// Files that were touched lately, the latest first.
    pub(super) recent: Vec<PathBuf>,
    /// Places where the cursor was, the latest first.
    pub(super) visits: Vec<Visit>,
    /// Lines that were written in other files, the latest first.
    pub(super) edited: Vec<(PathBuf, Arc<[String]>)>,
    /// Whether the user asked for it: then unsure suggestions are welcome.
    pub(super) is_invoked: bool,
    pub(super) settings: Settings,
    pub(super) asked_at: Instant,
}

/// What came of a job.
pub(super) struct Done {
    pub(super) number: u64,
    pub(super) result: Outcome,
}

pub(super) enum Outcome {
    Suggestion(Option<Suggestion>),
    Symbols(Value),
    /// A page, or why there is none.
    Page(Result<String, String>),
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
    let Job { number, stop, work } = job;
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
        Work::Show { path, text, offset, recent } => {
            let made = AssertUnwindSafe(|| show(places, path.as_ref(), text, offset, &recent));
            let made = std::panic::catch_unwind(made);
            let made = made.unwrap_or_else(|_| Err(anyhow::anyhow!("this is a bug in foreword")));
            Outcome::Page(made.map_err(|it| format!("{it:#}")))
        }
    };
    Some(Done { number, result })
}

/// Where a cursor's file is.
struct Home<'p> {
    places: &'p Places,
    repository: Option<Arc<Repository>>,
    /// In the repository.
    path: String,
}

impl<'p> Home<'p> {
    fn of(places: &'p Places, path: Option<&PathBuf>) -> Self {
        match path.and_then(|it| places.of_file(it)) {
            Some((repository, path)) => Self { places, repository: Some(repository), path },
            None => Self { places, repository: None, path: name_of(path) },
        }
    }

    fn around(&self, text: &str) -> anyhow::Result<Around> {
        match &self.repository {
            Some(repository) => repository.around(&self.path, text),
            None => Ok(nowhere()),
        }
    }

    /// The path of a file of the same repository.
    fn relative(&self, path: &Path) -> Option<String> {
        let (repository, relative) = self.places.of_file(path)?;
        let own = self.repository.as_ref()?;
        Arc::ptr_eq(own, &repository).then_some(relative)
    }

    fn recent(&self, paths: &[PathBuf]) -> Vec<String> {
        paths.iter().filter_map(|it| self.relative(it)).collect()
    }

    /// What others may know of what the user did: nothing of files that are not in the index.
    fn activity(&self, visits: &[Visit], edited: &[(PathBuf, Arc<[String]>)]) -> Activity {
        let visited = visits.iter().filter_map(|it| Some((self.relative(&it.path)?, it.line)));
        let is_open = |path: &Path| {
            let repository = self.repository.as_ref()?;
            let relative = self.relative(path)?;
            self.places.is_indexed(path, repository, &relative).then_some(())
        };
        let edited = edited.iter().filter(|it| is_open(&it.0).is_some());
        Activity {
            visited: visited.collect(),
            edited: edited.flat_map(|it| it.1.iter().cloned()).collect(),
        }
    }
}

fn suggest(places: &Places, it: Suggest, stop: &AtomicBool) -> anyhow::Result<Option<Suggestion>> {
    let home = Home::of(places, it.path.as_ref());
    let around = home.around(&it.text)?;
    let activity = home.activity(&it.visits, &it.edited);
    let recent = home.recent(&it.recent);
    let repository =
        home.repository.as_ref().map_or_else(String::new, |it| it.workspace().name.clone());
    let path = home.path;
    let cursor = Cursor {
        path,
        text: it.text,
        offset: it.offset,
        resume: it.offset,
        recent,
        ..Cursor::default()
    };
    let wish = Wish {
        deadline: it.asked_at + it.settings.deadline(places.model().is_some()),
        lines: it.settings.max_lines,
        stopped: &|| stop.load(Ordering::Relaxed),
    };
    let situation = around.situation().with_activity(activity);
    let found = match places.model() {
        None => complete(&situation, &cursor, &wish)?,
        Some(model) => model.complete(&situation, &cursor, &repository, &wish)?,
    };
    Ok(found.filter(|found| it.is_invoked || found.confidence >= it.settings.least_confidence))
}

fn show(
    places: &Places,
    path: Option<&PathBuf>,
    text: String,
    offset: usize,
    recent: &[PathBuf],
) -> anyhow::Result<String> {
    let home = Home::of(places, path);
    let around = home.around(&text)?;
    let recent = home.recent(recent);
    let name = home.repository.as_ref().map_or("", |it| &it.workspace().name);
    let path = home.path.clone();
    let cursor = Cursor { path, text, offset, resume: offset, recent, ..Cursor::default() };
    explain(&around.situation(), &cursor, name)
}

/// Where there is no repository.
fn nowhere() -> Around {
    Around { before: Arc::new(Snapshot::empty(IndexConfig::default())), overlaid: None }
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
