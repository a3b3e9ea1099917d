//! A question about a repository → the files and lines that answer it, stage by stage, as `foreword ask` gathers them.
//!
//! Files and lines are sets: a stage has a file if it has any line in it. Lines are measured over the tasks whose truth
//! has lines. The stages are the lists of all retrievers together, the first candidates after merging, the results
//! after reranking, the evidence, and the citations of the answer: all evidence for a reading list, none for an answer
//! that declares too little evidence.
//!
//! Each shown piece is checked against the snapshot: its lines exist, and they have its text.

mod absent;
mod chat;
mod outcome;
mod text;
mod variant;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result};
use foreword_engine::ask::{AskRequest, EvidenceItem, gather, stages};
use foreword_engine::index::{Change, Snapshot};
use foreword_model::TokenCounter;
use serde::Serialize;

use crate::runs::definitions::is_test;
use crate::runs::run::Run;
use crate::tasks::corpora::{Corpora, Reader};
use crate::tasks::selection::{Selection, TaskKind, ask_each};
use crate::tasks::split::short_name;
use crate::tasks::task::Task;

pub use absent::{AbsentOutcome, ask_absent};
pub use chat::{ChatOutcome, ChatSettings, ChatStage};
pub use outcome::{AskOutcome, StageOutcome, StrengthOutcome, WordOutcome};
pub use text::{absent_text, text};
pub use variant::Variant;

use outcome::{Gold, places_of};

/// The settings of a run.
pub struct AskSettings {
    /// The questions.
    pub tasks: Selection,
    /// Location of the code.
    pub corpora: Corpora,
    /// Tokens of all evidence of a question.
    pub tokens: usize,
    /// Settings to compare with the current ones.
    pub variants: Vec<Variant>,
    /// A model that helps and answers; `None` measures the evidence only.
    pub chat: Option<ChatStage>,
}

/// The result of a run.
#[derive(Serialize)]
pub struct AskResults {
    /// `ask`.
    pub(crate) kind: &'static str,
    pub(crate) variants: Vec<&'static str>,
    pub(crate) outcomes: Vec<AskOutcome>,
}

/// Questions, requirements and issues at a commit.
const QUESTIONS: TaskKind = TaskKind {
    name: "question over code",
    matches: |it| it.query_text.is_some() && it.corpus.kind != "none" && !wanted(it).is_empty(),
    has_corpus: None,
};

/// Runs all questions.
pub fn run(settings: &AskSettings) -> Result<Run<AskResults>> {
    let corpora = &settings.corpora;
    let mut batch = settings.tasks.read(&QUESTIONS, |it| corpora.has(it))?;
    let outcomes = batch.ask(|tasks| {
        let mut reader = Reader::default();
        ask_each(tasks, |task| ask(&*snapshot_of(&mut reader, corpora, task)?, task, settings))
    });
    let variants = settings.variants.iter().map(|it| it.name).collect();
    let result = AskResults { kind: "ask", variants, outcomes };
    Ok(Run::new(&foreword_engine::preset::search(), batch, result))
}

/// The code of a task. For a hole, without its file and tests: they name the target.
fn snapshot_of(
    reader: &mut Reader,
    corpora: &Corpora,
    task: &Task,
) -> Result<std::sync::Arc<Snapshot>> {
    let all = reader.snapshot(corpora, task)?;
    let Some(target) = &task.target_file else { return Ok(all) };
    let paths = all.files().map(|it| all.path(it).to_owned());
    let left_out = paths.filter(|it| it == target || is_test(it)).map(Change::Remove).collect();
    let made = all.with_changes(left_out).context("cannot leave out the target file")?;
    Ok(std::sync::Arc::new(made))
}

/// The locations to find; for a hole the definitions in other files.
fn wanted(task: &Task) -> Vec<&crate::tasks::task::Relevant> {
    let is_cross = |it: &crate::tasks::task::Relevant| {
        it.kind.as_deref().is_some_and(|it| it.starts_with("cross_file"))
    };
    task.relevant.iter().filter(|it| task.task != "completion" || is_cross(it)).collect()
}

fn ask(snapshot: &Snapshot, task: &Task, settings: &AskSettings) -> Result<AskOutcome> {
    let question = task.query_text.as_deref().context("the task has no question")?;
    let (question, pasted) = title_and_rest(question);
    let counter = TokenCounter::general();
    let count = |text: &str| counter.count(text);
    let request = AskRequest {
        question,
        pasted,
        repository: short_name(&task.repo),
        tokens: settings.tokens,
        ..AskRequest::default()
    };
    let (start, on_processor) = (Instant::now(), processor_time());
    let gathered = gather(snapshot, &request, &count);
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let on_processor = processor_time().zip(on_processor).map(|it| (it.0 - it.1) as f64 / 1e6);
    let found = stages(snapshot, &request, &count);
    let gold = Gold::new(&wanted(task));
    let mut outcome = AskOutcome::new(task, &gold, &found);
    (outcome.milliseconds, outcome.on_processor) = (milliseconds, on_processor);
    (outcome.citations, outcome.invalid) = check_citations(snapshot, &gathered.evidence);
    outcome.compared = settings
        .variants
        .iter()
        .map(|it| {
            let changed = AskRequest { config: Some(&it.config), ..request };
            let evidence = gather(snapshot, &changed, &count).evidence;
            gold.overlap(&places_of(&evidence))
        })
        .collect();
    outcome.chat = settings.chat.as_ref().map(|it| it.ask(snapshot, &request, &gold));
    Ok(outcome)
}

/// CPU time of this thread in nanoseconds, which is nearly independent of other programs' load. Linux only.
fn processor_time() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Splits an issue as a user pastes it: the title is the question, the rest is additional text. Shorter texts are
/// questions.
fn title_and_rest(text: &str) -> (&str, &str) {
    const QUESTION: usize = 400;
    match text.trim().split_once('\n') {
        Some((title, rest)) if text.len() > QUESTION => (title, rest),
        _ => (text, ""),
    }
}

/// Number of shown pieces, and the pieces whose text is not at their stated lines.
fn check_citations(snapshot: &Snapshot, evidence: &[EvidenceItem]) -> (usize, Vec<String>) {
    let is_wrong = |it: &&EvidenceItem| {
        let Some(file) = snapshot.file(&it.path) else { return true };
        let text = snapshot.text(file);
        let n = (it.end_line + 1).saturating_sub(it.start_line) as usize;
        let lines = text.lines().skip(it.start_line.saturating_sub(1) as usize).take(n);
        let stands: Vec<&str> = lines.map(str::trim_end).collect();
        let shown: Vec<&str> = it.text.lines().map(str::trim_end).collect();
        let blank = stands.iter().rev().take_while(|it| it.is_empty()).count();
        stands.len() != n || stands[..n - blank] != shown[..shown.len().min(n - blank)]
    };
    let wrong = evidence.iter().filter(is_wrong);
    let place = |it: &EvidenceItem| format!("{}:{}-{}", it.path, it.start_line, it.end_line);
    (evidence.len(), wrong.map(place).collect())
}

/// A file of questions without an answer: `repository`, `half` and `question`, separated by tabs.
#[derive(Clone, Debug)]
pub struct AbsentSource {
    /// The file.
    pub file: PathBuf,
    /// Location of the repositories.
    pub corpora: Corpora,
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::IndexConfig;
    use foreword_engine::source::Source;

    fn shop() -> Snapshot {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![
            source("stock.py", "def take_item(name):\n    return price_of(name)\n\n\n"),
            source("prices.py", "def price_of(name):\n    return len(name)\n"),
        ];
        Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
    }

    #[test]
    fn a_citation_of_other_lines_is_found_out() {
        let snapshot = shop();
        let request =
            AskRequest { question: "how is an item taken", tokens: 900, ..AskRequest::default() };
        let mut evidence = gather(&snapshot, &request, &str::len).evidence;
        assert_eq!(check_citations(&snapshot, &evidence), (evidence.len(), vec![]));
        evidence[0].start_line = 2;
        evidence[0].end_line = 2;
        assert_eq!(check_citations(&snapshot, &evidence).1, ["stock.py:2-2"]);
        evidence[0].path = "gone.py".into();
        assert_eq!(check_citations(&snapshot, &evidence).1, ["gone.py:2-2"]);
    }

    #[test]
    fn a_long_text_is_a_title_and_what_came_with_it() {
        assert_eq!(title_and_rest("where\nis it"), ("where\nis it", ""));
        let long = format!("It fails\n{}", "x\n".repeat(300));
        assert_eq!(title_and_rest(&long).0, "It fails");
    }
}
