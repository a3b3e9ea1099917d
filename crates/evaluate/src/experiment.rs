//! What a choice of the engine's is worth: one question a command, answered with a table and a plot over budgets.
//!
//! Every experiment asks the tasks of `context` in several ways, its series, and measures what each shows. One series
//! is the reference; the others are compared with it task by task.
//!
//! * [`stages`]: which stage limits? What the candidates of each stage would explain, in its order.
//! * [`lost`]: where is an identifier lost that is not shown?
//! * [`signals`]: what is each signal worth? All, all but one, one alone.
//! * [`granularity`]: what should a chunk be? Files, cAST, definitions, methods, lines, in several sizes.
//! * [`scope`]: how much of the cursor's own file should be shown?
//! * [`order`]: does the place of a piece matter when the prompt is cut?

pub mod granularity;
pub mod lost;
pub mod order;
mod plot;
pub mod scope;
pub mod signals;
pub mod stages;

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use foreword_engine::preset::Preset;
use rayon::prelude::*;
use serde::Serialize;

use crate::context::ask::{AskedOf, Asking, each, laid_over};
use crate::context::{Chosen, Selection, choose};
use crate::coverage::Measured;
use crate::metrics::{Estimate, bootstrap, mean, paired_difference};
use crate::print::first_line;
use crate::provenance::Provenance;
use crate::split::Split;
use crate::task::Task;
use crate::writer::WrittenBy;

pub use plot::plot;

/// What one series shows in one task within one budget.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Which series.
    pub series: String,
    /// Tokens for pieces; `None`: no limit.
    pub budget: Option<usize>,
    /// How much of the hole that explains.
    pub measured: Measured,
}

/// One series at one budget.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// Tokens for pieces; `null`: no limit.
    pub budget: Option<usize>,
    /// Mean tokens spent.
    pub spent: f64,
    /// Mean number of pieces.
    pub pieces: f64,
    /// Identifier coverage.
    pub identifiers: Estimate,
    /// Token coverage.
    pub tokens: Estimate,
    /// Line coverage.
    pub lines: Estimate,
    /// Bits a token that the pieces save.
    pub saved: Estimate,
    /// chrF, exact match and edit similarity of what a model wrote beside them, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<Written>,
    /// How much higher its identifier coverage is than that of the reference with the same budget, task by task.
    pub above_reference: Option<Estimate>,
}

/// How near a model came.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Written {
    /// chrF.
    pub chrf: Estimate,
    /// Exact match.
    pub exact: Estimate,
    /// Edit similarity.
    pub similarity: Estimate,
    /// How much higher chrF is than that of the reference with the same budget, task by task.
    pub above_reference: Option<Estimate>,
}

/// One way of answering.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// What it is.
    pub name: String,
    /// By budget.
    pub points: Vec<Point>,
}

/// The series over some tasks.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// `code` or `tests`.
    pub name: &'static str,
    /// How many tasks.
    pub n: usize,
    /// In the order of the experiment.
    pub series: Vec<Series>,
}

/// The answer to a question.
#[derive(Debug, Serialize)]
pub struct Table {
    /// The experiment's name.
    pub experiment: &'static str,
    /// The series that the others are compared with.
    pub reference: &'static str,
    /// Whose context, where that is asked.
    pub of: Option<&'static str>,
    /// What it was made with.
    pub provenance: Provenance,
    /// Which part of the repositories.
    pub split: Split,
    /// The model that completed, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_by: Option<WrittenBy>,
    /// Rows that were no tasks, and unknown fields.
    pub notice: Option<String>,
    /// Tasks whose code is not part of their set.
    pub without_code: usize,
    /// Repositories that were not there.
    pub skipped: Vec<String>,
    /// Tasks that could not be asked, and why.
    pub failed: Vec<String>,
    /// Code, then tests.
    pub groups: Vec<Group>,
}

/// What is asked: a name, the reference, and how a task is asked.
pub(crate) struct Question<F> {
    pub(crate) name: &'static str,
    pub(crate) reference: &'static str,
    pub(crate) ask: F,
}

/// Whether a task is in a test, and what was observed.
pub(crate) type Asked = (bool, Vec<Observation>);

/// Asks all selected tasks.
pub(crate) fn run<F>(
    selection: &Selection,
    preset: &Preset,
    question: &Question<F>,
) -> Result<Table>
where
    F: Fn(&AskedOf<'_>, &Task) -> Result<Vec<Observation>> + Sync,
{
    let Chosen { data, notice, without_code, present, absent } = choose(selection)?;
    let one =
        |code: &AskedOf<'_>, task: &Task| Ok((task.meta.is_test_file, (question.ask)(code, task)?));
    let asked: Vec<Vec<Result<Asked, String>>> =
        present.into_par_iter().map(|tasks| each(selection, &tasks, one)).collect();
    let asked = asked.into_iter().flatten().collect();
    let over = Over { data, notice, without_code, absent };
    tabulate(question.name, question.reference, selection, preset, over, asked)
}

/// Asks all selected tasks at their cursors, with the candidates of one preset.
pub(crate) fn at_cursors<F>(
    selection: &Selection,
    preset: &Preset,
    question: &Question<F>,
) -> Result<Table>
where
    F: Fn(&Asking<'_>, &Task) -> Result<Vec<Observation>> + Sync,
{
    let ask = |code: &AskedOf<'_>, task: &Task| {
        laid_over(selection.protocol, code, task, |situation, cursor| {
            (question.ask)(&Asking::new(situation, cursor, preset), task)
        })
    };
    run(selection, preset, &Question { name: question.name, reference: question.reference, ask })
}

/// What was asked, and what of it was left out.
pub(crate) struct Over {
    /// Which tasks.
    pub(crate) data: String,
    /// Rows that were no tasks, and unknown fields.
    pub(crate) notice: Option<String>,
    /// Tasks whose code is not part of their set.
    pub(crate) without_code: usize,
    /// Repositories that were not there.
    pub(crate) absent: Vec<String>,
}

/// Puts what was observed into a table.
pub(crate) fn tabulate(
    experiment: &'static str,
    reference: &'static str,
    selection: &Selection,
    preset: &Preset,
    over: Over,
    asked: Vec<Result<Asked, String>>,
) -> Result<Table> {
    let (mut code, mut tests, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for it in asked {
        match it {
            Ok((false, observations)) => code.push(observations),
            Ok((true, observations)) => tests.push(observations),
            Err(why) => failed.push(why),
        }
    }
    ensure!(
        !(code.is_empty() && tests.is_empty()),
        "no task could be asked: {}",
        failed.join("; ")
    );
    let group = |name, tasks: &[Vec<Observation>]| Group {
        name,
        n: tasks.len(),
        series: series(tasks, reference),
    };
    let mut groups = vec![group("code", &code), group("tests", &tests)];
    groups.retain(|it| it.n > 0);
    Ok(Table {
        experiment,
        reference,
        of: None,
        provenance: Provenance::new(preset).over(&over.data),
        split: selection.split,
        written_by: selection.writer.as_ref().map(|it| it.written_by()),
        notice: over.notice,
        without_code: over.without_code,
        skipped: over.absent,
        failed,
        groups,
    })
}

/// What all tasks say of each series; every task has the same series and budgets in the same order.
fn series(tasks: &[Vec<Observation>], reference: &str) -> Vec<Series> {
    let Some(first) = tasks.first() else { return Vec::new() };
    let place = |series: &str, budget| {
        first.iter().position(|it| it.series == series && it.budget == budget)
    };
    let mut res: Vec<Series> = Vec::new();
    for (idx, it) in first.iter().enumerate() {
        let of_reference = place(reference, it.budget).filter(|_| it.series != reference);
        let point = point(tasks, idx, of_reference);
        match res.iter_mut().find(|known| known.name == it.series) {
            Some(known) => known.points.push(point),
            None => res.push(Series { name: it.series.clone(), points: vec![point] }),
        }
    }
    res
}

fn point(tasks: &[Vec<Observation>], idx: usize, reference: Option<usize>) -> Point {
    let values = |idx: usize, value: fn(&Measured) -> Option<f64>| -> Vec<f64> {
        tasks.iter().filter_map(|it| value(&it[idx].measured)).collect()
    };
    let identifiers = values(idx, |it| it.identifiers);
    let above = |other: usize| paired_difference(&identifiers, &values(other, |it| it.identifiers));
    let chrf = values(idx, |it| it.chrf);
    let written = (!chrf.is_empty()).then(|| Written {
        chrf: bootstrap(&chrf),
        exact: bootstrap(&values(idx, |it| it.exact)),
        similarity: bootstrap(&values(idx, |it| it.similarity)),
        above_reference: reference
            .map(|other| paired_difference(&chrf, &values(other, |it| it.chrf))),
    });
    Point {
        budget: tasks[0][idx].budget,
        spent: mean(&values(idx, |it| Some(it.spent as f64))),
        pieces: mean(&values(idx, |it| Some(it.pieces as f64))),
        tokens: bootstrap(&values(idx, |it| it.tokens)),
        lines: bootstrap(&values(idx, |it| it.lines)),
        saved: bootstrap(&values(idx, |it| it.saved)),
        written,
        above_reference: reference.map(above),
        identifiers: bootstrap(&identifiers),
    }
}

/// The titles of a table's columns.
const HEADER: &str = "                          budget   spent pieces  identifiers           above the reference     tokens   lines   saved\n";

/// The table as text.
pub fn text(table: &Table) -> String {
    let n: usize = table.groups.iter().map(|it| it.n).sum();
    let left_out = [
        (table.failed.len(), "failed"),
        (table.without_code, "without code"),
        (table.skipped.len(), "repositories not there"),
    ];
    let mut res = first_line(n, table.notice.as_deref(), &left_out) + "\n";
    let of = table.of.map_or_else(String::new, |it| format!(" ({it})"));
    let (split, preset) = (table.split.name(), &table.provenance.preset);
    res += &format!("{}{of}; split {split}, preset {preset}\n", table.experiment);
    if let Some(WrittenBy { model, format, .. }) = &table.written_by {
        res += &format!("completed by {model}, format {format}\n");
    }
    table.failed.iter().for_each(|it| res.push_str(&format!("failed: {it}\n")));
    table.skipped.iter().for_each(|it| res.push_str(&format!("not there: {it}\n")));
    for group in &table.groups {
        res.push_str(&format!("\n{} ({} tasks)\n", group.name, group.n));
        res.push_str(HEADER);
        for (series, it) in
            group.series.iter().flat_map(|it| it.points.iter().map(move |p| (it, p)))
        {
            res.push_str(&row(&series.name, it));
        }
    }
    res
}

fn row(name: &str, it: &Point) -> String {
    let budget = it.budget.map_or_else(|| "all".to_owned(), |it| it.to_string());
    let Estimate { mean, low, high, .. } = it.identifiers;
    let above = it.above_reference.map_or_else(String::new, |it| {
        format!("{:+.3} [{:+.3}, {:+.3}]", it.mean, it.low, it.high)
    });
    let mut res = format!(
        "{name:<24} {budget:>7} {:>7.0} {:>6.1}  {mean:.3} [{low:.3}, {high:.3}]  {above:<22} {:>7.3} {:>7.3} {:>7.3}",
        it.spent, it.pieces, it.tokens.mean, it.lines.mean, it.saved.mean
    );
    if let Some(Written { chrf, exact, similarity, above_reference }) = &it.written {
        let (chrf, em, es) = (chrf.mean, exact.mean, similarity.mean);
        res += &format!("   chrF {chrf:.3} exact {em:.3} similarity {es:.3}");
        let above = above_reference
            .map(|it| format!(", chrF {:+.3} [{:+.3}, {:+.3}]", it.mean, it.low, it.high));
        res += &above.unwrap_or_default();
    }
    res + "\n"
}

/// The measures of one series at each budget.
pub(crate) fn observe(
    series: &str,
    budgets: &[Option<usize>],
    measure: impl Fn(Option<usize>) -> Measured,
) -> Vec<Observation> {
    let one = |budget: &Option<usize>| Observation {
        series: series.to_owned(),
        budget: *budget,
        measured: measure(*budget),
    };
    budgets.iter().map(one).collect()
}

/// Budgets by number, for a plot.
pub(crate) fn by_budget(points: &[Point]) -> BTreeMap<usize, &Point> {
    points.iter().filter_map(|it| Some((it.budget?, it))).collect()
}

#[cfg(test)]
mod tests;
