//! The effect of merging small chunks: cAST's split alone; merged as by its authors, greedily among the children of one
//! node; and merged as here, across nodes and where a cut does least harm. Measured by chunk sizes, the coverage of
//! completions, and nDCG and recall of questions, if given.

use std::collections::BTreeMap;
use std::sync::Mutex;

use anyhow::Result;
use foreword_chunk::{Config, Granularity};
use foreword_engine::index::Snapshot;
use foreword_engine::preset::{self, Preset};

use crate::ask::{Question, run};
use crate::granularity::{Chunking, over_cuts, without_limit};
use foreword_evaluate::measures::{bootstrap, paired_difference, percentile};
use foreword_evaluate::runs::completion::CompletionSettings;
use foreword_evaluate::runs::completion::cursor::CodeView;
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::runs::search;
use foreword_evaluate::runs::table::{Chunks, Table};
use foreword_evaluate::tasks::task::Task;

/// The variant in use.
const REFERENCE: &str = "across borders";

/// A chunk below this share of the maximal size is tiny.
const TINY: f64 = 0.1;

/// Runs the experiment. `questions` are asked over each variant too.
pub(crate) fn merge(
    settings: &CompletionSettings,
    questions: Option<&search::QuestionSource>,
    preset: &Preset,
) -> Result<Run<Table>> {
    let preset = without_limit(preset);
    let sizes: Mutex<BTreeMap<(String, String), Vec<f64>>> = Mutex::default();
    let ask = |code: &CodeView<'_>, task: &Task| {
        over_cuts(settings, &preset, &cuts(), code, task, |name, snapshot| {
            let key = (name.to_owned(), task.repo.clone());
            // One state per repository suffices; a poisoned lock means that a task has panicked already.
            let mut sizes = sizes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            sizes.entry(key).or_insert_with(|| sizes_of(snapshot));
        })
    };
    let mut merged =
        run(settings, &preset, &Question { name: "merge", reference: REFERENCE, ask })?;
    let sizes = sizes.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let statistics = |it: &Chunking| {
        let its = sizes.iter().filter(|entry| entry.0.0 == it.0).flat_map(|entry| entry.1);
        chunks(&it.0, &its.copied().collect::<Vec<_>>(), it.1.max_size)
    };
    merged.result.chunks = cuts().iter().map(statistics).collect();
    if let Some(questions) = questions {
        ask_questions(&mut merged.result.chunks, questions)?;
    }
    Ok(merged)
}

fn cuts() -> Vec<Chunking> {
    let of =
        |name: &str, granularity| (name.to_owned(), Config { granularity, ..Config::default() });
    vec![
        of(REFERENCE, Granularity::Cast),
        of("among siblings", Granularity::CastSiblings),
        of("not merged", Granularity::CastUnmerged),
    ]
}

/// The sizes of all chunks, in non-whitespace characters.
fn sizes_of(snapshot: &Snapshot) -> Vec<f64> {
    let mut res = Vec::new();
    for file in snapshot.files() {
        let text = snapshot.text(file);
        for chunk in snapshot.chunks(file) {
            let info = snapshot.chunk(chunk);
            let text = text.get(info.start as usize..info.end as usize).unwrap_or_default();
            res.push(text.chars().filter(|it| !it.is_whitespace()).count() as f64);
        }
    }
    res
}

fn chunks(name: &str, sizes: &[f64], max: u32) -> Chunks {
    let tiny = sizes.iter().filter(|it| **it < TINY * f64::from(max)).count();
    Chunks {
        name: name.to_owned(),
        chunks: sizes.len(),
        median: percentile(sizes, 0.5),
        tiny: tiny as f64 / sizes.len().max(1) as f64,
        ndcg: None,
        recall: None,
        above_reference: None,
    }
}

fn ask_questions(rows: &mut [Chunks], questions: &search::QuestionSource) -> Result<()> {
    let mut reference: Option<Vec<f64>> = None;
    for (row, (_, chunk)) in rows.iter_mut().zip(cuts()) {
        let source = search::QuestionSource { chunk, ..questions.clone() };
        let questions = search::prepare(&source)?;
        let run = search::run(&questions, &preset::search());
        let scores: Vec<f64> = run.result.outcomes.iter().map(|it| it.ndcg).collect();
        row.ndcg = Some(bootstrap(&scores));
        row.recall = run.result.budgets.iter().find(|it| it.budget == 2000).map(|it| it.recall);
        row.above_reference = reference.as_ref().map(|it| paired_difference(&scores, it));
        reference.get_or_insert(scores);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::IndexConfig;
    use foreword_engine::source::Source;

    #[test]
    fn without_merging_chunks_are_more_and_smaller() {
        let text: String = (0..200).map(|it| format!("name_{it} = {it}\n")).collect();
        let of = |cut: &Chunking| {
            let source = Source { path: "a.py".into(), text: text.clone() };
            let config = IndexConfig { chunk: cut.1 };
            let sizes = sizes_of(&Snapshot::of_sources(vec![source], config).unwrap());
            assert!((sizes.iter().sum::<f64>() - 2180.0).abs() < 1e-9, "{sizes:?}");
            chunks(&cut.0, &sizes, cut.1.max_size)
        };
        let [across, siblings, not] = &cuts().iter().map(of).collect::<Vec<_>>()[..] else {
            panic!("three ways")
        };
        assert_eq!((across.chunks, siblings.chunks, not.chunks), (2, 2, 200));
        assert!(not.tiny > 0.99 && across.tiny < 0.01);
    }
}
