//! The tables of a run on a terminal.
#![expect(clippy::print_stdout, reason = "tables on stdout are what the commands are for")]

use std::collections::{BTreeMap, BTreeSet};

use foreword_engine::next::Config;

use super::baselines::METHODS;
use super::outcome::{JudgedEdit, JudgedPlace, NextEdits, Outcome};
use crate::measures::{Estimate, mean, over_groups, percentile};
use crate::runs::run::Run;

/// Decides whether a place is right.
type Right = fn(&JudgedPlace) -> bool;

/// Name, number of places, what is right.
const MEASURES: [(&str, usize, Right); 4] = [
    ("next@5", 5, |it| it.next),
    ("any@1", 1, JudgedPlace::any),
    ("any@5", 5, JudgedPlace::any),
    ("any@10", 10, JudgedPlace::any),
];

/// The tables of a run.
pub fn print(run: &Run<NextEdits>) {
    let outcomes = &run.result.outcomes;
    run.left_out.failed.iter().for_each(|it| println!("failed: {it}"));
    let repos: BTreeSet<&str> = outcomes.iter().map(|it| &*it.repo).collect();
    let commits: BTreeSet<&str> = outcomes.iter().map(|it| &*it.id).collect();
    let left: Vec<f64> = outcomes.iter().map(|it| it.left as f64).collect();
    println!(
        "{} states of {} commits in {} repositories, {:.1} steps left on average",
        outcomes.len(),
        commits.len(),
        repos.len(),
        mean(&left)
    );
    table("all states", outcomes);
    let far: Vec<Outcome> = outcomes.iter().filter(|it| it.is_far).cloned().collect();
    table("states whose next step is in another file", &far);
    told(outcomes);
    shown_or_quiet(outcomes, &run.result.finished);
    reliability(outcomes);
    reasons(outcomes);
    proposals(outcomes);
    let times: Vec<f64> = outcomes.iter().map(|it| it.milliseconds).collect();
    let (p50, p95) = (percentile(&times, 0.5), percentile(&times, 0.95));
    println!("\nmilliseconds p50 {p50:.1}, p95 {p95:.1}");
}

fn table(title: &str, outcomes: &[Outcome]) {
    println!("\n{title}: {}", outcomes.len());
    let names: Vec<String> = MEASURES.iter().map(|it| format!("{:<22}", it.0)).collect();
    println!("  {:<22}{}", "", names.join(""));
    for (at, method) in METHODS.iter().enumerate() {
        let cells = MEASURES.map(|(_, k, right)| interval(&recall(outcomes, at, k, right)));
        println!("  {method:<22}{}", cells.join(""));
    }
    for (at, method) in METHODS.iter().enumerate().skip(1) {
        let cells = MEASURES.map(|(_, k, right)| interval(&gain(outcomes, at, k, right)));
        println!("  over {method:<17}{}", cells.join(""));
    }
}

fn interval(it: &Estimate) -> String {
    format!("{:+.3} [{:+.3}, {:+.3}] ", it.mean, it.low, it.high)
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

fn share<'a, T: 'a>(all: impl Iterator<Item = &'a T>, is: impl Fn(&T) -> bool) -> (usize, f64) {
    let values: Vec<f64> = all.map(|it| f64::from(u8::from(is(it)))).collect();
    (values.len(), mean(&values))
}

/// What is told: places of at least some confidence, and certain ones.
fn told(outcomes: &[Outcome]) {
    println!(
        "\ntold from    places a state   right   states with one   share of later steps found"
    );
    let least = Config::measured().least;
    for (from, certain) in
        [(least, true), (least, false), (0.2, false), (0.5, false), (0.7, false), (2.0, true)]
    {
        let is_told = |it: &&JudgedPlace| it.confidence >= from || certain && it.is_certain;
        let all = outcomes.iter().flat_map(|it| &it.lists[0]).filter(is_told);
        let (n, right) = share(all, JudgedPlace::any);
        let (_, with) = share(outcomes.iter(), |it| it.lists[0].iter().any(|it| is_told(&it)));
        let found = |it: &Outcome| {
            let steps = it.lists[0].iter().filter(is_told).flat_map(|it| &it.steps);
            steps.collect::<BTreeSet<_>>().len() as f64 / it.left as f64
        };
        let found: Vec<f64> = outcomes.iter().map(found).collect();
        let name = match (from > 1.0, certain) {
            (true, _) => "certain".to_owned(),
            (_, true) => format!("{from:.2}, certain"),
            _ => format!("{from:.2}"),
        };
        let a_state = n as f64 / outcomes.len().max(1) as f64;
        println!("  {name:<14} {a_state:>8.2} {right:>11.3} {with:>17.3} {:>21.3}", mean(&found));
    }
}

/// Precision, recall and F1 of showing something: right where one of the shown places is, wrong after the last step.
fn shown_or_quiet(outcomes: &[Outcome], finished: &[Outcome]) {
    println!(
        "\nshown from     states   with a right place   finished states   precision   recall   F1"
    );
    for from in [Config::measured().least, 0.2] {
        let is_shown = |it: &&JudgedPlace| it.confidence >= from || it.is_certain;
        let n = |all: &[Outcome], is: fn(&JudgedPlace) -> bool| {
            let has = |it: &&Outcome| it.lists[0].iter().filter(is_shown).any(is);
            all.iter().filter(has).count()
        };
        let (early, right) = (n(outcomes, |_| true), n(outcomes, JudgedPlace::any));
        let late = n(finished, |_| true);
        let precision = right as f64 / (early + late).max(1) as f64;
        let recall = right as f64 / outcomes.len().max(1) as f64;
        let f1 = 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE);
        let finished = format!("{late} of {}", finished.len());
        println!(
            "  {from:.2}, certain  {early:>4} {right:>20} {finished:>17} {precision:>11.3} {recall:>8.3} {f1:.3}"
        );
    }
}

/// Confidence against the share of right places, and the expected calibration error over all listed places.
fn reliability(outcomes: &[Outcome]) {
    println!("\nconfidence    places   mean    right");
    let all: Vec<&JudgedPlace> = outcomes.iter().flat_map(|it| &it.lists[0]).collect();
    let mut error = 0.0;
    for bin in 0..10_u8 {
        let (from, to) = (f32::from(bin) / 10.0, f32::from(bin + 1) / 10.0);
        let here = all.iter().filter(|it| (from..to).contains(&it.confidence.min(0.9999)));
        let here: Vec<&JudgedPlace> = here.copied().collect();
        let said: Vec<f64> = here.iter().map(|it| f64::from(it.confidence)).collect();
        let (n, right) = share(here.iter().copied(), JudgedPlace::any);
        error += n as f64 / all.len().max(1) as f64 * (mean(&said) - right).abs();
        println!("  {from:.1} to {to:.1}  {n:>6}  {:.3}  {right:.3}", mean(&said));
    }
    println!("  expected calibration error {error:.3}");
}

/// Precision by the first reason of a place.
fn reasons(outcomes: &[Outcome]) {
    let mut by_code: BTreeMap<&str, Vec<&JudgedPlace>> = BTreeMap::new();
    for it in outcomes.iter().flat_map(|it| &it.lists[0]) {
        let code = it.codes.first().map_or("", String::as_str);
        by_code.entry(code).or_default().push(it);
    }
    println!("\nfirst reason   places   right   confidence   certain   of them right");
    for (code, places) in by_code {
        let said: Vec<f64> = places.iter().map(|it| f64::from(it.confidence)).collect();
        let (n, right) = share(places.iter().copied(), JudgedPlace::any);
        let certain = places.iter().copied().filter(|it| it.is_certain);
        let (n_certain, sure) = share(certain, JudgedPlace::any);
        println!(
            "  {code:<12} {n:>6} {right:>7.3} {:>10.3} {n_certain:>9} {sure:>9.3}",
            mean(&said)
        );
    }
}

/// Precision of proposed texts by kind.
fn proposals(outcomes: &[Outcome]) {
    let mut by_kind: BTreeMap<&str, Vec<&JudgedEdit>> = BTreeMap::new();
    for it in outcomes.iter().flat_map(|it| &it.proposed) {
        by_kind.entry(it.kind).or_default().push(it);
    }
    println!(
        "\nproposed text   edits   states   exactly right   lines that the commit changes   words kept   gain of chrF"
    );
    for (kind, edits) in by_kind {
        let (n, right) = share(edits.iter().copied(), |it| it.is_right);
        let (_, changed) = share(edits.iter().copied(), |it| it.is_changed);
        let has = |it: &&Outcome| it.proposed.iter().any(|it| it.kind == kind);
        let states = outcomes.iter().filter(has).count();
        let kept: Vec<f64> = edits.iter().filter_map(|it| it.kept).collect();
        let gain: Vec<f64> = edits.iter().map(|it| it.chrf_gain).collect();
        let (kept, gain) = (mean(&kept), mean(&gain));
        println!(
            "  {kind:<12} {n:>7} {states:>8} {right:>12.3} {changed:>20.3} {kept:>18.3} {gain:>+13.3}"
        );
    }
}
