//! Paired differences of two runs over the same tasks.

use std::collections::BTreeMap;

use super::extract::Cell;
use super::read::Report;
use crate::measures::{Estimate, paired_difference};

/// Times vary between runs, and scores of different settings have different scales.
const NOT_COMPARED: [&str; 3] = ["milliseconds", "score", "window"];

/// The difference of `run` to `first` in each result, paired over the common tasks.
pub(super) fn differences(first: &Report, run: &Report) -> Vec<(String, Estimate)> {
    let before: BTreeMap<&str, &Vec<Cell>> =
        first.outcomes.iter().map(|(id, cells)| (id.as_str(), cells)).collect();
    let mut pairs: BTreeMap<String, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for (id, cells) in &run.outcomes {
        let Some(before) = before.get(id.as_str()) else { continue };
        let known: BTreeMap<String, f64> =
            before.iter().map(|it| (name(it), it.value.mean)).collect();
        for it in cells.iter().filter(|it| !NOT_COMPARED.contains(&it.column.as_str())) {
            if let Some(old) = known.get(&name(it)) {
                let (ours, theirs) = pairs.entry(name(it)).or_default();
                ours.push(it.value.mean);
                theirs.push(*old);
            }
        }
    }
    pairs
        .into_iter()
        .map(|(name, (ours, theirs))| (name, paired_difference(&ours, &theirs)))
        .collect()
}

fn name(it: &Cell) -> String {
    match it.row.as_str() {
        "all" => it.column.clone(),
        row => format!("{row}: {}", it.column),
    }
}
