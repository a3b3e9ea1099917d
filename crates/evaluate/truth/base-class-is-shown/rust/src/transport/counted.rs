//! Counts what another transport delivers.

use super::Transport;
use crate::stats::Stats;

/// A transport with counts.
pub struct Counted<T> {
    inner: T,
    stats: Stats,
}

impl<T: Transport> Transport for Counted<T> {
    <CURSOR: src/transport/mod.rs:Transport>
}
