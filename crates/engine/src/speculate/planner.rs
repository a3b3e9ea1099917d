//! The planner that needs no model: what the pipeline finds at the places where a file may grow, pooled.

use super::anchors::anchors;
use super::config::PlanConfig;
use super::forecast::forecast;
use super::plan::{Block, FilePlan, Forecast, Input, PlannerKey};
use super::pool::{CompanionFile, Pool};
use crate::evidence::Signal;
use crate::history::{CoChange, Companion};
use crate::index::{FileId, FileRole, Snapshot};
use crate::pipeline::{Control, Request, rank};
use crate::scope::{Cursor, View};

/// Plans by the signals of the pipeline, without a model.
#[derive(Clone, Debug)]
pub struct StaticPlanner {
    config: PlanConfig,
    key: PlannerKey,
}

/// Its name in keys and reports.
const NAME: &str = "static";

impl StaticPlanner {
    /// A planner with these settings. What is not committed is no part of a plan.
    pub fn new(mut config: PlanConfig) -> Self {
        config.preset.fuse.weights[Signal::Diff] = 0.0;
        let key = PlannerKey { name: NAME.to_owned(), fingerprint: config.fingerprint() };
        Self { config, key }
    }

    /// What its plans are keyed by, beside their inputs.
    pub fn key(&self) -> &PlannerKey {
        &self.key
    }

    /// Whether it plans for a file: for code that somebody of the project writes.
    pub fn is_planned(snapshot: &Snapshot, file: FileId) -> bool {
        let is_code = snapshot.language(file).is_some_and(foreword_chunk::Language::is_code);
        let is_own =
            !matches!(snapshot.role(file), FileRole::Prose | FileRole::Data | FileRole::ThirdParty);
        is_code && is_own && snapshot.size(file).0 <= LONGEST
    }

    /// The plan of the file at `path`; `None` if there is no such file or it is not planned for.
    pub fn plan(
        &self,
        snapshot: &Snapshot,
        path: &str,
        background: Background<'_>,
    ) -> Option<FilePlan> {
        let file = snapshot.file(path).filter(|it| Self::is_planned(snapshot, *it))?;
        let (text, record) = snapshot.contents(file);
        let view = View::with_overlay(snapshot, None);
        let others = background.recently.iter().filter(|it| *it != path);
        let recent: Vec<String> = others.take(RECENT).cloned().collect();
        let found_at = |at: usize| {
            let cursor = Cursor::new(path, &*text, at).ok()?.with_recent(recent.clone());
            let line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() as u32;
            let scope = view.scope(&cursor);
            let request = Request::Cursor { view: &view, cursor: &cursor, scope: &scope };
            Some((line, rank(&request, &self.config.preset, &mut Control::default())))
        };
        let mut pool = Pool::default();
        for at in anchors(&text, &record, self.config.anchors) {
            let Some((line, ranking)) = found_at(at) else { continue };
            pool.add(line, ranking, self.config.pieces);
        }
        let head = snapshot.layout(file, &text, &record).head.next_import();
        if let Some((line, ranking)) = found_at(head) {
            pool.add_heads(line, &ranking, self.config.heads);
        }
        let companions = companions(snapshot, path, background.co_change);
        let blocks = pool.blocks(snapshot, &companions, &self.config);
        let forecasts = forecast(snapshot, view.resolver(), file, &self.config.forecasts).accepted;
        let inputs = inputs(snapshot, &blocks, &forecasts);
        let (hash, planner) = (snapshot.hash(file), self.key.clone());
        Some(FilePlan { path: path.to_owned(), hash, planner, inputs, blocks, forecasts })
    }
}

/// The files that changed together with the one at `path` often enough to say something, the likeliest first.
fn companions(snapshot: &Snapshot, path: &str, co_change: &CoChange) -> Vec<CompanionFile> {
    let all = co_change.companions(path).into_iter();
    let telling = all.filter(|it| it.weight >= LEAST_SHARE && it.commits >= LEAST_COMMITS);
    let companion = |it: Companion<'_>| {
        Some(CompanionFile { file: snapshot.file(it.path)?, commits: it.commits })
    };
    telling.filter_map(companion).take(COMPANIONS).collect()
}

/// What the history says, for plans.
#[derive(Clone, Copy)]
pub struct Background<'a> {
    /// The files that were changed, the latest first.
    pub recently: &'a [String],
    /// Which files change together.
    pub co_change: &'a CoChange,
}

/// The files that blocks and forecasts cite, by path.
fn inputs(snapshot: &Snapshot, blocks: &[Block], forecasts: &[Forecast]) -> Vec<Input> {
    let grounds = forecasts.iter().flat_map(|it| &it.evidence).map(|it| &it.place);
    let places = blocks.iter().map(|it| &it.place).chain(grounds);
    let mut cited: Vec<&str> = places.map(|it| it.path.as_str()).collect();
    cited.sort_unstable();
    cited.dedup();
    let input = |path: &str| {
        let hash = snapshot.hash(snapshot.file(path)?);
        Some(Input { path: path.to_owned(), hash })
    };
    cited.into_iter().filter_map(input).collect()
}

/// How many files are said to change together with the planned one.
const COMPANIONS: usize = 8;

/// A file with a smaller share of the commits says nothing.
const LEAST_SHARE: f32 = 0.05;

/// Fewer commits with both files say nothing.
const LEAST_COMMITS: u32 = 2;

/// How many of the files that were changed last are looked at: what follows counts less than a sixth.
const RECENT: usize = 16;

/// Files of more bytes are data, or generated.
const LONGEST: u32 = 1 << 20;
