//! The lines of a chunk with most words of the query, for chunks that do not fit as a whole.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::lines::{trimmed, with_endings, without_endings};
use crate::index::bm25::WeightedQuery;
use crate::index::terms::{identifiers, terms_of};
use crate::preset::constants::trim::SHORTEST_EXCERPT;

/// The words of the query, and a cache of the words in identifiers.
pub(crate) struct Words<'q> {
    /// Index of each word.
    numbers: FxHashMap<&'q str, u32>,
    weights: Vec<f32>,
    /// Indices of the words of each identifier; code repeats the same names.
    known: RefCell<FxHashMap<Box<str>, Rc<[u32]>>>,
    /// Buffer for lower-casing.
    scratch: RefCell<String>,
}

impl<'q> Words<'q> {
    pub(crate) fn new(weighed: &'q WeightedQuery) -> Self {
        let numbers = (0..).zip(weighed.weights()).map(|(number, (word, _))| (word, number));
        let weights = weighed.weights().map(|it| it.1).collect();
        let (known, scratch) = (RefCell::default(), RefCell::default());
        Self { numbers: numbers.collect(), weights, known, scratch }
    }

    /// Number of words.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Sum of values, one for each word, multiplied by the words' weights.
    pub(super) fn sum(&self, values: impl Iterator<Item = f32>) -> f32 {
        self.weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
    }

    /// Total weight of the words of a line, each counted once.
    pub(super) fn worth(&self, line: &str) -> f32 {
        self.weight_of(&self.words_in(line))
    }

    /// Total weight of some words.
    pub(super) fn weight_of(&self, words: &[u32]) -> f32 {
        words.iter().map(|it| self.weights[*it as usize]).sum()
    }

    /// The words of a line, without duplicates.
    pub(super) fn words_in(&self, line: &str) -> Vec<u32> {
        let mut met: Vec<u32> = Vec::new();
        identifiers(line, |start, end| {
            note(&self.words_of(&line[start..end]), &mut met);
        });
        met
    }

    /// The words of an identifier, with duplicates.
    pub(super) fn words_of(&self, identifier: &str) -> Rc<[u32]> {
        if let Some(known) = self.known.borrow().get(identifier) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        self.find(identifier, |it| found.push(it));
        let found: Rc<[u32]> = found.into();
        self.known.borrow_mut().insert(identifier.into(), Rc::clone(&found));
        found
    }

    /// Like [`Self::words_of`], uncached.
    pub(super) fn find(&self, identifier: &str, mut found: impl FnMut(u32)) {
        terms_of(identifier, &mut self.scratch.borrow_mut(), |term, _| {
            if let Some(number) = self.numbers.get(term) {
                found(*number);
            }
        });
    }
}

/// Adds words to `met`, without duplicates.
pub(super) fn note(words: &[u32], met: &mut Vec<u32>) {
    for word in words {
        if !met.contains(word) {
            met.push(*word);
        }
    }
}

/// Lines of a part of a text with the weights of their words.
pub(crate) struct Lines<'t> {
    text: &'t str,
    range: Range<usize>,
    lines: Vec<Range<usize>>,
    worth: Vec<f32>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str, range: &Range<usize>, words: &Words<'_>) -> Self {
        let lines = lines_in(text, range);
        let worth = lines.iter().map(|it| words.worth(&text[it.clone()])).collect();
        Self { text, range: range.clone(), lines, worth }
    }

    /// Weight of each line.
    pub(crate) fn worth(&self) -> &[f32] {
        &self.worth
    }

    /// Numbers, from 0, of the lines that contain a range of bytes.
    pub(crate) fn numbers(&self, bytes: &Range<usize>) -> Range<usize> {
        let first = self.lines.partition_point(|it| it.end <= bytes.start);
        first..self.lines.partition_point(|it| it.start < bytes.end).max(first)
    }

    /// Bytes of a range of lines.
    pub(crate) fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let start = |at: usize| self.lines.get(at).map_or(self.range.end, |it| it.start);
        start(lines.start)..start(lines.end)
    }

    /// Returns the consecutive lines, at most `n` lines and `bytes` bytes, with the highest total weight; the first of
    /// equals. `None` if too few lines fit.
    pub(crate) fn best(&self, n: usize, bytes: usize) -> Option<Range<usize>> {
        self.best_that(n, bytes, |_| true)
    }

    /// Like [`Self::best`], among ranges that contain `focus`, or lie within it if it is longer.
    pub(crate) fn best_at(&self, n: usize, focus: &Range<usize>) -> Option<Range<usize>> {
        let holds = |a: &Range<usize>, b: &Range<usize>| a.start <= b.start && b.end <= a.end;
        self.best_that(n, usize::MAX, |it| holds(it, focus) || holds(focus, it))
    }

    fn best_that(
        &self,
        n: usize,
        bytes: usize,
        accepts: impl Fn(&Range<usize>) -> bool,
    ) -> Option<Range<usize>> {
        let lines = &self.lines;
        let mut first = 0;
        let mut best: Option<(f32, Range<usize>)> = None;
        for last in 0..lines.len() {
            while first <= last
                && (last - first >= n || lines[last].end - lines[first].start > bytes)
            {
                first += 1;
            }
            if first > last || !accepts(&(lines[first].start..lines[last].end)) {
                continue;
            }
            let sum: f32 = self.worth[first..=last].iter().sum();
            // Of equal weight, the longer: lines without query words still give context.
            let better = |it: &(f32, Range<usize>)| {
                sum.total_cmp(&it.0).then((last + 1 - first).cmp(&it.1.len())).is_gt()
            };
            if best.as_ref().is_none_or(better) {
                best = Some((sum, first..last + 1));
            }
        }
        let chosen = best.map(|it| it.1).filter(|it| !it.is_empty())?;
        let chosen = lines[chosen.start].start..lines[chosen.end - 1].end;
        let telling = |it: &Range<usize>| telling_lines(&self.text[it.clone()], SHORTEST_EXCERPT);
        (telling(&chosen) >= telling(&self.range)).then_some(chosen)
    }
}

/// The lines of `range` with their line endings.
fn lines_in(text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut start = range.start;
    let of_line = |line: &str| {
        let res = start..start + line.len();
        start = res.end;
        res
    };
    with_endings(&text[range.clone()]).map(of_line).collect()
}

/// The longest part of `range` that does not overlap `hidden`, from the start of a non-blank line to the end of a line.
pub(super) fn unseen(text: &str, range: &Range<usize>, hidden: &[Range<usize>]) -> Range<usize> {
    if !hidden.iter().any(|it| it.start < range.end && range.start < it.end) {
        return without_blank_lines_before(text, range);
    }
    let mut res = range.end..range.end;
    let mut part: Option<Range<usize>> = None;
    for line in lines_in(text, range) {
        let is_hidden = hidden.iter().any(|it| it.start < line.end && line.start < it.end);
        let is_blank = || trimmed(&text[line.clone()]).is_empty();
        part = match part.filter(|_| !is_hidden) {
            Some(part) => Some(part.start..line.end),
            None => (!is_hidden && !is_blank()).then_some(line),
        };
        if let Some(part) = part.as_ref().filter(|it| it.len() > res.len()) {
            res = part.clone();
        }
    }
    res
}

/// Removes leading blank lines.
fn without_blank_lines_before(text: &str, range: &Range<usize>) -> Range<usize> {
    let lines = with_endings(&text[range.clone()]);
    let blank: usize = lines.take_while(|it| trimmed(it).is_empty()).map(str::len).sum();
    range.start + blank..range.end
}

/// Number of distinct lines with more than a bracket, up to `most`.
pub(super) fn telling_lines(text: &str, most: usize) -> usize {
    let mut met: Vec<&str> = Vec::with_capacity(most);
    for line in without_endings(text).filter(|it| trimmed(it).len() > 3) {
        if met.len() == most {
            break;
        }
        if !met.contains(&line) {
            met.push(line);
        }
    }
    met.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::bm25::{Bm25, WeightedTerm};
    use crate::index::{IndexConfig, Snapshot};
    use crate::source::Source;

    const TEXT: &str = "def one():\n    pass\n\n\ndef parse_url(text):\n    scheme = split(text)\n    return scheme\n\n\ndef three():\n    pass\n";

    fn check(words: &[&str], n: usize, bytes: usize, expect: Option<&str>) {
        let source = Source { path: "a.py".into(), text: TEXT.into() };
        let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
        let term = |it: &&str| WeightedTerm { term: (*it).to_owned(), weight: 1.0 };
        let terms: Vec<WeightedTerm> = words.iter().map(term).collect();
        let weighed = snapshot.weighted_query(&terms, &Bm25 { k1: 1.2, b: 0.5, weights: [1.0; 4] });
        let found = Lines::new(TEXT, &(0..TEXT.len()), &Words::new(&weighed)).best(n, bytes);
        assert_eq!(found.map(|it| &TEXT[it]), expect);
    }

    #[test]
    fn the_lines_around_the_words_are_taken() {
        let function = "def parse_url(text):\n    scheme = split(text)\n    return scheme\n";
        check(&["parse", "scheme"], 3, 500, Some(function));
        check(&["parse", "scheme"], 40, function.len(), Some(function));
    }

    #[test]
    fn a_text_that_fits_is_taken_whole_and_one_that_hardly_fits_not_at_all() {
        check(&["absent"], 40, 500, Some(TEXT));
        check(&["scheme"], 40, 20, None);
    }

    #[test]
    fn where_nothing_is_hidden_all_but_blank_lines_before_it_is_left() {
        let far = TEXT.len() + 1..TEXT.len() + 9;
        for text in [TEXT, "\n  \na\n\n", "\n\n", ""] {
            let range = 0..text.len();
            // A line that is checked separately gives the same result.
            let touching = text.len()..text.len() + 1;
            assert_eq!(
                unseen(text, &range, std::slice::from_ref(&far)),
                unseen(text, &range, &[touching])
            );
        }
        assert_eq!(unseen("\n  \na\n\n", &(0..7), &[]), 4..7);
    }

    #[test]
    fn what_is_hidden_leaves_the_longest_rest() {
        let shown = TEXT.find("def parse_url").unwrap();
        let rest = unseen(TEXT, &(0..TEXT.len()), &[shown..shown + 5, 0..3]);
        assert_eq!(
            &TEXT[rest],
            "    scheme = split(text)\n    return scheme\n\n\ndef three():\n    pass\n"
        );
        assert!(unseen(TEXT, &(0..5), &[0..2, 1..100]).is_empty());
    }
}
