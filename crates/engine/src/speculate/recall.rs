//! The candidates of a plan at a cursor: the cited chunks and those touched recently, ranked by the plan and by the features
//! of retrieval. Nothing is searched and nothing is parsed: words are counted in these candidates alone, and the saved text
//! is used for the cursor's file.

use std::cmp::Reverse;

use super::plan::{Block, FilePlan};
use super::quote::requote;
use super::shift::Shift;
use crate::evidence::{Reason, Signal};
use crate::fuse::{Candidate, fuse};
use crate::index::bm25::WeightedQuery;
use crate::index::{ChunkId, FileId, HeadPlace, Snapshot};
use crate::order::{Truncation, positions};
use crate::pipeline::fill_in_terms;
use crate::preset::Preset;
use crate::rerank::{RerankInputs, rerank};
use crate::retrieve::{Hit, RankedList, changed_lines, recent_files, sort_and_limit, text_query};
use crate::scope::{Activity, Cursor};
use crate::trim::{
    Budget, Count, PieceBudget, RankedCandidate, Selection, VisibleText, Window, ranked_candidates,
    select,
};

/// A cursor with its window and the user's recent actions.
#[derive(Clone, Copy)]
pub struct AtCursor<'a> {
    /// The cursor.
    pub cursor: &'a Cursor,
    /// The text around it.
    pub window: &'a Window,
    /// The user's recent actions in other files.
    pub activity: &'a Activity,
}

/// The ranked candidates of a plan at a cursor.
pub struct Recollection {
    /// Candidates, the best first.
    pub candidates: Vec<Candidate>,
    query: WeightedQuery,
    /// The window, in bytes of the saved text.
    window: Window,
    own: Option<FileId>,
    /// Position of the cursor in the head of its file; `None` below the head.
    head: Option<HeadPlace>,
}

/// Ranks the candidates of a plan at a cursor; without a plan, the chunks touched recently. `weight` is that of the plan
/// beside the words around the cursor.
pub fn recall(
    plan: Option<&FilePlan>,
    snapshot: &Snapshot,
    at: AtCursor<'_>,
    (preset, weight): (&Preset, f32),
) -> Recollection {
    let AtCursor { cursor, window, activity } = at;
    let own = snapshot.file(cursor.path());
    let saved = own.map(|it| snapshot.text(it)).unwrap_or_default();
    let shift = Shift::new(&saved, cursor.text());
    // A new file is all unsaved; its text adds nothing to the lines around the cursor.
    let unsaved = if own.is_some() { shift.unsaved() } else { 0..0 };
    let query = text_query(cursor, unsaved, &activity.edited, snapshot, &preset.query);
    let weighed = snapshot.weighted_query(&query.terms, &preset.bm25);
    let head = own.and_then(|it| head_place(snapshot, it, cursor, shift));
    let planned = plan.map_or_else(Vec::new, |it| planned(it, snapshot));
    let lists = lists(snapshot, (planned, &weighed), at, own);
    let mut fusion = preset.fuse.clone();
    fusion.weights[Signal::Speculated] = weight;
    let (hole, prior) = (None, None);
    let inputs = RerankInputs { snapshot, query: &query, weighed: &weighed, hole, prior };
    let mut candidates = rerank(&inputs, fuse(&lists, &fusion), &preset.rerank);
    candidates.truncate(MAX_CANDIDATES);
    let mut visible: Vec<_> = window.visible.iter().map(|it| shift.to_saved(it)).collect();
    visible.push(shift.gone());
    visible.retain(|it| !it.is_empty());
    let window = Window { visible, ..window.clone() };
    Recollection { candidates, query: weighed, window, own, head }
}

impl Recollection {
    /// Selects the pieces that fit `tokens`, in the order of the prompt.
    pub fn select(
        &self,
        snapshot: &Snapshot,
        (budget, tokens): (&Budget, usize),
        truncation: Truncation,
        count: Count<'_>,
    ) -> Selection {
        let visible = VisibleText { file: self.own, window: &self.window, head: self.head };
        let candidates = ranked_candidates(snapshot, &visible, &self.candidates);
        let positions = positions(candidates.iter().map(RankedCandidate::chunk), truncation);
        // Comparing lines with those at the cursor takes a third of a millisecond, and with room for many pieces it covered
        // less of the needed code (`benchmarks/results/speculation.md`).
        let budget = &Budget { likeness: 0.0, ..*budget };
        let allowance = PieceBudget { budget, tokens, count };
        let mut res =
            select(snapshot, &visible, &self.query, (&candidates, &positions), &allowance);
        let shown = res.pieces.iter_mut().map(|it| (it.position.chunk(), &mut it.reasons));
        fill_in_terms(snapshot, &self.query, shown.collect());
        res
    }
}

/// The chunks of the blocks of a plan whose lines are unchanged, the best first.
fn planned(plan: &FilePlan, snapshot: &Snapshot) -> Vec<Hit> {
    let hit = |it: &Block| {
        let file = snapshot.file(&it.place.path)?;
        let known = plan.inputs.binary_search_by(|input| input.path.cmp(&it.place.path)).ok()?;
        let is_old = snapshot.hash(file) != plan.inputs[known].hash;
        let lines = match is_old {
            false => (it.place.first_line, it.place.last_line),
            true => requote(it, &snapshot.text(file)).map(|it| (it.first_line, it.last_line))?,
        };
        let chunk = chunk_with(snapshot, file, lines)?;
        let reason = Reason::Speculated { why: it.reason_text(), is_old };
        Some(Hit { chunk, definition: None, score: it.score, reason })
    };
    let mut res: Vec<Hit> = plan.blocks.iter().filter_map(hit).collect();
    sort_and_limit(&mut res, usize::MAX);
    res
}

/// Position of the cursor in the head of its saved file.
fn head_place(
    snapshot: &Snapshot,
    file: FileId,
    cursor: &Cursor,
    shift: Shift,
) -> Option<HeadPlace> {
    let (text, record) = snapshot.contents(file);
    record.language.filter(|it| it.is_code())?;
    let at = shift.to_saved(&(cursor.offset()..cursor.offset())).start;
    snapshot.layout(file, &text, &record).head.place(&text, at)
}

/// The ranked lists: the plan, recently touched chunks, and the query's words in the chunks of both.
fn lists(
    snapshot: &Snapshot,
    (planned, weighed): (Vec<Hit>, &WeightedQuery),
    at: AtCursor<'_>,
    own: Option<FileId>,
) -> Vec<RankedList> {
    let AtCursor { cursor, activity, .. } = at;
    let recent = cursor.recent();
    let recent = &recent[..recent.len().min(MAX_RECENT_FILES)];
    let mut recent = recent_files((snapshot, weighed), own, recent, activity);
    sort_and_limit(&mut recent, usize::MAX);
    let mut changed = changed_lines(snapshot, weighed, cursor.path(), MAX_RECENT_FILES);
    sort_and_limit(&mut changed, usize::MAX);
    let mut chunks: Vec<ChunkId> =
        planned.iter().chain(&recent).chain(&changed).map(|it| it.chunk).collect();
    chunks.extend(own.into_iter().flat_map(|it| snapshot.chunks(it).take(MAX_OWN_CHUNKS)));
    chunks.sort_unstable();
    chunks.dedup();
    let by_words = |(chunk, score): (&ChunkId, f32)| {
        let reason = Reason::Lexical { terms: Vec::new() };
        (score > 0.0).then_some(Hit { chunk: *chunk, definition: None, score, reason })
    };
    let scores = snapshot.scores_in(weighed, &chunks);
    let mut lexical: Vec<Hit> = chunks.iter().zip(scores).filter_map(by_words).collect();
    sort_and_limit(&mut lexical, usize::MAX);
    // Reasons are listed in this order.
    vec![
        RankedList { signal: Signal::Speculated, hits: planned },
        RankedList { signal: Signal::Lexical, hits: lexical },
        RankedList { signal: Signal::Recent, hits: recent },
        RankedList { signal: Signal::Diff, hits: changed },
    ]
}

/// Maximum candidates; a prompt shows about ten.
const MAX_CANDIDATES: usize = 32;

/// Maximum chunks of the cursor's own file.
const MAX_OWN_CHUNKS: usize = 200;

/// Maximum recently touched files.
const MAX_RECENT_FILES: usize = 6;

/// The chunk with most of these lines, the first on a tie.
fn chunk_with(snapshot: &Snapshot, file: FileId, (first, last): (u32, u32)) -> Option<ChunkId> {
    let n = snapshot.chunks(file).len() as u32;
    let info = |idx: u32| snapshot.chunk(ChunkId { file, idx });
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low.midpoint(high);
        if info(middle).end_line < first { low = middle + 1 } else { high = middle }
    }
    let shared = |idx: u32| {
        let it = info(idx);
        (it.end_line.min(last) + 1).saturating_sub(it.start_line.max(first))
    };
    let with = (low..n).take_while(|it| info(*it).start_line <= last);
    let best = with.map(|it| (shared(it), Reverse(it))).max()?;
    (best.0 > 0).then_some(ChunkId { file, idx: best.1.0 })
}
