//! Where the time of an answer goes: the time of each stage, taken by an observer of the pipeline.

use std::time::Instant;

use foreword_engine::index::{ChunkId, Snapshot};
use foreword_engine::order::Truncation;
use foreword_engine::pipeline::{Control, CursorRetrieval, Request, Stage, rank};
use foreword_engine::preset::{self, Preset};
use foreword_engine::retrieve::{self, Question};
use foreword_engine::scope::{Cursor, View};
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
        self.add(stage, start);
        res
    }

    fn add(&mut self, stage: &'static str, start: Instant) {
        let took = start.elapsed().as_secs_f64() * 1e3;
        match self.stages.iter_mut().find(|it| it.0 == stage) {
            Some(known) => known.1.push(took),
            None => self.stages.push((stage, vec![took])),
        }
    }

    /// Notes the time of each stage that the pipeline finishes while `run` works.
    fn time_stages<T>(&mut self, run: impl FnOnce(&mut Control<'_>) -> T) -> T {
        let (mut stage_began, mut signal_began) = (Instant::now(), Instant::now());
        let mut observer = |stage: Stage| {
            if let Stage::Signal(_) = stage {
                self.add(stage.name(), signal_began);
            } else {
                self.add(stage.name(), stage_began);
                stage_began = Instant::now();
            }
            signal_began = Instant::now();
        };
        run(&mut Control { observer: Some(&mut observer), ..Control::default() })
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
    let question = &Question::new(text);
    let request = Request::Question { snapshot, question };
    let ranking = timers.time_stages(|control| rank(&request, &preset, control));
    let first = || ranking.candidates.iter().take(10).map(|it| it.chunk);
    timers.time("records of the first 10", || {
        first().for_each(|it| drop(snapshot.record(it.file)));
    });
    let chunks: Vec<ChunkId> = first().collect();
    timers.time("explain the first 10", || retrieve::explain(snapshot, &ranking.weighed, &chunks));
    let request = SearchRequest { question: Question::new(text), limit: 10, tokens: None };
    timers.time("the whole, again", || {
        search(snapshot, &request, &preset, &count, &mut Control::default())
    });
}

/// A context by its stages.
pub(crate) fn context_stages(
    snapshot: &Snapshot,
    cursor: &Cursor,
    preset: &Preset,
    timers: &mut Timers,
) -> anyhow::Result<()> {
    let view = timers.time("view (overlay, resolver)", || View::new(snapshot, cursor))?;
    let retrieval =
        timers.time_stages(|control| CursorRetrieval::new(view, cursor, preset, &count, control));
    timers.time("select", || {
        let window = &retrieval.window;
        let shown = count(&window.prefix) + count(&window.suffix);
        let left = preset.budget.total.saturating_sub(shown);
        retrieval.select(left, Truncation::Left, &count)
    });
    Ok(())
}
