//! Prints a comparison on a terminal.
#![expect(clippy::print_stdout, reason = "tables on stdout are what the command is for")]

use super::halves::halves;
use super::result::Comparison;
use super::summary::{MethodRow, Summary};
use crate::baselines::Baseline;
use crate::measures::Estimate;
use crate::runs::completion::SessionUse;
use crate::runs::model_client::ModelInfo;
use crate::runs::run::Run;

/// The tables to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// By kind of hole, in two halves of the repositories.
    Halves,
    /// Code, tests, each language and each repository.
    Groups,
}

/// Prints omissions, then the tables.
pub fn print(run: &Run<Comparison>, tables: Tables) {
    let (left_out, result) = (&run.left_out, &run.result);
    println!("{}", left_out.first_line(result.outcomes.len()));
    left_out.skipped_names().for_each(|it| println!("not available, omitted: {it}"));
    left_out.failed.iter().for_each(|why| println!("failed: {why}"));
    let made = &run.provenance;
    println!("split {}, preset {}, commit {}", run.split.name(), made.preset, made.commit);
    println!("{} cores, {}", made.cores, made.cpu);
    if let Some(ModelInfo { model, format, max_tokens, asked, known }) = &result.written_by {
        println!("completed by {model}, format {format}, at most {max_tokens} tokens each");
        println!("{asked} requests, {known} answers from the cache");
    }
    match result.session {
        SessionUse::Untold => println!("no method knows the edits of earlier commits"),
        SessionUse::Saved => {
            println!("the engine knows only the difference to the commit");
        }
        SessionUse::Told if result.without_session > 0 => println!(
            "{} tasks have no history; these baselines depend on one: {}",
            result.without_session,
            in_need().join(", ")
        ),
        SessionUse::Told => {}
    }
    match tables {
        Tables::Halves => print!("{}", halves(&result.outcomes)),
        Tables::Groups => result.summaries.iter().for_each(summary),
    }
    println!("\nlatency p50 {:.1} ms, p95 {:.1} ms", result.p50, result.p95);
}

/// The baselines that need a history.
fn in_need() -> Vec<&'static str> {
    Baseline::ALL.into_iter().filter(|it| it.needs_session()).map(Baseline::name).collect()
}

fn summary(it: &Summary) {
    let Summary { name, n, known, rows } = it;
    println!("\n{name} ({n} tasks; the repository has {known:.3} of the identifiers)");
    let measures = rows.first().map_or(&[][..], |it| &it.compared);
    let titles: Vec<String> =
        measures.iter().map(|it| format!("{:<21} {:<23}", it.measure, "ours higher by")).collect();
    println!("{:>6} {:<19} {:>6} {:>6}  {}", "budget", "", "spent", "pieces", titles.join(" "));
    let mut budgets: Vec<Option<usize>> = rows.iter().map(|it| it.budget).collect();
    budgets.sort_unstable();
    budgets.dedup();
    for budget in budgets {
        rows.iter().filter(|it| it.budget == budget).for_each(row);
    }
}

fn row(it: &MethodRow) {
    let budget = it.budget.map_or_else(|| "own".to_owned(), |it| it.to_string());
    let cells: Vec<String> = it
        .compared
        .iter()
        .map(|it| format!("{} {}", interval(&it.estimate), signed(&it.ours_higher_by)))
        .collect();
    let MethodRow { method, spent, pieces, .. } = it;
    println!("{budget:>6} {method:<19} {spent:>6.0} {pieces:>6.1}  {}", cells.join(" "));
}

fn interval(it: &Estimate) -> String {
    format!("{:.3} [{:.3}, {:.3}]  ", it.mean, it.low, it.high)
}

fn signed(it: &Estimate) -> String {
    format!("{:+.3} [{:+.3}, {:+.3}]", it.mean, it.low, it.high)
}
