//! Holes that later commits filled → the context at the parent commit, beside [`baseline`](crate::baseline)s with the
//! same window, the same budget and the same estimate of tokens.
//!
//! The corpus is the tree of the parent commit, and the cursor's file in it is exactly prefix + suffix (checked task by
//! task), so nothing of what the commit wrote can be in a piece. The measures are defined in [`coverage`](crate::coverage).
//! Tasks in test files stand apart: they copy their neighbours, and most of a history is tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use foreword_chunk::Language;
use foreword_engine::context::{Situation, around, pieces, rank};
use foreword_engine::index::Snapshot;
use foreword_engine::order::Truncation;
use foreword_engine::preset::Preset;
use foreword_engine::scope::Cursor;
use foreword_engine::trim::{Piece, Window};
use rayon::prelude::*;
use serde::Serialize;

use crate::baseline::Words;
use crate::corpus::{count_tokens, is_checked_out};
use crate::coverage::{Hole, Measured, Shown};
use crate::git::Git;
use crate::metrics::{Estimate, bootstrap, mean, paired_difference, percentile};
use crate::provenance::Provenance;
use crate::split::short_name;
use crate::task::{Task, by_repository, is_wanted, read};

/// Ours first, then what it is compared with.
pub const METHODS: [&str; 4] = ["foreword", "none", "bm25-files", "lines"];

/// A measure by name.
pub type Measure = (&'static str, fn(&Measured) -> Option<f64>);

/// The measures that are compared.
pub const MEASURES: [Measure; 3] =
    [("identifiers", |it| it.identifiers), ("lines", |it| it.lines), ("gold", |it| it.gold)];

/// Which tasks, and where their repositories are.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The file of tasks.
    pub tasks: PathBuf,
    /// Bare repositories at `owner+name/repo` in it.
    pub git_dirs: PathBuf,
    /// Only these repositories; all when empty.
    pub repos: Vec<String>,
    /// At most so many tasks of each repository, evenly chosen.
    pub limit: Option<usize>,
}

/// What came of one task.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The task's id.
    pub id: String,
    /// `owner/name`.
    pub repo: String,
    /// In lower case.
    pub language: String,
    /// Whether the cursor is in a test.
    pub is_test: bool,
    /// How long ours took, from the snapshot to the pieces.
    pub milliseconds: f64,
    /// Tokens of the window.
    pub window: usize,
    /// The share of the wanted identifiers that the repository has anywhere.
    pub known: Option<f64>,
    /// In the order of [`METHODS`].
    pub measured: Vec<Measured>,
    /// What ours chose: `path:first-last form`.
    pub pieces: Vec<String>,
}

/// One measure of one method over some tasks.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Of the method.
    pub estimate: Estimate,
    /// How much higher ours is, over the same tasks.
    pub ours_higher_by: Estimate,
}

/// Means over some tasks.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// What the tasks have in common.
    pub name: String,
    /// How many.
    pub n: usize,
    /// Mean share of wanted identifiers that the repository has.
    pub known: f64,
    /// By method and measure.
    pub compared: BTreeMap<&'static str, BTreeMap<&'static str, Compared>>,
    /// Mean tokens and pieces by method.
    pub spent: BTreeMap<&'static str, (f64, f64)>,
}

/// A run, as it is written and printed.
#[derive(Serialize)]
pub struct Run {
    /// What it was made with.
    pub provenance: Provenance,
    /// Repositories that were not there.
    pub skipped: Vec<String>,
    /// Tasks that could not be asked, and why.
    pub failed: Vec<String>,
    /// Code and tests, then each repository's code.
    pub summaries: Vec<Summary>,
    /// Milliseconds that half of the answers took at most.
    pub p50: f64,
    /// Milliseconds that 95 of 100 answers took at most.
    pub p95: f64,
    /// One by one.
    pub outcomes: Vec<Outcome>,
}

/// Asks all selected tasks. Repositories are asked side by side, the tasks of one in turn.
pub fn run(selection: &Selection, preset: &Preset) -> Result<Run> {
    let mut tasks = read(&selection.tasks)?;
    tasks.retain(|it| it.task == "completion" && it.corpus.kind == "git" && it.exclude.is_empty());
    tasks.retain(|it| is_wanted(&it.repo, &selection.repos));
    ensure!(!tasks.is_empty(), "no completion task is left in {}", selection.tasks.display());
    let groups = by_repository(tasks).into_iter();
    let (present, absent): (Vec<_>, Vec<_>) =
        groups.partition(|it| is_checked_out(&git_dir(&selection.git_dirs, &it.0)));
    let answers: Vec<Result<Vec<Result<Outcome, String>>>> = present
        .into_par_iter()
        .map(|(name, tasks)| {
            let tasks = evenly(tasks, selection.limit);
            ask_all(&git_dir(&selection.git_dirs, &name), &tasks, preset)
        })
        .collect();
    let (mut outcomes, mut failed) = (Vec::new(), Vec::new());
    for answer in answers {
        for it in answer? {
            match it {
                Ok(outcome) => outcomes.push(outcome),
                Err(why) => failed.push(why),
            }
        }
    }
    let times: Vec<f64> = outcomes.iter().map(|it| it.milliseconds).collect();
    Ok(Run {
        provenance: Provenance::new(preset),
        skipped: absent.into_iter().map(|it| it.0).collect(),
        failed,
        summaries: summaries(&outcomes),
        p50: percentile(&times, 0.5),
        p95: percentile(&times, 0.95),
        outcomes,
    })
}

fn git_dir(dirs: &Path, repo: &str) -> PathBuf {
    dirs.join(repo.replace('/', "+")).join("repo")
}

/// At most `limit` tasks, spread over all of them.
fn evenly(tasks: Vec<Task>, limit: Option<usize>) -> Vec<Task> {
    let (n, limit) = (tasks.len(), limit.unwrap_or(usize::MAX).min(tasks.len()));
    let chosen = |idx: usize| (idx + 1) * limit / n > idx * limit / n;
    tasks.into_iter().enumerate().filter(|it| chosen(it.0)).map(|it| it.1).collect()
}

fn ask_all(dir: &Path, tasks: &[Task], preset: &Preset) -> Result<Vec<Result<Outcome, String>>> {
    let mut git = Git::open(dir)?;
    let mut words = Words::default();
    let mut ask_one = |task: &Task| -> Result<Outcome> {
        let revision = task.corpus.rev.as_deref().context("the task names no commit")?;
        let snapshot = git.snapshot(revision)?;
        ask(&snapshot, task, preset, &mut words)
    };
    let named = |task: &Task, error: anyhow::Error| format!("{}: {error:#}", task.id);
    Ok(tasks.iter().map(|task| ask_one(task).map_err(|error| named(task, error))).collect())
}

fn cursor_of(task: &Task) -> Result<Cursor> {
    let path = task.target_file.clone().context("the task names no file")?;
    let prefix = task.prefix.as_deref().context("the task has no prefix")?;
    let text = format!("{prefix}{}", task.suffix.as_deref().unwrap_or_default());
    Ok(Cursor { path, text, offset: prefix.len(), resume: prefix.len(), recent: Vec::new() })
}

/// What ours shows, and how many tokens it could spend.
struct Answer {
    window: Window,
    window_tokens: usize,
    pieces: Vec<Piece>,
    left: usize,
}

fn answer(snapshot: &Snapshot, cursor: &Cursor, preset: &Preset) -> Result<Answer> {
    let count = &count_tokens;
    let situation =
        Situation::new(snapshot, cursor).context("cannot lay the text over the index")?;
    let scope = situation.scope(cursor);
    let ranked = rank(&situation, cursor, &scope, preset);
    let window = around(cursor, &scope, preset, count);
    let window_tokens = count_tokens(&window.prefix) + count_tokens(&window.suffix);
    let left = preset.budget.total.saturating_sub(window_tokens);
    let choice =
        pieces(&situation, &scope, &window, &ranked, preset, Truncation::Left, left, count);
    let answering = situation.snapshot();
    let own = answering.file(&cursor.path).map(|it| answering.text(it));
    ensure!(own.as_deref() == Some(&cursor.text), "the hole's file is indexed with another text");
    Ok(Answer { window, window_tokens, pieces: choice.pieces, left })
}

fn ask(snapshot: &Snapshot, task: &Task, preset: &Preset, words: &mut Words) -> Result<Outcome> {
    let cursor = cursor_of(task)?;
    let known_text = snapshot.file(&cursor.path).map(|it| snapshot.text(it));
    ensure!(
        known_text.is_none_or(|it| *it == *cursor.text),
        "the parent commit's file is not prefix + suffix: the hole may be in the corpus"
    );
    let start = Instant::now();
    let answer = answer(snapshot, &cursor, preset)?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let language =
        Language::of_path(&cursor.path, &cursor.text[..cursor.text.floor_char_boundary(4096)]);
    let shown = format!("{}\n{}", answer.window.prefix, answer.window.suffix);
    let truth = task.ground_truth.as_deref().context("the task has no ground truth")?;
    let hole = Hole::new(truth, &shown, language, &task.relevant);
    let methods = [
        answer.pieces.iter().map(shown_of).collect(),
        Vec::new(),
        words.bm25_files(snapshot, &cursor, answer.left, &count_tokens),
        words.line_windows(snapshot, &cursor, answer.left, &count_tokens),
    ];
    let spent = |it: &[Shown]| it.iter().map(|it| it.tokens).sum::<usize>();
    ensure!(methods.iter().all(|it| spent(it) <= answer.left), "the budget is exceeded");
    Ok(Outcome {
        id: task.id.clone(),
        repo: task.repo.clone(),
        language: task.language.clone(),
        is_test: task.meta.is_test_file,
        milliseconds,
        window: answer.window_tokens,
        known: hole.known(snapshot),
        measured: methods.iter().map(|it| hole.measure(it)).collect(),
        pieces: answer.pieces.iter().map(place_of).collect(),
    })
}

fn shown_of(it: &Piece) -> Shown {
    Shown {
        path: it.path.clone(),
        start_line: it.start_line,
        end_line: it.end_line,
        text: it.text.clone(),
        tokens: it.tokens,
    }
}

fn place_of(it: &Piece) -> String {
    format!("{}:{}-{} {}", it.path, it.start_line, it.end_line, it.form.name())
}

fn summaries(outcomes: &[Outcome]) -> Vec<Summary> {
    let of = |name: &str, keep: &dyn Fn(&Outcome) -> bool| {
        summary(name, &outcomes.iter().filter(|it| keep(it)).collect::<Vec<_>>())
    };
    let mut res = vec![of("code", &|it| !it.is_test), of("tests", &|it| it.is_test)];
    let mut repos: Vec<&str> = outcomes.iter().map(|it| it.repo.as_str()).collect();
    repos.dedup();
    res.extend(
        repos.into_iter().map(|repo| of(short_name(repo), &|it| it.repo == repo && !it.is_test)),
    );
    res.retain(|it| it.n > 0);
    res
}

fn summary(name: &str, outcomes: &[&Outcome]) -> Summary {
    let values = |method: usize, measure: fn(&Measured) -> Option<f64>| -> Vec<f64> {
        outcomes.iter().filter_map(|it| measure(&it.measured[method])).collect()
    };
    let compare = |method: usize, measure: fn(&Measured) -> Option<f64>| {
        let (ours, its) = (values(0, measure), values(method, measure));
        Compared { estimate: bootstrap(&its), ours_higher_by: paired_difference(&ours, &its) }
    };
    let spent = |method: usize| {
        let of = |value: fn(&Measured) -> usize| {
            mean(&outcomes.iter().map(|it| value(&it.measured[method]) as f64).collect::<Vec<_>>())
        };
        (of(|it| it.tokens), of(|it| it.pieces))
    };
    let methods = || METHODS.into_iter().enumerate();
    let row = |idx: usize| MEASURES.into_iter().map(|it| (it.0, compare(idx, it.1))).collect();
    let known: Vec<f64> = outcomes.iter().filter_map(|it| it.known).collect();
    Summary {
        name: name.to_owned(),
        n: outcomes.len(),
        known: mean(&known),
        compared: methods().map(|(idx, name)| (name, row(idx))).collect(),
        spent: methods().map(|(idx, name)| (name, spent(idx))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::IndexConfig;
    use foreword_engine::preset;
    use foreword_engine::source::Source;

    fn task() -> Task {
        let line = r#"{"id": "a", "task": "completion", "repo": "o/n", "language": "python",
            "corpus": {"kind": "git", "rev": "r"}, "target_file": "main.py",
            "prefix": "from url import parse_url\n\ndef main(text):\n", "suffix": "\n    return url\n",
            "ground_truth": "    url = parse_url(text, strict_mode=True)",
            "relevant": [{"path": "url.py", "start_line": 1, "end_line": 1}]}"#;
        serde_json::from_str(line).unwrap()
    }

    fn snapshot(main: &str) -> Snapshot {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![
            source("main.py", main),
            source("url.py", "def parse_url(text, strict_mode=False):\n    return text\n"),
            source("mail.py", "def send(mail):\n    return mail\n"),
        ];
        Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
    }

    #[test]
    fn an_imported_definition_explains_the_hole() {
        let task = task();
        let text = cursor_of(&task).unwrap().text;
        let outcome =
            ask(&snapshot(&text), &task, &preset::context(), &mut Words::default()).unwrap();
        let ours = outcome.measured[0];
        assert_eq!((ours.identifiers, ours.gold), (Some(1.0), Some(1.0)));
        assert_eq!(outcome.measured[1].identifiers, Some(0.0));
        assert_eq!(outcome.known, Some(1.0));
    }

    #[test]
    fn a_corpus_that_may_hold_the_hole_is_refused() {
        let error = ask(&snapshot("leaked"), &task(), &preset::context(), &mut Words::default());
        assert!(error.unwrap_err().to_string().contains("prefix + suffix"));
    }

    #[test]
    fn a_limit_takes_tasks_from_all_over() {
        let tasks: Vec<Task> = (0..10).map(|idx| Task { id: idx.to_string(), ..task() }).collect();
        let ids =
            |limit| evenly(tasks.clone(), limit).into_iter().map(|it| it.id).collect::<Vec<_>>();
        assert_eq!(ids(Some(3)), ["3", "6", "9"]);
        assert_eq!(ids(Some(20)).len(), 10);
        assert_eq!(ids(None).len(), 10);
    }
}
