//! The table of a run: functions that count by repository, and pass@1 by context.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{FunctionResult, PassResult};
use crate::measures::bootstrap::{Estimate, over_groups};
use crate::runs::run::Run;

/// The table, in Markdown.
pub fn text(run: &Run<PassResult>) -> String {
    let functions = &run.result.functions;
    let series = series(functions);
    let mut res = format!("{}\n\n", run.left_out.first_line(functions.len()));
    let heads: String = series.iter().map(|it| format!(" {it} |")).collect();
    let _ = writeln!(res, "| repository | language | functions | count |{heads}");
    let _ = writeln!(res, "|---|---|---|---|{}", "---|".repeat(series.len()));
    let mut repositories: BTreeMap<&str, Vec<&FunctionResult>> = BTreeMap::new();
    for it in functions {
        repositories.entry(&it.repo).or_default().push(it);
    }
    for (name, all) in &repositories {
        let counted: Vec<&FunctionResult> = counted(all.iter().copied()).collect();
        let passed = |series: &String| {
            format!(" {} |", counted.iter().filter(|it| passed(it, series)).count())
        };
        let cells: String = series.iter().map(passed).collect();
        let language = all.first().map_or("", |it| it.language.as_str());
        let _ = writeln!(res, "| {name} | {language} | {} | {} |{cells}", all.len(), counted.len());
    }
    let n = counted(functions.iter()).count();
    let _ = writeln!(
        res,
        "\n{n} of {} functions count: their tests pass, and fail without them",
        functions.len()
    );
    for (why, n) in reasons(functions) {
        let _ = writeln!(res, "discarded: {n}, {why}");
    }
    res + &rates(functions, &series)
}

/// Pass@1 of each series, and the difference to the first, with intervals over repositories.
fn rates(functions: &[FunctionResult], series: &[String]) -> String {
    let mut res = String::new();
    let value = |it: &FunctionResult, name: &String| f64::from(u8::from(passed(it, name)));
    for name in series {
        let rate =
            over_groups(counted(functions.iter()).map(|it| (it.repo.as_str(), value(it, name))));
        let _ = write!(res, "pass@1 {name}: {}", interval(&rate));
        if let Some(first) = series.first().filter(|it| *it != name) {
            let difference = over_groups(
                counted(functions.iter())
                    .map(|it| (it.repo.as_str(), value(it, first) - value(it, name))),
            );
            let _ = write!(res, ", {first} higher by {}", interval(&difference));
        }
        res.push('\n');
    }
    res
}

fn interval(it: &Estimate) -> String {
    format!("{:.3} [{:.3}, {:.3}]", it.mean, it.low, it.high)
}

/// The contexts with their budgets, in the order of the attempts.
fn series(functions: &[FunctionResult]) -> Vec<String> {
    let first = functions.iter().find(|it| !it.attempts.is_empty());
    first.map_or_else(Vec::new, |it| it.attempts.iter().map(super::Attempt::series).collect())
}

fn counted<'f>(
    all: impl Iterator<Item = &'f FunctionResult>,
) -> impl Iterator<Item = &'f FunctionResult> {
    all.filter(|it| it.discarded.is_none())
}

fn passed(it: &FunctionResult, series: &String) -> bool {
    it.attempts.iter().any(|it| it.series() == *series && it.passed())
}

fn reasons(functions: &[FunctionResult]) -> BTreeMap<&'static str, usize> {
    let mut res = BTreeMap::new();
    for why in functions.iter().filter_map(|it| it.discarded) {
        *res.entry(why).or_default() += 1;
    }
    res
}
