//! The position of each piece in the prompt.
//!
//! A server that has to cut a prompt cuts at one end, so the best pieces stand at the other. A key-value cache serves
//! the part that two prompts have in common, so a small change of scores must not shuffle the pieces: positions go by
//! tiers of rank (1, 2–3, 4–7, …), and within a tier by path and line.

use crate::fuse::Candidate;
use crate::index::ChunkId;

/// The end at which a server cuts a prompt that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The beginning is cut: the best piece stands last, next to the cursor.
    Left,
    /// The end is cut: the best piece stands first.
    Right,
}

/// The position of a piece in the prompt: pieces are sorted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    tier: i32,
    chunk: ChunkId,
}

impl Position {
    /// The chunk that the piece is of.
    pub fn chunk(self) -> ChunkId {
        self.chunk
    }
}

/// The positions of candidates, which come best first.
pub fn positions(candidates: &[Candidate], truncation: Truncation) -> Vec<Position> {
    let position = |(idx, it): (usize, &Candidate)| {
        let tier = (idx as u32 + 1).ilog2() as i32;
        let tier = match truncation {
            Truncation::Left => -tier,
            Truncation::Right => tier,
        };
        Position { tier, chunk: it.chunk }
    };
    candidates.iter().enumerate().map(position).collect()
}
