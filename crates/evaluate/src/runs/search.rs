//! Questions and names → files, by the protocol of the semble benchmark: evaluates the first 10 chunks; a relevant
//! file's rank is that of its first chunk, ranks count chunks (a second chunk of one file takes a rank), and nDCG@10 is
//! binary over all files listed as relevant, primary or secondary.
//!
//! Token efficiency, after the same benchmark: recall of relevant files in an answer within a number of tokens (cl100k,
//! as published), as `foreword search --tokens` answers: later chunks may fill the room of skipped ones. The tokens to
//! the first hit are those of an answer without a limit.
//!
//! Where the truth has lines, also reports the fraction of questions of which one of the first 3, 5 and 10 results has
//! a line of an answer.
//!
//! Also reports the file-collapsed nDCG@10 (ranks count files), the reciprocal rank of the first relevant chunk, and
//! recall@10 over chunks.

mod feedback;
mod outcome;
mod questions;
mod summary;

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Instant;

use foreword_engine::index::Snapshot;
use foreword_engine::pipeline::{Control, Request, rank};
use foreword_engine::preset::Preset;
use foreword_engine::retrieve;
use foreword_engine::search::{SearchRequest, SearchResult, search};
use foreword_engine::trim::Count;
use foreword_model::{TokenCounter, Vocabulary};
use rayon::prelude::*;

use crate::measures::budget::{BUDGETS, PieceCost, recall_at, tokens_to_first_hit};
use crate::measures::{ndcg, recall, reciprocal_rank};
use crate::runs::provenance::Provenance;
use crate::runs::run::Run;
use crate::tasks::corpus::count_tokens;

pub use feedback::{Effect, Means, Voter, simulate};
pub use outcome::{GoldRank, Outcome, TopResult};
pub use questions::{QuestionSet, QuestionSource, prepare};
pub use summary::{BudgetRecall, Group, SearchResults};

use questions::{Question, Repository};
use summary::summarise;

/// Number of evaluated results.
const DEPTH: usize = 10;

/// Runs each question with a preset.
pub fn run(questions: &QuestionSet, preset: &Preset) -> Run<SearchResults> {
    let outcomes = ask_all(&questions.repositories, preset);
    let QuestionSet { data, split, left_out, missing, .. } = questions;
    Run {
        provenance: Provenance::new(preset).over(data),
        split: *split,
        left_out: left_out.clone(),
        result: summarise(outcomes, missing.clone()),
    }
}

/// Runs the repositories in parallel, the questions of one in turn.
fn ask_all(repositories: &[Repository], preset: &Preset) -> Vec<Outcome> {
    let ask_one = |it: &Repository| -> Vec<Outcome> {
        let of = |question: &Question| {
            ask(question.blanked.as_ref().unwrap_or(&it.snapshot), question, preset)
        };
        it.questions.iter().map(of).collect()
    };
    let answers: Vec<Vec<Outcome>> = repositories.par_iter().map(ask_one).collect();
    answers.into_iter().flatten().collect()
}

fn ask(snapshot: &Snapshot, question: &Question, preset: &Preset) -> Outcome {
    let request = || question.asked();
    let top = SearchRequest { question: request(), limit: DEPTH, tokens: None };
    let start = Instant::now();
    let answer = search(snapshot, &top, preset, &count_tokens, &mut Control::default());
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let chunks: Vec<&str> = answer.results.iter().map(|it| it.path.as_str()).collect();
    let files = ranked_files(snapshot, &request(), preset);
    let gold = gold_ranks(&question.gold, &chunks, &files);
    let by_chunk: Vec<_> = gold.iter().map(|it| it.chunk).collect();
    let by_file: Vec<_> = gold.iter().map(|it| it.file).collect();
    // Each budget counts the same chunks.
    let (counter, counts) =
        (TokenCounter::of_vocabulary(Vocabulary::Cl100k), RefCell::new(HashMap::new()));
    let count = |text: &str| -> usize {
        *counts.borrow_mut().entry(text.to_owned()).or_insert_with(|| counter.count(text))
    };
    let within = |budget| paid(snapshot, question, preset, budget, &count);
    let task = &question.task;
    Outcome {
        id: task.id.clone(),
        repo: task.repo.clone(),
        language: task.language.clone(),
        category: task.meta.category.clone().unwrap_or_else(|| "none".to_owned()),
        query: question.text.clone(),
        ndcg: ndcg(&by_chunk, DEPTH),
        file_ndcg: ndcg(&by_file, DEPTH),
        reciprocal_rank: reciprocal_rank(&by_chunk, DEPTH),
        recall: recall(&by_chunk, DEPTH),
        lines: question.line_rank(&answer.results),
        recall_at: BUDGETS.map(|budget| recall_at(&within(budget), gold.len(), budget)),
        tokens_to_hit: tokens_to_first_hit(&within(usize::MAX)),
        milliseconds,
        gold,
        top: answer.results.iter().map(top_result).collect(),
    }
}

fn gold_ranks(gold: &[String], chunks: &[&str], files: &[&str]) -> Vec<GoldRank> {
    let rank = |list: &[&str], path: &str| list.iter().position(|it| *it == path).map(|it| it + 1);
    let of_path = |path: &String| GoldRank {
        path: path.clone(),
        chunk: rank(chunks, path),
        file: rank(files, path),
    };
    gold.iter().map(of_path).collect()
}

/// The cost and the relevant files of each chunk of an answer within `budget` tokens.
fn paid(
    snapshot: &Snapshot,
    question: &Question,
    preset: &Preset,
    budget: usize,
    count: Count<'_>,
) -> Vec<PieceCost> {
    let request =
        SearchRequest { question: question.asked(), limit: usize::MAX, tokens: Some(budget) };
    let answer = search(snapshot, &request, preset, count, &mut Control::default());
    let has = |path: &str| -> Vec<usize> {
        question.gold.iter().position(|it| it == path).into_iter().collect()
    };
    let paid = |it: &SearchResult| PieceCost { tokens: it.tokens, has: has(&it.path) };
    answer.results.iter().map(paid).collect()
}

/// The files of the whole ranking, each at its first chunk.
fn ranked_files<'s>(
    snapshot: &'s Snapshot,
    question: &retrieve::Question<'_>,
    preset: &Preset,
) -> Vec<&'s str> {
    let request = Request::Question { snapshot, question };
    let mut res: Vec<&str> = Vec::new();
    for it in rank(&request, preset, &mut Control::default()).candidates {
        let path = snapshot.path(it.chunk.file);
        if res.len() < DEPTH && !res.contains(&path) {
            res.push(path);
        }
    }
    res
}

fn top_result(it: &SearchResult) -> TopResult {
    TopResult {
        place: format!("{}:{}-{}", it.path, it.start_line, it.end_line),
        symbol: it.symbol.clone(),
        score: it.score,
        reasons: it.reasons.iter().map(ToString::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::IndexConfig;
    use foreword_engine::preset;
    use foreword_engine::source::Source;

    use crate::tasks::task::Task;
    use std::sync::Arc;

    fn empty() -> Arc<Snapshot> {
        Arc::new(Snapshot::empty(IndexConfig::default()))
    }

    fn task(subdir: &str, paths: &[&str]) -> Task {
        let relevant: Vec<String> =
            paths.iter().map(|it| format!(r#"{{"path": "{it}"}}"#)).collect();
        let line = format!(
            r#"{{"id": "a", "task": "nl2file", "repo": "o/n", "language": "python",
            "corpus": {{"kind": "git", "subdir": "{subdir}"}}, "query_text": "parse the url",
            "relevant": [{}]}}"#,
            relevant.join(",")
        );
        serde_json::from_str(&line).unwrap()
    }

    #[test]
    fn gold_paths_are_counted_from_the_searched_folder() {
        let question =
            Question::new(task("src/a", &["src/a/url.py", "src/a/url.py"]), "src/a", &empty());
        assert_eq!(question.unwrap().unwrap().gold, ["url.py"]);
    }

    #[test]
    fn a_question_finds_its_file_in_the_first_place() {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![
            source("url.py", "def parse_url(text):\n    return text.split('/')\n"),
            source("mail.py", "def send(mail):\n    return mail\n"),
        ];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let question = Question::new(task("", &["url.py"]), "", &empty()).unwrap().unwrap();
        let outcome = ask(&snapshot, &question, &preset::search());
        assert_eq!(
            outcome.gold,
            [GoldRank { path: "url.py".into(), chunk: Some(1), file: Some(1) }]
        );
        assert!((outcome.ndcg - 1.0).abs() < 1e-9);
    }
}
