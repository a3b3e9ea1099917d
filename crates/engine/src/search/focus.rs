//! The lines of a result to show first.

use std::ops::Range;

use foreword_chunk::Kind;

use super::SearchResult;
use crate::index::{FileId, Snapshot};
use crate::preset::constants::search::{BEGINNING_ADVANTAGE, SHORT_FOCUS_LINES, WIDE_FOCUS_LINES};
use crate::trim::{Lines, extent};

/// The lines of a result within its definition, and the weights of all lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Focus {
    /// Lines of the result's text, the first being 0. All of them where the result has no definition.
    pub lines: Range<usize>,
    /// Lines from which an excerpt is taken: the focus, and lines around a short one.
    around: Range<usize>,
    /// Total weight of the query words on each line of the text.
    worth: Vec<f32>,
    /// The line at which the definition begins after its doc comment.
    signature: usize,
}

/// Where a definition is in a chunk, in bytes of the chunk.
pub(super) struct Place {
    /// Its lines, with the doc comment before it.
    pub(super) lines: Range<usize>,
    /// Where it begins after that comment.
    signature: usize,
    /// Whether lines before it belong to it: to a field or a constant, those of its type. Before a function is another.
    is_detail: bool,
}

impl Place {
    /// All of a chunk.
    pub(super) fn whole(chunk: &str) -> Self {
        Self { lines: 0..chunk.len(), signature: 0, is_detail: true }
    }

    /// The place of a definition in a chunk that starts at byte `start` of the file.
    pub(super) fn of(
        snapshot: &Snapshot,
        (file, definition): (FileId, u32),
        start: usize,
        chunk: &str,
    ) -> Self {
        let record = snapshot.record(file);
        // A damaged index may have forgotten it meanwhile.
        let Some(it) = record.symbols.definitions.get(definition as usize) else {
            return Self::whole(chunk);
        };
        let within = |at: usize| chunk.floor_char_boundary(at.saturating_sub(start));
        let of_file = extent(it);
        let (first, last) = (within(of_file.start), within(of_file.end));
        let first = chunk[..first].rfind('\n').map_or(0, |it| it + 1);
        let last = chunk[last..].find('\n').map_or(chunk.len(), |it| last + it + 1);
        let is_detail = matches!(it.kind, Kind::Field | Kind::Constant | Kind::Section);
        let signature = within(it.span.start as usize);
        Self { lines: first..last.max(first), signature, is_detail }
    }
}

/// Lines of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Excerpt<'r> {
    /// The first, 1-based, in the file.
    pub start_line: u32,
    /// The lines, unchanged.
    pub text: &'r str,
    /// How many lines of the focus follow.
    pub following: usize,
}

impl Focus {
    /// The lines of a chunk that are of `definition`, as far as they are in the part `shown`.
    pub(super) fn new(lines: &Lines<'_>, shown: &Range<usize>, definition: &Place) -> Self {
        let visible = lines.numbers(shown);
        let of_definition = lines.numbers(&definition.lines);
        let mut focus = of_definition.start.max(visible.start)..of_definition.end.min(visible.end);
        if focus.is_empty() {
            focus = visible.clone();
        }
        let mut around = focus.clone();
        if focus.len() < SHORT_FOCUS_LINES {
            let more = lines.best_at(WIDE_FOCUS_LINES, &lines.bytes(&focus));
            let more = more.map_or(focus.clone(), |it| lines.numbers(&it));
            around = more.start.max(visible.start)..more.end.min(visible.end);
            if !definition.is_detail {
                around.start = focus.start;
            }
        }
        let worth = lines.worth()[visible.clone()].to_vec();
        let signature = lines.numbers(&(definition.signature..definition.signature + 1)).start;
        let signature = signature.clamp(focus.start, focus.end) - visible.start;
        let shown = |it: &Range<usize>| it.start - visible.start..it.end - visible.start;
        Self { lines: shown(&focus), around: shown(&around), worth, signature }
    }

    /// The bytes of the `n` lines of the text to show, all of which `lines` has.
    pub(super) fn bytes(&self, n: usize, lines: &Lines<'_>) -> Range<usize> {
        let is_blank = |at: usize| self.worth.get(at).is_none();
        lines.bytes(&self.excerpt(n, is_blank))
    }

    /// Keeps the first `n` lines of the text.
    pub(super) fn truncate(&mut self, n: usize) {
        self.worth.truncate(n);
        let cut = |it: &Range<usize>| {
            if it.start < it.end.min(n) { it.start..it.end.min(n) } else { 0..n }
        };
        (self.lines, self.around) = (cut(&self.lines), cut(&self.around));
    }

    /// At most `n` of its lines: the first ones, or later ones whose weight is `BEGINNING_ADVANTAGE` times theirs. A
    /// doc comment that would leave no room for the definition is skipped.
    fn excerpt(&self, n: usize, is_blank: impl Fn(usize) -> bool) -> Range<usize> {
        let Range { start, end } = self.around;
        let first = (start..end).find(|it| !is_blank(*it)).unwrap_or(start);
        let last = (first..end).rev().find(|it| !is_blank(*it)).map_or(first, |it| it + 1);
        if last - first <= n {
            return first..last;
        }
        let is_far = self.signature > first + n / 2 && self.signature < last;
        let beginning = if is_far { self.signature.min(last - n) } else { first };
        let worth = |at: usize| self.worth[at..at + n].iter().sum::<f32>();
        // A short definition is among the lines that its title heads.
        let has_focus = |at: usize| at <= self.lines.start && self.lines.end <= at + n;
        let places = match (first..=last - n).any(has_focus) {
            true => self.lines.end.saturating_sub(n).max(first)..=self.lines.start.min(last - n),
            false => first..=last - n,
        };
        let beginning = beginning.clamp(*places.start(), *places.end());
        let mut best = *places.start();
        for at in places {
            if worth(at) > worth(best) {
                best = at;
            }
        }
        let at =
            if worth(best) > worth(beginning) * BEGINNING_ADVANTAGE { best } else { beginning };
        at..at + n
    }
}

impl SearchResult {
    /// First and last line, 1-based, inclusive, of the best-matching definition within the text; of the whole text
    /// without one.
    pub fn focus_lines(&self) -> (u32, u32) {
        let Range { start, end } = self.focus.lines;
        let first = self.start_line + start as u32;
        (first, first + (end - start).max(1) as u32 - 1)
    }

    /// The byte of the file at which the focus starts, and its text.
    pub fn focus_text(&self) -> (usize, &str) {
        let (at, text) = part(&self.text, &self.focus.lines);
        (self.start + at, text)
    }

    /// At most `n` lines of the focus, those that match, without blank lines around them. A focus of a line or two is shown
    /// with lines around it.
    pub fn excerpt(&self, n: usize) -> Excerpt<'_> {
        let lines: Vec<&str> = self.text.lines().collect();
        let is_blank = |at: usize| lines.get(at).is_none_or(|it| it.trim().is_empty());
        let chosen = self.focus.excerpt(n, is_blank);
        let end = self.focus.around.end;
        let last =
            (chosen.end..end).rev().find(|it| !is_blank(*it)).map_or(chosen.end, |it| it + 1);
        Excerpt {
            start_line: self.start_line + chosen.start as u32,
            text: part(&self.text, &chosen).1,
            following: last - chosen.end,
        }
    }
}

/// Some lines of a text, and the byte at which they start.
fn part<'t>(text: &'t str, lines: &Range<usize>) -> (usize, &'t str) {
    let mut rest = text.split_inclusive('\n');
    let start: usize = rest.by_ref().take(lines.start).map(str::len).sum();
    let len: usize = rest.take(lines.len()).map(str::len).sum();
    (start, &text[start..start + len])
}
