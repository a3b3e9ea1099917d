//! Composes a context from a plan alone: recalled blocks and some forecasts, within a budget. Or only the forecasts, to be
//! shown beside live retrieval.

use foreword_chunk::Language;

use super::forecast_state::{ForecastState, forecast_state};
use super::mix::Mix;
use super::plan::{FilePlan, Forecast};
use super::recall::Recollection;
use crate::evidence::{PerSignal, Reason};
use crate::index::{ChunkId, FileId, Snapshot};
use crate::order::{Position, Truncation};
use crate::preset::constants::speculate::{FORECAST_SHARE, NEAR_LINES};
use crate::scope::Cursor;
use crate::sorting::sort_by_key;
use crate::trim::{Budget, Count, Form, Piece, Selection};

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
    let share = mix.forecasts as f32 / (mix.blocks + mix.forecasts).max(1) as f32;
    let step = mix.blocks.checked_div(mix.forecasts).unwrap_or(0) + 1;
    let shown = ShownForecasts { plan, most: mix.forecasts, share, step };
    let guesses = shown.pieces(snapshot, cursor, (tokens, truncation, count));
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

/// The forecasts of a plan that a context shows.
#[derive(Clone, Copy, Debug)]
pub struct ShownForecasts<'p> {
    /// The plan of the cursor's file; `None` shows nothing.
    pub plan: Option<&'p FilePlan>,
    /// Maximum number.
    pub most: usize,
    /// Their maximum share of the tokens of all pieces.
    share: f32,
    /// Every how many pieces one stands.
    step: usize,
}

impl<'p> ShownForecasts<'p> {
    /// Nothing.
    pub const NONE: Self = Self { plan: None, most: 0, share: 0.0, step: 1 };

    /// At most `most` forecasts beside live retrieval, with [`FORECAST_SHARE`] of the tokens.
    pub fn beside(plan: Option<&'p FilePlan>, most: usize) -> Self {
        let step = Mix::SPEC_AGENT.blocks / Mix::SPEC_AGENT.forecasts + 1;
        Self { plan, most, share: FORECAST_SHARE, step }
    }

    /// The pieces of those that fit their share of `tokens`. A forecast that does not fit is left out, not cut.
    pub(crate) fn pieces(
        &self,
        snapshot: &Snapshot,
        cursor: &Cursor,
        (tokens, truncation, count): (usize, Truncation, Count<'_>),
    ) -> Vec<Piece> {
        let forecasts = self.plan.map_or_else(Vec::new, |it| forecasts_at(snapshot, it, cursor));
        let mut left = (tokens as f32 * self.share) as usize;
        let mut res: Vec<Piece> = Vec::new();
        for it in forecasts {
            if res.len() >= self.most {
                break;
            }
            // Forecasts are spread evenly among the other pieces.
            let rank = (res.len() + 1) * self.step - 1;
            let piece = forecast_piece(snapshot, it, rank, (truncation, count));
            if piece.tokens <= left {
                left -= piece.tokens;
                res.push(piece);
            }
        }
        res
    }
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

fn forecast_piece(
    snapshot: &Snapshot,
    it: &Forecast,
    rank: usize,
    (truncation, count): (Truncation, Count<'_>),
) -> Piece {
    let path = &it.target.path;
    let text = marked(it);
    let lines = it.code.lines().count().max(1) as u32;
    let why = it.evidence.iter().map(|it| format!("{} ({})", it.what, it.place)).collect();
    Piece {
        path: path.clone(),
        start_line: it.target.line,
        end_line: it.target.line + lines - 1,
        form: Form::Forecast,
        tokens: count(&text) + count(path) + HEADER_TOKENS,
        text,
        score: it.score,
        signals: PerSignal::default(),
        reasons: vec![Reason::Forecast { why }],
        position: Position::of_rank(rank, chunk_at(snapshot, path, it.target.line), truncation),
    }
}

/// The code below a comment that says that it is a guess, since a model takes the other pieces for code that exists.
fn marked(it: &Forecast) -> String {
    let head = &it.code[..it.code.floor_char_boundary(4096)];
    let language = Language::of_path(&it.target.path, head);
    match language.and_then(Language::line_comment) {
        Some(comment) => format!("{comment} {MARK}\n{}", it.code),
        None => it.code.clone(),
    }
}

/// Comment above the code of a forecast.
const MARK: &str = "forecast: not written yet";

/// The chunk with this line; the first chunk of the first file if there is none.
fn chunk_at(snapshot: &Snapshot, path: &str, line: u32) -> ChunkId {
    let found = snapshot
        .file(path)
        .and_then(|file| snapshot.chunks(file).find(|it| snapshot.chunk(*it).end_line >= line));
    found.unwrap_or(ChunkId { file: FileId(0), idx: 0 })
}
