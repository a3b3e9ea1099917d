//! The ring buffer of llama.vim: random chunks around the user's recent positions.
//!
//! A chunk is picked when a buffer is entered, left or saved: a random 33 of the lines within 32 of the cursor there. A
//! chunk that shares more than 0.9 of its lines with an older one replaces it; the ring keeps 16 and drops the oldest
//! first. For a completion far from the last one, it picks a chunk from the lines before the 256 sent as prefix (up to
//! 1,024 lines back) and one from the 64 after those sent as suffix. It omits chunks that are more than half alike to a
//! chunk picked around the cursor. The newest comes last, and the server keeps the end.
//!
//! The simulated user went through the session's files, oldest first, to the last changed line, and saved there.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use super::input::BaselineInput;
use super::offer::{Offer, Order, Overflow, Piece};
use crate::random::Random;

const CHUNKS: usize = 16;
const CHUNK_LINES: usize = 64;
const PREFIX_LINES: usize = 256;
const SUFFIX_LINES: usize = 64;
const SCOPE_LINES: usize = 1024;
const LEAST_LINES: usize = 3;

/// A newer chunk replaces one with at least this similarity.
const SAME: f64 = 0.9;
/// Chunks above this similarity to the lines around the cursor are omitted.
const SHOWN: f64 = 0.5;

/// The chunks in the ring.
pub(super) fn offer(at: &BaselineInput<'_>) -> Offer {
    let mut ring = Ring { chunks: VecDeque::new(), random: at.random() };
    for touched in at.session.iter().rev() {
        let Some(file) =
            at.snapshot.file(&touched.path).filter(|_| touched.path != at.cursor.path())
        else {
            continue;
        };
        let text = at.snapshot.text(file);
        let lines: Vec<&str> = text.lines().collect();
        let line = (touched.line as usize).clamp(1, lines.len().max(1)) - 1;
        // Enter, save, leave.
        for _ in 0..3 {
            ring.pick(&touched.path, &lines, around(line, lines.len()));
        }
    }
    let own: Vec<&str> = at.cursor.text().lines().collect();
    let line = at.cursor.prefix().matches('\n').count();
    ring.pick(at.cursor.path(), &own, around(line, own.len()));
    let before = line.saturating_sub(SCOPE_LINES)..line.saturating_sub(PREFIX_LINES);
    ring.pick(at.cursor.path(), &own, before);
    let after = (line + SUFFIX_LINES).min(own.len());
    ring.pick(at.cursor.path(), &own, after..(after + CHUNK_LINES).min(own.len()));
    let here = ring.part_of(around(line, own.len()));
    let here = &own[here];
    ring.chunks.retain(|it| alike(&it.text.lines().collect::<Vec<_>>(), here) <= SHOWN);
    let pieces = ring.chunks.into_iter().rev().collect();
    Offer { pieces, order: Order::BestLast, ..Offer::default() }
}

/// The lines within half a chunk of `line`.
fn around(line: usize, n_lines: usize) -> Range<usize> {
    line.saturating_sub(CHUNK_LINES / 2)..(line + CHUNK_LINES / 2 + 1).min(n_lines)
}

struct Ring {
    /// Newest last.
    chunks: VecDeque<Piece>,
    random: Random,
}

impl Ring {
    /// A whole short range, or a random half chunk plus one line of a range as long as a chunk.
    fn part_of(&mut self, range: Range<usize>) -> Range<usize> {
        if range.len() + 1 < CHUNK_LINES {
            return range;
        }
        let half = CHUNK_LINES / 2;
        let start = range.start + self.random.below(range.len().saturating_sub(half) + 1);
        start..(start + half + 1).min(range.end)
    }

    fn pick(&mut self, path: &str, lines: &[&str], range: Range<usize>) {
        let range = range.start.min(lines.len())..range.end.min(lines.len());
        if range.len() < LEAST_LINES {
            return;
        }
        let chosen = self.part_of(range);
        let chunk = &lines[chosen.clone()];
        let is_same = |it: &Piece| alike(&it.text.lines().collect::<Vec<_>>(), chunk) > SAME;
        self.chunks.retain(|it| !is_same(it));
        if self.chunks.len() == CHUNKS {
            self.chunks.pop_front();
        }
        self.chunks.push_back(Piece {
            path: path.to_owned(),
            start_line: chosen.start as u32 + 1,
            end_line: chosen.end as u32,
            text: chunk.join("\n") + "\n",
            overflow: Overflow::KeepEnd,
        });
    }
}

/// Similarity: twice the lines of the first that the second has, by the lines of both.
fn alike(a: &[&str], b: &[&str]) -> f64 {
    let known: BTreeSet<&str> = b.iter().copied().collect();
    let common = a.iter().filter(|it| known.contains(*it)).count();
    2.0 * common as f64 / (a.len() + b.len()).max(1) as f64
}
