//! Counts of all runs of up to six tokens, as a sorted list of positions.
//!
//! No run is stored: positions are sorted by the six tokens that follow, so the positions of a run are one interval of
//! the list, whose length is the count. Eight bytes a token hold all orders, and the copy model continues from the
//! positions. (A suffix array, Manber and Myers 1990, sorted only to the required depth.)

use std::ops::Range;

use super::vocabulary::{BEGIN, END};

/// Length of the longest counted run: five tokens of context and the next.
pub(crate) const ORDER: usize = 6;

/// Counts of texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// All texts, each between [`BEGIN`] and [`END`], padded with [`ORDER`] more ends.
    tokens: Vec<u32>,
    /// Positions in `tokens` except those of `BEGIN` and the padding, sorted by the tokens that follow, then by
    /// position.
    sorted: Vec<u32>,
    /// First position in `sorted` of each token, and at last its length; empty if there are more numbers than tokens.
    starts: Vec<u32>,
    texts: u32,
}

/// An interval of the sorted positions: those of one run of tokens.
pub(crate) type Interval = Range<u32>;

impl Counts {
    /// Counts texts. Uses eight bytes a token, and twice that while sorting.
    pub(crate) fn new<'t>(texts: impl IntoIterator<Item = &'t [u32]>) -> Self {
        let mut tokens = Vec::new();
        let mut n_texts = 0;
        for text in texts {
            n_texts += 1;
            tokens.push(BEGIN);
            tokens.extend_from_slice(text);
            tokens.push(END);
        }
        let n = tokens.len();
        tokens.resize(n + ORDER, END);
        let sorted = sort(&tokens, n);
        let starts = starts(&tokens[..n]);
        Self { tokens, sorted, starts, texts: n_texts }
    }

    /// Number of tokens that can be predicted: all but `BEGIN`.
    pub(crate) fn total(&self) -> u32 {
        self.sorted.len() as u32 - self.texts
    }

    /// All positions.
    pub(crate) fn whole(&self) -> Interval {
        0..self.sorted.len() as u32
    }

    /// The positions of a run of `depth` tokens that are followed by `token`.
    pub(crate) fn narrow(&self, stretch: &Interval, depth: usize, token: u32) -> Interval {
        if depth == 0 && !self.starts.is_empty() && *stretch == self.whole() {
            let bound = |it: usize| self.starts[it.min(self.starts.len() - 1)];
            return bound(token as usize)..bound(token as usize + 1);
        }
        let places = &self.sorted[stretch.start as usize..stretch.end as usize];
        let key = |place: &u32| self.tokens[*place as usize + depth];
        let start = places.partition_point(|it| key(it) < token);
        let len = gallop(&places[start..], |it| key(it) == token);
        let start = stretch.start + start as u32;
        start..start + len as u32
    }

    /// The positions of `run`, which has at most [`ORDER`] tokens.
    pub(crate) fn stretch(&self, run: &[u32]) -> Interval {
        let step =
            |stretch: Interval, (depth, token): (usize, &u32)| self.narrow(&stretch, depth, *token);
        run.iter().enumerate().fold(self.whole(), step)
    }

    /// Up to `limit` positions of `stretch`, evenly spaced.
    pub(crate) fn occurrences(
        &self,
        stretch: &Interval,
        limit: usize,
    ) -> impl Iterator<Item = u32> {
        let len = stretch.len();
        let n = len.min(limit);
        let start = stretch.start as usize;
        (0..n).map(move |idx| self.sorted[start + idx * len / n])
    }

    /// The token at a position; [`END`] past the end.
    pub(crate) fn token(&self, place: u32) -> u32 {
        self.tokens.get(place as usize).copied().unwrap_or(END)
    }

    /// Number of last tokens of `history` that precede `place`, up to `limit`.
    pub(crate) fn shared(&self, place: u32, history: &[u32], limit: usize) -> usize {
        let before = self.tokens[..place as usize].iter().rev();
        let pairs = before.zip(history.iter().rev()).take(limit);
        pairs.take_while(|(a, b)| a == b && **a != END).count()
    }
}

/// The first sorted position of each token; nothing if most numbers have no token.
fn starts(tokens: &[u32]) -> Vec<u32> {
    let n_numbers = tokens.iter().max().map_or(0, |it| *it as usize + 1);
    if n_numbers > tokens.len() {
        return Vec::new();
    }
    let mut res = vec![0; n_numbers + 1];
    tokens.iter().for_each(|it| res[*it as usize + 1] += 1);
    for at in 1..res.len() {
        res[at] += res[at - 1];
    }
    res
}

/// Number of leading items that satisfy `is_so`, by exponential search.
fn gallop(places: &[u32], is_so: impl Fn(&u32) -> bool) -> usize {
    let mut bound = 1;
    while bound <= places.len() && is_so(&places[bound - 1]) {
        bound *= 2;
    }
    let low = bound / 2;
    low + places[low..bound.min(places.len())].partition_point(|it| is_so(it))
}

/// Sorts the first `n` positions by the six tokens that follow, in linear time: pairs of tokens are ranked, and three
/// ranks make six tokens.
fn sort(tokens: &[u32], n: usize) -> Vec<u32> {
    if n == 0 {
        return Vec::new();
    }
    let n_tokens = tokens.iter().max().map_or(0, |it| *it as usize + 1);
    // The last positions also read the pairs of the padding, up to n + 4.
    let n_pairs = n + ORDER - 1;
    let places: Vec<u32> = (0..n_pairs as u32).collect();
    let places = stable_by(&places, n_tokens, |it| tokens[it as usize + 1]);
    let places = stable_by(&places, n_tokens, |it| tokens[it as usize]);
    let mut ranks = vec![0_u32; n_pairs];
    let mut rank = 0;
    for pair in places.windows(2) {
        let [a, b] = [pair[0] as usize, pair[1] as usize];
        rank += u32::from((tokens[a], tokens[a + 1]) != (tokens[b], tokens[b + 1]));
        ranks[b] = rank;
    }
    drop(places);
    let n_ranks = rank as usize + 1;
    let places: Vec<u32> = (0..n as u32).collect();
    let places = stable_by(&places, n_ranks, |it| ranks[it as usize + 4]);
    let places = stable_by(&places, n_ranks, |it| ranks[it as usize + 2]);
    stable_by(&places, n_ranks, |it| ranks[it as usize])
}

/// Stable counting sort by a small key.
fn stable_by(places: &[u32], n_keys: usize, key: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut starts = vec![0_u32; n_keys + 1];
    for place in places {
        starts[key(*place) as usize + 1] += 1;
    }
    for idx in 1..starts.len() {
        starts[idx] += starts[idx - 1];
    }
    let mut res = vec![0; places.len()];
    for place in places {
        let start = &mut starts[key(*place) as usize];
        res[*start as usize] = *place;
        *start += 1;
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(texts: &[Vec<u32>], run: &[u32]) -> usize {
        let framed = texts.iter().map(|it| [&[BEGIN], it.as_slice(), &[END]].concat());
        framed.map(|it| it.windows(run.len()).filter(|at| *at == run).count()).sum()
    }

    proptest! {
        #[test]
        fn counts_are_those_of_a_search(
            texts in prop::collection::vec(prop::collection::vec(2_u32..5, 0..30), 0..4),
            run in prop::collection::vec(2_u32..6, 1..=ORDER),
        ) {
            let counts = Counts::new(texts.iter().map(Vec::as_slice));
            prop_assert_eq!(counts.stretch(&run).len(), naive(&texts, &run));
            let from_begin = [&[BEGIN], &run[1..]].concat();
            prop_assert_eq!(counts.stretch(&from_begin).len(), naive(&texts, &from_begin));
            let to_end = [&run[1..], &[END]].concat();
            prop_assert_eq!(counts.stretch(&to_end).len(), naive(&texts, &to_end));
        }
    }

    #[test]
    fn a_place_says_how_much_stands_before_it() {
        let counts = Counts::new([[2, 3, 4, 5].as_slice(), &[3, 4, 5]]);
        let places: Vec<u32> = counts.occurrences(&counts.stretch(&[4]), 10).collect();
        let shared: Vec<usize> =
            places.iter().map(|it| counts.shared(*it, &[9, 2, 3], 8)).collect();
        assert_eq!(shared, [2, 1]);
        assert_eq!(counts.total(), 9);
    }
}
