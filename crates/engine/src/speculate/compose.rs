//! A context from a plan alone: the recalled blocks and some forecasts, within a budget.

use super::foretold::{ForecastState, forecast_state};
use super::plan::{FilePlan, Forecast};
use super::recall::Recalled;
use crate::evidence::{PerSignal, Reason};
use crate::index::{ChunkId, FileId, Snapshot};
use crate::order::{Position, Truncation};
use crate::scope::Cursor;
use crate::sorting::sort_by_key;
use crate::trim::{Budget, Count, Form, Piece, Selection};

/// How many blocks and how many forecasts are shown at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mix {
    /// Retrieved blocks.
    pub blocks: usize,
    /// Forecasts.
    pub forecasts: usize,
}

impl Mix {
    /// That of SpecAgent (arXiv 2510.17925).
    pub const SPEC_AGENT: Self = Self { blocks: 9, forecasts: 3 };
}

/// What may be shown.
#[derive(Clone, Copy)]
pub struct Allowance<'a> {
    /// How many of which kind.
    pub mix: Mix,
    /// Tokens for all pieces.
    pub tokens: usize,
    /// How they are spent.
    pub budget: &'a Budget,
    /// Where the best pieces stand.
    pub truncation: Truncation,
    /// How tokens are counted.
    pub count: Count<'a>,
}

/// Blocks and forecasts within a budget, in the order of the prompt. Forecasts may take as large a share of the tokens as
/// of the mix; what they leave goes to blocks, and so do the places of forecasts that there are not.
pub fn compose_plan(
    snapshot: &Snapshot,
    plan: Option<&FilePlan>,
    (cursor, recalled): (&Cursor, &Recalled),
    allowance: &Allowance<'_>,
) -> Selection {
    let Allowance { mix, tokens, budget, truncation, count } = *allowance;
    let forecasts = plan.map_or_else(Vec::new, |it| forecasts_at(snapshot, it, cursor));
    let share = mix.forecasts as f32 / (mix.blocks + mix.forecasts).max(1) as f32;
    let mut left = (tokens as f32 * share) as usize;
    let mut foretold: Vec<Piece> = Vec::new();
    for it in forecasts.into_iter().take(mix.forecasts) {
        // After so many blocks each forecast has its turn.
        let rank =
            (foretold.len() + 1) * (mix.blocks.checked_div(mix.forecasts).unwrap_or(0) + 1) - 1;
        let piece = forecast_piece(snapshot, it, rank, allowance);
        if piece.tokens <= left {
            left -= piece.tokens;
            foretold.push(piece);
        }
    }
    if mix.blocks == 0 {
        return Selection { pieces: foretold, dropped: Vec::new() };
    }
    let spent: usize = foretold.iter().map(|it| it.tokens).sum();
    let max_pieces = mix.blocks + mix.forecasts - foretold.len();
    let budget = Budget { max_pieces, ..*budget };
    let mut res = recalled.select(snapshot, (&budget, tokens - spent), truncation, count);
    res.pieces.extend(foretold);
    sort_by_key(&mut res.pieces, |it| it.position);
    res
}

/// The forecasts of a plan that are still open, those of the cursor's neighbourhood first.
fn forecasts_at<'p>(snapshot: &Snapshot, plan: &'p FilePlan, cursor: &Cursor) -> Vec<&'p Forecast> {
    let now = (cursor.path(), cursor.text());
    let is_open = |it: &&Forecast| forecast_state(snapshot, plan, it, now) == ForecastState::Open;
    let mut res: Vec<&Forecast> = plan.forecasts.iter().filter(is_open).collect();
    let line = 1 + memchr::memchr_iter(b'\n', cursor.prefix().as_bytes()).count() as u32;
    let is_near =
        |it: &Forecast| it.target.path == cursor.path() && it.target.line.abs_diff(line) <= NEAR;
    // Stable: among equals the plan's order.
    sort_by_key(&mut res, |it| !is_near(it));
    res
}

/// Lines from the cursor to where a forecast would stand that is of its neighbourhood.
const NEAR: u32 = 30;

/// Tokens that a path above a piece costs beside its own: as in `trim`.
const PIECE_OVERHEAD: usize = 6;

fn forecast_piece(snapshot: &Snapshot, it: &Forecast, rank: usize, with: &Allowance<'_>) -> Piece {
    let path = &it.target.path;
    let lines = it.code.lines().count().max(1) as u32;
    let why = it.evidence.iter().map(|it| format!("{} ({})", it.what, it.place)).collect();
    Piece {
        path: path.clone(),
        start_line: it.target.line,
        end_line: it.target.line + lines - 1,
        form: Form::Forecast,
        text: it.code.clone(),
        tokens: (with.count)(&it.code) + (with.count)(path) + PIECE_OVERHEAD,
        score: it.score,
        signals: PerSignal::default(),
        reasons: vec![Reason::Forecast { kind: it.kind.name(), why }],
        position: Position::of_rank(
            rank,
            chunk_at(snapshot, path, it.target.line),
            with.truncation,
        ),
    }
}

/// The chunk that has a line; the first one of the first file where there is no such line.
fn chunk_at(snapshot: &Snapshot, path: &str, line: u32) -> ChunkId {
    let found = snapshot
        .file(path)
        .and_then(|file| snapshot.chunks(file).find(|it| snapshot.chunk(*it).end_line >= line));
    found.unwrap_or(ChunkId { file: FileId(0), idx: 0 })
}
