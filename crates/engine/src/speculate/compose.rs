//! Composes a context from a plan alone: recalled blocks and some forecasts, within a budget.

use super::forecast_state::{ForecastState, forecast_state};
use super::plan::{FilePlan, Forecast};
use super::recall::Recollection;
use crate::evidence::{PerSignal, Reason};
use crate::index::{ChunkId, FileId, Snapshot};
use crate::order::{Position, Truncation};
use crate::preset::constants::speculate::NEAR_LINES;
use crate::scope::Cursor;
use crate::sorting::sort_by_key;
use crate::trim::{Budget, Count, Form, Piece, Selection};

/// Maximum numbers of blocks and forecasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mix {
    /// Blocks.
    pub blocks: usize,
    /// Forecasts.
    pub forecasts: usize,
}

impl Mix {
    /// The mix of SpecAgent (arXiv 2510.17925).
    pub const SPEC_AGENT: Self = Self { blocks: 9, forecasts: 3 };
}

/// Limits of a context from a plan.
#[derive(Clone, Copy)]
pub struct Allowance<'a> {
    /// Maximum numbers of pieces.
    pub mix: Mix,
    /// Maximum tokens of all pieces.
    pub tokens: usize,
    /// How tokens are spent on pieces.
    pub budget: &'a Budget,
    /// The side that a truncation would cut; the best pieces are on the other.
    pub truncation: Truncation,
    /// Counts tokens.
    pub count: Count<'a>,
}

/// Selects blocks and forecasts within a budget, in the order of the prompt. The forecasts' share of the tokens is at most
/// their share of the mix; unused tokens and places go to blocks.
pub fn compose_plan(
    snapshot: &Snapshot,
    plan: Option<&FilePlan>,
    (cursor, recalled): (&Cursor, &Recollection),
    allowance: &Allowance<'_>,
) -> Selection {
    let Allowance { mix, tokens, budget, truncation, count } = *allowance;
    let forecasts = plan.map_or_else(Vec::new, |it| forecasts_at(snapshot, it, cursor));
    let share = mix.forecasts as f32 / (mix.blocks + mix.forecasts).max(1) as f32;
    let mut left = (tokens as f32 * share) as usize;
    let mut guesses: Vec<Piece> = Vec::new();
    for it in forecasts.into_iter().take(mix.forecasts) {
        // Forecasts are spread evenly among the blocks.
        let rank =
            (guesses.len() + 1) * (mix.blocks.checked_div(mix.forecasts).unwrap_or(0) + 1) - 1;
        let piece = forecast_piece(snapshot, it, rank, allowance);
        if piece.tokens <= left {
            left -= piece.tokens;
            guesses.push(piece);
        }
    }
    if mix.blocks == 0 {
        return Selection { pieces: guesses, dropped: Vec::new() };
    }
    let spent: usize = guesses.iter().map(|it| it.tokens).sum();
    let max_pieces = mix.blocks + mix.forecasts - guesses.len();
    let budget = Budget { max_pieces, ..*budget };
    let mut res = recalled.select(snapshot, (&budget, tokens - spent), truncation, count);
    res.pieces.extend(guesses);
    sort_by_key(&mut res.pieces, |it| it.position);
    res
}

/// The forecasts of a plan that may still be shown, those near the cursor first.
fn forecasts_at<'p>(snapshot: &Snapshot, plan: &'p FilePlan, cursor: &Cursor) -> Vec<&'p Forecast> {
    let now = (cursor.path(), cursor.text());
    let is_open = |it: &&Forecast| forecast_state(snapshot, plan, it, now) == ForecastState::Open;
    let mut res: Vec<&Forecast> = plan.forecasts.iter().filter(is_open).collect();
    let line = 1 + memchr::memchr_iter(b'\n', cursor.prefix().as_bytes()).count() as u32;
    let is_near = |it: &Forecast| {
        it.target.path == cursor.path() && it.target.line.abs_diff(line) <= NEAR_LINES
    };
    // Stable: otherwise the plan's order.
    sort_by_key(&mut res, |it| !is_near(it));
    res
}

/// Tokens added by the header of a piece beside its path, as in `trim`.
const HEADER_TOKENS: usize = 6;

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
        tokens: (with.count)(&it.code) + (with.count)(path) + HEADER_TOKENS,
        score: it.score,
        signals: PerSignal::default(),
        reasons: vec![Reason::Forecast { why }],
        position: Position::of_rank(
            rank,
            chunk_at(snapshot, path, it.target.line),
            with.truncation,
        ),
    }
}

/// The chunk with this line; the first chunk of the first file if there is none.
fn chunk_at(snapshot: &Snapshot, path: &str, line: u32) -> ChunkId {
    let found = snapshot
        .file(path)
        .and_then(|file| snapshot.chunks(file).find(|it| snapshot.chunk(*it).end_line >= line));
    found.unwrap_or(ChunkId { file: FileId(0), idx: 0 })
}
