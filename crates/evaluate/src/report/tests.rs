//! Reports on small handwritten runs.

use super::*;

fn run(name: &str, mean: f64) -> Report {
    let json = serde_json::json!({
        "provenance": {"commit": "abc<", "seed": 1, "settings": "long"},
        "split": "dev",
        "skipped": ["o/n"],
        "by_query": {"n": 2, "mean": mean, "low": 0.1, "high": 0.9},
        "budgets": [{"budget": 500, "recall": {"n": 2, "mean": mean, "low": 0.0, "high": 1.0}}],
        "groups": [["category", [{"name": "symbol", "n": 3, "ndcg": 0.25}]]],
        "summaries": [{"name": "code", "n": 2, "rows": [{"method": "none", "budget": null, "compared": [
            {"measure": "lines", "estimate": {"n": 2, "mean": 0.5, "low": 0.4, "high": 0.6},
             "ours_higher_by": {"n": 2, "mean": 0.1, "low": 0.0, "high": 0.2}}]}]}],
        "outcomes": [{"id": "a", "ndcg": mean, "milliseconds": 1.5}, {"id": "b", "ndcg": 1.0, "milliseconds": 2.5}],
    });
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name).with_extension("json");
    std::fs::write(&path, json.to_string()).unwrap();
    read(&path).unwrap()
}

#[test]
fn results_are_found_wherever_they_stand() {
    let report = run("one", 0.5);
    let found: Vec<String> = report
        .cells
        .iter()
        .map(|it| format!("{} | {} | {} = {}", it.table, it.row, it.column, it.value.mean))
        .collect();
    assert_eq!(
        found,
        [
            "budgets | 500 tokens | recall = 0.5",
            "run | all | by query = 0.5",
            "category | symbol | ndcg = 0.25",
            "code | none, its own budget | lines = 0.5",
            "code | none, its own budget | lines: ours higher by = 0.1",
        ]
    );
    assert_eq!(report.left_out, ["skipped: o/n"]);
    assert!(report.facts.iter().any(|it| it.0 == "split" && it.1 == "dev"));
    assert!(report.facts.iter().all(|it| it.0 != "settings"));
}

#[test]
fn two_runs_differ_task_by_task() {
    let found = paired::differences(&run("one", 0.5), &run("two", 0.75));
    assert_eq!(found.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), ["ndcg"]);
    assert!((found[0].1.mean - 0.125).abs() < 1e-9);
}

#[test]
fn a_page_needs_nothing_else_and_keeps_text_text() {
    let page = page("runs <1>", &[run("one", 0.5), run("two", 0.75)]);
    assert!(page.contains("runs &lt;1&gt;") && page.contains("abc&lt;"));
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("<script"));
    assert!(page.contains("<svg") && page.contains("two against one, task by task"));
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn what_is_no_run_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.json");
    std::fs::write(&path, "{}").unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("no `provenance`"));
}
