//! The result of a comparison.

use serde::Serialize;

use super::outcome::Outcome;
use super::summary::Summary;
use crate::runs::completion::{Protocol, SessionUse};
use crate::runs::model_client::ModelInfo;

/// The result of a comparison.
#[derive(Serialize)]
pub struct Comparison {
    /// Whether the text after the cursor was known.
    pub(crate) protocol: Protocol,
    /// Whether methods knew the edits of earlier commits.
    pub(crate) session: SessionUse,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) written_by: Option<ModelInfo>,
    /// Number of tasks without a history, where the baselines that need one show nothing.
    pub(crate) without_session: usize,
    /// Code and tests, then the code of each language and repository.
    pub(crate) summaries: Vec<Summary>,
    /// Median latency in milliseconds.
    pub p50: f64,
    /// 95th percentile of the latency in milliseconds.
    pub p95: f64,
    pub(crate) outcomes: Vec<Outcome>,
}
