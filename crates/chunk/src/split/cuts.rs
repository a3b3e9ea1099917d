//! Positions where a text may be cut, with their costs, collected in order.
//!
//! Neighbouring cuts are never further apart than the maximum size: text that the syntax tree leaves whole (a
//! docstring, a comment, a minified line) is cut at its lines, then between characters. Of crowded cuts only the
//! cheapest stays, so that packing is fast on any text.

use crate::line::line_cost;
use crate::size::Sizes;

/// Extra cost of a cut inside a leaf of the tree.
const INSIDE_LEAF: u32 = 300;
/// Cost of a cut inside a line that is too long.
const INSIDE_LINE: u32 = 2000;
/// Cuts closer together than this fraction (1/48) of the maximum size are thinned out.
const CROWDING_DIVISOR: u32 = 48;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutPoint {
    /// The byte after the cut.
    pub(crate) at: u32,
    /// Cost, on the scale of `pack`.
    pub(crate) cost: u32,
    /// Size of the text before.
    pub(crate) before: u32,
}

/// Collects the cuts of a text from its start to its end.
pub(crate) struct Cuts<'a> {
    text: &'a [u8],
    sizes: &'a Sizes,
    max: u32,
    list: Vec<CutPoint>,
}

impl<'a> Cuts<'a> {
    /// Starts with the cut at byte 0.
    pub(crate) fn new(text: &'a [u8], sizes: &'a Sizes, max: u32) -> Self {
        Self { text, sizes, max, list: vec![CutPoint { at: 0, cost: 0, before: 0 }] }
    }

    /// Adds a cut before byte `at`, which must not lie before the last one.
    pub(crate) fn push(&mut self, at: usize, cost: u32) {
        if self.size_up_to(at) > self.max {
            self.open_lines(at, INSIDE_LEAF);
        }
        self.place(at, cost);
    }

    /// Adds a cut before every line up to byte `end`, each at `extra` cost.
    pub(crate) fn open_lines(&mut self, end: usize, extra: u32) {
        let begin = self.last().at as usize;
        for newline in memchr::memchr_iter(b'\n', &self.text[begin..end]) {
            let line = begin + newline + 1;
            if line < end {
                self.open_line(line);
                self.place(line, line_cost(self.text, line) + extra);
            }
        }
        self.open_line(end);
    }

    /// Returns the cuts; the last one is at the end of the text.
    pub(crate) fn finish(mut self) -> Vec<CutPoint> {
        let end = self.text.len();
        if self.size_up_to(end) > self.max {
            self.open_lines(end, INSIDE_LEAF);
        }
        // Trailing whitespace belongs to the last chunk; a blank text is one chunk.
        if self.list.len() > 1 && self.size_up_to(end) == 0 {
            self.list.pop();
        }
        self.list.push(CutPoint { at: end as u32, cost: 0, before: self.sizes.before(end) });
        self.list
    }

    fn last(&self) -> CutPoint {
        *self.list.last().expect("there is always the cut at the start")
    }

    fn size_up_to(&self, at: usize) -> u32 {
        self.sizes.before(at).saturating_sub(self.last().before)
    }

    /// Cuts between characters while the text up to `end` is too large.
    fn open_line(&mut self, end: usize) {
        while self.size_up_to(end) > self.max {
            let at = self.word_before(self.sizes.at(self.last().before + self.max));
            self.place(at, INSIDE_LINE);
        }
    }

    /// The start of the word at `at`, unless the word is long.
    fn word_before(&self, at: usize) -> usize {
        let reach = (self.max / 8).min(200) as usize;
        let begin = at.saturating_sub(reach).max(self.last().at as usize + 1);
        let Some(window) = self.text.get(begin..at) else { return at };
        window.iter().rposition(|&byte| byte == b' ').map_or(at, |space| begin + space + 1)
    }

    /// Adds a cut. It replaces the last cut if only whitespace lies between, so that whitespace belongs to the chunk
    /// before it.
    fn place(&mut self, at: usize, cost: u32) {
        let cut = CutPoint { at: at as u32, cost, before: self.sizes.before(at) };
        let n = self.list.len();
        let last = &mut self.list[n - 1];
        if last.before < cut.before {
            self.thin_out(cut.before);
            self.list.push(cut);
        } else if last.at < cut.at && n > 1 {
            *last = CutPoint { cost: cost.min(last.cost), ..cut };
        }
    }

    /// Drops one of the last two cuts if the pieces around it are small: the more expensive one, or the later of
    /// equals.
    fn thin_out(&mut self, next: u32) {
        let limit = self.max / CROWDING_DIVISOR;
        let &[.., before, a, b] = self.list.as_slice() else { return };
        if next - a.before <= limit && a.cost <= b.cost {
            self.list.pop();
        } else if b.before - before.before <= limit && a.cost > b.cost {
            self.list.remove(self.list.len() - 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cuts;
    use crate::size::Sizes;

    fn check(text: &str, max: u32, expect: &[&str]) {
        let sizes = Sizes::new(text.as_bytes());
        let cuts = Cuts::new(text.as_bytes(), &sizes, max).finish();
        let pieces: Vec<_> =
            cuts.windows(2).map(|it| &text[it[0].at as usize..it[1].at as usize]).collect();
        assert_eq!(pieces, expect);
    }

    #[test]
    fn what_fits_stays_in_one_piece() {
        check("ab\ncd\n", 4, &["ab\ncd\n"]);
    }

    #[test]
    fn what_is_too_long_opens_at_its_lines() {
        check("ab\n\ncd\n", 3, &["ab\n\n", "cd\n"]);
    }

    #[test]
    fn a_line_that_is_too_long_opens_between_characters() {
        check("漢漢漢漢漢\nx", 2, &["漢漢", "漢漢", "漢\n", "x"]);
    }

    #[test]
    fn a_long_line_opens_between_words_where_it_can() {
        let text = "word ".repeat(20);
        check(
            &text,
            42,
            &["word word word word word word word word word word ", &"word ".repeat(10)],
        );
    }

    #[test]
    fn a_blank_text_is_one_piece() {
        check(" \n\n ", 10, &[" \n\n "]);
    }
}
