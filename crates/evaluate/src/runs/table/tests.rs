//! Tables of invented observations, and experiments over a snapshot of three files.

use super::*;
use crate::measures::coverage::Coverage;
use crate::runs::completion::CompletionSettings;
use crate::runs::run::Run;
use crate::runs::table::{empty_table, series};
use crate::tasks::selection::LeftOut;
use crate::tasks::selection::TaskBatch;
use crate::tasks::split::Split;

fn observation(series: &str, budget: usize, identifiers: Option<f64>) -> Observation {
    let coverage = Coverage { identifiers, spent: budget, ..Coverage::default() };
    Observation { series: series.into(), budget: Some(budget), coverage }
}

fn table() -> Run<Table> {
    let task = |a: f64, b: f64| {
        vec![
            observation("all", 10, Some(a)),
            observation("all", 20, Some(1.0)),
            observation("less <one>", 10, Some(b)),
            observation("less <one>", 20, Some(0.5)),
        ]
    };
    let tasks = vec![task(0.5, 0.25), task(1.0, 0.25)];
    let mut table = empty_table("made up", "all", None);
    table.groups = vec![Group { name: "code".into(), n: 2, series: series(&tasks, "all") }];
    let left_out = LeftOut { failed: vec!["x: why".into()], ..LeftOut::default() };
    let batch =
        TaskBatch { data: String::new(), split: Split::All, repositories: Vec::new(), left_out };
    Run::new(&foreword_engine::preset::context(), batch, table)
}

/// Settings without tasks.
pub(crate) fn settings() -> CompletionSettings {
    CompletionSettings {
        tasks: crate::tasks::selection::Selection {
            file: std::path::PathBuf::new(),
            repos: Vec::new(),
            split: Split::All,
            ids: Vec::new(),
            limit: None,
        },
        corpora: crate::tasks::corpora::Corpora::default(),
        baselines: Vec::new(),
        variants: Vec::new(),
        budgets: vec![Some(1000)],
        protocol: crate::runs::completion::Protocol::FillIn,
        session: crate::runs::completion::SessionUse::Told,
        detail: crate::runs::completion::Detail::Measures,
        model: None,
    }
}

#[test]
fn a_series_is_compared_with_the_reference_at_the_same_budget() {
    let table = table();
    let [all, less] = &table.result.groups[0].series[..] else { panic!("{table:?}") };
    assert!(all.points.iter().all(|it| it.above_reference.is_none()));
    let close = |got: f64, expect: f64| assert!((got - expect).abs() < 1e-9, "{got} {expect}");
    less.points.iter().for_each(|it| close(it.above_reference.unwrap().mean, -0.5));
    close(all.points[0].identifiers.mean, 0.75);
}

#[test]
fn the_text_begins_with_what_was_left_out() {
    let text = text(&table());
    assert!(text.starts_with("2 tasks asked; left out: 1 failed\nmade up; "), "{text}");
    assert!(text.contains("failed: x: why"));
}

#[test]
fn a_plot_has_a_line_a_series_and_is_well_formed() {
    let plot = plot(&table().result);
    assert_eq!(plot.matches("<polyline").count(), 2);
    assert!(plot.contains("less &lt;one&gt;") && !plot.contains("<one>"));
    assert_eq!(plot.matches("<g ").count(), plot.matches("</g>").count());
}
