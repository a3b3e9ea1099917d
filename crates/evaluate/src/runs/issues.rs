//! An issue → the files that its fix changes (SWE-bench, Jimenez et al. 2024), over the commit before the fix.
//!
//! A file's rank is that of its first chunk, counted in files. Acc@k is 1 where all files of the fix are among the
//! first k (as Agentless and LocAgent report it). The index covers the commit's whole tree with tests and
//! documentation, as for a user.

use anyhow::{Context as _, Result};
use foreword_engine::index::Snapshot;
use foreword_engine::pipeline::{Control, Request, rank};
use foreword_engine::preset::Preset;
use foreword_engine::retrieve::Question;
use serde::Serialize;

use crate::measures::{Estimate, acc, bootstrap, over_groups, recall, reciprocal_rank};
use crate::runs::run::{LeftOutLines, Run};
use crate::tasks::corpora::{Corpora, Reader};
use crate::tasks::selection::{Selection, TaskKind, ask_each};
use crate::tasks::task::Task;

/// The cut-offs, in files.
pub const CUTS: [usize; 4] = [1, 3, 5, 10];

/// A file of the fix.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FixedFile {
    /// From the repository's root.
    pub(crate) path: String,
    /// Its rank among the files, from 1.
    pub(crate) place: Option<usize>,
}

/// The outcome of an issue.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub(crate) id: String,
    pub(crate) repo: String,
    pub(crate) wanted: Vec<FixedFile>,
    pub(crate) found: Vec<String>,
}

/// One measure.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureRow {
    /// `acc@5`.
    pub(crate) name: String,
    /// Mean over issues.
    pub(crate) estimate: Estimate,
    /// Mean over repositories' means.
    pub(crate) by_repository: Estimate,
}

/// The result of a run.
#[derive(Serialize)]
pub struct Issues {
    /// `issues`.
    pub(crate) kind: &'static str,
    pub(crate) rows: Vec<MeasureRow>,
    pub(crate) outcomes: Vec<Outcome>,
}

/// Issues at commits.
const ISSUES: TaskKind = TaskKind {
    name: "issue2file task at a commit",
    matches: |it| it.task == "issue2file" && it.corpus.kind == "git",
    has_corpus: None,
};

/// Runs each issue.
pub fn run(
    selection: &Selection,
    corpora: &Corpora,
    preset: &Preset,
) -> Result<Run<Issues, LeftOutLines>> {
    let mut batch = selection.read(&ISSUES, |it| corpora.has(it))?;
    let outcomes = batch.ask(|tasks| {
        let mut reader = Reader::default();
        ask_each(tasks, |task| ask(&*reader.snapshot(corpora, task)?, task, preset))
    });
    let result = Issues { kind: "issues", rows: rows(&outcomes), outcomes };
    Ok(Run::with_lines(preset, batch, result))
}

fn ask(snapshot: &Snapshot, task: &Task, preset: &Preset) -> Result<Outcome> {
    let question = task.query_text.as_deref().context("the task has no text")?;
    let ranked = files(snapshot, question, preset);
    let mut paths: Vec<&str> = task.relevant.iter().map(|it| it.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    let wanted = |path: &str| FixedFile {
        path: path.to_owned(),
        place: ranked.iter().position(|it| it == path).map(|it| it + 1),
    };
    Ok(Outcome {
        id: task.id.clone(),
        repo: task.repo.clone(),
        wanted: paths.into_iter().map(wanted).collect(),
        found: ranked.iter().take(CUTS[CUTS.len() - 1]).cloned().collect(),
    })
}

/// The files of the whole ranking, each at its first chunk.
fn files(snapshot: &Snapshot, question: &str, preset: &Preset) -> Vec<String> {
    let request = Request::Question { snapshot, question: &Question::new(question) };
    let mut res: Vec<String> = Vec::new();
    for it in rank(&request, preset, &mut Control::default()).candidates {
        let path = snapshot.path(it.chunk.file);
        if !res.iter().any(|it| it == path) {
            res.push(path.to_owned());
        }
    }
    res
}

fn rows(outcomes: &[Outcome]) -> Vec<MeasureRow> {
    let ranks =
        |it: &Outcome| -> Vec<Option<usize>> { it.wanted.iter().map(|it| it.place).collect() };
    let row = |name: String, value: &dyn Fn(&[Option<usize>]) -> f64| {
        let values = || outcomes.iter().map(|it| (it.repo.as_str(), value(&ranks(it))));
        let estimate = bootstrap(&values().map(|it| it.1).collect::<Vec<_>>());
        MeasureRow { name, estimate, by_repository: over_groups(values()) }
    };
    let mut res: Vec<MeasureRow> =
        CUTS.iter().map(|k| row(format!("acc@{k}"), &|ranks| acc(ranks, *k))).collect();
    res.push(row("recall@10".into(), &|ranks| recall(ranks, 10)));
    res.push(row("mrr@10".into(), &|ranks| reciprocal_rank(ranks, 10)));
    res
}

/// The table of a run, and the issues whose files are not all among the first 5.
pub fn text(run: &Run<Issues, LeftOutLines>) -> String {
    let (made, result) = (&run.provenance, &run.result);
    let mut res = run.left_out.first_line(result.outcomes.len()) + "\n";
    res += &format!("split {}, preset {}, commit {}, ", run.split.name(), made.preset, made.commit);
    res += &format!("data {}\n\n", made.data);
    for it in &result.rows {
        let Estimate { mean, low, high, .. } = it.estimate;
        res += &format!("{:<10} {mean:.3} [{low:.3}, {high:.3}]\n", it.name);
    }
    let is_missed = |it: &&Outcome| it.wanted.iter().any(|it| it.place.is_none_or(|at| at > 5));
    for it in result.outcomes.iter().filter(is_missed) {
        res += &format!("\nnot all in the first 5: {}\n", it.id);
        for it in &it.wanted {
            let place = it.place.map_or_else(|| "-".to_owned(), |it| it.to_string());
            res += &format!("   wanted {place:>3} {}\n", it.path);
        }
        res += &format!("   found  {}\n", it.found[..it.found.len().min(5)].join(", "));
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::IndexConfig;
    use foreword_engine::preset;
    use foreword_engine::source::Source;

    #[test]
    fn files_are_ranked_each_once() {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![
            source("url.py", &"def parse_url(text):\n    return text.split('/')\n".repeat(90)),
            source("mail.py", "def send(mail, url):\n    return mail\n"),
        ];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let found = files(&snapshot, "parse_url fails for an empty url", &preset::search());
        assert_eq!(found, ["url.py", "mail.py"]);
    }

    #[test]
    fn an_issue_counts_when_all_its_files_are_there() {
        let wanted = |place| FixedFile { path: "a".into(), place };
        let outcome = |places: &[Option<usize>]| Outcome {
            id: "i".into(),
            repo: "o/n".into(),
            wanted: places.iter().map(|it| wanted(*it)).collect(),
            found: vec![],
        };
        let rows = rows(&[outcome(&[Some(1), Some(4)]), outcome(&[Some(2), None])]);
        let means: Vec<f64> = rows.iter().map(|it| it.estimate.mean).collect();
        assert_eq!(means, [0.0, 0.0, 0.5, 0.5, 0.75, 0.75]);
    }
}
