//! What a model states of a file, checked: which lines its next edits will need, and what will be written.
//!
//! A model may say anything, so nothing of it is taken over but what the snapshot bears out: a block is lines that exist,
//! read from the snapshot and not from the model, and a forecast is judged by [`validate`]. The first thing that is wrong
//! is the reason why something is thrown out. All of this is pure and bounded, whatever was stated.

mod blocks;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use self::blocks::{BlockFlaw, StatedBlock, stated_blocks};
use super::FORECASTS;
use super::forecast::{Limits, Rejection, Verdict, stated_likelihood, validate};
use super::plan::{
    Block, Citation, FilePlan, Forecast, ForecastForm, ForecastKind, Input, Place, PlannerKey,
    Target,
};
use crate::index::Snapshot;
use crate::source::ContentHash;

/// Lines of a file, as a model names them: nothing of it need be true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedLines {
    /// The file, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub first_line: u32,
    /// Last line, 1-based, inclusive.
    pub last_line: u32,
    /// What a model says of them.
    pub what: String,
}

/// Code that a model foretells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedForecast {
    /// The name of what it defines.
    pub name: String,
    /// The code.
    pub code: String,
    /// The line, 1-based, above which it would stand.
    pub line: u32,
    /// What it is concluded from.
    pub evidence: Vec<StatedLines>,
}

/// What became of what a model stated of a file.
#[derive(Clone, Debug)]
pub struct StatedPlan {
    /// The plan, of what holds alone; without any plan where the file is not in the snapshot.
    pub plan: Option<FilePlan>,
    /// How many blocks were thrown out, by the code of the flaw.
    pub block_flaws: BTreeMap<&'static str, usize>,
    /// The forecasts that were thrown out.
    pub rejected: Vec<Rejection>,
}

impl StatedPlan {
    /// How many forecasts were thrown out, by the code of the flaw.
    pub fn forecast_flaws(&self) -> BTreeMap<&'static str, usize> {
        Verdict { accepted: Vec::new(), rejected: self.rejected.clone() }.flaws()
    }
}

/// The plan of the file at `path` by what a model stated, both lists best first.
pub fn stated_plan(
    snapshot: &Snapshot,
    path: &str,
    key: &PlannerKey,
    (blocks, forecasts): (&[StatedBlock], &[StatedForecast]),
) -> StatedPlan {
    let checked = stated_blocks(snapshot, path, blocks);
    let mut block_flaws = BTreeMap::new();
    for flaw in &checked.flaws {
        *block_flaws.entry(flaw.code()).or_default() += 1;
    }
    let Verdict { accepted, rejected } = stated_forecasts(snapshot, path, forecasts);
    let plan = snapshot.file(path).map(|file| FilePlan {
        path: path.to_owned(),
        hash: snapshot.hash(file),
        planner: key.clone(),
        inputs: inputs(snapshot, &checked.blocks, &accepted),
        blocks: checked.blocks,
        forecasts: accepted,
    });
    StatedPlan { plan, block_flaws, rejected }
}

/// The files that are cited, by path.
fn inputs(snapshot: &Snapshot, blocks: &[Block], forecasts: &[Forecast]) -> Vec<Input> {
    let grounds = forecasts.iter().flat_map(|it| &it.evidence).map(|it| &it.place);
    let mut cited: Vec<&str> =
        blocks.iter().map(|it| &it.place).chain(grounds).map(|it| it.path.as_str()).collect();
    cited.sort_unstable();
    cited.dedup();
    let input = |path: &str| {
        let hash = snapshot.hash(snapshot.file(path)?);
        Some(Input { path: path.to_owned(), hash })
    };
    cited.into_iter().filter_map(input).collect()
}

/// Judges what a model foretells; of what holds the first [`FORECASTS`] are kept.
pub fn stated_forecasts(snapshot: &Snapshot, path: &str, stated: &[StatedForecast]) -> Verdict {
    let n = stated.len().max(1) as f32;
    let forecast = |(rank, it): (usize, &StatedForecast)| Forecast {
        kind: ForecastKind::Model,
        form: ForecastForm::Code,
        name: it.name.trim().to_owned(),
        code: code_of(&it.code),
        target: Target { path: path.to_owned(), line: it.line },
        evidence: it.evidence.iter().map(|it| citation(snapshot, it)).collect(),
        score: stated_likelihood(1.0 - rank as f32 / n / 2.0),
    };
    let forecasts = stated.iter().enumerate().map(forecast).collect();
    let mut verdict = validate(snapshot, forecasts, &Limits::in_force());
    verdict.accepted.truncate(FORECASTS);
    verdict
}

/// Code without the fence that models put around it, with a newline at its end.
fn code_of(stated: &str) -> String {
    let text = stated.trim_matches(['\n', '\r']).trim_end();
    let inner = text.strip_prefix("```").and_then(|it| it.split_once('\n')).map(|it| it.1);
    let text = inner.map_or(text, |it| it.trim_end().trim_end_matches("```").trim_end());
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

/// The lines as they are; with the hash of nothing, by which it is thrown out, where they do not exist.
fn citation(snapshot: &Snapshot, it: &StatedLines) -> Citation {
    let text = snapshot.file(&it.path).map(|file| snapshot.text(file)).unwrap_or_default();
    let lines = super::forecast::lines_of(&text, it.first_line, it.last_line);
    let hash = lines.map_or(ContentHash::of(b"no such lines"), |it| ContentHash::of(it.as_bytes()));
    let place =
        Place { path: it.path.clone(), first_line: it.first_line, last_line: it.last_line, hash };
    Citation { place, what: said(&it.what) }
}

/// What a model says of something, short and on one line.
fn said(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().filter(|it| !it.is_control()).take(MOST_SAID).collect()
}

/// Characters of what is kept of a model's words about one thing.
const MOST_SAID: usize = 200;

impl FilePlan {
    /// This plan, with what else the blocks of `other` show, after its own, and with the forecasts of `other` in the places
    /// that it leaves empty. At a cursor the best of all blocks are chosen.
    #[must_use]
    pub fn joined_with(mut self, other: &Self) -> Self {
        let least = self.blocks.last().map_or(1.0, |it| it.score);
        let meets = |a: &Place, b: &Place| {
            a.path == b.path && a.first_line <= b.last_line && b.first_line <= a.last_line
        };
        for it in &other.blocks {
            let is_known = self.blocks.iter().any(|known| meets(&known.place, &it.place));
            if !is_known {
                self.blocks.push(Block { score: it.score * least, ..it.clone() });
            }
        }
        let room = FORECASTS.saturating_sub(self.forecasts.len());
        let is_new = |it: &&Forecast| !self.forecasts.iter().any(|known| known.name == it.name);
        let more: Vec<Forecast> =
            other.forecasts.iter().filter(is_new).take(room).cloned().collect();
        self.forecasts.extend(more);
        for it in &other.inputs {
            if let Err(at) = self.inputs.binary_search_by(|known| known.path.cmp(&it.path)) {
                self.inputs.insert(at, it.clone());
            }
        }
        self
    }
}
