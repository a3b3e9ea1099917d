//! How many true functions the check of forecasts rejects, and how many false ones it accepts.
//!
//! The true ones are functions that commits added, or that a task removed, as they were written: each is foretold in the
//! state before it, beside the functions that were added right before it. Each true one that is accepted is then made
//! false by one controlled change: a name is replaced by one that the repository does not have (`invent`). A lying
//! plan has lines that have nothing to do with the file, and an empty function.

pub(crate) mod added;
mod commit;
mod invent;
pub(crate) mod lying;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::index::Snapshot;
use foreword_engine::preset::Preset;
use foreword_engine::speculate::{Flaw, StatedForecast, stated_forecasts};
use serde::Serialize;

use self::added::{AddedFunction, added_function};
use self::commit::introduces;
use self::invent::invent;
use self::lying::LyingPlan;
use crate::runs::completion::{CompletionSettings, choose};
use crate::runs::run::Run;
use crate::tasks::corpora::Reader;
use crate::tasks::selection::ask_each;
use crate::tasks::task::Task;

/// The functions of one language.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FunctionCounts {
    /// True functions.
    pub made: usize,
    /// Of these, rejected, by flaw.
    pub rejected: BTreeMap<String, usize>,
    /// Accepted functions with an invented name.
    pub invented: usize,
    /// Of these, rejected.
    pub caught: usize,
    /// Blocks and forecasts of lying plans.
    pub lies: usize,
    /// Of these, rejected.
    pub lies_caught: usize,
    /// What was judged wrongly.
    pub wrong: Vec<String>,
}

/// The counts of all languages.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ForecastCounts {
    /// By language.
    pub languages: BTreeMap<&'static str, FunctionCounts>,
    /// Number of repositories.
    pub repositories: usize,
}

/// Judges the functions of all selected tasks.
pub fn forecasts(settings: &CompletionSettings, preset: &Preset) -> Result<Run<ForecastCounts>> {
    let mut batch = choose(settings)?;
    let asked = batch.ask(|tasks| {
        let mut reader = Reader::default();
        ask_each(tasks, |task| {
            let snapshot = reader.snapshot(&settings.corpora, task)?;
            judge(&snapshot, &settings.corpora.place(task)?, task).map(|it| (task.repo.clone(), it))
        })
    });
    ensure!(!asked.is_empty(), "no task has a function: {}", batch.left_out.reasons());
    let mut res = ForecastCounts::default();
    let repositories: std::collections::BTreeSet<&str> =
        asked.iter().map(|it| it.0.as_str()).collect();
    res.repositories = repositories.len();
    for (_, (language, counts)) in &asked {
        res.languages.entry(*language).or_default().add(counts);
    }
    Ok(Run::new(preset, batch, res))
}

/// The flaw of a function that uses what the same commit defines or imports elsewhere: alone it is rightly rejected.
const NAME_OF_COMMIT: &str = "unknown_name_of_the_commit";

fn judge(
    snapshot: &Snapshot,
    git_dir: &Path,
    task: &Task,
) -> Result<(&'static str, FunctionCounts)> {
    let added = added_function(snapshot, git_dir, task)?;
    let mut res = FunctionCounts { made: 1, ..FunctionCounts::default() };
    match flaw_of_last(snapshot, &added.path, &added.forecasts)? {
        Some(flaw) => {
            res.wrong.push(format!("{}: true, rejected: {flaw}", task.id));
            let is_of_commit = match &flaw {
                Flaw::UnknownName(name) => introduces(git_dir, task, name)?,
                _ => false,
            };
            let code = if is_of_commit { NAME_OF_COMMIT } else { flaw.code() };
            res.rejected.insert(code.to_owned(), 1);
        }
        None => res.count_invention(snapshot, &added, task)?,
    }
    let lying = LyingPlan::new(snapshot, &added);
    let accepted = lying.accepted(snapshot);
    (res.lies, res.lies_caught) = (lying.len(), lying.len() - accepted.len());
    res.wrong.extend(accepted.iter().map(|it| format!("{}: lie, accepted: {it}", task.id)));
    Ok((added.language.name(), res))
}

/// The flaw of the last of the forecasts; `None` if it is accepted.
fn flaw_of_last(
    snapshot: &Snapshot,
    path: &str,
    stated: &[StatedForecast],
) -> Result<Option<Flaw>> {
    let own = stated.last().context("there is no forecast")?;
    let verdict = stated_forecasts(snapshot, path, stated);
    let rejected = verdict.rejected.into_iter().rev();
    let code = |it: &str| it.split_whitespace().collect::<String>();
    let mut same = rejected.filter(|it| code(&it.forecast.code) == code(&own.code));
    Ok(same.next().map(|it| it.flaw))
}

impl FunctionCounts {
    fn count_invention(
        &mut self,
        snapshot: &Snapshot,
        added: &AddedFunction,
        task: &Task,
    ) -> Result<()> {
        let Some(it) = invent(snapshot, added, &task.id) else { return Ok(()) };
        self.invented = 1;
        match flaw_of_last(snapshot, &added.path, &it.forecasts)? {
            Some(_) => self.caught = 1,
            None => {
                self.wrong.push(format!("{}: {} for {}, accepted", task.id, it.name, it.replaced));
            }
        }
        Ok(())
    }

    fn add(&mut self, it: &Self) {
        self.made += it.made;
        self.invented += it.invented;
        self.caught += it.caught;
        self.lies += it.lies;
        self.lies_caught += it.lies_caught;
        self.wrong.extend(it.wrong.iter().cloned());
        for (flaw, n) in &it.rejected {
            *self.rejected.entry(flaw.clone()).or_default() += n;
        }
    }

    fn line(&self, name: &str) -> String {
        let rejected: usize = self.rejected.values().sum();
        let of =
            |n: usize, all: usize| format!("{n} of {all} ({:.3})", n as f64 / all.max(1) as f64);
        let apart = self.rejected.get(NAME_OF_COMMIT).copied().unwrap_or_default();
        let flaws: Vec<String> =
            self.rejected.iter().map(|it| format!("{} {}", it.1, it.0)).collect();
        format!(
            "{name:<12} true, rejected {:<20} able to stand alone {:<20} invented, caught {:<20} lies, caught {:<20} {}",
            of(rejected, self.made),
            of(rejected - apart, self.made - apart),
            of(self.caught, self.invented),
            of(self.lies_caught, self.lies),
            flaws.join(", ")
        )
    }
}

/// A table, with up to `examples` wrong judgements of each language.
pub fn text(run: &Run<ForecastCounts>, examples: usize) -> String {
    let counts = &run.result;
    let mut all = FunctionCounts::default();
    counts.languages.values().for_each(|it| all.add(it));
    let mut res = format!("{}\n", run.left_out.first_line(all.made));
    let _ =
        writeln!(res, "{} repositories, {} languages", counts.repositories, counts.languages.len());
    for (name, it) in counts.languages.iter().map(|it| (*it.0, it.1)).chain([("all", &all)]) {
        let _ = writeln!(res, "{}", it.line(name));
    }
    for it in counts.languages.values().flat_map(|it| it.wrong.iter().take(examples)) {
        let _ = writeln!(res, "  {it}");
    }
    res
}
