//! Random choices that are the same on every run.

#[path = "../../crates/evaluate/src/random/split_mix.rs"]
mod split_mix;

use split_mix::SplitMix64;

/// A seeded generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        let mut generator = SplitMix64(self.0);
        let next = generator.next_u64();
        self.0 = generator.0;
        next
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}
