//! Selects the lines of a file that a piece shows: whole statements, the most useful ones at the cursor.

use std::ops::Range;

use foreword_chunk::outline::fold;
use foreword_chunk::{Language, LineIndex, Outline};

use super::budget::Budget;
use super::excerpt::telling_lines;
use super::line_reader::LineReader;
use super::open_file::OpenFile;
use super::surroundings::Surroundings;
use crate::preset::constants::trim::{
    KNOWN_EDGE_LINES, LINES_BEYOND_CHUNK, SHORTEST_EXCERPT, SPLIT_STATEMENT_LINES,
};

/// A text by lines, counted from 0.
pub(super) struct FileLines<'t> {
    text: &'t str,
    language: Option<Language>,
    outline: &'t Outline,
    index: &'t LineIndex,
}

impl<'t> FileLines<'t> {
    pub(super) fn new(open: &'t OpenFile) -> Self {
        let OpenFile { text, record, layout } = open;
        let (language, outline) = (record.language, &record.outline);
        Self { text, language, outline, index: &layout.lines }
    }

    pub(super) fn outline(&self) -> &'t Outline {
        self.outline
    }

    pub(super) fn language(&self) -> Option<Language> {
        self.language
    }

    pub(super) fn count(&self) -> usize {
        self.index.count() as usize
    }

    /// The line of a byte.
    pub(super) fn line_of(&self, at: usize) -> usize {
        self.index.line_of(at) as usize - 1
    }

    pub(super) fn line(&self, line: usize) -> &'t str {
        self.text.get(self.bytes(&(line..line + 1))).unwrap_or_default()
    }

    /// The lines of a range of bytes.
    pub(super) fn lines(&self, bytes: &Range<usize>) -> Range<usize> {
        if bytes.is_empty() {
            let at = self.line_of(bytes.start);
            return at..at;
        }
        self.line_of(bytes.start)..self.line_of(bytes.end - 1) + 1
    }

    /// The bytes of a range of lines.
    pub(super) fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let start = |line: usize| match line < self.count() {
            true => self.index.start_of(line as u32 + 1),
            false => self.text.len(),
        };
        start(lines.start)..start(lines.end)
    }

    /// Renders lines with their enclosing headers, and a comment in place of each gap.
    pub(super) fn shown(&self, lines: impl Iterator<Item = usize>) -> String {
        let shown = self.outline.complete(lines);
        fold(self.text, self.index, self.language, self.outline, &shown)
    }

    /// Extends lines to whole statements if these are short and within `free`.
    pub(super) fn whole(&self, lines: &Range<usize>, free: &Range<usize>) -> Range<usize> {
        let begin = self.begin(lines.start, free.start);
        begin..self.end(lines.end, free.end).max(begin)
    }

    fn is_boundary(&self, line: usize) -> bool {
        line >= self.count() || self.outline.is_boundary(line)
    }

    /// The nearest statement boundary at or before a line; otherwise the first one after it.
    fn begin(&self, line: usize, least: usize) -> usize {
        let near = (line.saturating_sub(SPLIT_STATEMENT_LINES).max(least)..=line).rev();
        let after = line..=self.count();
        near.chain(after).find(|it| self.is_boundary(*it)).unwrap_or(line)
    }

    /// The nearest statement boundary at or after a line; otherwise the last one before it.
    fn end(&self, line: usize, most: usize) -> usize {
        let near = line..=(line + SPLIT_STATEMENT_LINES).min(most).max(line);
        near.chain((0..line).rev()).find(|it| self.is_boundary(*it)).unwrap_or(line)
    }
}

/// The lines that a piece may show.
pub(super) struct Passage<'a> {
    file: &'a FileLines<'a>,
    /// All lines.
    range: Range<usize>,
    /// Lines of the candidate.
    own: Range<usize>,
    /// Score of each line of the range.
    worth: Vec<f32>,
    /// Whether the window shows a line of the range, or the line is trivial.
    known: Vec<bool>,
}

impl<'a> Passage<'a> {
    /// The lines of `own` and nearby lines within `free`.
    pub(super) fn new(
        file: &'a FileLines<'a>,
        (own, free): (&Range<usize>, &Range<usize>),
        reader: &mut LineReader<'_>,
        here: &Surroundings<'_>,
        budget: &Budget,
    ) -> Self {
        let own = file.whole(own, free);
        let start = own.start.saturating_sub(LINES_BEYOND_CHUNK).max(free.start.min(own.start));
        let end = (own.end + LINES_BEYOND_CHUNK).min(free.end.max(own.end));
        let is_known = |it: usize| here.is_known(file.line(it)).unwrap_or(true);
        let known: Vec<bool> = (start..end).map(is_known).collect();
        // Words outside of `own` do not count.
        let read = if budget.likeness > 0.0 { start..end } else { own.clone() };
        reader.read(file.text.get(file.bytes(&read)).unwrap_or_default(), read.len());
        let of_words =
            |it: usize| if own.contains(&it) { reader.worth(it - read.start) } else { 0.0 };
        let mut worth: Vec<f32> = (start..end).map(of_words).collect();
        let mean = worth.iter().sum::<f32>() / own.len().max(1) as f32;
        if budget.likeness > 0.0 {
            for (it, likeness) in worth.iter_mut().zip(reader.likeness()) {
                *it += mean * budget.likeness * likeness;
            }
        }
        for (it, known) in worth.iter_mut().zip(&known) {
            *it *= if *known { budget.known } else { 1.0 };
        }
        Self { file, range: start..end, own, worth, known }
    }

    /// Gives `lines`, which the last commit does not have, as much weight as all others together.
    pub(super) fn favouring(mut self, lines: &Range<usize>) -> Self {
        let share = self.worth.iter().sum::<f32>().max(1.0) / lines.len().max(1) as f32;
        let range = lines.start.max(self.range.start)..lines.end.min(self.range.end);
        for line in range {
            self.worth[line - self.range.start] += share;
        }
        self
    }

    /// The candidate, extended to whole statements.
    pub(super) fn own(&self) -> &Range<usize> {
        &self.own
    }

    /// Returns the consecutive statements, at most `n` lines and `bytes` bytes, with the highest total score; the first
    /// of equals. `None` if too few lines fit.
    pub(super) fn best(&self, n: usize, bytes: usize) -> Option<Range<usize>> {
        let cuts: Vec<usize> =
            (self.range.start..=self.range.end).filter(|it| self.file.is_boundary(*it)).collect();
        let fits = |it: &Range<usize>| it.len() <= n && self.file.bytes(it).len() <= bytes;
        let mut first = 0;
        let mut best: Option<(f32, Range<usize>)> = None;
        for last in 1..cuts.len() {
            while first < last && !fits(&(cuts[first]..cuts[last])) {
                first += 1;
            }
            // A statement longer than the limit is shown whole or not at all.
            let from = if first == last { last - 1 } else { first };
            let range = cuts[from]..cuts[last];
            let is_own = range.start < self.own.end && self.own.start < range.end;
            if is_own && self.file.bytes(&range).len() <= bytes {
                let score = self.score(&range, n);
                if best.as_ref().is_none_or(|it| (score, range.len()) > (it.0, it.1.len())) {
                    best = Some((score, range));
                }
            }
        }
        let chosen = self.without_known_edges(best?.1);
        let telling = |it: &Range<usize>| telling_lines(self.text(it), SHORTEST_EXCERPT);
        (telling(&chosen) >= telling(&self.own).min(SHORTEST_EXCERPT)).then_some(chosen)
    }

    /// Total score of lines; a longer statement than `n` lines counts as `n` average lines.
    fn score(&self, lines: &Range<usize>, n: usize) -> f32 {
        let worth = &self.worth[lines.start - self.range.start..lines.end - self.range.start];
        let share = n as f32 / lines.len().max(n) as f32;
        worth.iter().sum::<f32>() * share
    }

    /// Removes statements at the edges that the window shows, except those next to others.
    fn without_known_edges(&self, lines: Range<usize>) -> Range<usize> {
        let is_news = |it: &usize| !self.known[*it - self.range.start];
        let (Some(first), Some(last)) = (lines.clone().find(is_news), lines.clone().rfind(is_news))
        else {
            return lines;
        };
        let begin = (lines.start..=first.saturating_sub(KNOWN_EDGE_LINES).max(lines.start)).rev();
        let end = (last + 1 + KNOWN_EDGE_LINES).min(lines.end)..=lines.end;
        let begin = begin.into_iter().find(|it| self.file.is_boundary(*it)).unwrap_or(lines.start);
        let end = end.into_iter().find(|it| self.file.is_boundary(*it)).unwrap_or(lines.end);
        begin..end
    }

    fn text(&self, lines: &Range<usize>) -> &str {
        self.file.text.get(self.file.bytes(lines)).unwrap_or_default()
    }
}
