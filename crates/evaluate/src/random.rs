//! Repeatable random choices: the same seed gives the same sequence on every machine.

pub mod split_mix;

use split_mix::SplitMix64;

/// A seeded random number generator.
pub struct Random(SplitMix64);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64(seed))
    }

    /// Starts from the hash of a name (FNV-1a), so that each task has its own sequence.
    pub fn of_name(name: &str) -> Self {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self::new(name.bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }

    /// A number below `n`; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// Shuffles `items` (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for idx in (1..items.len()).rev() {
            items.swap(idx, self.below(idx + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_published_generator() {
        let mut random = SplitMix64(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }
}
