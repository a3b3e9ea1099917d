//! The forecasts for a repository as it is, for a reader.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use foreword_engine::scope::Resolver;
use foreword_engine::speculate::{Forecast, ForecastConfig, Verdict, forecast};

use crate::tasks::corpus;

/// The forecasts for the files below a directory whose paths begin with `under`, with what was thrown out.
pub fn show(root: &Path, under: &str, config: &ForecastConfig) -> Result<String> {
    let snapshot = corpus::snapshot(root)?;
    let resolver = Resolver::new(&snapshot);
    let (mut res, mut total) = (String::new(), 0);
    let mut flaws: BTreeMap<&str, usize> = BTreeMap::new();
    for file in snapshot.files_under(under) {
        let verdict: Verdict = forecast(&snapshot, &resolver, file, config);
        total += verdict.accepted.len();
        verdict.flaws().into_iter().for_each(|it| *flaws.entry(it.0).or_default() += it.1);
        verdict.accepted.iter().for_each(|it| describe(it, &mut res));
        for it in &verdict.rejected {
            let forecast = &it.forecast;
            let (place, kind) = (&forecast.target, forecast.kind.name());
            let _ = writeln!(
                res,
                "- {}:{} {kind} {}: {}",
                place.path, place.line, forecast.name, it.flaw
            );
        }
    }
    let thrown: Vec<String> = flaws.iter().map(|it| format!("{} {}", it.1, it.0)).collect();
    let _ = writeln!(res, "{total} forecasts; thrown out: {}", thrown.join(", "));
    Ok(res)
}

fn describe(it: &Forecast, out: &mut String) {
    let (kind, form) = (it.kind.name(), it.form.name());
    let _ = writeln!(out, "{}:{} {kind} ({form}, {:.2})", it.target.path, it.target.line, it.score);
    for citation in &it.evidence {
        let _ = writeln!(
            out,
            "  because {}:{}: {}",
            citation.place.path, citation.place.first_line, citation.what
        );
    }
    it.code.lines().for_each(|line| {
        let _ = writeln!(out, "    | {line}");
    });
}
