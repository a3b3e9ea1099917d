//! The lines of a chunk that say most about what is looked for, when the whole chunk does not fit.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::index::bm25::Weighed;
use crate::index::terms::{identifiers, terms_of};

/// An excerpt of fewer lines than this says nothing.
const LEAST_LINES: usize = 3;

/// The words that are looked for, each with its weight.
pub(super) struct Words<'q>(FxHashMap<&'q str, f32>);

impl<'q> Words<'q> {
    pub(super) fn new(weighed: &'q Weighed) -> Self {
        Self(weighed.weights().collect())
    }

    /// What the words of a line weigh together, each counted once.
    fn worth(&self, line: &str, scratch: &mut String) -> f32 {
        let mut met: Vec<&str> = Vec::new();
        let mut worth = 0.0;
        identifiers(line, |start, end| {
            terms_of(&line[start..end], scratch, |term, _| {
                if let Some((word, weight)) = self.0.get_key_value(term)
                    && !met.contains(word)
                {
                    met.push(word);
                    worth += weight;
                }
            });
        });
        worth
    }
}

/// The consecutive lines within `range`, at most `n` and at most `bytes` bytes, that are worth most together; of equal
/// ones the first. `None` where what fits is too little to say anything.
pub(super) fn excerpt(
    text: &str,
    range: &Range<usize>,
    words: &Words<'_>,
    n: usize,
    bytes: usize,
) -> Option<Range<usize>> {
    let lines = lines_in(text, range);
    let mut scratch = String::new();
    let worth = |it: &Range<usize>| words.worth(&text[it.clone()], &mut scratch);
    let worth: Vec<f32> = lines.iter().map(worth).collect();
    let mut first = 0;
    let mut best: Option<(f32, Range<usize>)> = None;
    for last in 0..lines.len() {
        while first <= last && (last - first >= n || lines[last].end - lines[first].start > bytes) {
            first += 1;
        }
        let sum: f32 = worth[first..=last].iter().sum();
        // Of what is worth the same, the longer: lines without a word of the query are still lines.
        let better = |it: &(f32, Range<usize>)| {
            sum.total_cmp(&it.0).then((last + 1 - first).cmp(&it.1.len())).is_gt()
        };
        if best.as_ref().is_none_or(better) {
            best = Some((sum, first..last + 1));
        }
    }
    let chosen = best.map(|it| it.1).filter(|it| !it.is_empty())?;
    let chosen = lines[chosen.start].start..lines[chosen.end - 1].end;
    let least = LEAST_LINES.min(telling_lines(&text[range.clone()]));
    (telling_lines(&text[chosen.clone()]) >= least).then_some(chosen)
}

/// The lines of `range`, each with its line ending.
fn lines_in(text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut start = range.start;
    let of_line = |line: &str| {
        let res = start..start + line.len();
        start = res.end;
        res
    };
    text[range.clone()].split_inclusive('\n').map(of_line).collect()
}

/// The longest part of `range` that none of `hidden` touches, from the beginning of a line to the end of one.
pub(super) fn unseen(text: &str, range: &Range<usize>, hidden: &[Range<usize>]) -> Range<usize> {
    let mut res = range.end..range.end;
    let mut part: Option<Range<usize>> = None;
    for line in lines_in(text, range) {
        let is_hidden = hidden.iter().any(|it| it.start < line.end && line.start < it.end);
        part = match part.filter(|_| !is_hidden) {
            Some(part) => Some(part.start..line.end),
            None => (!is_hidden).then_some(line),
        };
        if let Some(part) = part.as_ref().filter(|it| it.len() > res.len()) {
            res = part.clone();
        }
    }
    res
}

/// How many lines of `text` say something: more than a bracket.
pub(super) fn telling_lines(text: &str) -> usize {
    text.lines().filter(|it| it.trim().len() > 3).collect::<FxHashSet<&str>>().len()
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
        let weighed = snapshot.weigh(&terms, &Bm25 { k1: 1.2, b: 0.5, weights: [1.0; 4] });
        let found = excerpt(TEXT, &(0..TEXT.len()), &Words::new(&weighed), n, bytes);
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
