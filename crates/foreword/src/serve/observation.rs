//! Records of requests: the journal, metrics, the log, and explanations of their contexts.

pub(crate) mod explanation;
pub(crate) mod in_flight;
pub(crate) mod journal;
pub(crate) mod log;
pub(crate) mod metrics;
pub(crate) mod prompted;
pub(crate) mod record;

use self::journal::Journal;
use self::log::Log;
use self::metrics::Metrics;

/// Everything that observes requests.
pub(crate) struct Observation {
    /// The recent requests.
    pub(crate) journal: Journal,
    /// Counters since the start.
    pub(crate) metrics: Metrics,
    pub(crate) log: Log,
}

impl Observation {
    pub(crate) fn new(log: Log) -> Self {
        Self { journal: Journal::new(), metrics: Metrics::default(), log }
    }
}
