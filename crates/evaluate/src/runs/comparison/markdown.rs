//! Renders a comparison as Markdown. Equal tasks and settings give equal bytes: the page omits machine, time and
//! commit.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::result::Comparison;
use super::summary::{MeasureComparison, MethodRow, Summary};
use crate::measures::Estimate;
use crate::runs::run::Run;
use crate::tasks::split::short_name;

/// The page: omissions, provenance, and a table for code, tests and each of several languages.
pub fn markdown(run: &Run<Comparison>, title: &str) -> String {
    let Comparison { outcomes, summaries, .. } = &run.result;
    let mut res = format!("# {title}\n\n");
    let _ = writeln!(
        res,
        "{}. Split {}, data `{}`, preset `{}`, seed {}.",
        run.left_out.first_line(outcomes.len()),
        run.split.name(),
        run.provenance.data,
        run.provenance.preset,
        run.provenance.seed
    );
    let is_repository =
        |it: &Summary| outcomes.iter().any(|outcome| short_name(&outcome.repo) == it.name);
    let languages: BTreeSet<&str> = outcomes.iter().map(|it| it.language.as_str()).collect();
    let is_all = |it: &Summary| languages.len() == 1 && languages.contains(it.name.as_str());
    for it in summaries.iter().filter(|it| !is_repository(it) && !is_all(it)) {
        table(&mut res, it);
    }
    res
}

fn table(res: &mut String, it: &Summary) {
    let Summary { name, n, known, rows } = it;
    let _ = writeln!(
        res,
        "\n## {name} ({n} tasks; the repository has {known:.3} of the identifiers)\n"
    );
    let titles: Vec<String> = rows
        .first()
        .map_or_else(Vec::new, measures)
        .iter()
        .map(|it| format!("{} | ours higher by", it.measure))
        .collect();
    let _ = writeln!(res, "| budget | method | {} |", titles.join(" | "));
    let _ = writeln!(res, "|---|---|{}", "---|---|".repeat(titles.len()));
    let mut rows: Vec<&MethodRow> = rows.iter().collect();
    rows.sort_by_key(|it| it.budget);
    for it in rows {
        let budget = it.budget.map_or_else(|| "own".to_owned(), |it| it.to_string());
        let cells: Vec<String> = measures(it).into_iter().map(cells).collect();
        let _ = writeln!(res, "| {budget} | {} | {} |", it.method, cells.join(" | "));
    }
}

/// All measures but the gold hits, whose locations come from a heuristic.
fn measures(row: &MethodRow) -> Vec<&MeasureComparison> {
    row.compared.iter().filter(|it| it.measure != "gold").collect()
}

fn cells(it: &MeasureComparison) -> String {
    let Estimate { mean, low, high, .. } = it.estimate;
    let higher = it.ours_higher_by;
    format!(
        "{mean:.3} [{low:.3}, {high:.3}] | {:+.3} [{:+.3}, {:+.3}]",
        higher.mean, higher.low, higher.high
    )
}
