//! Merging: chooses the cuts so that chunks are few, full, and cut at the lowest cost.
//!
//! cAST merges greedily, from left to right, and only among the children of one node. That leaves tiny chunks wherever a
//! node is split, and cuts wherever a chunk happens to be full. Here every sequence of chunks within the size has a cost,
//! and dynamic programming finds the cheapest, across all levels of the tree:
//!
//! * each chunk costs [`CHUNK`], more when it is small;
//! * each cut costs nothing between top-level definitions, and inside a definition more than a chunk, so that no
//!   definition is cut to save a chunk.

use super::cuts::CutPoint;

/// Cost of one more chunk: the unit of all other costs.
pub(crate) const CHUNK: u32 = 100;

/// Byte positions where the chunks end, ascending. `cuts` include the start and the end of the packed text.
pub(crate) fn pack(cuts: &[CutPoint], max: u32, ends: &mut Vec<u32>) {
    let mut best: Vec<(u64, u32)> = Vec::with_capacity(cuts.len());
    best.push((0, 0));
    for i in 1..cuts.len() {
        let (cost, from) = cheapest(cuts, &best, i, max);
        best.push((cost + u64::from(cuts[i].cost), from));
    }
    let first = ends.len();
    let mut i = cuts.len() - 1;
    while i > 0 {
        ends.push(cuts[i].at);
        i = best[i].1 as usize;
    }
    ends[first..].reverse();
}

/// The best chunk that ends at cut `i`: the total cost up to there, and the cut where it begins. The shortest of equals
/// wins, which leaves the chunks before it fuller.
fn cheapest(cuts: &[CutPoint], best: &[(u64, u32)], i: usize, max: u32) -> (u64, u32) {
    let mut found = (u64::MAX, 0);
    for j in (0..i).rev() {
        let size = cuts[i].before - cuts[j].before;
        if size > max && j + 1 < i {
            break;
        }
        let cost = best[j].0 + u64::from(CHUNK + smallness(size, max));
        if cost < found.0 {
            found = (cost, j as u32);
        }
    }
    found
}

/// Extra cost of a small chunk.
fn smallness(size: u32, max: u32) -> u32 {
    match u64::from(size) * 100 / u64::from(max) {
        0..10 => 120,
        10..25 => 40,
        25..50 => 15,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::cuts::CutPoint;
    use super::pack;

    /// Packs pieces of the given sizes; the second number is the cost of the cut after a piece.
    fn check(pieces: &[(u32, u32)], expect: &[u32]) {
        let mut cuts = vec![CutPoint { at: 0, cost: 0, before: 0 }];
        for &(size, cost) in pieces {
            let before = cuts[cuts.len() - 1].before + size;
            cuts.push(CutPoint { at: before, cost, before });
        }
        let mut ends = vec![0];
        pack(&cuts, 100, &mut ends);
        let sizes: Vec<_> = ends.windows(2).map(|it| it[1] - it[0]).collect();
        assert_eq!(sizes, expect);
    }

    #[test]
    fn small_neighbours_share_a_chunk() {
        check(&[(20, 0), (20, 0), (50, 0), (40, 0)], &[90, 40]);
    }

    #[test]
    fn a_cheap_cut_wins_over_a_full_chunk() {
        check(&[(50, 130), (40, 0), (50, 130), (40, 0)], &[90, 90]);
        check(&[(30, 0), (40, 130), (40, 0)], &[30, 80]);
    }

    #[test]
    fn a_tiny_piece_joins_an_opened_neighbour() {
        check(&[(5, 0), (60, 130), (60, 0), (5, 0)], &[65, 65]);
    }

    #[test]
    fn nothing_is_cut_once_more_to_save_a_chunk() {
        check(&[(60, 0), (40, 130), (50, 130), (50, 130), (40, 0), (60, 0)], &[60, 90, 90, 60]);
    }
}
