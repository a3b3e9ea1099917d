//! Which lines of another place are likeliest to be of use: those with words that are looked for, and those that stand
//! where a file goes on like the cursor's.
//!
//! Where a file goes on like the lines before the cursor, what follows there is the likeliest to be written here; where it
//! goes on like the lines after the cursor, what stands before them. Lines of many files are read for one cursor, and most
//! of their names are the same: what a name says is found out once.

use std::ops::Range;

use super::excerpt::{Words, note};
use super::surroundings::{BY_LINE, COMPARED, Names, Surroundings};
use crate::index::terms::{LineNames, NameNumbers};

/// The likeness that any two places have: as in the ranking.
const COMMON: f32 = 0.15;

/// What is left of a likeness for each line that is farther from the like place.
const FADES: f32 = 0.92;

/// Reads lines beside the text around a cursor.
pub(super) struct LineReader<'a> {
    words: &'a Words<'a>,
    numbers: NameNumbers,
    /// The words of all names, one name after the other.
    words_of_names: Vec<u32>,
    /// By the number of a name, where its words end.
    ends: Vec<u32>,
    /// What the names count before and after the cursor.
    sides: [Side<'a>; 2],
    /// By the number of a name, the last place at which it was met.
    met: Vec<u32>,
    place: u32,
    lines: LineNames,
    /// Where the words of a line are collected.
    words_of_line: Vec<u32>,
}

/// One side of the cursor.
struct Side<'a> {
    here: &'a Names<'a>,
    /// By the number of a name, what it counts here.
    weights: Vec<f32>,
}

impl<'a> LineReader<'a> {
    pub(super) fn new(words: &'a Words<'a>, here: &'a Surroundings<'a>) -> Self {
        Self {
            words,
            numbers: NameNumbers::new(),
            words_of_names: Vec::new(),
            ends: Vec::new(),
            sides: here.sides().map(|here| Side { here, weights: Vec::new() }),
            met: Vec::new(),
            place: 0,
            lines: LineNames::default(),
            words_of_line: Vec::new(),
        }
    }

    /// Reads `n` other lines; the last may be empty.
    pub(super) fn read(&mut self, lines: &str, n: usize) {
        let Self { words, numbers, words_of_names, ends, sides, met, .. } = self;
        self.lines.read(lines, numbers, |name| {
            words.find(name, |word| words_of_names.push(word));
            ends.push(words_of_names.len() as u32);
            for it in sides.iter_mut() {
                it.weights.push(it.here.weight(name));
            }
            met.push(0);
        });
        self.lines.resize(n);
    }

    /// What the words of a line weigh together, each counted once.
    pub(super) fn worth(&mut self, line: usize) -> f32 {
        let mut met = std::mem::take(&mut self.words_of_line);
        met.clear();
        for name in self.lines.on(line) {
            note(self.words_of(*name), &mut met);
        }
        let res = self.words.weight_of(&met);
        self.words_of_line = met;
        res
    }

    fn words_of(&self, name: u32) -> &[u32] {
        let start = name.checked_sub(1).map_or(0, |it| self.ends[it as usize]);
        &self.words_of_names[start as usize..self.ends[name as usize] as usize]
    }

    /// For each of the lines how likely it is of use because of where it stands: from 0 to 1.
    pub(super) fn likeness(&mut self) -> Vec<f32> {
        let n = self.lines.len();
        let mut res = vec![0.0_f32; n];
        let named: Vec<usize> = (0..n).filter(|it| !self.lines.on(*it).is_empty()).collect();
        let before = NamedLines::new(self, &named, 0);
        let (mut fading, mut first) = (0.0_f32, 0);
        for (at, it) in res.iter_mut().enumerate() {
            let places = first.max(COMPARED) - COMPARED..first;
            fading = fading.max(self.likeness_at(&before, places, Iterator::rev, fading));
            first += usize::from(named.get(first) == Some(&at));
            *it = fading;
            fading *= FADES;
        }
        let after = NamedLines::new(self, &named, 1);
        let (mut fading, mut first) = (0.0_f32, named.len());
        for (at, it) in res.iter_mut().enumerate().rev() {
            let places = first..(first + COMPARED).min(named.len());
            fading = fading.max(self.likeness_at(&after, places, std::convert::identity, fading));
            first -= usize::from(first > 0 && named[first - 1] == at);
            *it = it.max(fading);
            fading *= FADES;
        }
        res
    }

    /// How much the lines at `places`, the nearest first in the order that `nearest` gives, are like those on one side of
    /// the cursor, beyond what is common: the weighted Jaccard index of their names. 0 where it is not more than `least`:
    /// most places share few names with the cursor's lines, so that need not be found out exactly.
    fn likeness_at<I: Iterator<Item = usize>>(
        &mut self,
        named: &NamedLines<'_>,
        places: Range<usize>,
        nearest: impl Fn(Range<usize>) -> I,
        least: f32,
    ) -> f32 {
        let Side { here, weights } = &self.sides[named.side];
        let is_least = |both: f32| {
            // All names together count at least as much as those that are shared.
            beyond_common(both / here.sum().max(f32::MIN_POSITIVE) * ROUNDING) <= least
        };
        if is_least(named.shared_at(&places)) {
            return 0.0;
        }
        let mut shared = 0.0;
        self.place += 1;
        let mut weight = 1.0;
        for line in nearest(places.clone()) {
            for name in named.shared_on(line).iter().map(|it| *it as usize) {
                if std::mem::replace(&mut self.met[name], self.place) != self.place {
                    shared += weights[name].min(weight);
                }
            }
            weight *= BY_LINE;
        }
        if is_least(shared) {
            return 0.0;
        }
        let mut all = 0.0;
        self.place += 1;
        let mut weight = 1.0;
        for line in nearest(places) {
            for name in self.lines.on(named.lines[line]).iter().map(|it| *it as usize) {
                if std::mem::replace(&mut self.met[name], self.place) != self.place {
                    all += weight;
                }
            }
            weight *= BY_LINE;
        }
        beyond_common(shared / (here.sum() + all - shared).max(f32::MIN_POSITIVE))
    }
}

/// Sums of some hundred numbers are wrong by less than this factor.
const ROUNDING: f32 = 1.001;

fn beyond_common(likeness: f32) -> f32 {
    ((likeness - COMMON) / (1.0 - COMMON)).max(0.0)
}

/// The lines that have names, with those of them that one side of the cursor has, too.
struct NamedLines<'l> {
    /// The numbers of the lines among those that were read.
    lines: &'l [usize],
    side: usize,
    shared: Vec<u32>,
    /// By line where its shared names end, and what all names up to there count. In double precision: it is subtracted.
    ends: Vec<(u32, f64)>,
}

impl<'l> NamedLines<'l> {
    fn new(reader: &LineReader<'_>, lines: &'l [usize], side: usize) -> Self {
        let weights = &reader.sides[side].weights;
        let (mut shared, mut sum) = (Vec::new(), 0.0);
        let mut end = |line: &usize| {
            for name in reader.lines.on(*line) {
                let weight = weights[*name as usize];
                if weight > 0.0 {
                    shared.push(*name);
                    sum += f64::from(weight);
                }
            }
            (shared.len() as u32, sum)
        };
        let ends = lines.iter().map(&mut end).collect();
        Self { lines, side, shared, ends }
    }

    fn end(&self, lines: usize) -> (u32, f64) {
        lines.checked_sub(1).map_or((0, 0.0), |it| self.ends[it])
    }

    fn shared_on(&self, line: usize) -> &[u32] {
        &self.shared[self.end(line).0 as usize..self.end(line + 1).0 as usize]
    }

    /// What the shared names of some lines count; of a name that they have twice, twice.
    fn shared_at(&self, lines: &Range<usize>) -> f32 {
        (self.end(lines.end).1 - self.end(lines.start).1) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::bm25::Bm25;
    use crate::index::{IndexConfig, Snapshot};
    use crate::trim::Window;

    fn likeness(prefix: &str, suffix: &str, text: &str) -> Vec<f32> {
        let window = Window { prefix: prefix.into(), suffix: suffix.into(), visible: Vec::new() };
        let bm25 = Bm25 { k1: 1.2, b: 0.75, weights: [1.0; 4] };
        let weighed = Snapshot::empty(IndexConfig::default()).weighted_query(&[], &bm25);
        let (words, here) = (Words::new(&weighed), Surroundings::new(&window));
        let mut read = LineReader::new(&words, &here);
        read.read(text, text.lines().count());
        read.likeness()
    }

    const OTHER: &str = "import logging\nclass Store:\ndef open(path, mode):\n    check(path)\n    handle = connect(path)\n    register(handle)\ndef close(handle):\n    release(handle)\n";

    #[test]
    fn what_follows_the_like_lines_is_likelier_than_the_like_lines() {
        let by_line = likeness("def open(path, flags):\n    check(path)\n", "", OTHER);
        assert!(
            by_line[4] > 0.3 && by_line[4] > by_line[3] && by_line[4] > by_line[5],
            "{by_line:?}"
        );
        assert!(by_line[5] > by_line[1], "{by_line:?}");
    }

    #[test]
    fn what_stands_before_lines_like_those_after_the_cursor_is_likely_too() {
        let by_line = likeness("", "def close(handle):\n    release(handle)\n", OTHER);
        assert!(
            by_line[5] > 0.3 && by_line[5] > by_line[4] && by_line[5] > by_line[7],
            "{by_line:?}"
        );
    }

    #[test]
    fn nothing_is_like_an_empty_window() {
        assert!(likeness("", "", OTHER).iter().all(|it| it.abs() < 1e-6));
    }
}
