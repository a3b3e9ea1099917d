//! Predicts the location of the next edit. Applies a commit step by step, where hunks within ten lines of each other
//! are one step; in the middle each method lists places, which are right where the commit continues: at the very next
//! step, or at any later one. After the last step nothing is right, and silence is.
//!
//! A place is right if it has a line within ten lines of the replaced ones, or if both are in the same definition of at
//! most [`LONGEST`] lines. The snapshot contains only the applied hunks of the commit, and the history ends before it.
//! The commits come from the git directories of a list of repositories, never from those of its split `test`.

mod baselines;
mod edit;
mod outcome;
mod report;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use foreword_chunk::LineIndex;
use foreword_engine::history::{CoChange, CoChangeConfig};
use foreword_engine::index::{Change, Snapshot};
use foreword_engine::next::{Config, NextRequest, Place, next_edits};
use foreword_engine::source::Source;
use foreword_load::{HistoryLimits, history_at};
use rayon::prelude::*;

pub use self::baselines::METHODS;
pub use self::outcome::{JudgedEdit, JudgedPlace, NextEdits, Outcome};
pub use self::report::print;
use crate::random::Random;
use crate::runs::provenance::Provenance;
use crate::runs::run::Run;
use crate::tasks::corpora::git_dir;
use crate::tasks::git::Git;
use crate::tasks::mine::{EditStep, NEAR, PastCommit, Target, commits, steps};
use crate::tasks::selection::{LeftOut, evenly};
use crate::tasks::split::Split;

/// Longer definitions do not make a place right.
pub const LONGEST: u32 = 60;

/// Number of places that each method lists.
const LISTED: usize = 10;

/// The most places that are written for training.
const CANDIDATES: usize = 400;

/// Half of the repositories, by the hash of the name: one to choose on, one to confirm on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Half {
    /// To choose on.
    A,
    /// To confirm on.
    B,
}

impl Half {
    fn of(repo: &str) -> Self {
        if Random::of_name(repo).below(2) == 0 { Self::A } else { Self::B }
    }
}

/// The commits of a run and its settings.
#[derive(Clone, Debug)]
pub struct NextEditSettings {
    /// Contains the bare repositories as `owner+name/repo`.
    pub git_dirs: PathBuf,
    /// Repositories with their split, as in `train/repositories.tsv`; those of split `test` are not read.
    pub list: PathBuf,
    /// Only these repositories; all when empty.
    pub repos: Vec<String>,
    /// Only this half.
    pub half: Option<Half>,
    /// Commits of a repository.
    pub limit: usize,
    /// Commits from which these are chosen, evenly.
    pub recent: usize,
    /// Only commits whose message has this text, in upper or lower case; empty for all.
    pub message: String,
    /// Larger repositories are left out.
    pub most_files: usize,
    /// The engine's settings.
    pub config: Config,
    /// Settings of co-change.
    pub co_change: CoChangeConfig,
    /// Number of earlier commits to read.
    pub commits: usize,
    /// Seed for ties in the order of hunks.
    pub seed: u64,
    /// What is written of each state.
    pub written: Record,
}

/// What is written of each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// The lists.
    Lists,
    /// The lists and all weighed places with their features, to train on.
    Candidates,
}

/// Runs the commits of all repositories.
pub fn run(settings: &NextEditSettings) -> Result<Run<NextEdits>> {
    let list = std::fs::read_to_string(&settings.list);
    let list = list.with_context(|| format!("cannot read {}", settings.list.display()))?;
    let names = repositories(settings, &list);
    ensure!(!names.is_empty(), "no repository of {} is there", settings.list.display());
    let asked: Vec<(String, Result<Vec<Outcome>>)> =
        names.into_par_iter().map(|it| (it.clone(), of_repository(settings, &it))).collect();
    let (mut outcomes, mut left_out) = (Vec::new(), LeftOut::default());
    for (name, result) in asked {
        match result {
            Ok(found) => outcomes.extend(found),
            Err(why) => left_out.failed.push(format!("{name}: {why:#}")),
        }
    }
    let provenance = Provenance::new(&foreword_engine::preset::context());
    let (finished, outcomes) = outcomes.into_iter().partition(|it: &Outcome| it.left == 0);
    Ok(Run { provenance, split: Split::All, left_out, result: NextEdits { outcomes, finished } })
}

/// The repositories of the list that are there.
fn repositories(settings: &NextEditSettings, list: &str) -> Vec<String> {
    let row = |line: &str| {
        let mut cells = line.split('\t');
        let (name, split) = (cells.next()?, cells.nth(1)?);
        matches!(split, "train" | "dev").then(|| name.to_owned())
    };
    let is_wanted = |it: &String| {
        (settings.repos.is_empty() || settings.repos.contains(it))
            && settings.half.is_none_or(|half| Half::of(it) == half)
            && git_dir(&settings.git_dirs, it).is_dir()
    };
    list.lines().filter_map(row).filter(is_wanted).collect()
}

fn of_repository(settings: &NextEditSettings, repo: &str) -> Result<Vec<Outcome>> {
    let place = git_dir(&settings.git_dirs, repo);
    let mut git = Git::open(&place)?;
    let all = commits(&place, settings.recent, &settings.message)?;
    let Some(newest) = all.first() else { return Ok(Vec::new()) };
    let files = git.snapshot(&newest.parent)?.totals().files;
    ensure!(files as usize <= settings.most_files, "{files} files are too many");
    let mut found: Vec<(PastCommit, Vec<EditStep>)> = Vec::new();
    for commit in evenly(all, Some(settings.limit * 4)) {
        let steps = steps(&place, &commit, settings.seed)?;
        let has_targets = steps.iter().any(|it| !it.targets.is_empty());
        if has_targets && found.len() < settings.limit {
            found.push((commit, steps));
        }
    }
    let mut res = Vec::new();
    for (commit, steps) in &found {
        let committed = git.snapshot(&commit.parent)?;
        let limits = HistoryLimits { commits: settings.commits, trees: 1 << 20 };
        let history = history_at(&place, &commit.parent, &limits);
        let co_change = CoChange::new(history, settings.co_change);
        for step in steps {
            let (repo, id) = (repo.to_owned(), commit.id.clone());
            res.push(ask(settings, (&committed, &co_change), step, (repo, id))?);
        }
    }
    Ok(res)
}

fn ask(
    settings: &NextEditSettings,
    (committed, co_change): (&Snapshot, &CoChange),
    step: &EditStep,
    (repo, id): (String, String),
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
    let judged = |places: &[Place]| -> Vec<JudgedPlace> {
        places.iter().map(|it| judge(&snapshot, it, &step.targets)).collect()
    };
    let candidates = candidates(settings, &snapshot, &request, &step.targets);
    let proposed = ours.iter().flat_map(|place| place.edits.iter().map(move |it| (place, it)));
    let proposed = proposed.map(|(place, it)| edit::judge(&snapshot, (place, it), &step.hunks));
    let others = baselines::lists(&snapshot, &request);
    let far = |it: &Place| !is_last(&snapshot, it, step);
    let others = others.into_iter().map(|it| it.into_iter().filter(far).collect::<Vec<_>>());
    Ok(Outcome {
        id,
        repo,
        is_far: step.targets.first().is_some_and(|it| it.path != step.edits[0].path),
        edits: step.edits.len(),
        left: step.targets.len(),
        proposed: proposed.collect(),
        lists: std::iter::once(ours.clone()).chain(others).map(|it| judged(&it)).collect(),
        candidates,
        milliseconds,
    })
}

/// All places that the engine weighs, with their features, if they are to be written.
fn candidates(
    settings: &NextEditSettings,
    snapshot: &Snapshot,
    request: &NextRequest<'_>,
    targets: &[Target],
) -> Vec<JudgedPlace> {
    if settings.written == Record::Lists {
        return Vec::new();
    }
    let request = NextRequest { limit: CANDIDATES, ..*request };
    let all = next_edits(snapshot, &request, &settings.config);
    let with = |from: &Place| {
        let named = from.features.iter().map(|((a, b), it)| (format!("{a} {b}"), *it));
        JudgedPlace { features: named.collect(), ..judge(snapshot, from, targets) }
    };
    all.iter().map(with).collect()
}

/// Whether a place is within ten lines of the last step, where the user is.
fn is_last(snapshot: &Snapshot, place: &Place, step: &EditStep) -> bool {
    let Some(file) = snapshot.file(&place.path) else { return false };
    let text = snapshot.text(file);
    let lines = LineIndex::new(text.as_bytes());
    step.edits.iter().take(step.last).filter(|it| it.path == place.path).any(|it| {
        let (first, last) = (lines.line_of(it.range.start), lines.line_of(it.range.end));
        place.start_line <= last + NEAR && first <= place.end_line + NEAR
    })
}

/// Judges a place against the remaining steps.
fn judge(snapshot: &Snapshot, place: &Place, targets: &[Target]) -> JudgedPlace {
    let is_right = |it: &Target| it.path == place.path && is_right(snapshot, place, it);
    let steps: Vec<usize> = (0..targets.len()).filter(|it| is_right(&targets[*it])).collect();
    JudgedPlace {
        place: format!("{}:{}-{}", place.path, place.start_line, place.end_line),
        confidence: place.confidence,
        is_certain: place.is_certain,
        codes: place.reasons.iter().map(|it| it.code().to_owned()).collect(),
        next: steps.first() == Some(&0),
        steps,
        features: std::collections::BTreeMap::new(),
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

/// The list's default location in a checkout.
pub fn default_list() -> &'static Path {
    Path::new("train/repositories.tsv")
}
