//! What a ranker learns from: of every candidate at every hole what the engine knows of it, and what it explains of the
//! hole when it is shown alone.
//!
//! Two files: `NAME.f32` has the inputs of the learned combiner ([`Input`]), little-endian, one row a candidate; `NAME.jsonl`
//! first the names of the inputs, then a line a task with its candidates in the order in which they are ranked: the tokens
//! of each as it would be shown, and which identifiers, words and lines of the hole it has, by number. So that orders can
//! be tried without asking the engine again, counting what a piece adds to those before it.

use std::io::Write;

use anyhow::{Context as _, Result};
use foreword_engine::fuse::Candidate;
use foreword_engine::preset::Preset;
use foreword_engine::rerank::learned::Input;
use foreword_engine::rerank::measure_for_learning;
use foreword_engine::retrieve::HoleInputs;
use serde::Serialize;

use crate::measures::coverage::{Hole, Items};
use crate::runs::completion::cursor::{CodeView, each, with_overlay};
use crate::runs::completion::retrieval::Retrieval;
use crate::runs::completion::{CompletionSettings, choose};
use crate::tasks::selection::LeftOut;
use crate::tasks::task::Task;

/// Tokens among which a candidate is shown alone: about what one piece may take of 2,000.
const ALONE: usize = 1500;

/// The first line of the tasks' file.
#[derive(Serialize)]
struct Header {
    inputs: Vec<String>,
    preset: String,
}

/// A task.
#[derive(Serialize)]
struct TaskRow {
    id: String,
    repo: String,
    language: String,
    is_test: bool,
    is_session: bool,
    /// How many identifiers, and how many lines the hole has that the window does not show.
    identifiers: usize,
    lines: usize,
    /// How often the hole has each of its words.
    words: Vec<usize>,
    candidates: Vec<CandidateRow>,
}

/// A candidate, shown alone.
#[derive(Serialize)]
struct CandidateRow {
    path: String,
    line: u32,
    tokens: usize,
    #[serde(flatten)]
    has: Items,
}

/// A task with the inputs of its candidates.
struct Dumped {
    row: TaskRow,
    inputs: Vec<f32>,
}

/// Writes both files, and returns what was left out and how many tasks were asked.
pub fn run(
    settings: &CompletionSettings,
    preset: &Preset,
    mut inputs: impl Write,
    mut tasks: impl Write,
) -> Result<(LeftOut, usize)> {
    let mut batch = choose(settings)?;
    let names = Input::all().into_iter().map(Input::name).collect();
    let header = Header { inputs: names, preset: preset.fingerprint() };
    let mut line = |it: &str| writeln!(tasks, "{it}").context("cannot write the tasks");
    line(&serde_json::to_string(&header).context("cannot write JSON")?)?;
    let asked =
        batch.ask(|tasks| each(settings, tasks, |code, task| ask(settings, code, task, preset)));
    for it in &asked {
        line(&serde_json::to_string(&it.row).context("cannot write JSON")?)?;
        let bytes: Vec<u8> = it.inputs.iter().flat_map(|it| it.to_le_bytes()).collect();
        inputs.write_all(&bytes).context("cannot write the inputs")?;
    }
    Ok((batch.left_out, asked.len()))
}

fn ask(
    settings: &CompletionSettings,
    code: &CodeView<'_>,
    task: &Task,
    preset: &Preset,
) -> Result<Dumped> {
    with_overlay(settings.protocol, code, task, |view, cursor| {
        let mut retrieval = Retrieval::new(view, cursor, preset);
        let hole = retrieval.hole(task)?;
        let mut ranked = retrieval.take_candidates();
        let inputs = HoleInputs { view, cursor, scope: &retrieval.scope };
        measure_for_learning(view.snapshot(), &inputs, &mut ranked);
        let inputs = values(&ranked);
        let candidates = ranked.into_iter().map(|it| alone(&mut retrieval, &hole, it)).collect();
        let row = TaskRow {
            id: task.id.clone(),
            repo: task.repo.clone(),
            language: task.language.clone(),
            is_test: task.meta.is_test_file,
            is_session: !task.session.is_empty(),
            identifiers: hole.targets().len(),
            lines: hole.n_lines(),
            words: hole.word_counts(),
            candidates,
        };
        Ok(Dumped { row, inputs })
    })
}

/// The inputs of candidates, which come best first.
fn values(ranked: &[Candidate]) -> Vec<f32> {
    let all = Input::all();
    let best = ranked.first().map_or(0.0, |it| it.score);
    let of = |(idx, it): (usize, &Candidate)| {
        all.iter().map(|input| input.value(it, best, idx + 1)).collect::<Vec<f32>>()
    };
    ranked.iter().enumerate().flat_map(of).collect()
}

/// What one candidate shows where there is no other.
fn alone(retrieval: &mut Retrieval<'_>, hole: &Hole, candidate: Candidate) -> CandidateRow {
    retrieval.put_candidate(candidate);
    let shown = retrieval.pieces(ALONE);
    match shown.into_iter().next() {
        Some(it) => CandidateRow {
            has: hole.items_of(&it.text),
            path: it.path,
            line: it.start_line,
            tokens: it.tokens,
        },
        None => CandidateRow { path: String::new(), line: 0, tokens: 0, has: Items::default() },
    }
}
