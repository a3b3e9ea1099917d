//! Counts fates.

use crate::fate::Fate;
use crate::stats::Stats;

/// Counts one message.
pub fn tally(stats: &mut Stats, fate: Fate) {
    match fate {
        Fate::<CURSOR: src/fate.rs:Fate>
    }
}
