//! The places where a text may be cut, each with its cost, collected in order.
//!
//! Between two neighbouring cuts there is never more than the maximal size: what the syntax tree leaves in one piece
//! (a docstring, a comment, a minified line) is cut at its lines, then between characters. Nor are there many more cuts
//! than necessary: of cuts that crowd together the cheapest stays, so that packing is fast on any text.

use crate::line::line_cost;
use crate::size::Sizes;

/// The extra cost of a cut inside a leaf of the tree.
const INSIDE_LEAF: u32 = 300;
/// The cost of a cut inside a line that is too long.
const INSIDE_LINE: u32 = 2000;
/// Cuts closer together than this share of the maximal size are thinned out.
const CROWD_SHARE: u32 = 48;

/// A place where the text may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The byte before which to cut.
    pub(crate) at: u32,
    /// What it costs; see `pack` for the scale.
    pub(crate) cost: u32,
    /// The size of the text before.
    pub(crate) before: u32,
}

/// Collects the cuts of a text from its start to its end.
pub(crate) struct Cuts<'a> {
    text: &'a [u8],
    sizes: &'a Sizes,
    max: u32,
    list: Vec<Cut>,
}

impl<'a> Cuts<'a> {
    /// No cuts yet but the one at the start.
    pub(crate) fn new(text: &'a [u8], sizes: &'a Sizes, max: u32) -> Self {
        Self { text, sizes, max, list: vec![Cut { at: 0, cost: 0, before: 0 }] }
    }

    /// Allows a cut before byte `at`, which must not lie before the last one.
    pub(crate) fn push(&mut self, at: usize, cost: u32) {
        if self.size_up_to(at) > self.max {
            self.open_lines(at, INSIDE_LEAF);
        }
        self.place(at, cost);
    }

    /// Allows a cut before every line up to byte `end`, each at `extra` cost.
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

    /// The cuts, the last of them at the end of the text.
    pub(crate) fn finish(mut self) -> Vec<Cut> {
        let end = self.text.len();
        if self.size_up_to(end) > self.max {
            self.open_lines(end, INSIDE_LEAF);
        }
        // Trailing whitespace belongs to the chunk before it; an entirely blank text is one chunk.
        if self.list.len() > 1 && self.size_up_to(end) == 0 {
            self.list.pop();
        }
        self.list.push(Cut { at: end as u32, cost: 0, before: self.sizes.before(end) });
        self.list
    }

    fn last(&self) -> Cut {
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

    /// Adds a cut. If only whitespace lies between it and the last one it replaces that, so that the whitespace belongs
    /// to the chunk before.
    fn place(&mut self, at: usize, cost: u32) {
        let cut = Cut { at: at as u32, cost, before: self.sizes.before(at) };
        let n = self.list.len();
        let last = &mut self.list[n - 1];
        if last.before < cut.before {
            self.thin_out(cut.before);
            self.list.push(cut);
        } else if last.at < cut.at && n > 1 {
            *last = Cut { cost: cost.min(last.cost), ..cut };
        }
    }

    /// Drops one of the last two cuts if the pieces around it are small: the more expensive one, the later one of equals.
    fn thin_out(&mut self, next: u32) {
        let limit = self.max / CROWD_SHARE;
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
