//! The position of each piece in the prompt.
//!
//! A server that has to cut a prompt cuts at one end, so the best pieces stand at the other. A key-value cache serves
//! the part that two prompts have in common, so a small change of scores must not shuffle the pieces: positions go by
//! tiers of rank (1, 2–3, 4–7, …), and within a tier by path and line.

use serde::{Deserialize, Serialize};

use crate::index::ChunkId;

/// The end at which a server cuts a prompt that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The beginning is cut: the best piece stands last, next to the cursor.
    Left,
    /// The end is cut: the best piece stands first.
    Right,
}

/// Where the best pieces stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// At the end that a server does not cut.
    #[default]
    Auto,
    /// First.
    BestFirst,
    /// Last, next to the cursor in formats that have the text around it behind the pieces.
    BestLast,
}

impl Order {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::BestFirst, Self::BestLast];

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::BestFirst => "best-first",
            Self::BestLast => "best-last",
        }
    }

    /// The end at which the best piece does not stand, where a server cuts at `truncation`.
    pub fn truncation(self, truncation: Truncation) -> Truncation {
        match self {
            Self::Auto => truncation,
            Self::BestFirst => Truncation::Right,
            Self::BestLast => Truncation::Left,
        }
    }
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

    /// The position of the piece with this rank, from 0.
    pub(crate) fn of_rank(rank: usize, chunk: ChunkId, truncation: Truncation) -> Self {
        let tier = (rank as u32 + 1).ilog2() as i32;
        let tier = match truncation {
            Truncation::Left => -tier,
            Truncation::Right => tier,
        };
        Self { tier, chunk }
    }
}

/// The positions of chunks, which come best first.
pub fn positions(chunks: impl Iterator<Item = ChunkId>, truncation: Truncation) -> Vec<Position> {
    let position = |(rank, chunk): (usize, ChunkId)| Position::of_rank(rank, chunk, truncation);
    chunks.enumerate().map(position).collect()
}
