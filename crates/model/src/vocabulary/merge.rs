//! Byte-pair encoding (Sennrich et al., arXiv 1508.07909, §3.2): merges the adjacent pair with the smallest rank,
//! leftmost first, until no pair is a token.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Ranks;

/// Pieces up to this length are merged by scanning all pairs; longer ones with a heap.
const SHORT_PIECE: usize = 64;
/// Rank of a pair that is no token.
const NONE: u32 = u32::MAX;

/// Number of tokens of a piece.
pub(super) fn count(ranks: &Ranks, piece: &[u8]) -> usize {
    if piece.len() < 2 || ranks.rank(piece).is_some() {
        return piece.len().min(1);
    }
    if piece.len() <= SHORT_PIECE { count_short(ranks, piece) } else { count_long(ranks, piece) }
}

fn count_short(ranks: &Ranks, piece: &[u8]) -> usize {
    let mut starts: Vec<usize> = (0..=piece.len()).collect();
    let rank = |starts: &[usize], at: usize| {
        let pair = starts.get(at + 2).and_then(|end| ranks.rank(&piece[starts[at]..*end]));
        pair.unwrap_or(NONE)
    };
    let mut pairs: Vec<u32> = (0..piece.len()).map(|at| rank(&starts, at)).collect();
    loop {
        let least = pairs.iter().enumerate().min_by_key(|(at, rank)| (**rank, *at));
        let Some((at, _)) = least.filter(|it| *it.1 != NONE) else { return pairs.len() };
        starts.remove(at + 1);
        pairs.remove(at + 1);
        pairs[at] = rank(&starts, at);
        if let Some(before) = at.checked_sub(1) {
            pairs[before] = rank(&starts, before);
        }
    }
}

fn count_long(ranks: &Ranks, piece: &[u8]) -> usize {
    let len = piece.len();
    // By the start of a token: its end, and the start of the token before it.
    let mut ends: Vec<usize> = (1..=len).collect();
    let mut before: Vec<usize> = (0..len).map(|it| it.wrapping_sub(1)).collect();
    let mut is_start = vec![true; len];
    let mut heap = BinaryHeap::new();
    let push = |heap: &mut BinaryHeap<_>, ends: &[usize], start: usize| {
        let Some(&end) = ends.get(ends[start]) else { return };
        if let Some(rank) = ranks.rank(&piece[start..end]) {
            heap.push(Reverse((rank, start, end)));
        }
    };
    (0..len).for_each(|start| push(&mut heap, &ends, start));
    let mut count = len;
    while let Some(Reverse((_, start, end))) = heap.pop() {
        // Skips pairs that were merged meanwhile.
        let middle = ends[start];
        if !is_start[start] || middle >= len || ends[middle] != end || !is_start[middle] {
            continue;
        }
        is_start[middle] = false;
        ends[start] = end;
        if end < len {
            before[end] = start;
        }
        count -= 1;
        push(&mut heap, &ends, start);
        if start > 0 {
            push(&mut heap, &ends, before[start]);
        }
    }
    count
}
