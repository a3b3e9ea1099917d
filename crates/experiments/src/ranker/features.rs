//! Writes the training data of the ranker: the inputs of every candidate at every hole, and its coverage of the hole when
//! shown alone.
//!
//! Two files: `NAME.f32` has the inputs, little-endian, one row per candidate; `NAME.jsonl` has the names of the inputs,
//! then a line per task with its candidates in ranked order: the tokens of each as shown, and the identifiers, words and
//! lines of the hole that it contains, by number. So orders can be tried without the engine.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use foreword_engine::fuse::Candidate;
use foreword_engine::preset::Preset;
use foreword_evaluate::args::completion::CompletionArgs;
use foreword_evaluate::measures::coverage::{Hole, Items};
use foreword_evaluate::output;
use foreword_evaluate::runs::completion::cursor::{CodeView, each, with_overlay};
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use foreword_evaluate::runs::completion::{CompletionSettings, Detail, choose};
use foreword_evaluate::tasks::selection::LeftOut;
use foreword_evaluate::tasks::task::Task;
use serde::Serialize;

use super::input::{Input, values};

/// The tasks, and the output files.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    completion: CompletionArgs,
    /// Output files without extension: inputs (`NAME.f32`) and tasks (`NAME.jsonl`).
    #[arg(long, value_name = "NAME")]
    out: PathBuf,
}

impl Args {
    /// Writes both files.
    pub(crate) fn run(self) -> Result<()> {
        let (settings, preset) = self.completion.settings(Vec::new(), Detail::Measures)?;
        let file = |extension: &str| {
            let path = self.out.with_extension(extension);
            let file = File::create(&path);
            let file = file.with_context(|| format!("cannot write {}", path.display()))?;
            anyhow::Ok(BufWriter::new(file))
        };
        let (mut inputs, mut tasks) = (file("f32")?, file("jsonl")?);
        let (left_out, n) = write(&settings, &preset, &mut inputs, &mut tasks)?;
        inputs.flush().and_then(|()| tasks.flush()).context("cannot write the features")?;
        output::line(&left_out.first_line(n));
        left_out.failed.iter().for_each(|it| output::line(&format!("failed: {it}")));
        Ok(())
    }
}

/// Token budget of a candidate shown alone: about the maximum of one piece in 2,000.
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
    /// Number of identifiers of the hole that the window does not show.
    identifiers: usize,
    lines: usize,
    /// Frequency of each word of the hole.
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
struct TaskFeatures {
    row: TaskRow,
    inputs: Vec<f32>,
}

/// Writes both files; returns the omitted tasks and the number of the others.
fn write(
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
) -> Result<TaskFeatures> {
    with_overlay(settings.protocol, code, task, |view, cursor| {
        let mut retrieval = Retrieval::new(view, cursor, preset);
        let hole = retrieval.hole(task)?;
        let ranked = retrieval.take_candidates();
        let inputs = values(&retrieval, &ranked).concat();
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
        Ok(TaskFeatures { row, inputs })
    })
}

/// One candidate, shown without the others.
fn alone(retrieval: &mut Retrieval<'_>, hole: &Hole, candidate: Candidate) -> CandidateRow {
    retrieval.put_candidates(vec![candidate]);
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
