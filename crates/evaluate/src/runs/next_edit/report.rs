//! The tables of a run on a terminal.
#![expect(clippy::print_stdout, reason = "tables on stdout are what the commands are for")]

use std::collections::BTreeMap;

use super::baselines::METHODS;
use super::outcome::{JudgedPlace, NextEdits, Outcome};
use crate::measures::{Estimate, mean, over_groups, percentile};
use crate::runs::run::Run;

/// Decides whether a place is right.
type Right = fn(&JudgedPlace) -> bool;

const MEASURES: [(&str, Right); 4] = [
    ("next place", |it| it.next),
    ("any later place", |it| it.any),
    ("next file", |it| it.next_file),
    ("any later file", |it| it.any_file),
];

/// The tables of a run.
pub fn print(run: &Run<NextEdits>) {
    let outcomes = &run.result.outcomes;
    println!("{}", run.left_out.first_line(outcomes.len()));
    run.left_out.failed.iter().for_each(|it| println!("failed: {it}"));
    let steps: Vec<f64> = outcomes.iter().map(|it| it.left as f64).collect();
    println!("{} states, {:.1} hunks left on average", outcomes.len(), mean(&steps));
    tables("all states", outcomes);
    let far: Vec<Outcome> = outcomes.iter().filter(|it| it.is_far).cloned().collect();
    tables("states whose next hunk is far from the last edit", &far);
    precision(outcomes);
    reasons(outcomes);
    let times: Vec<f64> = outcomes.iter().map(|it| it.milliseconds).collect();
    let (p50, p95) = (percentile(&times, 0.5), percentile(&times, 0.95));
    println!("\nmilliseconds p50 {p50:.1}, p95 {p95:.1}");
}

fn tables(title: &str, outcomes: &[Outcome]) {
    println!("\n{title}: {}", outcomes.len());
    for (name, right) in MEASURES {
        println!("\n{name:<18} recall@1             @5                   @10");
        for (at, method) in METHODS.iter().enumerate() {
            let cells = [1, 5, 10].map(|k| interval(&recall(outcomes, at, k, right)));
            println!("  {method:<16} {}", cells.join("  "));
        }
        for (at, method) in METHODS.iter().enumerate().skip(1) {
            let cells = [1, 5, 10].map(|k| interval(&gain(outcomes, at, k, right)));
            println!("  over {method:<16} {}", cells.join("  "));
        }
    }
}

fn interval(it: &Estimate) -> String {
    format!("{:+.3} [{:+.3}, {:+.3}]", it.mean, it.low, it.high)
}

fn is_found(outcome: &Outcome, method: usize, k: usize, right: Right) -> f64 {
    f64::from(u8::from(outcome.lists[method].iter().take(k).any(right)))
}

/// Fraction of states with a right place among the first `k`, by repository.
fn recall(outcomes: &[Outcome], method: usize, k: usize, right: Right) -> Estimate {
    over_groups(outcomes.iter().map(|it| (&*it.repo, is_found(it, method, k, right))))
}

fn gain(outcomes: &[Outcome], method: usize, k: usize, right: Right) -> Estimate {
    let gain = |it: &Outcome| is_found(it, 0, k, right) - is_found(it, method, k, right);
    over_groups(outcomes.iter().map(|it| (&*it.repo, gain(it))))
}

/// Number and precision of the places above each confidence.
fn precision(outcomes: &[Outcome]) {
    println!("\nconfidence from   places a state   right (any later)   next   states with one");
    for from in [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7] {
        let of = |it: &Outcome| -> Vec<JudgedPlace> {
            it.lists[0].iter().filter(|it| it.confidence >= from).cloned().collect()
        };
        let lists: Vec<Vec<JudgedPlace>> = outcomes.iter().map(of).collect();
        let all: Vec<&JudgedPlace> = lists.iter().flatten().collect();
        let share = |right: Right| {
            all.iter().filter(|it| right(it)).count() as f64 / all.len().max(1) as f64
        };
        let told = lists.iter().filter(|it| !it.is_empty()).count() as f64;
        println!(
            "  {from:<14} {:>8.2} {:>19.3} {:>14.3} {:>12.3}",
            all.len() as f64 / outcomes.len().max(1) as f64,
            share(|it| it.any),
            share(|it| it.next),
            told / outcomes.len().max(1) as f64
        );
    }
}

/// Precision by the first reason of a place.
fn reasons(outcomes: &[Outcome]) {
    let mut by_code: BTreeMap<&str, Vec<&JudgedPlace>> = BTreeMap::new();
    for it in outcomes.iter().flat_map(|it| &it.lists[0]) {
        let code = it.codes.first().map_or("", String::as_str);
        by_code.entry(code).or_default().push(it);
    }
    println!("\nfirst reason   places   right   confidence");
    for (code, places) in by_code {
        let right: Vec<f64> = places.iter().map(|it| f64::from(u8::from(it.any))).collect();
        let said: Vec<f64> = places.iter().map(|it| f64::from(it.confidence)).collect();
        println!("  {code:<12} {:>6} {:>7.3} {:>10.3}", places.len(), mean(&right), mean(&said));
    }
}
