//! A context from a plan alone: the recalled blocks and some forecasts, within a budget.

use super::plan::{FilePlan, Forecast, Place};
use super::recall::Recalled;
use crate::evidence::{PerSignal, Reason};
use crate::index::{ChunkId, FileId, Snapshot};
use crate::order::{Position, Truncation};
use crate::scope::Cursor;
use crate::source::ContentHash;
use crate::trim::{Count, Form, Piece, Selection};

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
    /// The share of them that one piece may take.
    pub piece: f32,
    /// Where the best pieces stand.
    pub truncation: Truncation,
    /// How tokens are counted.
    pub count: Count<'a>,
}

/// Blocks and forecasts within a budget, in the order of the prompt. A forecast has its turn after as many blocks as the
/// mix has for each, so that a small budget keeps the mix.
pub fn compose_plan(
    snapshot: &Snapshot,
    plan: &FilePlan,
    (cursor, recalled): (&Cursor, &[Recalled<'_>]),
    allowance: &Allowance<'_>,
) -> Selection {
    let mut left = allowance.tokens;
    let most = (left as f32 * allowance.piece) as usize;
    let forecasts = forecasts_at(snapshot, plan, cursor);
    let mut pieces: Vec<Piece> = Vec::new();
    for turn in turns(allowance.mix, recalled.len(), forecasts.len()) {
        let rank = pieces.len();
        let piece = match turn {
            Turn::Block(at) => block_piece(snapshot, &recalled[at], rank, allowance),
            Turn::Forecast(at) => forecast_piece(snapshot, forecasts[at], rank, allowance),
        };
        if piece.tokens <= left.min(most) {
            left -= piece.tokens;
            pieces.push(piece);
        }
    }
    pieces.sort_by_key(|it| it.position);
    Selection { pieces, dropped: Vec::new() }
}

/// What is offered next.
enum Turn {
    Block(usize),
    Forecast(usize),
}

/// Blocks in their order, and forecasts evenly among them; the last ones at the end.
fn turns(mix: Mix, blocks: usize, forecasts: usize) -> Vec<Turn> {
    let forecasts = mix.forecasts.min(forecasts);
    let apart = mix.blocks.checked_div(mix.forecasts).unwrap_or(0);
    let mut res: Vec<Turn> = Vec::new();
    let mut next = 0;
    // What is not foretold leaves its place to blocks.
    let most = mix.blocks + if mix.blocks > 0 { mix.forecasts - forecasts } else { 0 };
    for at in 0..most.min(blocks) {
        res.push(Turn::Block(at));
        if apart > 0 && (at + 1) % apart == 0 && next < forecasts {
            res.push(Turn::Forecast(next));
            next += 1;
        }
    }
    res.extend((next..forecasts).map(Turn::Forecast));
    res
}

/// The forecasts of a plan, those of the cursor's neighbourhood first, without those whose grounds have changed. One whose
/// code the file has by now came true.
fn forecasts_at<'p>(snapshot: &Snapshot, plan: &'p FilePlan, cursor: &Cursor) -> Vec<&'p Forecast> {
    let came_true = |it: &&Forecast| {
        let first = it.code.trim_start().lines().next().unwrap_or_default().trim_end();
        it.target.path == cursor.path() && !first.is_empty() && cursor.text().contains(first)
    };
    let holds = |it: &&Forecast| {
        it.evidence.iter().all(|ground| stands(snapshot, plan, &ground.place, cursor))
    };
    let all = plan.forecasts.iter();
    let mut res: Vec<&Forecast> = all.filter(|it| !came_true(it)).filter(holds).collect();
    let line = 1 + memchr::memchr_iter(b'\n', cursor.prefix().as_bytes()).count() as u32;
    let is_near =
        |it: &Forecast| it.target.path == cursor.path() && it.target.line.abs_diff(line) <= NEAR;
    // Stable: among equals the plan's order.
    res.sort_by_key(|it| !is_near(it));
    res
}

/// Whether the text still has the cited lines, wherever.
fn stands(snapshot: &Snapshot, plan: &FilePlan, place: &Place, cursor: &Cursor) -> bool {
    if place.path == cursor.path() {
        return has_lines(cursor.text(), place);
    }
    let Some(file) = snapshot.file(&place.path) else { return false };
    let known = plan.inputs.iter().find(|it| it.path == place.path);
    let is_same = known.is_some_and(|it| it.hash == snapshot.hash(file));
    is_same || has_lines(&snapshot.text(file), place)
}

/// Whether some lines of a text are those that were cited, the same ones first.
fn has_lines(text: &str, place: &Place) -> bool {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|it| it + 1))
        .collect();
    let n = (place.last_line + 1).saturating_sub(place.first_line) as usize;
    let is_there = |first: usize| {
        let (Some(start), end) = (starts.get(first), starts.get(first + n)) else { return false };
        let lines = &text[*start..end.copied().unwrap_or(text.len())];
        let bare = lines.strip_suffix('\n').unwrap_or(lines);
        [lines, bare].iter().any(|it| ContentHash::of(it.as_bytes()) == place.hash)
    };
    let first = place.first_line.saturating_sub(1) as usize;
    is_there(first) || (0..starts.len().min(MOST_LINES)).any(is_there)
}

/// Lines of a changed text among which cited ones are looked for.
const MOST_LINES: usize = 2000;

/// Lines from the cursor to where a forecast would stand that is of its neighbourhood.
const NEAR: u32 = 30;

/// Tokens that a path above a piece costs beside its own: as in `trim`.
const PIECE_OVERHEAD: usize = 6;

fn block_piece(snapshot: &Snapshot, it: &Recalled<'_>, rank: usize, with: &Allowance<'_>) -> Piece {
    let path = &it.block.place.path;
    let why = it.block.evidence.iter().map(ToString::to_string).collect();
    Piece {
        path: path.clone(),
        start_line: it.first_line,
        end_line: it.last_line,
        form: Form::Excerpt,
        text: it.text.clone(),
        tokens: (with.count)(&it.text) + (with.count)(path) + PIECE_OVERHEAD,
        score: it.score,
        signals: PerSignal::default(),
        reasons: vec![Reason::Speculated { why, is_old: it.is_old }],
        position: Position::of_rank(rank, chunk_at(snapshot, path, it.first_line), with.truncation),
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn order(mix: Mix, blocks: usize, forecasts: usize) -> String {
        let name = |it: &Turn| match it {
            Turn::Block(_) => 'b',
            Turn::Forecast(_) => 'f',
        };
        turns(mix, blocks, forecasts).iter().map(name).collect()
    }

    #[test]
    fn forecasts_have_their_turn_among_blocks() {
        assert_eq!(order(Mix::SPEC_AGENT, 12, 12), "bbbfbbbfbbbf");
        assert_eq!(order(Mix { blocks: 6, forecasts: 6 }, 4, 12), "bfbfbfbfff");
        assert_eq!(order(Mix { blocks: 12, forecasts: 0 }, 12, 12), "bbbbbbbbbbbb");
        assert_eq!(order(Mix { blocks: 0, forecasts: 12 }, 12, 3), "fff");
        assert_eq!(order(Mix::SPEC_AGENT, 1, 2), "bff");
        // What is not foretold leaves its place to blocks.
        assert_eq!(order(Mix::SPEC_AGENT, 12, 1), "bbbfbbbbbbbb");
    }
}
