//! Prints runs on a terminal.
#![expect(clippy::print_stdout, reason = "tables on stdout are what the commands are for")]

use std::collections::BTreeMap;

use crate::measures::{Estimate, paired_difference};
use crate::runs::search::{Outcome, Run};
use crate::tasks::loader::TaskFile;

/// The tables of a search run.
pub fn search(run: &Run) {
    left_out(run);
    let made = &run.provenance;
    println!("split {}, preset {}, commit {}", run.split.name(), made.preset, made.commit);
    println!("data {}, {} cores, {}", made.data, made.cores, made.cpu);
    for (title, groups) in &run.groups {
        println!(
            "\n{title:<24} {:>5} {:>8} {:>8} {:>8} {:>8}",
            "n", "nDCG@10", "by file", "MRR", "recall"
        );
        for it in groups {
            println!(
                "{:<24} {:>5} {:>8.3} {:>8.3} {:>8.3} {:>8.3}",
                it.name, it.n, it.ndcg.mean, it.file_ndcg, it.mrr, it.recall
            );
        }
    }
    println!("\nnDCG@10 over questions    {}", interval(&run.by_query));
    println!("nDCG@10 over repositories {}", interval(&run.by_repository));
    for it in &run.budgets {
        let (recall, repositories) = (interval(&it.recall), interval(&it.by_repository));
        println!(
            "recall at {:>5} tokens     {recall}, over repositories {repositories}",
            it.budget
        );
    }
    println!(
        "tokens to the first hit   {:.0} ({} questions have one)",
        run.tokens_to_hit.mean, run.tokens_to_hit.n
    );
    println!("latency p50 {:.2} ms, p95 {:.2} ms", run.p50, run.p95);
}

fn left_out(run: &Run) {
    let counts = [
        (run.failed.len(), "failed"),
        (run.skipped.len(), "repositories not checked out"),
        (run.missing.len(), "relevant files not in the index"),
    ];
    println!("{}", first_line(run.outcomes.len(), run.notice.as_deref(), &counts));
    list("not checked out, left out", &run.skipped);
    list("failed", &run.failed);
    list("relevant, but not in the index", &run.missing);
}

/// The `n` worst questions with their top results.
pub fn worst(run: &Run, n: usize) {
    let mut sorted: Vec<&Outcome> = run.outcomes.iter().collect();
    sorted.sort_by(|a, b| a.ndcg.total_cmp(&b.ndcg).then_with(|| a.id.cmp(&b.id)));
    for it in sorted.into_iter().take(n) {
        println!("\n{:.3} {} [{}] {}", it.ndcg, it.id, it.category, it.query);
        for gold in &it.gold {
            println!(
                "   wanted {} chunk {} file {}",
                gold.path,
                place(gold.chunk),
                place(gold.file)
            );
        }
        for top in it.top.iter().take(5) {
            println!(
                "   {:6.2} {} {} ({})",
                top.score,
                top.place,
                top.symbol,
                top.reasons.join("; ")
            );
        }
    }
}

/// One row for each value of a setting, compared with the unchanged preset.
pub fn sweep(key: &str, before: &Run, runs: &[(String, Run)]) {
    left_out(before);
    println!("{key}, split {}", before.split.name());
    let categories: Vec<&str> = categories(before).iter().map(|it| it.0).collect();
    println!(
        "{:<10} {:<24} {:<24} {:>7} {:>7} {}  against the preset",
        "value",
        "over questions",
        "over repositories",
        "by file",
        "MRR",
        categories.iter().map(|it| format!("{it:>13}")).collect::<String>(),
    );
    let baseline: Vec<f64> = before.outcomes.iter().map(|it| it.ndcg).collect();
    let rows =
        std::iter::once(("preset", before)).chain(runs.iter().map(|it| (it.0.as_str(), &it.1)));
    for (value, run) in rows {
        let scores: Vec<f64> = run.outcomes.iter().map(|it| it.ndcg).collect();
        let (file, mrr) = run.groups[0].1.first().map_or((0.0, 0.0), |it| (it.file_ndcg, it.mrr));
        println!(
            "{value:<10} {:<24} {:<24} {file:>7.4} {mrr:>7.4} {}  {}",
            interval(&run.by_query),
            interval(&run.by_repository),
            categories_of(run),
            signed(&paired_difference(&scores, &baseline)),
        );
    }
}

fn categories(run: &Run) -> Vec<(&str, f64)> {
    run.groups
        .iter()
        .filter(|it| it.0 == "category")
        .flat_map(|it| &it.1)
        .map(|it| (it.name.as_str(), it.ndcg.mean))
        .collect()
}

fn categories_of(run: &Run) -> String {
    categories(run).iter().map(|it| format!("{:>13.4}", it.1)).collect()
}

/// The first line of a run: how many tasks were asked, and how many were left out.
pub fn first_line(asked: usize, notice: Option<&str>, left_out: &[(usize, &str)]) -> String {
    let counts = left_out.iter().filter(|it| it.0 > 0).map(|(n, what)| format!("{n} {what}"));
    let parts: Vec<String> = notice.map(str::to_owned).into_iter().chain(counts).collect();
    match parts.as_slice() {
        [] => format!("{asked} tasks asked, none left out"),
        some => format!("{asked} tasks asked; left out: {}", some.join("; ")),
    }
}

/// Prints a notice before any result.
pub fn notice(line: Option<&str>) {
    if let Some(line) = line {
        println!("{line}");
    }
}

fn list(title: &str, names: &[String]) {
    if !names.is_empty() {
        println!("{title}: {}", names.join(", "));
    }
}

fn place(rank: Option<usize>) -> String {
    rank.map_or_else(|| "-".to_owned(), |it| it.to_string())
}

fn interval(it: &Estimate) -> String {
    format!("{:.4} [{:.3}, {:.3}]", it.mean, it.low, it.high)
}

fn signed(it: &Estimate) -> String {
    format!("{:+.4} [{:+.4}, {:+.4}]", it.mean, it.low, it.high)
}

/// The contents of a file of tasks, problems first.
pub fn tasks(loaded: &TaskFile) {
    notice(loaded.notice().as_deref());
    let format = format!("{:?}", loaded.format).to_lowercase();
    println!("{} tasks, format {format}, data {}", loaded.tasks.len(), loaded.revision);
    let mut counts = BTreeMap::<_, usize>::new();
    for it in &loaded.tasks {
        *counts.entry((&it.task, &it.corpus.kind, &it.repo, &it.language)).or_default() += 1;
    }
    for ((task, corpus, repo, language), n) in counts {
        println!("{n:>6} {task:<11} {corpus:<8} {language:<12} {repo}");
    }
    for it in &loaded.problems {
        println!("{it}");
    }
}

#[cfg(test)]
mod tests {
    use super::first_line;

    #[test]
    fn the_first_line_says_what_was_left_out() {
        assert_eq!(first_line(3, None, &[(0, "failed")]), "3 tasks asked, none left out");
        let line = first_line(3, Some("skipped 1 of 4 rows"), &[(2, "failed"), (0, "gone")]);
        assert_eq!(line, "3 tasks asked; left out: skipped 1 of 4 rows; 2 failed");
    }
}
