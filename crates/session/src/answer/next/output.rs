//! The answer to a request for next edits, for programs: the same through every door (docs/json.md).

use std::time::Instant;

use foreword_engine::index::Snapshot;
use serde::Serialize;

use super::model::ModelReport;
use super::{LikelyPlace, LikelyPlaces};

/// JSON of `next --json` and of `POST /v1/edits`.
#[derive(Serialize)]
pub struct NextOutput {
    version: u32,
    snapshot: String,
    complete: bool,
    edits: usize,
    places: Vec<LikelyPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<ModelReport>,
    elapsed_ms: f64,
}

impl NextOutput {
    /// The answer to a request that came at `start`.
    pub fn new(
        snapshot: &Snapshot,
        found: LikelyPlaces,
        model: Option<ModelReport>,
        start: Instant,
    ) -> Self {
        let LikelyPlaces { edits, places, note, .. } = found;
        Self {
            version: 1,
            snapshot: snapshot.id().to_owned(),
            complete: snapshot.is_complete(),
            edits,
            places,
            note,
            model,
            elapsed_ms: start.elapsed().as_secs_f64() * 1e3,
        }
    }
}
