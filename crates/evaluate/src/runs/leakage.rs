//! Leakage: the same tasks without leaks and with two kinds of leaks, and the paired differences.
//!
//! * `leak-free`: the parent commit; the cursor's file has its hole.
//! * `later repository`: the commit that filled the hole, or still has the removed function, but the cursor's file still
//!   has its hole. The corpus contains callers, tests and documents from the same commit. Benchmarks that blank a function
//!   of a finished repository do this (SpecAgent, arXiv 2510.17925, found 4 to 5 points of Pass@1 in it).
//! * `hole in the corpus`: in addition, the corpus contains the finished file under another name. Benchmarks that index
//!   the target file do this.
//!
//! Needs tasks that name the commit that filled them, or the functions that they remove.

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::index::{Change, Snapshot};
use foreword_engine::preset::Preset;
use foreword_engine::source::Source;

use crate::baselines::WordCache;
use crate::runs::completion::Method;
use crate::runs::completion::cursor::{CodeView, with_overlay};
use crate::runs::completion::retrieval::Retrieval;
use crate::runs::completion::{CompletionSettings, choose};
use crate::runs::run::Run;
use crate::runs::table::{Observation, Table, observe, tabulate};
use crate::tasks::corpora::Reader;
use crate::tasks::corpus::count_tokens;
use crate::tasks::selection::ask_each;
use crate::tasks::task::Task;

/// The reference series.
const FREE: &str = "leak-free";

/// Runs one method in the three states.
pub fn leakage(
    settings: &CompletionSettings,
    preset: &Preset,
    method: Method,
) -> Result<Run<Table>> {
    let mut batch = choose(settings)?;
    let asked = batch.ask(|tasks| {
        let mut repository = Repository { now: Reader::default(), later: Reader::default() };
        let mut words = WordCache::default();
        ask_each(tasks, |task| {
            let observations = repository.ask(settings, preset, method, task, &mut words)?;
            Ok((task.meta.is_test_file, observations))
        })
    });
    let name = match method {
        Method::Engine => "leakage",
        Method::Baseline(_) => "leakage of a baseline",
    };
    let mut table = tabulate(name, FREE, settings, asked, &batch)?;
    table.of = Some(method.name());
    Ok(Run::new(preset, batch, table))
}

/// The states of a repository before and after a task.
struct Repository {
    now: Reader,
    later: Reader,
}

impl Repository {
    fn ask(
        &mut self,
        settings: &CompletionSettings,
        preset: &Preset,
        method: Method,
        task: &Task,
        words: &mut WordCache,
    ) -> Result<Vec<Observation>> {
        let now = self.now.read(&settings.corpora, task)?;
        let later = self.later.read(&settings.corpora, &filled(task)?)?;
        let with_hole = with_the_hole(&later.snapshot, task)?;
        let session = &now.session;
        let states: [(&str, &Snapshot, bool); 3] = [
            (FREE, &now.snapshot, now.is_past),
            ("later repository", &later.snapshot, false),
            ("hole in the corpus", &with_hole, false),
        ];
        let mut res = Vec::new();
        for (name, snapshot, is_past) in states {
            let code = CodeView { snapshot, session, edits: &task.session, is_past };
            res.extend(in_state(settings, preset, method, task, name, &code, words)?);
        }
        Ok(res)
    }
}

/// The task at the commit that has its answer: the one that filled it, or the one that it was removed from. Exclusions
/// and edits are of the earlier state; here their effect is measured.
fn filled(task: &Task) -> Result<Task> {
    let mut res = task.clone();
    if let Some(commit) = &task.meta.commit {
        res.corpus.rev = Some(commit.clone());
    } else {
        let is_removed = !task.corpus.edits.is_empty();
        ensure!(is_removed, "the task names no commit that filled it");
    }
    (res.corpus.edits, res.session, res.exclude) = (Vec::new(), Vec::new(), Vec::new());
    Ok(res)
}

/// A snapshot that also contains the finished file.
fn with_the_hole(later: &Arc<Snapshot>, task: &Task) -> Result<Snapshot> {
    let path = task.target_file.as_deref().context("the task names no file")?;
    let parts = [&task.prefix, &task.ground_truth, &task.suffix];
    let text = parts.map(|it| it.as_deref().unwrap_or_default()).concat();
    let (dir, name) = path
        .rsplit_once('/')
        .map_or((String::new(), path), |(dir, name)| (format!("{dir}/"), name));
    let change = Change::Write(Source { path: format!("{dir}finished_{name}"), text });
    later.with_changes(vec![change]).context("cannot index the finished file")
}

fn in_state(
    settings: &CompletionSettings,
    preset: &Preset,
    method: Method,
    task: &Task,
    name: &str,
    code: &CodeView<'_>,
    words: &mut WordCache,
) -> Result<Vec<Observation>> {
    with_overlay(settings.protocol, code, task, |view, cursor| {
        let retrieval = Retrieval::new(view, cursor, preset);
        let hole = retrieval.hole(task)?;
        let Method::Baseline(baseline) = method else {
            return Ok(observe(name, &settings.budgets, |it| hole.measure(&retrieval.within(it))));
        };
        let offer = baseline.offer(words, &retrieval.baseline_input(code, &task.id));
        let measure = |budget| hole.measure(&offer.cut(budget, &count_tokens));
        Ok(observe(name, &settings.budgets, measure))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::table::tests::settings;
    use foreword_engine::index::IndexConfig;
    use foreword_engine::preset;

    fn task() -> Task {
        let line = r#"{"id": "a", "task": "completion", "repo": "o/n", "language": "python",
            "corpus": {"kind": "git", "rev": "r"}, "target_file": "src/main.py",
            "prefix": "def main(text):\n", "suffix": "", "ground_truth": "    send_letter(text)\n"}"#;
        serde_json::from_str(line).unwrap()
    }

    #[test]
    fn the_finished_file_gives_the_hole_away() {
        let other =
            Source { path: "src/mail.py".into(), text: "def post(text):\n    pass\n".into() };
        let free = Arc::new(Snapshot::of_sources(vec![other], IndexConfig::default()).unwrap());
        let leaky = with_the_hole(&free, &task()).unwrap();
        let covered = |snapshot: &Snapshot| {
            let code = CodeView { snapshot, session: &[], edits: &[], is_past: false };
            let preset = preset::context();
            let mut words = WordCache::default();
            let seen =
                in_state(&settings(), &preset, Method::Engine, &task(), "x", &code, &mut words);
            seen.unwrap()[0].coverage.identifiers
        };
        assert_eq!((covered(&free), covered(&leaky)), (Some(0.0), Some(1.0)));
    }
}
