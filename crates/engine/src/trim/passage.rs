//! Which lines of a file a piece shows: whole statements, those that are likeliest to be of use at the cursor.

use std::ops::Range;

use foreword_chunk::outline::fold;
use foreword_chunk::{Language, LineIndex, Outline};

use super::budget::Budget;
use super::excerpt::{LEAST_LINES, telling_lines};
use super::line_reader::LineReader;
use super::open_file::OpenFile;
use super::surroundings::Surroundings;

/// Lines before and after a chunk that may be shown with it, if they are where the file goes on like the cursor's.
const BEYOND: usize = 20;

/// Lines of a statement that a chunk cuts and that are still shown with it.
const CUT_OFF: usize = 8;

/// Lines that the window shows too and that stay around those that it does not.
const AROUND_NEWS: usize = 3;

/// A text by lines, which are counted from 0.
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

    /// The lines that bytes are in.
    pub(super) fn lines(&self, bytes: &Range<usize>) -> Range<usize> {
        if bytes.is_empty() {
            let at = self.line_of(bytes.start);
            return at..at;
        }
        self.line_of(bytes.start)..self.line_of(bytes.end - 1) + 1
    }

    /// The bytes of lines.
    pub(super) fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let start = |line: usize| match line < self.count() {
            true => self.index.start_of(line as u32 + 1),
            false => self.text.len(),
        };
        start(lines.start)..start(lines.end)
    }

    /// Some lines with those that make them whole, and a comment in place of each gap.
    pub(super) fn shown(&self, lines: impl Iterator<Item = usize>) -> String {
        let shown = self.outline.complete(lines);
        fold(self.text, self.index, self.language, self.outline, &shown)
    }

    /// The statements that lines cut, whole where they are short and go no further than `free`.
    pub(super) fn whole(&self, lines: &Range<usize>, free: &Range<usize>) -> Range<usize> {
        let begin = self.begin(lines.start, free.start);
        begin..self.end(lines.end, free.end).max(begin)
    }

    fn is_boundary(&self, line: usize) -> bool {
        line >= self.count() || self.outline.is_boundary(line)
    }

    /// The nearest place at or before a line at which statements end, else the first one after it.
    fn begin(&self, line: usize, least: usize) -> usize {
        let near = (line.saturating_sub(CUT_OFF).max(least)..=line).rev();
        let after = line..=self.count();
        near.chain(after).find(|it| self.is_boundary(*it)).unwrap_or(line)
    }

    /// The nearest place at or after a line at which statements end, else the last one before it.
    fn end(&self, line: usize, most: usize) -> usize {
        let near = line..=(line + CUT_OFF).min(most).max(line);
        near.chain((0..line).rev()).find(|it| self.is_boundary(*it)).unwrap_or(line)
    }
}

/// The lines that a piece may show.
pub(super) struct Passage<'a> {
    file: &'a FileLines<'a>,
    /// All of them.
    range: Range<usize>,
    /// Those of the candidate.
    own: Range<usize>,
    /// What each line of the range is worth.
    worth: Vec<f32>,
    /// Whether the window shows a line of the range, or it says nothing.
    known: Vec<bool>,
}

impl<'a> Passage<'a> {
    /// The lines of `own` and what is near, as far as `free` goes.
    pub(super) fn new(
        file: &'a FileLines<'a>,
        (own, free): (&Range<usize>, &Range<usize>),
        reader: &mut LineReader<'_>,
        here: &Surroundings<'_>,
        budget: &Budget,
    ) -> Self {
        let own = file.whole(own, free);
        let start = own.start.saturating_sub(BEYOND).max(free.start.min(own.start));
        let end = (own.end + BEYOND).min(free.end.max(own.end));
        let is_known = |it: usize| here.is_known(file.line(it)).unwrap_or(true);
        let known: Vec<bool> = (start..end).map(is_known).collect();
        // The words of what is beyond do not count.
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

    /// The same where `lines` of the file, which the last commit does not have, are worth as much as all others together.
    pub(super) fn favouring(mut self, lines: &Range<usize>) -> Self {
        let share = self.worth.iter().sum::<f32>().max(1.0) / lines.len().max(1) as f32;
        let range = lines.start.max(self.range.start)..lines.end.min(self.range.end);
        for line in range {
            self.worth[line - self.range.start] += share;
        }
        self
    }

    /// The whole statements of the candidate.
    pub(super) fn own(&self) -> &Range<usize> {
        &self.own
    }

    /// The consecutive statements, at most `n` lines and `bytes` bytes, that are worth most together; of equal ones the
    /// first. `None` where what fits is too little to say anything.
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
            // A statement that is longer than all lines together is shown whole or not at all.
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
        let telling = |it: &Range<usize>| telling_lines(self.text(it), LEAST_LINES);
        (telling(&chosen) >= telling(&self.own).min(LEAST_LINES)).then_some(chosen)
    }

    /// What lines are worth together; of a longer statement than `n` lines, `n` of its lines.
    fn score(&self, lines: &Range<usize>, n: usize) -> f32 {
        let worth = &self.worth[lines.start - self.range.start..lines.end - self.range.start];
        let share = n as f32 / lines.len().max(n) as f32;
        worth.iter().sum::<f32>() * share
    }

    /// Without statements at the edges that the window shows too, apart from those next to others.
    fn without_known_edges(&self, lines: Range<usize>) -> Range<usize> {
        let is_news = |it: &usize| !self.known[*it - self.range.start];
        let (Some(first), Some(last)) = (lines.clone().find(is_news), lines.clone().rfind(is_news))
        else {
            return lines;
        };
        let begin = (lines.start..=first.saturating_sub(AROUND_NEWS).max(lines.start)).rev();
        let end = (last + 1 + AROUND_NEWS).min(lines.end)..=lines.end;
        let begin = begin.into_iter().find(|it| self.file.is_boundary(*it)).unwrap_or(lines.start);
        let end = end.into_iter().find(|it| self.file.is_boundary(*it)).unwrap_or(lines.end);
        begin..end
    }

    fn text(&self, lines: &Range<usize>) -> &str {
        self.file.text.get(self.file.bytes(lines)).unwrap_or_default()
    }
}
