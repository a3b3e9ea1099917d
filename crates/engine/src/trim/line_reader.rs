//! Scores lines of other files for a cursor: by words of the query, and by their position next to code similar to the
//! cursor's.
//!
//! Where code resembles the lines before the cursor, the lines after it are likely next; where it resembles the lines
//! after the cursor, the lines before it are. Many files are read for one cursor and share most names, so each name is
//! analysed once.

use std::ops::Range;

use super::excerpt::{Words, note};
use super::surroundings::{Names, Surroundings};
use crate::index::terms::{LineNames, NameNumbers, NumberLists};
use crate::preset::constants::rerank::USUAL_LIKENESS;
use crate::preset::constants::trim::{
    COMPARED_LINES, FADING_BY_LINE, NAME_WEIGHT_BY_LINE, ROUNDING_FACTOR,
};

/// Scores lines of other files for a cursor.
pub(super) struct LineReader<'a> {
    words: &'a Words<'a>,
    numbers: NameNumbers,
    /// By number of the name: its words.
    words_of_names: NumberLists,
    /// Weights of names before and after the cursor.
    sides: [Side<'a>; 2],
    /// By number of the name: the last place that contained it.
    met: Vec<u32>,
    place: u32,
    lines: LineNames,
    /// Buffer for the words of a line.
    words_of_line: Vec<u32>,
}

/// One side of the cursor.
struct Side<'a> {
    here: &'a Names<'a>,
    /// By number of the name: its weight on this side.
    weights: Vec<f32>,
}

impl<'a> LineReader<'a> {
    pub(super) fn new(words: &'a Words<'a>, here: &'a Surroundings<'a>) -> Self {
        Self {
            words,
            numbers: NameNumbers::default(),
            words_of_names: NumberLists::default(),
            sides: here.sides().map(|here| Side { here, weights: Vec::new() }),
            met: Vec::new(),
            place: 0,
            lines: LineNames::default(),
            words_of_line: Vec::new(),
        }
    }

    /// Reads `n` lines; the last may be empty.
    pub(super) fn read(&mut self, lines: &str, n: usize) {
        let Self { words, numbers, words_of_names, sides, met, .. } = self;
        self.lines.read(lines, numbers, |name| {
            words.find(name, |word| words_of_names.push(word));
            words_of_names.close();
            for it in sides.iter_mut() {
                it.weights.push(it.here.weight(name));
            }
            met.push(0);
        });
        self.lines.resize(n);
    }

    /// Total weight of the query words of a line, each counted once.
    pub(super) fn worth(&mut self, line: usize) -> f32 {
        let mut met = std::mem::take(&mut self.words_of_line);
        met.clear();
        for name in self.lines.on(line) {
            note(self.words_of_names.get(*name as usize), &mut met);
        }
        let res = self.words.weight_of(&met);
        self.words_of_line = met;
        res
    }

    /// Usefulness of each line by its position, 0 to 1.
    pub(super) fn likeness(&mut self) -> Vec<f32> {
        let n = self.lines.len();
        let mut res = vec![0.0_f32; n];
        let named: Vec<usize> = (0..n).filter(|it| !self.lines.on(*it).is_empty()).collect();
        let before = NamedLines::new(self, &named, 0);
        let (mut fading, mut first) = (0.0_f32, 0);
        for (at, it) in res.iter_mut().enumerate() {
            let places = first.max(COMPARED_LINES) - COMPARED_LINES..first;
            fading = fading.max(self.likeness_at(&before, places, Iterator::rev, fading));
            first += usize::from(named.get(first) == Some(&at));
            *it = fading;
            fading *= FADING_BY_LINE;
        }
        let after = NamedLines::new(self, &named, 1);
        let (mut fading, mut first) = (0.0_f32, named.len());
        for (at, it) in res.iter_mut().enumerate().rev() {
            let places = first..(first + COMPARED_LINES).min(named.len());
            fading = fading.max(self.likeness_at(&after, places, std::convert::identity, fading));
            first -= usize::from(first > 0 && named[first - 1] == at);
            *it = it.max(fading);
            fading *= FADING_BY_LINE;
        }
        res
    }

    /// Similarity of the lines at `places`, nearest first, to the lines on one side of the cursor, above the usual: the
    /// weighted Jaccard index of their names. Returns 0 without an exact computation if it is at most `least`; most
    /// places share few names with the cursor's lines.
    fn likeness_at<I: Iterator<Item = usize>>(
        &mut self,
        named: &NamedLines<'_>,
        places: Range<usize>,
        nearest: impl Fn(Range<usize>) -> I,
        least: f32,
    ) -> f32 {
        let Side { here, weights } = &self.sides[named.side];
        let is_least = |both: f32| {
            // The union weighs at least as much as the names here.
            beyond_common(both / here.sum().max(f32::MIN_POSITIVE) * ROUNDING_FACTOR) <= least
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
            weight *= NAME_WEIGHT_BY_LINE;
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
            weight *= NAME_WEIGHT_BY_LINE;
        }
        beyond_common(shared / (here.sum() + all - shared).max(f32::MIN_POSITIVE))
    }
}

fn beyond_common(likeness: f32) -> f32 {
    ((likeness - USUAL_LIKENESS) / (1.0 - USUAL_LIKENESS)).max(0.0)
}

/// Lines that contain names, with the names that one side of the cursor shares.
struct NamedLines<'l> {
    /// Indices of the lines.
    lines: &'l [usize],
    side: usize,
    shared: Vec<u32>,
    /// By line: end of its shared names, and total weight of all names up to there, in double precision because
    /// differences are taken.
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

    /// Weight of the shared names of some lines; duplicates count again.
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
