//! The table that decides about a change: differences by kind of hole, in two halves of the repositories.
//!
//! A repository belongs to half A or B by a hash of its name. What is chosen on one half is kept if it holds on the
//! other. Each repository counts once, whatever its number of tasks, and intervals are over repositories.

use std::fmt::Write as _;

use super::outcome::{Answer, HoleKind, Outcome};
use super::summary::{MEASURES, Measure};
use crate::baselines::Baseline;
use crate::measures::{Estimate, over_groups};
use crate::runs::completion::Method;

/// The kinds of holes in the order of the page.
const TITLES: [(HoleKind, &str); 4] = [
    (HoleKind::Block, "Blocks of commits"),
    (HoleKind::Session, "Edit sessions"),
    (HoleKind::Removed, "Removed functions"),
    (HoleKind::Test, "Tests"),
];

/// The measures of the table: identifiers, words, lines, new lines, bits.
fn measures() -> impl Iterator<Item = Measure> {
    MEASURES.into_iter().filter(|it| WITHOUT_MODEL.contains(&it.0))
}

const WITHOUT_MODEL: [&str; 5] = ["identifiers", "tokens", "lines", "new lines", "saved"];

/// The half of a repository.
fn half(repo: &str) -> char {
    let hash = blake3::hash(repo.to_lowercase().as_bytes());
    let is_even = hash.as_bytes()[0].is_multiple_of(2);
    if is_even { 'A' } else { 'B' }
}

/// Renders the table as Markdown: for each kind of hole the engine's identifiers/words/lines/new lines/bits and, for each other
/// method, the difference to it: the engine's lead over a baseline, a variant's lead over the engine. `*`: the 95 %
/// interval over repositories does not hold 0; with a single repository there is none.
pub fn halves(outcomes: &[Outcome]) -> String {
    let mut res = String::new();
    for (kind, title) in TITLES {
        let tasks: Vec<&Outcome> = outcomes.iter().filter(|it| it.kind == kind).collect();
        if !tasks.is_empty() {
            table(&mut res, title, &tasks);
        }
    }
    res
}

fn table(res: &mut String, title: &str, tasks: &[&Outcome]) {
    let answers = &tasks[0].answers;
    let methods: Vec<&str> = names(answers);
    let others: Vec<String> = methods.iter().skip(1).map(|it| heading(it)).collect();
    let _ = writeln!(
        res,
        "\n**{title}**: {} holes of {} repositories\n",
        tasks.len(),
        repositories(tasks)
    );
    let _ = writeln!(res, "| tokens | half | {} | {} |", Method::Engine.name(), others.join(" | "));
    let _ = writeln!(res, "|---|---|---|{}", "---|".repeat(others.len()));
    let engines = answers.iter().filter(|it| it.method == methods[0]);
    for budget in engines.map(|it| it.budget) {
        for part in ["A", "B", "all"] {
            let of_part = |it: &&&Outcome| part == "all" || part.starts_with(half(&it.repo));
            let tasks: Vec<&Outcome> = tasks.iter().filter(of_part).copied().collect();
            let cells: Vec<String> = methods.iter().map(|it| cell(&tasks, it, budget)).collect();
            let tokens = budget.map_or_else(|| "own".to_owned(), |it| it.to_string());
            let _ = writeln!(res, "| {tokens} | {part} | {} |", cells.join(" | "));
        }
    }
}

/// Names of the methods in order; the engine is first.
fn names(answers: &[Answer]) -> Vec<&str> {
    let mut res: Vec<&str> = answers.iter().map(|it| it.method.as_str()).collect();
    res.dedup();
    res
}

fn is_baseline(method: &str) -> bool {
    Baseline::ALL.iter().any(|it| it.name() == method)
}

fn heading(method: &str) -> String {
    let sign = if is_baseline(method) { "above" } else { "with" };
    format!("{sign} {method}")
}

fn repositories(tasks: &[&Outcome]) -> usize {
    let names: std::collections::BTreeSet<&str> = tasks.iter().map(|it| it.repo.as_str()).collect();
    names.len()
}

/// The engine's values, or the differences to another method.
fn cell(tasks: &[&Outcome], method: &str, budget: Option<usize>) -> String {
    let is_engine = method == Method::Engine.name();
    let values = measures().map(|measure| {
        let decimals = if measure.0 == "saved" { 2 } else { 3 };
        let of = |it: &Outcome| match is_engine {
            true => value(it, method, budget, measure),
            false => lead(it, method, budget, measure),
        };
        let values = tasks.iter().filter_map(|it| Some((it.repo.as_str(), of(it)?)));
        let estimate = over_groups(values);
        match is_engine {
            true => without_zero(&format!("{:.decimals$}", estimate.mean)),
            false => signed(&estimate, decimals),
        }
    });
    values.collect::<Vec<String>>().join("/")
}

/// The value of a method's prompt.
fn value(of: &Outcome, method: &str, budget: Option<usize>, measure: Measure) -> Option<f64> {
    let is_it = |it: &&Answer| it.method == method && it.budget == budget;
    of.answers.iter().find(is_it).and_then(|it| (measure.1)(&it.coverage))
}

/// The engine's lead over a baseline, or a variant's over the engine.
fn lead(of: &Outcome, method: &str, budget: Option<usize>, measure: Measure) -> Option<f64> {
    let theirs = value(of, method, budget, measure)?;
    let ours = value(of, Method::Engine.name(), budget, measure)?;
    Some(if is_baseline(method) { ours - theirs } else { theirs - ours })
}

fn signed(it: &Estimate, decimals: usize) -> String {
    let holds_zero = it.n < 2 || (it.low <= 0.0 && it.high >= 0.0);
    let mark = if holds_zero { "" } else { "*" };
    without_zero(&format!("{:+.decimals$}{mark}", it.mean))
}

/// `0.12` as `.12`.
fn without_zero(number: &str) -> String {
    number.replacen("0.", ".", usize::from(number.trim_start_matches(['+', '-']).starts_with("0.")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::coverage::Coverage;

    fn outcome(repo: &str, ours: f64, theirs: f64) -> Outcome {
        let answer = |method: &str, identifiers: f64| Answer {
            method: method.to_owned(),
            budget: Some(1000),
            coverage: Coverage { identifiers: Some(identifiers), ..Coverage::default() },
            shown: Vec::new(),
            covered: Vec::new(),
            written: None,
        };
        Outcome {
            id: repo.to_owned(),
            repo: repo.to_owned(),
            language: "go".to_owned(),
            is_test: false,
            kind: HoleKind::Block,
            has_session: false,
            milliseconds: 0.0,
            window: 0,
            known: None,
            targets: 1,
            answers: vec![answer("foreword", ours), answer("bm25-cast", theirs)],
        }
    }

    #[test]
    fn a_repository_counts_once_and_one_alone_has_no_interval() {
        let tasks = [
            outcome("a/one", 0.5, 0.1),
            outcome("a/one", 0.7, 0.1),
            outcome("a/two", 0.2, 0.1),
            outcome("a/three", 0.2, 0.1),
        ];
        let page = halves(&tasks);
        assert!(page.contains("4 holes of 3 repositories"), "{page}");
        let all = page.lines().find(|it| it.starts_with("| 1000 | all |")).unwrap();
        assert!(all.contains("| .333/") && all.contains("| +.233*/"), "{page}");
        let alone = halves(&tasks[..2]);
        assert!(alone.contains("| +.500/") && !alone.contains("*/"), "{alone}");
    }

    #[test]
    fn a_half_is_stable_and_ignores_case() {
        assert_eq!(half("Pallets/Flask"), half("pallets/flask"));
        let names: Vec<String> = (0..100).map(|it| format!("o/n{it}")).collect();
        let n_of_a = names.iter().filter(|it| half(it) == 'A').count();
        assert!((30..70).contains(&n_of_a), "{n_of_a}");
    }
}
