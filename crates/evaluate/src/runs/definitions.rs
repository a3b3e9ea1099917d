//! A hole → the definitions in other files that its body uses (DevEval, Li et al. 2024; the protocol is ours).
//!
//! The index excludes the target file and tests, which name the target. The relevant definitions are those of
//! `cross_file` dependencies; a chunk finds one when it contains its first line. Tasks without such a dependency are
//! skipped. Recall@k is the fraction of a task's definitions among the first k chunks, mean over tasks. Three requests
//! are made:
//!
//! * the **requirement** with the signature, as a question: a person's query;
//! * the **cursor** alone: the file before and after the hole, without the requirement (the prefix may contain its
//!   docstring, as in the published data);
//! * **both**: the cursor, with the requirement as its intent.

use anyhow::{Context as _, Result};
use foreword_engine::fuse::Candidate;
use foreword_engine::index::{Change, Snapshot};
use foreword_engine::pipeline::{Control, Request, rank};
use foreword_engine::preset::{self, Preset};
use foreword_engine::retrieve::Question;
use foreword_engine::scope::{Cursor, View};
use serde::Serialize;

use crate::measures::{Estimate, bootstrap, mean, over_groups, recall};
use crate::runs::completion::Protocol;
use crate::runs::completion::cursor::cursor_of;
use crate::runs::run::{LeftOutLines, Run};
use crate::tasks::corpora::{Corpora, Reader};
use crate::tasks::selection::{Selection, TaskKind, ask_each};
use crate::tasks::task::{Relevant, Task};

/// The cut-offs, in chunks.
pub const CUTS: [usize; 3] = [5, 10, 20];

/// A relevant definition and its ranks.
#[derive(Clone, Debug, Serialize)]
pub struct ExpectedDefinition {
    /// `path:line`.
    pub(crate) place: String,
    /// Its dotted name, where the data set has it.
    pub(crate) name: String,
    /// The rank, from 1, of the first chunk that contains it among the first 20, for the requirement.
    pub(crate) requirement: Option<usize>,
    /// The rank for the cursor.
    pub(crate) cursor: Option<usize>,
    /// The rank for both.
    pub(crate) both: Option<usize>,
}

/// The outcome of a task.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub(crate) id: String,
    pub(crate) repo: String,
    pub(crate) wanted: Vec<ExpectedDefinition>,
}

/// Recall of one kind of request at one cut-off.
#[derive(Clone, Debug, Serialize)]
pub struct RecallRow {
    /// `requirement@5`.
    pub(crate) name: String,
    /// Mean over tasks.
    pub(crate) recall: Estimate,
    /// Mean over repositories' means.
    pub(crate) by_repository: Estimate,
    /// Fraction of all definitions, over all tasks together.
    pub(crate) pooled: f64,
}

/// The result of a run.
#[derive(Serialize)]
pub struct Definitions {
    /// `definitions`.
    pub(crate) kind: &'static str,
    /// The fingerprint of the preset for requirements; the provenance has that of the cursor.
    pub(crate) search_preset: String,
    /// By kind of request and cut-off.
    pub(crate) rows: Vec<RecallRow>,
    pub(crate) outcomes: Vec<Outcome>,
}

/// The presets of both kinds of requests.
#[derive(Clone, Debug)]
pub struct Presets {
    /// Preset for requirements.
    pub search: Preset,
    /// Preset for cursors.
    pub context: Preset,
}

impl Presets {
    /// The current presets.
    pub fn in_use() -> Self {
        Self { search: preset::search(), context: preset::context() }
    }
}

/// Holes at commits that use a definition of another file.
const CROSS_FILE: TaskKind = TaskKind {
    name: "completion task with cross-file definitions at a commit",
    matches: |it| it.task == "completion" && it.corpus.kind == "git" && !wanted(it).is_empty(),
    has_corpus: None,
};

/// Runs each task that uses a definition of another file.
pub fn run(
    selection: &Selection,
    corpora: &Corpora,
    presets: &Presets,
) -> Result<Run<Definitions, LeftOutLines>> {
    let mut batch = selection.read(&CROSS_FILE, |it| corpora.has(it))?;
    let outcomes = batch.ask(|tasks| {
        let mut reader = Reader::default();
        ask_each(tasks, |task| ask(&*reader.snapshot(corpora, task)?, task, presets))
    });
    let result = Definitions {
        kind: "definitions",
        search_preset: presets.search.fingerprint(),
        rows: rows(&outcomes),
        outcomes,
    };
    Ok(Run::with_lines(&presets.context, batch, result))
}

fn wanted(task: &Task) -> Vec<&Relevant> {
    let is_cross =
        |it: &&Relevant| it.kind.as_deref().is_some_and(|it| it.starts_with("cross_file"));
    let mut res: Vec<&Relevant> = task.relevant.iter().filter(is_cross).collect();
    res.dedup_by_key(|it| (it.path.clone(), it.start_line));
    res
}

fn ask(snapshot: &Snapshot, task: &Task, presets: &Presets) -> Result<Outcome> {
    let cursor = cursor_of(task, Protocol::FillIn, &[])?;
    let left_out = snapshot.files().map(|it| snapshot.path(it).to_owned());
    let left_out = left_out.filter(|it| *it == cursor.path() || is_test(it));
    let snapshot = snapshot
        .with_changes(left_out.map(Change::Remove).collect())
        .context("cannot leave out the target file")?;

    let question = task.query_text.as_deref().context("the task has no requirement")?;
    let request = Request::Question { snapshot: &snapshot, question: &Question::new(question) };
    let by_requirement = rank(&request, &presets.search, &mut Control::default()).candidates;

    let view = View::new(&snapshot, &cursor).context("cannot overlay the index with the text")?;
    let scope = view.scope(&cursor);
    let by = |cursor: &Cursor| {
        let request = Request::Cursor { view: &view, cursor, scope: &scope };
        let mut found = rank(&request, &presets.context, &mut Control::default()).candidates;
        found.retain(|it| view.snapshot().path(it.chunk.file) != cursor.path());
        found
    };
    let by_cursor = by(&cursor);
    let by_both = by(&cursor.clone().with_intent(question));

    let expected = |it: &Relevant| ExpectedDefinition {
        place: format!("{}:{}", it.path, it.start_line.unwrap_or(1)),
        name: dotted_name(it).to_owned(),
        requirement: rank_of(&snapshot, &by_requirement, it),
        cursor: rank_of(view.snapshot(), &by_cursor, it),
        both: rank_of(view.snapshot(), &by_both, it),
    };
    let wanted = wanted(task).into_iter().map(expected).collect();
    Ok(Outcome { id: task.id.clone(), repo: task.repo.clone(), wanted })
}

/// The dotted name at the end of a definition's kind.
fn dotted_name(it: &Relevant) -> &str {
    it.kind.as_deref().and_then(|it| it.rsplit(':').next()).unwrap_or_default()
}

/// The rank of the first chunk that contains the first line of a definition, among the first 20.
fn rank_of(snapshot: &Snapshot, ranked: &[Candidate], gold: &Relevant) -> Option<usize> {
    let line = gold.start_line.unwrap_or(1);
    let holds = |it: &Candidate| {
        let info = snapshot.chunk(it.chunk);
        snapshot.path(it.chunk.file) == gold.path
            && info.start_line <= line
            && line <= info.end_line
    };
    let deepest = CUTS[CUTS.len() - 1];
    ranked.iter().take(deepest).position(holds).map(|it| it + 1)
}

/// Whether a path belongs to a test, by the conventions of Python.
pub(crate) fn is_test(path: &str) -> bool {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_directory = |it: &str| matches!(it, "test" | "tests" | "testing");
    directories.split('/').any(is_directory)
        || name.starts_with("test_")
        || name.ends_with("_test.py")
        || name == "conftest.py"
}

/// The rank of a definition for one kind of request.
type RankOf = fn(&ExpectedDefinition) -> Option<usize>;

fn rows(outcomes: &[Outcome]) -> Vec<RecallRow> {
    let ways: [(&str, RankOf); 3] =
        [("requirement", |it| it.requirement), ("cursor", |it| it.cursor), ("both", |it| it.both)];
    let row = |name: &str, place: RankOf, k: usize| {
        let ranks = |it: &Outcome| -> Vec<Option<usize>> { it.wanted.iter().map(place).collect() };
        let values = || outcomes.iter().map(|it| (it.repo.as_str(), recall(&ranks(it), k)));
        let all: Vec<f64> = values().map(|it| it.1).collect();
        let pooled: Vec<Option<usize>> = outcomes.iter().flat_map(ranks).collect();
        let (recall_of_tasks, by_repository) = (bootstrap(&all), over_groups(values()));
        let pooled = recall(&pooled, k);
        RecallRow { name: format!("{name}@{k}"), recall: recall_of_tasks, by_repository, pooled }
    };
    ways.iter().flat_map(|way| CUTS.map(|k| row(way.0, way.1, k))).collect()
}

/// The table of a run.
pub fn text(run: &Run<Definitions, LeftOutLines>) -> String {
    let (made, result) = (&run.provenance, &run.result);
    let mut res = run.left_out.first_line(result.outcomes.len()) + "\n";
    res += &format!("split {}, commit {}, data {}\n", run.split.name(), made.commit, made.data);
    res += &format!("preset {} (cursor), {} (requirement)\n\n", made.preset, result.search_preset);
    let n = mean(&result.outcomes.iter().map(|it| it.wanted.len() as f64).collect::<Vec<_>>());
    res += &format!("recall of definitions in other files ({n:.1} a task)\n");
    res += &format!("{:<16} {:<24} {:>8}\n", "request", "over tasks", "pooled");
    for it in &result.rows {
        let Estimate { mean, low, high, .. } = it.recall;
        let interval = format!("{mean:.3} [{low:.3}, {high:.3}]");
        res += &format!("{:<16} {interval:<24} {:>8.3}\n", it.name, it.pooled);
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::{ChunkId, IndexConfig};
    use foreword_engine::source::Source;

    #[test]
    fn a_chunk_finds_the_definition_whose_first_line_it_holds() {
        let source = Source { path: "a.py".into(), text: "def f():\n    return 1\n".into() };
        let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
        let file = snapshot.file("a.py").unwrap();
        let chunk: ChunkId = snapshot.chunks(file).next().unwrap();
        let candidate = Candidate::new(chunk);
        let gold = |path: &str, line| Relevant {
            path: path.into(),
            start_line: Some(line),
            end_line: None,
            grade: None,
            kind: None,
        };
        let found = |gold: Relevant| rank_of(&snapshot, std::slice::from_ref(&candidate), &gold);
        assert_eq!(found(gold("a.py", 1)), Some(1));
        assert_eq!((found(gold("a.py", 9)), found(gold("b.py", 1))), (None, None));
    }

    #[test]
    fn tests_are_told_by_name_and_place() {
        assert!(is_test("tests/a.py") && is_test("a/test_b.py") && is_test("conftest.py"));
        assert!(!is_test("a/testify.py") && !is_test("contest/a.py"));
    }

    #[test]
    fn recall_is_by_task_and_pooled() {
        let wanted = |requirement| ExpectedDefinition {
            place: String::new(),
            name: String::new(),
            requirement,
            cursor: None,
            both: None,
        };
        let outcome = |ranks: &[Option<usize>]| Outcome {
            id: String::new(),
            repo: "o/n".into(),
            wanted: ranks.iter().map(|it| wanted(*it)).collect(),
        };
        let rows = rows(&[outcome(&[Some(1)]), outcome(&[None, Some(6), None])]);
        assert_eq!(rows[0].name, "requirement@5");
        assert!((rows[0].recall.mean - 0.5).abs() < 1e-9 && (rows[0].pooled - 0.25).abs() < 1e-9);
        assert!((rows[1].recall.mean - 2.0 / 3.0).abs() < 1e-9);
        assert!(rows[5].recall.mean.abs() < 1e-9);
    }
}
