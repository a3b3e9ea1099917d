//! Renders the table as text.

use std::fmt::Write as _;

use super::SpeculationTable;
use super::agents::AgentTotals;
use super::summary::{MEASURES, Row};
use crate::measures::Estimate;
use crate::runs::run::Run;

/// The table, with the omitted tasks.
pub fn text(run: &Run<SpeculationTable>) -> String {
    let mut res = String::new();
    let table = &run.result;
    let made = &run.provenance;
    let mut line = |text: String| {
        res.push_str(text.trim_end());
        res.push('\n');
    };
    line(run.left_out.first_line(table.tasks));
    run.left_out.failed.iter().for_each(|it| line(format!("failed: {it}")));
    line(format!("split {}, preset {}, commit {}", run.split.name(), made.preset, made.commit));
    let planned: Vec<String> =
        table.planned.iter().map(|it| format!("{} before {:.2}", it.0, it.1)).collect();
    line(format!("files with a plan, by commits {}", planned.join(", ")));
    let times = |it: [f64; 2]| format!("p50 {:.2} ms, p95 {:.2} ms", it[0], it[1]);
    line(format!("live retrieval   {}", times(table.latency.live)));
    line(format!("from the plan    {}", times(table.latency.plan)));
    line(agents(&table.agents));
    let mut budgets: Vec<Option<usize>> = table.rows.iter().map(|it| it.budget).collect();
    budgets.sort_unstable();
    budgets.dedup();
    for budget in budgets {
        let titles = MEASURES.map(|it| format!("{:<31}", it.0)).concat();
        let budget_name = budget.map_or_else(|| "own".to_owned(), |it| it.to_string());
        line(String::new());
        line(format!("{budget_name:>6} {:<32} {:>5} {:>6}  {titles}", "", "spent", "pieces"));
        table.rows.iter().filter(|it| it.budget == budget).for_each(|it| line(row(it)));
    }
    res
}

fn agents(it: &AgentTotals) -> String {
    let thrown: Vec<String> = it.thrown_out.iter().map(|it| format!("{} {}", it.1, it.0)).collect();
    let [requests, prompt, answer] = it.spent;
    format!(
        "agents           {}: {} files, {} blocks, {} forecasts; rejected {}; {} unreadable answers; {requests} requests, {prompt} + {answer} tokens",
        it.model,
        it.files,
        it.blocks,
        it.forecasts,
        thrown.join(", "),
        it.problems
    )
}

fn row(it: &Row) -> String {
    let mut res = format!("{:>6} {:<32} {:>5.0} {:>6.1} ", "", it.series, it.spent, it.pieces);
    for (mean, above) in it.means.iter().zip(&it.above_live) {
        let _ = write!(res, " {mean:.3} {}", signed(above));
    }
    res
}

fn signed(it: &Estimate) -> String {
    let star = if it.low > 0.0 || it.high < 0.0 { "*" } else { " " };
    format!("{:+.3}{star}[{:+.3}, {:+.3}]", it.mean, it.low, it.high)
}
