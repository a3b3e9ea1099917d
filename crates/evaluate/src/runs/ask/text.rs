//! The tables of a run.

use std::collections::BTreeMap;

use super::outcome::{AskOutcome, FoundShare, STAGES};
use super::{AbsentOutcome, AskResults};
use crate::measures::{Estimate, Overlap, mean, over_groups, percentile};
use crate::runs::run::Run;

/// The tables of answerable questions. Means are over the repositories' means, with their intervals.
pub fn text(run: &Run<AskResults>) -> String {
    let outcomes = &run.result.outcomes;
    let mut res = run.left_out.first_line(outcomes.len()) + "\n";
    let made = &run.provenance;
    res += &format!(
        "split {}, preset {}, commit {}, data {}\n",
        run.split.name(),
        made.preset,
        made.commit,
        made.data
    );
    run.left_out.failed.iter().take(5).for_each(|it| res += &format!("failed: {it}\n"));
    let stage = |n: usize| move |it: &AskOutcome| Some(it.stages[n].found);
    res += "\nfiles              precision             recall                F1\n";
    for (n, name) in STAGES.into_iter().enumerate() {
        res += &row(name, outcomes, &stage(n), |it| Some(it.files));
    }
    res += "\nlines\n";
    for (n, name) in STAGES.into_iter().enumerate() {
        res += &row(name, outcomes, &stage(n), |it| it.lines);
    }
    res += "\nretrievers, each by itself: files\n";
    for name in retrievers(outcomes) {
        let of = |it: &AskOutcome| it.retrievers.iter().find(|it| it.0 == name).map(|it| it.1);
        let n = outcomes.iter().filter(|it| of(it).is_some()).count();
        res += &row(&format!("{name} ({n})"), outcomes, &of, |it| Some(it.files));
    }
    res += &ablations(run);
    res += &with_model(outcomes);
    res + &summary(outcomes)
}

/// A row: precision, recall and F1 with intervals by repository.
fn row(
    name: &str,
    outcomes: &[AskOutcome],
    found: &dyn Fn(&AskOutcome) -> Option<FoundShare>,
    part: fn(FoundShare) -> Option<Overlap>,
) -> String {
    let values: Vec<(&str, Overlap)> = outcomes
        .iter()
        .filter_map(|it| Some((it.repo.as_str(), found(it).and_then(part)?)))
        .collect();
    let of = |value: fn(&Overlap) -> f64| {
        interval(over_groups(values.iter().map(|it| (it.0, value(&it.1)))))
    };
    format!("{name:<18} {} {} {}\n", of(|it| it.precision), of(|it| it.recall), of(|it| it.f1))
}

fn interval(it: Estimate) -> String {
    let Estimate { mean, low, high, .. } = it;
    format!("{:<21}", format!("{mean:.3} [{low:.3}, {high:.3}]"))
}

fn retrievers(outcomes: &[AskOutcome]) -> Vec<&'static str> {
    let mut res: Vec<&'static str> = Vec::new();
    for (name, _) in outcomes.iter().flat_map(|it| &it.retrievers) {
        if !res.contains(name) {
            res.push(name);
        }
    }
    res
}

/// The loss of evidence without each kind: paired differences by repository.
fn ablations(run: &Run<AskResults>) -> String {
    let outcomes = &run.result.outcomes;
    if run.result.variants.is_empty() {
        return String::new();
    }
    let mut res =
        "\nevidence without  file recall           line recall           file F1\n".to_owned();
    for (n, name) in run.result.variants.iter().enumerate() {
        let difference = |value: &dyn Fn(&FoundShare) -> Option<f64>| {
            let of = |it: &AskOutcome| Some(value(&it.compared[n])? - value(&it.stages[3].found)?);
            let all = outcomes.iter().filter_map(|it| Some((it.repo.as_str(), of(it)?)));
            let Estimate { mean, low, high, .. } = over_groups(all);
            format!("{:<21}", format!("{mean:+.3} [{low:+.3}, {high:+.3}]"))
        };
        res += &format!(
            "{name:<18} {} {} {}\n",
            difference(&|it| Some(it.files.recall)),
            difference(&|it| it.lines.map(|it| it.recall)),
            difference(&|it| Some(it.files.f1)),
        );
    }
    res
}

/// The evidence with a model's help, and the citations of its answers.
fn with_model(outcomes: &[AskOutcome]) -> String {
    let asked: Vec<&AskOutcome> = outcomes.iter().filter(|it| it.chat.is_some()).collect();
    if asked.is_empty() {
        return String::new();
    }
    let chat = |it: &AskOutcome| it.chat.clone();
    let helped = |it: &AskOutcome| chat(it).map(|it| it.helped);
    let cited = |it: &AskOutcome| chat(it).and_then(|it| it.cited);
    let mut res = "\nwith the model\n".to_owned();
    res += &row("evidence, files", outcomes, &helped, |it| Some(it.files));
    res += &row("evidence, lines", outcomes, &helped, |it| it.lines);
    res += &row("cited, files", outcomes, &cited, |it| Some(it.files));
    res += &row("cited, lines", outcomes, &cited, |it| it.lines);
    let less = asked.iter().filter(|it| {
        helped(it).is_some_and(|with| with.files.recall < it.stages[3].found.files.recall)
    });
    res += &format!("questions with fewer files than without: {}\n", less.count());
    let all: Vec<_> = asked.iter().filter_map(|it| chat(it)).collect();
    let sum = |value: &dyn Fn(&super::ChatOutcome) -> usize| all.iter().map(value).sum::<usize>();
    res += &format!(
        "citations {}, marked as wrong {}, wrong and not marked {}; answers that failed {}\n",
        sum(&|it| it.citations[0]),
        sum(&|it| it.citations[1]),
        sum(&|it| it.unmarked),
        sum(&|it| usize::from(it.error.is_some())),
    );
    let mut notes: BTreeMap<String, usize> = BTreeMap::new();
    for it in all.iter().flat_map(|it| &it.notes) {
        *notes.entry(it.chars().take(100).collect()).or_default() += 1;
    }
    notes.iter().take(8).for_each(|(note, n)| res += &format!("   {n} times: {note}\n"));
    let times: Vec<f64> = all.iter().map(|it| it.milliseconds[0]).collect();
    res + &format!(
        "milliseconds of help p50 {:.0}, p95 {:.0}\n",
        percentile(&times, 0.5),
        percentile(&times, 0.95)
    )
}

fn summary(outcomes: &[AskOutcome]) -> String {
    let by_repository = |value: &dyn Fn(&AskOutcome) -> f64| {
        interval(over_groups(outcomes.iter().map(|it| (it.repo.as_str(), value(it)))))
    };
    let share = |is: bool| f64::from(u8::from(is));
    let size = |n: usize| mean(&outcomes.iter().map(|it| it.size[n] as f64).collect::<Vec<_>>());
    let times: Vec<f64> = outcomes.iter().map(|it| it.milliseconds).collect();
    let busy: Vec<f64> = outcomes.iter().filter_map(|it| it.on_processor).collect();
    let cited: usize = outcomes.iter().map(|it| it.citations).sum();
    let invalid: Vec<&String> = outcomes.iter().flat_map(|it| &it.invalid).collect();
    let mut res = format!("\nfirst piece right  {}\n", by_repository(&|it| share(it.first)));
    res += &format!("wrongly refused    {}\n", by_repository(&|it| share(!it.strength.enough)));
    res += &format!(
        "a question has {:.1} pieces of {:.1} files, {:.0} tokens\n",
        size(0),
        size(1),
        size(2)
    );
    res += &format!(
        "milliseconds p50 {:.1}, p95 {:.1}\n",
        percentile(&times, 0.5),
        percentile(&times, 0.95)
    );
    res += &format!(
        "on the processor p50 {:.1}, p95 {:.1}\n",
        percentile(&busy, 0.5),
        percentile(&busy, 0.95)
    );
    res += &format!("citations: {cited} checked, {} do not stand in the snapshot\n", invalid.len());
    invalid.iter().take(5).for_each(|it| res += &format!("   {it}\n"));
    res
}

/// Rate of detected missing answers, by half.
pub fn absent_text(outcomes: &[AbsentOutcome]) -> String {
    let mut halves: BTreeMap<&str, Vec<&AbsentOutcome>> = BTreeMap::new();
    for it in outcomes {
        halves.entry(it.half.as_str()).or_default().push(it);
    }
    let mut res = "\nthings that are not there, said to be missing\n".to_owned();
    for (half, all) in &halves {
        let missing = |it: &&AbsentOutcome| f64::from(u8::from(!it.strength.enough));
        let by_repository = over_groups(all.iter().map(|it| (it.repo.as_str(), missing(it))));
        res += &format!("half {half} ({:>3})     {}\n", all.len(), interval(by_repository));
    }
    for it in outcomes.iter().filter(|it| it.strength.enough) {
        res += &format!("   answered: {} [{}] {:.2}\n", it.question, it.repo, it.strength.score);
    }
    res
}
