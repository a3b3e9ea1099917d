//! The candidates that a plan gives at a cursor: what it cites and what was touched just now, ranked by the plan, by how
//! near the cursor is to where each was wanted, and by everything by which retrieval ranks. Nothing is searched and nothing
//! is parsed: words are counted in these candidates alone, and of the cursor's file the saved text is what is known.

use std::cmp::Reverse;

use super::config::RecallConfig;
use super::plan::{Block, FilePlan};
use super::quote::moved_lines;
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
use crate::scope::{Activity, Cursor, PlannedLines};
use crate::trim::{
    Budget, Count, PieceBudget, Selection, Standing, VisibleText, Window, select, standings,
};

/// A cursor, what is shown around it, and what the user did elsewhere.
#[derive(Clone, Copy)]
pub struct AtCursor<'a> {
    /// The cursor.
    pub cursor: &'a Cursor,
    /// The text around it.
    pub window: &'a Window,
    /// What the user did in other files.
    pub activity: &'a Activity,
}

/// What is known at a cursor by a plan.
pub struct Recalled {
    /// The best first.
    pub candidates: Vec<Candidate>,
    weighed: WeightedQuery,
    /// The window, by the bytes of the saved text.
    window: Window,
    own: Option<FileId>,
    /// Where the cursor is in the head of its file; `None` below that.
    head: Option<HeadPlace>,
}

/// The candidates at a cursor by the plan of its file; without one, those of files that were touched just now.
pub fn recall(
    plan: Option<&FilePlan>,
    snapshot: &Snapshot,
    at: AtCursor<'_>,
    (preset, config): (&Preset, &RecallConfig),
) -> Recalled {
    let AtCursor { cursor, window, activity } = at;
    let own = snapshot.file(cursor.path());
    let saved = own.map(|it| snapshot.text(it)).unwrap_or_default();
    let shift = Shift::new(&saved, cursor.text());
    // What is nowhere saved is all new, and says no more than the lines around the cursor.
    let unsaved = if own.is_some() { shift.unsaved() } else { 0..0 };
    let query = text_query(cursor, unsaved, &activity.edited, snapshot, &preset.query);
    let weighed = snapshot.weighted_query(&query.terms, &preset.bm25);
    let head = own.and_then(|it| head_place(snapshot, it, cursor, shift));
    let planned = plan.map_or_else(Vec::new, |it| planned(it, snapshot, cursor, config));
    let mut lists = lists(snapshot, (planned, &weighed), at, own);
    if let Some(plan) = plan.filter(|_| head.is_some()) {
        lists.push(RankedList { signal: Signal::Head, hits: heads(plan, snapshot) });
    }
    let mut fusion = preset.fuse.clone();
    fusion.weights[Signal::Speculated] = config.weight;
    let (hole, prior) = (None, None);
    let inputs = RerankInputs { snapshot, query: &query, weighed: &weighed, hole, prior };
    let mut candidates = rerank(&inputs, fuse(&lists, &fusion), &preset.rerank);
    candidates.truncate(MOST);
    let mut visible: Vec<_> = window.visible.iter().map(|it| shift.to_saved(it)).collect();
    visible.push(shift.gone());
    visible.retain(|it| !it.is_empty());
    let window = Window { visible, ..window.clone() };
    Recalled { candidates, weighed, window, own, head }
}

impl Recalled {
    /// The pieces that fit `tokens`, in the order of the prompt.
    pub fn select(
        &self,
        snapshot: &Snapshot,
        (budget, tokens): (&Budget, usize),
        truncation: Truncation,
        count: Count<'_>,
    ) -> Selection {
        let visible = VisibleText { file: self.own, window: &self.window, head: self.head };
        let standings = standings(snapshot, &visible, &self.candidates);
        let positions = positions(standings.iter().map(Standing::chunk), truncation);
        // Comparing lines with those at the cursor takes a third of a millisecond, and where there is room for many pieces
        // it showed less of what holes need (`benchmarks/results/speculation.md`).
        let budget = &Budget { likeness: 0.0, ..*budget };
        let allowance = PieceBudget { budget, tokens, count };
        let mut res =
            select(snapshot, &visible, &self.weighed, (&standings, &positions), &allowance);
        let shown = res.pieces.iter_mut().map(|it| (it.position.chunk(), &mut it.reasons));
        fill_in_terms(snapshot, &self.weighed, shown.collect());
        res
    }
}

/// The lines that a plan wants at a cursor, for the signal of live retrieval, the best first.
pub fn planned_lines(
    plan: &FilePlan,
    snapshot: &Snapshot,
    cursor: &Cursor,
    config: &RecallConfig,
) -> Vec<PlannedLines> {
    let lines = |it: Hit| {
        let Reason::Speculated { why, is_old } = it.reason else { return None };
        let info = snapshot.chunk(it.chunk);
        let path = snapshot.path(it.chunk.file).to_owned();
        let (first_line, last_line) = (info.start_line, info.end_line);
        Some(PlannedLines { path, first_line, last_line, score: it.score, why, is_old })
    };
    planned(plan, snapshot, cursor, config).into_iter().filter_map(lines).collect()
}

/// The chunks that have the blocks of a plan which still hold, the best first.
fn planned(
    plan: &FilePlan,
    snapshot: &Snapshot,
    cursor: &Cursor,
    config: &RecallConfig,
) -> Vec<Hit> {
    let line = 1 + memchr::memchr_iter(b'\n', cursor.prefix().as_bytes()).count() as u32;
    let anchors = nearest(plan, line);
    let score = |it: &Block| config.plan * it.score + config.near * near(it, anchors);
    hits(plan, snapshot, |it| (!it.is_head()).then(|| score(it)))
}

/// The heads of other files that a plan has for the imports, the best first.
fn heads(plan: &FilePlan, snapshot: &Snapshot) -> Vec<Hit> {
    hits(plan, snapshot, |it| it.is_head().then_some(it.score))
}

/// The chunks that have those blocks of a plan which have a score and still hold, the best first.
fn hits(plan: &FilePlan, snapshot: &Snapshot, score: impl Fn(&Block) -> Option<f32>) -> Vec<Hit> {
    let hit = |it: &Block| {
        let score = score(it)?;
        let file = snapshot.file(&it.place.path)?;
        let known = plan.inputs.binary_search_by(|input| input.path.cmp(&it.place.path)).ok()?;
        let is_old = snapshot.hash(file) != plan.inputs[known].hash;
        let lines = match is_old {
            false => (it.place.first_line, it.place.last_line),
            true => moved_lines(it, &snapshot.text(file))?,
        };
        let chunk = chunk_with(snapshot, file, lines)?;
        let why = it.evidence.iter().map(ToString::to_string).collect();
        Some(Hit { chunk, definition: None, score, reason: Reason::Speculated { why, is_old } })
    };
    let mut res: Vec<Hit> = plan.blocks.iter().filter_map(hit).collect();
    sort_and_limit(&mut res, usize::MAX);
    res
}

/// Where the cursor is in the head of its file as it was saved.
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

/// The ranked lists: the plan, what was touched, and the words of the query in the chunks of both.
fn lists(
    snapshot: &Snapshot,
    (planned, weighed): (Vec<Hit>, &WeightedQuery),
    at: AtCursor<'_>,
    own: Option<FileId>,
) -> Vec<RankedList> {
    let AtCursor { cursor, activity, .. } = at;
    let recent = cursor.recent();
    let recent = &recent[..recent.len().min(RECENT)];
    let mut recent = recent_files((snapshot, weighed), own, recent, activity);
    sort_and_limit(&mut recent, usize::MAX);
    let mut changed = changed_lines(snapshot, weighed, cursor.path(), RECENT);
    sort_and_limit(&mut changed, usize::MAX);
    let mut chunks: Vec<ChunkId> =
        planned.iter().chain(&recent).chain(&changed).map(|it| it.chunk).collect();
    chunks.extend(own.into_iter().flat_map(|it| snapshot.chunks(it).take(OWN)));
    chunks.sort_unstable();
    chunks.dedup();
    let by_words = |(chunk, score): (&ChunkId, f32)| {
        let reason = Reason::Lexical { terms: Vec::new() };
        (score > 0.0).then_some(Hit { chunk: *chunk, definition: None, score, reason })
    };
    let scores = snapshot.scores_in(weighed, &chunks);
    let mut lexical: Vec<Hit> = chunks.iter().zip(scores).filter_map(by_words).collect();
    sort_and_limit(&mut lexical, usize::MAX);
    // In the order in which reasons are told.
    vec![
        RankedList { signal: Signal::Speculated, hits: planned },
        RankedList { signal: Signal::Lexical, hits: lexical },
        RankedList { signal: Signal::Recent, hits: recent },
        RankedList { signal: Signal::Diff, hits: changed },
    ]
}

/// How many candidates are offered to the prompt, which shows about ten of them.
const MOST: usize = 32;

/// How many chunks of the cursor's own file are looked at.
const OWN: usize = 200;

/// How many files that were touched just now are looked at.
const RECENT: usize = 6;

/// The chunk of a file that has most of some lines, the first of equal ones.
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

/// The places of the plan before a line, or at it, and after it.
fn nearest(plan: &FilePlan, line: u32) -> [Option<u32>; 2] {
    let blocks = || plan.blocks.iter().filter(|it| !it.is_head());
    let lines = || blocks().flat_map(|it| &it.found_at).map(|it| it.line);
    [lines().filter(|it| *it <= line).max(), lines().filter(|it| *it > line).min()]
}

/// How much, of 1, a block was wanted at the nearest places; that before the cursor counts twice. What a model chose for no
/// place is wanted at each alike.
fn near(block: &Block, [before, after]: [Option<u32>; 2]) -> f32 {
    let found_at = &block.found_at;
    if found_at.is_empty() {
        return block.score;
    }
    let at = |line: Option<u32>| {
        let found = found_at.iter().find(|it| Some(it.line) == line);
        found.map_or(0.0, |it| f32::from(it.percent) / 100.0)
    };
    match (before, after) {
        (Some(_), Some(_)) => (2.0 * at(before) + at(after)) / 3.0,
        _ => at(before).max(at(after)),
    }
}
