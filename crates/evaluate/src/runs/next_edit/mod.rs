//! Predicts the location of the next edit. Applies a commit hunk by hunk; in the middle each method lists places, which
//! are right where the commit continues: at the very next hunk, or at any later one.
//!
//! A place is right if it has a line within ten lines of the replaced ones, or if both are in the same definition of at
//! most [`LONGEST`] lines. The snapshot contains only the applied hunks of the commit, and the history ends before it.

mod baselines;
mod outcome;
mod report;

use anyhow::{Context as _, Result};
use foreword_chunk::LineIndex;
use foreword_engine::history::{CoChange, CoChangeConfig};
use foreword_engine::index::{Change, Snapshot};
use foreword_engine::next::{Config, NextRequest, Place, next_edits};
use foreword_engine::source::Source;
use foreword_load::{HistoryLimits, history_at};

pub use self::baselines::METHODS;
pub use self::outcome::{JudgedPlace, NextEdits, Outcome};
pub use self::report::print;
use crate::runs::run::Run;
use crate::tasks::corpora::Corpora;
use crate::tasks::git::Git;
use crate::tasks::mine::{EditStep, Target, steps};
use crate::tasks::selection::{Selection, TaskKind, ask_each};
use crate::tasks::task::Task;

/// Maximum distance of a right place, in lines.
const NEAR: u32 = 10;

/// Longer definitions do not make a place right.
pub const LONGEST: u32 = 60;

/// Number of places that each method lists.
const LISTED: usize = 10;

/// The tasks of a run and its settings.
#[derive(Clone, Debug)]
pub struct NextEditSettings {
    /// The tasks that name the commits.
    pub tasks: Selection,
    /// Location of their code.
    pub corpora: Corpora,
    /// The engine's settings.
    pub config: Config,
    /// Settings of co-change.
    pub co_change: CoChangeConfig,
    /// Number of earlier commits to read.
    pub commits: usize,
    /// Seed for ties in the order of hunks.
    pub seed: u64,
}

const SESSIONS: TaskKind = TaskKind {
    name: "session",
    matches: |it| it.corpus.kind == "git" && it.meta.commit.is_some(),
    has_corpus: None,
};

/// Runs all selected tasks, one commit each.
pub fn run(settings: &NextEditSettings) -> Result<Run<NextEdits>> {
    let mut batch = settings.tasks.read(&SESSIONS, |it| settings.corpora.has(it))?;
    for (_, tasks) in &mut batch.repositories {
        tasks.sort_by(|a, b| a.meta.commit.cmp(&b.meta.commit));
        tasks.dedup_by(|a, b| a.meta.commit == b.meta.commit);
    }
    let asked: Vec<Vec<Outcome>> = batch.ask(|tasks| of_repository(settings, tasks));
    let outcomes = asked.into_iter().flatten().collect();
    Ok(Run::new(&foreword_engine::preset::context(), batch, NextEdits { outcomes }))
}

fn of_repository(settings: &NextEditSettings, tasks: &[Task]) -> Vec<Result<Vec<Outcome>, String>> {
    let mut git: Option<Git> = None;
    ask_each(tasks, |task| {
        let place = settings.corpora.place(task)?;
        let open = match git.take() {
            Some(open) => open,
            None => Git::open(&place)?,
        };
        let git = git.insert(open);
        let parent = task.corpus.rev.as_deref().context("the task names no commit")?;
        let commit = task.meta.commit.as_deref().context("the task names no commit")?;
        let steps = steps(&place, parent, commit, settings.seed)?;
        if steps.is_empty() {
            return Ok(Vec::new());
        }
        let committed = git.snapshot(parent)?;
        let limits = HistoryLimits { commits: settings.commits, trees: 1 << 20 };
        let co_change = CoChange::new(history_at(&place, parent, &limits), settings.co_change);
        steps.iter().map(|it| ask(settings, &committed, &co_change, it, task)).collect()
    })
}

fn ask(
    settings: &NextEditSettings,
    committed: &Snapshot,
    co_change: &CoChange,
    step: &EditStep,
    task: &Task,
) -> Result<Outcome> {
    let write = |(path, text): &(String, String)| {
        Change::Write(Source { path: path.clone(), text: text.clone() })
    };
    let snapshot = committed.with_changes(step.files.iter().map(write).collect());
    let snapshot = snapshot.context("cannot index the edits")?;
    let start = std::time::Instant::now();
    let request = NextRequest { edits: &step.edits, co_change, limit: LISTED };
    let ours = next_edits(&snapshot, &request, &settings.config);
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let others = baselines::lists(&snapshot, &request);
    let lists = std::iter::once(ours).chain(others);
    let judged = |places: Vec<Place>| -> Vec<JudgedPlace> {
        places.iter().map(|it| judge(&snapshot, it, &step.targets)).collect()
    };
    Ok(Outcome {
        id: task.id.clone(),
        repo: task.repo.clone(),
        language: task.language.clone(),
        last: step.edits[0].path.clone(),
        is_far: !baselines::recent(&snapshot, &request)
            .first()
            .is_some_and(|it| judge(&snapshot, it, &step.targets[..1]).next),
        edits: step.edits.len(),
        left: step.targets.len(),
        lists: lists.map(judged).collect(),
        milliseconds,
    })
}

/// Judges a place against the remaining hunks.
fn judge(snapshot: &Snapshot, place: &Place, targets: &[Target]) -> JudgedPlace {
    let in_file = |it: &Target| it.path == place.path;
    let is_right = |it: &Target| in_file(it) && is_right(snapshot, place, it);
    JudgedPlace {
        place: format!("{}:{}-{}", place.path, place.start_line, place.end_line),
        confidence: place.confidence,
        reasons: place.reasons.iter().map(ToString::to_string).collect(),
        codes: place.reasons.iter().map(|it| it.code().to_owned()).collect(),
        next: is_right(&targets[0]),
        any: targets.iter().any(is_right),
        next_file: in_file(&targets[0]),
        any_file: targets.iter().any(in_file),
    }
}

fn is_right(snapshot: &Snapshot, place: &Place, target: &Target) -> bool {
    let is_near =
        place.start_line <= target.end_line + NEAR && target.start_line <= place.end_line + NEAR;
    let Some(file) = snapshot.file(&place.path).filter(|_| !is_near) else { return is_near };
    let (text, record) = snapshot.contents(file);
    let lines = LineIndex::new(text.as_bytes());
    let around = |line: u32| {
        let start = lines.start_of(line).min(text.len());
        let rest = &text[start..];
        let at = start + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
        let idx = record.symbols.enclosing(at)?;
        let (first, last) = lines.lines_of(record.symbols.definitions[idx as usize].span);
        (last - first < LONGEST).then_some(idx)
    };
    around(place.start_line).is_some_and(|it| around(target.start_line) == Some(it))
}
