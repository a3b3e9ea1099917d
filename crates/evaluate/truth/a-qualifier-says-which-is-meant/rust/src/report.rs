//! What is printed once a minute.

use crate::gauges::Gauge;
use crate::histogram::Histogram;

pub fn minute(waits: &Histogram, open: &Gauge) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(waits.snapshot_of(<CURSOR: src/histogram.rs:snapshot_of>
    lines
}
