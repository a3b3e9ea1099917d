//! Means and calibration, and their tables on a terminal.
#![expect(clippy::print_stdout, reason = "tables on stdout are what the commands are for")]

use serde::Serialize;

use super::outcome::{CONTEXTS, Outcome, Prediction};
use crate::measures::{Estimate, bootstrap, paired_difference, percentile};
use crate::runs::run::Run;

/// Means over some tasks; a task is the mean of its lines.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The common property of the tasks.
    pub(crate) name: String,
    pub(crate) lines: usize,
    /// Fraction of right lines, by [`CONTEXTS`].
    pub(crate) right: Vec<Estimate>,
    /// Difference to the file alone, by [`CONTEXTS`].
    pub(crate) gain: Vec<Estimate>,
    /// Bits per character of the hole with the file alone.
    pub(crate) bits: Estimate,
    /// Bits per character saved by the context.
    pub(crate) saved: Estimate,
}

/// Lines of similar confidence.
#[derive(Clone, Debug, Serialize)]
pub struct Bucket {
    pub(crate) from: f64,
    pub(crate) n: usize,
    pub(crate) confidence: f64,
    pub(crate) probability: f64,
    /// Fraction of right lines.
    pub(crate) right: f64,
}

/// The result of a run.
#[derive(Serialize)]
pub struct NextLines {
    /// All, code and tests, then each language.
    pub(crate) summaries: Vec<Summary>,
    /// The calibration of the confidence, by [`CONTEXTS`].
    pub(crate) buckets: Vec<Vec<Bucket>>,
    pub(crate) outcomes: Vec<Outcome>,
}

/// All, code and tests, then each language.
pub(super) fn summaries(outcomes: &[Outcome]) -> Vec<Summary> {
    let of = |name: &str, keep: &dyn Fn(&Outcome) -> bool| {
        summary(name, &outcomes.iter().filter(|it| keep(it)).collect::<Vec<_>>())
    };
    let mut res =
        vec![of("all", &|_| true), of("code", &|it| !it.is_test), of("tests", &|it| it.is_test)];
    let mut languages: Vec<&str> = outcomes.iter().map(|it| it.language.as_str()).collect();
    languages.sort_unstable();
    languages.dedup();
    res.extend(languages.into_iter().map(|name| of(name, &|it| it.language == name)));
    res.retain(|it| it.lines > 0);
    res
}

fn summary(name: &str, outcomes: &[&Outcome]) -> Summary {
    let share = |outcome: &Outcome, shown: usize| {
        let right = outcome.lines.iter().filter(|it| it.written[shown].is_right).count();
        right as f64 / outcome.lines.len() as f64
    };
    let asked: Vec<&&Outcome> = outcomes.iter().filter(|it| !it.lines.is_empty()).collect();
    let by_shown: Vec<Vec<f64>> = (0..contexts(outcomes.iter().copied()))
        .map(|shown| asked.iter().map(|it| share(it, shown)).collect())
        .collect();
    let bits = |which: usize| -> Vec<f64> {
        asked.iter().filter_map(|it| it.bits[which].per_character()).collect()
    };
    Summary {
        name: name.to_owned(),
        lines: asked.iter().map(|it| it.lines.len()).sum(),
        right: by_shown.iter().map(|it| bootstrap(it)).collect(),
        gain: by_shown.iter().map(|it| paired_difference(it, &by_shown[0])).collect(),
        bits: bootstrap(&bits(0)),
        saved: paired_difference(&bits(0), &bits(1)),
    }
}

/// Number of contexts that were measured.
fn contexts<'o>(outcomes: impl IntoIterator<Item = &'o Outcome>) -> usize {
    let lines = outcomes.into_iter().flat_map(|it| &it.lines);
    lines.map(|it| it.written.len()).next().unwrap_or(CONTEXTS.len())
}

/// The lower bounds of the buckets.
const FROM: [f64; 8] = [0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85];

/// Buckets by context and confidence.
pub(super) fn buckets(outcomes: &[Outcome]) -> Vec<Vec<Bucket>> {
    let of = |shown: usize| {
        let written: Vec<&Prediction> =
            outcomes.iter().flat_map(|it| &it.lines).map(|it| &it.written[shown]).collect();
        let bucket = |(idx, from): (usize, &f64)| {
            let to = FROM.get(idx + 1).copied().unwrap_or(f64::INFINITY);
            let inside = written.iter().filter(|it| *from <= it.confidence && it.confidence < to);
            let inside: Vec<&&Prediction> = inside.collect();
            let mean = |of: &dyn Fn(&Prediction) -> f64| {
                inside.iter().map(|it| of(it)).sum::<f64>() / inside.len().max(1) as f64
            };
            Bucket {
                from: *from,
                n: inside.len(),
                confidence: mean(&|it| it.confidence),
                probability: mean(&|it| it.probability),
                right: mean(&|it| f64::from(u8::from(it.is_right))),
            }
        };
        FROM.iter().enumerate().map(bucket).collect()
    };
    (0..contexts(outcomes)).map(of).collect()
}

/// The tables of a run.
pub fn print(run: &Run<NextLines>) {
    let made = &run.provenance;
    let left_out = &run.left_out;
    println!("{}", left_out.first_line(run.result.outcomes.len()));
    left_out.failed.iter().for_each(|it| println!("failed: {it}"));
    left_out.skipped_names().for_each(|it| println!("not there: {it}"));
    println!(
        "split {}, preset {}, commit {}, {}",
        run.split.name(),
        made.preset,
        made.commit,
        made.cpu
    );
    summary_tables(&run.result);
    calibration_tables(&run.result);
    println!();
    for (idx, name) in CONTEXTS.iter().enumerate().take(run.result.buckets.len()) {
        let lines = run.result.outcomes.iter().flat_map(|it| &it.lines);
        let times: Vec<f64> = lines.map(|it| it.written[idx].milliseconds).collect();
        let (p50, p95) = (percentile(&times, 0.5), percentile(&times, 0.95));
        println!("milliseconds, {name:<14} p50 {p50:.1}, p95 {p95:.1}");
    }
}

fn summary_tables(run: &NextLines) {
    println!("\nnext line exactly right");
    for it in &run.summaries {
        println!("{:<12} {:>5} lines", it.name, it.lines);
        for ((name, right), gain) in CONTEXTS.iter().zip(&it.right).zip(&it.gain) {
            println!(
                "    {name:<14} {:.3} [{:.3}, {:.3}]   {:+.3} [{:+.3}, {:+.3}]",
                right.mean, right.low, right.high, gain.mean, gain.low, gain.high
            );
        }
        let (bits, saved) = (&it.bits, &it.saved);
        println!(
            "    bits/char      {:.3}, {:.3} [{:.3}, {:.3}] fewer with the context",
            bits.mean, saved.mean, saved.low, saved.high
        );
    }
}

fn calibration_tables(run: &NextLines) {
    for (name, buckets) in CONTEXTS.iter().zip(&run.buckets) {
        println!(
            "\nconfidence, {name:<14} {:>6} {:>10} {:>11} {:>6}",
            "n", "says", "probability", "right"
        );
        for it in buckets.iter().filter(|it| it.n > 0) {
            println!(
                "    from {:.2} {:>22} {:>10.3} {:>11.3} {:>6.3}",
                it.from, it.n, it.confidence, it.probability, it.right
            );
        }
    }
}
