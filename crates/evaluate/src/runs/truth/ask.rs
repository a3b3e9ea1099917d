//! Runs a task through the calls of `foreword context` and `foreword search`, and records the status of each candidate.

use std::collections::HashMap;

use anyhow::{Context as _, Result};
use foreword_engine::compose::Format;
use foreword_engine::evidence::DropReason;
use foreword_engine::index::{ChunkId, Snapshot};
use foreword_engine::pipeline::{Control, CursorRetrieval};
use foreword_engine::preset::{self, Preset};
use foreword_engine::prompt::Target;
use foreword_engine::retrieve::Question;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::search::{SearchRequest, SearchResult, search};
use foreword_engine::trim::{Form, Piece, RankedCandidate, Selection};

use super::Presets;
use super::location::{Location, LocationSpec};
use super::project::{Task, TaskInput};
use crate::tasks::corpus::count_tokens;

/// Default tokens of a prompt: small enough to force a choice.
const BUDGET: usize = 2048;

/// Number of ranked results of a search.
const RESULTS: usize = 20;

/// The model family of composed prompts: the command line's default.
const MODEL: &str = "qwen2.5-coder";

/// The engine's answer.
pub struct Answer {
    /// The candidates, best first.
    pub(crate) rows: Vec<RankedItem>,
    /// The prompt; `None` for a search.
    pub(crate) prompt: Option<String>,
    /// The expected locations in the answering snapshot.
    pub(crate) expect: Vec<Location>,
    /// Locations that should rank below the expected ones.
    pub(crate) below: Vec<Location>,
    /// Locations whose ranks are recorded, not judged.
    pub(crate) watch: Vec<Location>,
}

/// A candidate or a result.
#[derive(Clone, Debug)]
pub struct RankedItem {
    /// From 1; text that the window already shows, and repetitions, share the rank of the previous item.
    pub(crate) rank: usize,
    pub(crate) path: String,
    /// First and last line of the shown text, or of the chunk.
    pub(crate) lines: (u32, u32),
    pub(crate) status: ItemStatus,
    /// The shown text, or that of the chunk.
    pub(crate) text: String,
    /// After reranking.
    pub(crate) score: f32,
    /// The reasons, in words.
    pub(crate) reasons: Vec<String>,
}

/// The status of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemStatus {
    /// Shown.
    Shown(Form),
    /// A result of a search.
    Result,
    /// Visible in the window around the cursor.
    InWindow,
    /// Repeats a better piece.
    Duplicate,
    /// Licence and imports only.
    Filler,
    /// Too large even as a signature.
    NoRoom,
    /// Beyond the maximum number of pieces.
    Enough,
    /// Scores far below the best.
    Weak,
}

impl ItemStatus {
    /// Name in lists of ranks.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shown(form) => form.name(),
            Self::Result => "found",
            Self::InWindow => "around the cursor",
            Self::Duplicate => "repeats",
            Self::Filler => "filler",
            Self::NoRoom => "no room",
            Self::Enough => "enough pieces",
            Self::Weak => "weak",
        }
    }

    /// Whether the reader sees it.
    pub fn is_visible(self) -> bool {
        matches!(self, Self::Shown(_) | Self::Result | Self::InWindow)
    }

    fn has_rank(self) -> bool {
        !matches!(self, Self::InWindow | Self::Duplicate | Self::Filler)
    }
}

impl RankedItem {
    /// Whether the item covers the first line of a location.
    pub fn is_at(&self, spot: &Location) -> bool {
        let of_file = spot.sign.is_empty();
        let (first, last) = self.lines;
        self.path == spot.path && (of_file || (first <= spot.line && spot.line <= last))
    }

    /// Whether its shown text contains the location.
    pub fn shows(&self, spot: &Location) -> bool {
        self.status.is_visible() && self.is_at(spot) && self.text.contains(&spot.sign)
    }
}

/// Runs one task.
pub fn ask(snapshot: &Snapshot, task: &Task, presets: &Presets) -> Result<Answer> {
    let answer = match &task.input {
        TaskInput::Cursor(cursor) => at_cursor(snapshot, task, cursor, &presets.context),
        TaskInput::Query(query) => for_query(snapshot, task, query, &presets.search),
    };
    answer.with_context(|| format!("task {}", task.name))
}

fn find(places: &[LocationSpec], snapshot: &Snapshot) -> Result<Vec<Location>> {
    places.iter().map(|it| it.find(snapshot)).collect()
}

fn at_cursor(snapshot: &Snapshot, task: &Task, cursor: &Cursor, preset: &Preset) -> Result<Answer> {
    let mut preset = preset.clone();
    // In proportion to the preset's total, so that changing the total has an effect.
    preset.budget.total = task.expectations.budget.unwrap_or(BUDGET) * preset.budget.total
        / preset::context().budget.total;
    let count = &count_tokens;
    let view = View::new(snapshot, cursor)?;
    let retrieval = CursorRetrieval::new(view, cursor, &preset, count, &mut Control::default());
    let format = Format::named(MODEL).context("the default format is gone")?;
    let target = Target { format, repository: "truth", count };
    let answer = retrieval.prompt(target)?;
    let answering = retrieval.view.snapshot();
    Ok(Answer {
        rows: rows(answering, &retrieval.ranked_candidates(), &answer.selection),
        expect: find(&task.expect, answering)?,
        below: find(&task.below, answering)?,
        watch: find(&task.watch, answering)?,
        prompt: Some(answer.prompt.text),
    })
}

fn rows(
    snapshot: &Snapshot,
    ranked_candidates: &[RankedCandidate<'_>],
    selection: &Selection,
) -> Vec<RankedItem> {
    let pieces: HashMap<ChunkId, &Piece> =
        selection.pieces.iter().map(|it| (it.position.chunk(), it)).collect();
    let dropped: HashMap<(&str, u32, u32), &DropReason> = selection
        .dropped
        .iter()
        .map(|it| ((it.path.as_str(), it.start_line, it.end_line), &it.why))
        .collect();
    let mut rank = 0;
    let mut res = Vec::new();
    for RankedCandidate { candidate: it, score, .. } in ranked_candidates {
        let path = snapshot.path(it.chunk.file);
        let info = snapshot.chunk(it.chunk);
        let piece = pieces.get(&it.chunk);
        let why = dropped.get(&(path, info.start_line, info.end_line));
        let status = match (piece, why) {
            (Some(piece), _) => ItemStatus::Shown(piece.form),
            (None, Some(why)) => status_of(why),
            // Pieces dropped by the final count of the prompt have the lines of their shown text.
            (None, None) => ItemStatus::NoRoom,
        };
        rank += usize::from(status.has_rank());
        let text = snapshot.text(it.chunk.file);
        let chunk_text = text.get(info.start as usize..info.end as usize).unwrap_or_default();
        let reasons = piece.map_or(&it.reasons, |it| &it.reasons);
        res.push(RankedItem {
            rank,
            path: path.to_owned(),
            lines: piece
                .map_or((info.start_line, info.end_line), |it| (it.start_line, it.end_line)),
            status,
            text: piece.map_or(chunk_text, |it| &it.text).to_owned(),
            score: *score,
            reasons: reasons.iter().map(ToString::to_string).collect(),
        });
    }
    res
}

fn status_of(why: &DropReason) -> ItemStatus {
    match why {
        DropReason::Visible | DropReason::Beside => ItemStatus::InWindow,
        DropReason::Duplicate { .. } => ItemStatus::Duplicate,
        DropReason::Filler => ItemStatus::Filler,
        DropReason::Budget { .. } => ItemStatus::NoRoom,
        DropReason::Enough => ItemStatus::Enough,
        DropReason::Weak => ItemStatus::Weak,
    }
}

fn for_query(snapshot: &Snapshot, task: &Task, query: &str, preset: &Preset) -> Result<Answer> {
    let tokens = task.expectations.budget;
    let request = SearchRequest { question: Question::new(query), limit: RESULTS, tokens };
    let answer = search(snapshot, &request, preset, &count_tokens, &mut Control::default());
    let row = |(idx, it): (usize, SearchResult)| RankedItem {
        rank: idx + 1,
        path: it.path,
        lines: (it.start_line, it.end_line),
        status: ItemStatus::Result,
        text: it.text,
        score: it.score,
        reasons: it.reasons.iter().map(ToString::to_string).collect(),
    };
    Ok(Answer {
        rows: answer.results.into_iter().enumerate().map(row).collect(),
        prompt: None,
        expect: find(&task.expect, snapshot)?,
        below: find(&task.below, snapshot)?,
        watch: find(&task.watch, snapshot)?,
    })
}
