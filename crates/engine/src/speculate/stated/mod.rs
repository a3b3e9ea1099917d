//! Checks a model's proposal for a file: lines that the next edits will need, and forecasts of what will be written.
//!
//! A model's answer is untrusted. A block must be lines that exist, and its text is read from the snapshot, not from the
//! answer; a forecast must pass [`validate`]. A rejected item is reported with its first flaw. The check is pure, and its
//! time is bounded for any answer.

mod blocks;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use self::blocks::{BlockFlaw, StatedBlock, stated_blocks};
use super::plan::{Citation, FilePlan, Forecast, MAX_FORECASTS, Place, PlannerKey, Target, inputs};
use super::sketch::sketch;
use super::validate::{Limits, Rejection, Verdict, lines_of, validate};
use crate::index::Snapshot;
use crate::preset::constants::speculate::LIKELIHOOD;
use crate::source::ContentHash;

/// Lines of a file as a model names them, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedLines {
    /// The file, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub first_line: u32,
    /// Last line, 1-based, inclusive.
    pub last_line: u32,
    /// The model's remark about them.
    pub what: String,
}

/// Code that a model expects to be written, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedForecast {
    /// Name of the definition.
    pub name: String,
    /// The code.
    pub code: String,
    /// The line, 1-based, before which it would be inserted.
    pub line: u32,
    /// Lines that support it.
    pub evidence: Vec<StatedLines>,
}

/// The plan made of a model's proposal, and what was rejected.
#[derive(Clone, Debug)]
pub struct StatedPlan {
    /// The plan with the accepted items; `None` if the file is not in the snapshot.
    pub plan: Option<FilePlan>,
    /// Number of rejected blocks by code of the flaw.
    pub block_flaws: BTreeMap<&'static str, usize>,
    /// Rejected forecasts.
    pub rejected: Vec<Rejection>,
}

impl StatedPlan {
    /// Number of rejected forecasts by code of the flaw.
    pub fn forecast_flaws(&self) -> BTreeMap<&'static str, usize> {
        Verdict { accepted: Vec::new(), rejected: self.rejected.clone() }.flaws()
    }
}

/// What a model proposes for a file, each list best first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Proposal<'p> {
    /// Blocks.
    pub blocks: &'p [StatedBlock],
    /// Forecasts.
    pub forecasts: &'p [StatedForecast],
    /// Lines that the model has read before it proposed them.
    pub shown: &'p [StatedLines],
}

/// Makes the plan of the file at `path` from a model's proposal.
pub fn stated_plan(
    snapshot: &Snapshot,
    path: &str,
    key: &PlannerKey,
    proposal: &Proposal<'_>,
) -> StatedPlan {
    let Proposal { blocks, forecasts, shown } = *proposal;
    let checked = stated_blocks(snapshot, path, blocks, shown);
    let mut block_flaws = BTreeMap::new();
    for flaw in &checked.flaws {
        *block_flaws.entry(flaw.code()).or_default() += 1;
    }
    let Verdict { accepted, rejected } = stated_forecasts(snapshot, path, forecasts);
    let plan = snapshot.file(path).map(|file| FilePlan {
        path: path.to_owned(),
        hash: snapshot.hash(file),
        sketch: sketch(&snapshot.text(file)),
        planner: key.clone(),
        inputs: inputs(&checked.blocks, &accepted, |it| Some(snapshot.hash(snapshot.file(it)?))),
        blocks: checked.blocks,
        forecasts: accepted,
    });
    StatedPlan { plan, block_flaws, rejected }
}

/// Validates a model's forecasts and keeps the first [`MAX_FORECASTS`] valid ones.
pub fn stated_forecasts(snapshot: &Snapshot, path: &str, stated: &[StatedForecast]) -> Verdict {
    let n = stated.len().max(1) as f32;
    let forecast = |(rank, it): (usize, &StatedForecast)| Forecast {
        name: it.name.trim().to_owned(),
        code: code_of(&it.code),
        target: Target { path: path.to_owned(), line: it.line },
        evidence: it.evidence.iter().map(|it| citation(snapshot, it)).collect(),
        score: LIKELIHOOD * (1.0 - rank as f32 / n / 2.0),
    };
    let forecasts = stated.iter().enumerate().map(forecast).collect();
    let mut verdict = validate(snapshot, forecasts, &Limits::in_force());
    verdict.accepted.truncate(MAX_FORECASTS);
    verdict
}

/// The code without a Markdown fence, ending in a newline.
fn code_of(stated: &str) -> String {
    let text = stated.trim_matches(['\n', '\r']).trim_end();
    let inner = text.strip_prefix("```").and_then(|it| it.split_once('\n')).map(|it| it.1);
    let text = inner.map_or(text, |it| it.trim_end().trim_end_matches("```").trim_end());
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

/// Hashes the cited lines as they are. Lines that do not exist get a hash that the validator rejects.
fn citation(snapshot: &Snapshot, it: &StatedLines) -> Citation {
    let text = snapshot.file(&it.path).map(|file| snapshot.text(file)).unwrap_or_default();
    let lines = lines_of(&text, it.first_line, it.last_line);
    let hash = lines.map_or(ContentHash::of(b"no such lines"), |it| ContentHash::of(it.as_bytes()));
    let place =
        Place { path: it.path.clone(), first_line: it.first_line, last_line: it.last_line, hash };
    Citation { place, what: remark(&it.what) }
}

/// A model's remark, shortened, on one line.
fn remark(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().filter(|it| !it.is_control()).take(MAX_REMARK_LENGTH).collect()
}

/// Maximum length of a remark, in characters.
const MAX_REMARK_LENGTH: usize = 200;
