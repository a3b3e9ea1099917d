//! The place of each piece in the prompt.
//!
//! A server that must cut cuts at one end, so the best pieces stand at the other. And a cache of keys and values is
//! kept as far as two prompts agree, so a small change of scores must not shuffle the pieces: places go by tiers of
//! rank (1, 2–3, 4–7, …), and within a tier by path and line.

use crate::fuse::Candidate;

/// The end at which whoever runs the model cuts a prompt that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The beginning is cut: the best piece stands last, next to the cursor.
    Left,
    /// The end is cut: the best piece stands first.
    Right,
}

/// Where a piece stands: pieces are sorted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    tier: i32,
    chunk: crate::index::ChunkId,
}

impl Place {
    /// The chunk that stands there.
    pub fn chunk(self) -> crate::index::ChunkId {
        self.chunk
    }
}

/// The places of candidates, which come best first.
pub fn places(candidates: &[Candidate], truncation: Truncation) -> Vec<Place> {
    let place = |(idx, it): (usize, &Candidate)| {
        let tier = (idx as u32 + 1).ilog2() as i32;
        let tier = match truncation {
            Truncation::Left => -tier,
            Truncation::Right => tier,
        };
        Place { tier, chunk: it.chunk }
    };
    candidates.iter().enumerate().map(place).collect()
}
