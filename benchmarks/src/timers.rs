//! Where the time of an answer goes: the same stages, called one by one.

use std::time::Instant;

use foreword_engine::context::{Situation, around, pieces, rank};
use foreword_engine::fuse::fuse;
use foreword_engine::index::{ChunkId, Snapshot};
use foreword_engine::order::Truncation;
use foreword_engine::preset::{self, Preset};
use foreword_engine::rerank::rerank;
use foreword_engine::retrieve;
use foreword_engine::scope::{Activity, Cursor, Resolver};
use foreword_engine::search::{SearchRequest, search};

use crate::measure::quantile;
use crate::query::count;

/// Milliseconds of each stage, one value for each answer.
#[derive(Default)]
pub(crate) struct Timers {
    stages: Vec<(&'static str, Vec<f64>)>,
}

impl Timers {
    pub(crate) fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let res = work();
        let took = start.elapsed().as_secs_f64() * 1e3;
        match self.stages.iter_mut().find(|it| it.0 == stage) {
            Some(known) => known.1.push(took),
            None => self.stages.push((stage, vec![took])),
        }
        res
    }

    pub(crate) fn print(&self, name: &str) {
        println!("| {name} | p50 ms | p95 ms |\n|---|---|---|");
        for (stage, times) in &self.stages {
            println!("| {stage} | {:.3} | {:.3} |", quantile(times, 0.5), quantile(times, 0.95));
        }
        println!();
    }
}

/// A search by its stages, and whole.
pub(crate) fn search_stages(snapshot: &Snapshot, text: &str, timers: &mut Timers) {
    let preset = preset::search();
    let query = timers.time("query", || retrieve::question_query(text, snapshot, &preset.query));
    let weighed = timers.time("weigh", || snapshot.weigh(&query.terms, &preset.bm25));
    let lexical =
        timers.time("lexical", || retrieve::lexical(snapshot, &weighed, None, preset.list));
    let named = timers.time("named", || retrieve::named(snapshot, &query, None, preset.list));
    let candidates = timers.time("fuse", || fuse(&[lexical, named], &preset.fuse));
    let candidates =
        timers.time("rerank", || rerank(snapshot, &query, &weighed, candidates, &preset.rerank));
    timers.time("records of the first 10", || {
        candidates.iter().take(10).for_each(|it| drop(snapshot.record(it.chunk.file)))
    });
    let first: Vec<ChunkId> = candidates.iter().take(10).map(|it| it.chunk).collect();
    timers.time("explain the first 10", || retrieve::explain(snapshot, &weighed, &first));
    let request = SearchRequest { query: text, limit: 10, ..SearchRequest::default() };
    timers.time("the whole, again", || search(snapshot, &request, &preset, &count));
}

/// A context by its stages.
pub(crate) fn context_stages(
    snapshot: &Snapshot,
    cursor: &Cursor,
    preset: &Preset,
    timers: &mut Timers,
) -> anyhow::Result<()> {
    let situation =
        timers.time("situation (overlay, resolver)", || Situation::new(snapshot, cursor))?;
    let scope = timers.time("scope", || situation.scope(cursor));
    let snapshot = situation.snapshot();
    let query = timers.time("query", || {
        retrieve::hole_query(cursor, &scope, &Activity::default(), snapshot, &preset.query)
    });
    let limit = preset.list;
    let weighed = timers.time("weigh", || snapshot.weigh(&query.terms, &preset.bm25));
    timers.time("lexical", || retrieve::lexical(snapshot, &weighed, None, limit));
    timers.time("used at hole", || retrieve::used_at_hole(snapshot, &scope, &query, limit));
    let resolver = timers.time("(resolver alone)", || Resolver::new(snapshot));
    timers.time("graph", || retrieve::graph(snapshot, &resolver, cursor, &scope, &weighed, limit));
    timers.time("package", || retrieve::package(snapshot, cursor, &scope, &weighed, limit));
    timers.time("all of retrieve, again", || {
        situation.retrieve(cursor, &scope, &query, &weighed, preset)
    });
    let ranked = timers.time("rank: query, retrieve, fuse, rerank, again", || {
        rank(&situation, cursor, &scope, preset)
    });
    let window = timers.time("around", || around(cursor, &scope, preset, &count));
    timers.time("pieces", || {
        let left =
            preset.budget.total.saturating_sub(count(&window.prefix) + count(&window.suffix));
        pieces(&situation, &scope, &window, &ranked, preset, Truncation::Left, left, &count)
    });
    Ok(())
}
