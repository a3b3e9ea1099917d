//! Prints runs on a terminal.
#![expect(clippy::print_stdout, reason = "tables on stdout are what the commands are for")]

use std::collections::BTreeMap;

use crate::measures::{Estimate, paired_difference};
use crate::runs::run::Run;
use crate::runs::search::{Outcome, SearchResults};
use crate::tasks::loader::TaskFile;
use crate::tasks::selection::first_line;

/// The tables of a search run.
pub fn search(run: &Run<SearchResults>) {
    left_out(run);
    let made = &run.provenance;
    println!("split {}, preset {}, commit {}", run.split.name(), made.preset, made.commit);
    println!("data {}, {} cores, {}", made.data, made.cores, made.cpu);
    for (title, groups) in &run.result.groups {
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
    for it in run.result.groups.iter().take(2).flat_map(|it| &it.1).filter(|it| it.lines[0].n > 0) {
        let [three, five, ten] = it.lines.each_ref().map(interval);
        println!("right lines @3 @5 @10, {:<10} {three} {five} {ten}", it.name);
    }
    println!("\nnDCG@10 over questions    {}", interval(&run.result.by_query));
    println!("nDCG@10 over repositories {}", interval(&run.result.by_repository));
    for it in &run.result.budgets {
        let (recall, repositories) = (interval(&it.recall), interval(&it.by_repository));
        println!(
            "recall at {:>5} tokens     {recall}, over repositories {repositories}",
            it.budget
        );
    }
    println!(
        "tokens to the first hit   {:.0} ({} questions have one)",
        run.result.tokens_to_hit.mean, run.result.tokens_to_hit.n
    );
    println!("latency p50 {:.2} ms, p95 {:.2} ms", run.result.p50, run.result.p95);
}

fn left_out(run: &Run<SearchResults>) {
    let counts = [
        (run.left_out.failed.len(), "failed"),
        (run.left_out.skipped.len(), "repositories not checked out"),
        (run.result.missing.len(), "relevant files not in the index"),
    ];
    println!("{}", first_line(run.result.outcomes.len(), run.left_out.notice.as_deref(), &counts));
    let skipped: Vec<String> = run.left_out.skipped_names().map(str::to_owned).collect();
    list("not checked out, omitted", &skipped);
    list("failed", &run.left_out.failed);
    list("relevant, but not in the index", &run.result.missing);
}

/// The `n` worst questions with their top results.
pub fn worst(run: &Run<SearchResults>, n: usize) {
    let mut sorted: Vec<&Outcome> = run.result.outcomes.iter().collect();
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

/// One row per value of a setting, compared with the unchanged preset.
pub fn sweep(key: &str, before: &Run<SearchResults>, runs: &[(String, Run<SearchResults>)]) {
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
    let baseline: Vec<f64> = before.result.outcomes.iter().map(|it| it.ndcg).collect();
    let rows =
        std::iter::once(("preset", before)).chain(runs.iter().map(|it| (it.0.as_str(), &it.1)));
    for (value, run) in rows {
        let scores: Vec<f64> = run.result.outcomes.iter().map(|it| it.ndcg).collect();
        let (file, mrr) =
            run.result.groups[0].1.first().map_or((0.0, 0.0), |it| (it.file_ndcg, it.mrr));
        println!(
            "{value:<10} {:<24} {:<24} {file:>7.4} {mrr:>7.4} {}  {}",
            interval(&run.result.by_query),
            interval(&run.result.by_repository),
            categories_of(run),
            signed(&paired_difference(&scores, &baseline)),
        );
    }
}

fn categories(run: &Run<SearchResults>) -> Vec<(&str, f64)> {
    run.result
        .groups
        .iter()
        .filter(|it| it.0 == "category")
        .flat_map(|it| &it.1)
        .map(|it| (it.name.as_str(), it.ndcg.mean))
        .collect()
}

fn categories_of(run: &Run<SearchResults>) -> String {
    categories(run).iter().map(|it| format!("{:>13.4}", it.1)).collect()
}

/// Prints a notice ahead of the results.
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

/// Prints the contents of a task file, problems first.
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
