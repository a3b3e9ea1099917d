//! Positions of pieces in the prompt.
//!
//! A server that truncates a prompt cuts at one end, so the best pieces are placed at the other. A key-value cache
//! reuses the common beginning of two prompts, so small changes of scores must not reorder pieces: positions follow
//! tiers of rank (1, 2–3, 4–7, …), and within a tier path and line.

use serde::{Deserialize, Serialize};

use crate::index::ChunkId;

/// The end at which a server truncates a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The beginning is cut: the best piece is last, next to the cursor.
    Left,
    /// The end is cut: the best piece is first.
    Right,
}

/// Placement of the best pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// At the end that the server does not cut.
    #[default]
    Auto,
    /// First.
    BestFirst,
    /// Last: next to the cursor in formats with the cursor's text after the pieces.
    BestLast,
}

impl Order {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Auto, Self::BestFirst, Self::BestLast];

    /// Name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::BestFirst => "best-first",
            Self::BestLast => "best-last",
        }
    }

    /// The end opposite to the best piece, for a server that cuts at `truncation`.
    pub fn truncation(self, truncation: Truncation) -> Truncation {
        match self {
            Self::Auto => truncation,
            Self::BestFirst => Truncation::Right,
            Self::BestLast => Truncation::Left,
        }
    }
}

/// Sort key of a piece in the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    tier: i32,
    chunk: ChunkId,
}

impl Position {
    /// The chunk of the piece.
    pub fn chunk(self) -> ChunkId {
        self.chunk
    }

    /// Position of the piece with this rank, from 0.
    pub(crate) fn of_rank(rank: usize, chunk: ChunkId, truncation: Truncation) -> Self {
        let tier = (rank as u32 + 1).ilog2() as i32;
        let tier = match truncation {
            Truncation::Left => -tier,
            Truncation::Right => tier,
        };
        Self { tier, chunk }
    }
}

/// Positions of chunks that are sorted best first.
pub fn positions(chunks: impl Iterator<Item = ChunkId>, truncation: Truncation) -> Vec<Position> {
    let position = |(rank, chunk): (usize, ChunkId)| Position::of_rank(rank, chunk, truncation);
    chunks.enumerate().map(position).collect()
}
