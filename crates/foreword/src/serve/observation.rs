//! What is recorded of requests: the journal, metrics, the log, and explanations of their contexts.

pub(crate) mod explanation;
pub(crate) mod in_flight;
pub(crate) mod journal;
pub(crate) mod log;
pub(crate) mod metrics;
pub(crate) mod record;
