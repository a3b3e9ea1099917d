//! Forecasts in tables: by kind, how many, how often they came true, and how much of what was added they foretold.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{HORIZONS, JudgedFile, JudgedForecast};
use crate::measures::{Estimate, mean, over_groups};

/// The tables of some judged files.
pub fn text(files: &[JudgedFile]) -> String {
    let mut res = String::new();
    let repos: BTreeSet<&str> = files.iter().map(|it| it.repo.as_str()).collect();
    let rejected: usize = files.iter().map(|it| it.rejected).sum();
    let with = files.iter().filter(|it| !it.forecasts.is_empty()).count();
    let total: usize = files.iter().map(|it| it.forecasts.len()).sum();
    let (n, repos) = (files.len(), repos.len());
    let _ = writeln!(
        res,
        "{n} files of {repos} repositories; {with} with {total} forecasts; {rejected} thrown out\n"
    );
    table(files, &mut res);
    recall(files, &mut res);
    res
}

fn table(files: &[JudgedFile], res: &mut String) {
    let all = || files.iter().flat_map(|file| file.forecasts.iter().map(move |it| (file, it)));
    let mut keys: BTreeSet<(&str, &str)> = all().map(|it| (it.1.kind, it.1.form)).collect();
    keys.insert(("", ""));
    let _ = writeln!(
        res,
        "{:<28} {:>6} {:>5} {:>30} {:>7} {:>7} {:>7} {:>6} {:>6}",
        "kind", "number", "repos", "true at last (by repository)", "1", "5", "20", "sign.", "body"
    );
    for key in keys {
        let of_kind: Vec<(&JudgedFile, &JudgedForecast)> =
            all().filter(|it| key.0.is_empty() || (it.1.kind, it.1.form) == key).collect();
        let name = if key.0.is_empty() { "all".into() } else { format!("{} ({})", key.0, key.1) };
        row(&name, &of_kind, res);
    }
}

fn row(name: &str, forecasts: &[(&JudgedFile, &JudgedForecast)], res: &mut String) {
    let is_true = |it: &JudgedForecast, at: usize| f64::from(u8::from(it.is_true[at]));
    let true_at =
        |at: usize| mean(&forecasts.iter().map(|it| is_true(it.1, at)).collect::<Vec<_>>());
    let last = HORIZONS.len() - 1;
    let values = forecasts.iter().map(|it| (it.0.repo.as_str(), is_true(it.1, last)));
    let Estimate { mean: share, low, high, n } = over_groups(values);
    let part = |of: fn(&JudgedForecast) -> Option<f64>| {
        mean(&forecasts.iter().filter_map(|it| of(it.1)).collect::<Vec<_>>())
    };
    let interval = format!("{:.3}, {share:.3} [{low:.3}, {high:.3}]", true_at(last));
    let number = forecasts.len();
    let _ = writeln!(
        res,
        "{name:<28} {number:>6} {n:>5} {interval:>30} {:>7.3} {:>7.3} {:>7.3} {:>6.2} {:>6.2}",
        true_at(0),
        true_at(1),
        true_at(2),
        part(|it| it.signature),
        part(|it| it.body),
    );
}

fn recall(files: &[JudgedFile], res: &mut String) {
    let _ = writeln!(res, "\nfunctions and types that were added, and the share that was foretold");
    for (at, horizon) in HORIZONS.into_iter().enumerate() {
        let added: usize = files.iter().map(|it| it.added[at]).sum();
        let foretold: usize = files.iter().map(|it| it.foretold[at]).sum();
        let mut by_repo: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for it in files {
            let sums = by_repo.entry(&it.repo).or_default();
            (sums.0, sums.1) = (sums.0 + it.added[at], sums.1 + it.foretold[at]);
        }
        let shares = by_repo.iter().filter(|it| it.1.0 > 0);
        let shares = shares.map(|(repo, it)| (*repo, it.1 as f64 / it.0 as f64));
        let Estimate { mean, low, high, .. } = over_groups(shares);
        let _ = writeln!(
            res,
            "{horizon:>4} commits: {foretold} of {added}; by repository {mean:.4} [{low:.4}, {high:.4}]"
        );
    }
    let coverage = files.iter().filter_map(|it| Some((it.repo.as_str(), it.coverage?)));
    let Estimate { mean, low, high, n } = over_groups(coverage);
    if n > 0 {
        let _ = writeln!(
            res,
            "names of the hole in the first three forecasts: {mean:.4} [{low:.4}, {high:.4}]"
        );
    }
}
