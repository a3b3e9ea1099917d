//! The planner that needs no model: what the pipeline finds at the places where a file may grow, pooled.

use super::anchors::anchors;
use super::config::PlanConfig;
use super::forecast::forecast;
use super::plan::{FilePlan, Input, PlannerKey};
use super::pool::Pool;
use crate::evidence::Signal;
use crate::index::{FileId, FileRole, Snapshot};
use crate::order::Truncation;
use crate::pipeline::{Control, CursorRetrieval};
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
        config.preset.budget.max_pieces = config.pieces;
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

    /// The plan of the file at `path`, by files that were changed `recently`, the latest first; `None` if there is no such
    /// file or it is not planned for.
    pub fn plan(&self, snapshot: &Snapshot, path: &str, recently: &[String]) -> Option<FilePlan> {
        let file = snapshot.file(path).filter(|it| Self::is_planned(snapshot, *it))?;
        let (text, record) = snapshot.contents(file);
        let view = View::with_overlay(snapshot, None);
        let others = recently.iter().filter(|it| *it != path);
        let recent: Vec<String> = others.take(RECENT).cloned().collect();
        let mut pool = Pool::default();
        for at in anchors(&text, &record, self.config.anchors) {
            let Ok(cursor) = Cursor::new(path, &*text, at) else { continue };
            let cursor = cursor.with_recent(recent.clone());
            let line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() as u32;
            pool.add(line, self.pieces(&view, &cursor));
        }
        let blocks = pool.blocks(snapshot, &self.config);
        let forecasts = forecast(snapshot, view.resolver(), file, &self.config.forecasts).accepted;
        let grounds = forecasts.iter().flat_map(|it| &it.evidence).map(|it| &it.place);
        let places = blocks.iter().map(|it| &it.place).chain(grounds);
        let mut cited: Vec<&str> = places.map(|it| it.path.as_str()).collect();
        cited.sort_unstable();
        cited.dedup();
        let input = |path: &str| {
            let hash = snapshot.hash(snapshot.file(path)?);
            Some(Input { path: path.to_owned(), hash })
        };
        Some(FilePlan {
            path: path.to_owned(),
            hash: snapshot.hash(file),
            planner: self.key.clone(),
            inputs: cited.into_iter().filter_map(input).collect(),
            blocks,
            forecasts,
        })
    }

    /// What the pipeline would show at a cursor, the best first.
    fn pieces(&self, view: &View<'_>, cursor: &Cursor) -> Vec<crate::trim::Piece> {
        let PlanConfig { preset, tokens, .. } = &self.config;
        // Plans serve all models, so no tokenizer counts.
        let count = |text: &str| text.len() / BYTES_A_TOKEN + 1;
        let retrieval =
            CursorRetrieval::new(view.clone(), cursor, preset, &count, &mut Control::default());
        let mut pieces = retrieval.select(*tokens, Truncation::Right, &count).pieces;
        pieces.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.position.cmp(&b.position)));
        pieces
    }
}

/// How many of the files that were changed last are looked at: what follows counts less than a sixth.
const RECENT: usize = 16;

/// Files of more bytes are data, or generated.
const LONGEST: u32 = 1 << 20;

/// About how many bytes of code a token has.
const BYTES_A_TOKEN: usize = 4;
