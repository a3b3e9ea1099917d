//! The outline of a file with scripts and styles: an element is a statement, and its code is the block of it.

use std::ops::Range;

use super::{MAX_LEVEL, Outline};
use crate::span::LineIndex;

/// Builds the outline of a page or component: lines of code in elements get a level, every other line is a statement.
pub(crate) struct ElementLines<'a> {
    index: &'a LineIndex,
    res: Outline,
}

impl<'a> ElementLines<'a> {
    pub(crate) fn new(index: &'a LineIndex) -> Self {
        Self { index, res: Outline { lines: vec![1; index.count() as usize] } }
    }

    /// Takes the lines between the tags of an element from the outline of its code. `region` is the range of the code, in
    /// bytes: it begins on the line of the opening tag and ends on that of the closing tag. An element that shares a
    /// line with others keeps its lines as statements.
    pub(crate) fn fill(&mut self, region: &Range<usize>, code: &Outline) {
        let line_of = |at: usize| self.index.line_of(at) as usize - 1;
        let (open, close) = (line_of(region.start), line_of(region.end));
        if close <= open + 1 || close >= self.res.lines.len() {
            return;
        }
        for at in open + 1..close {
            let level = (code.level(at) + 1).min(MAX_LEVEL as usize);
            self.res.lines[at] = (level as u8) << 1 | u8::from(code.begins_statement(at));
        }
        self.res.lines[close] = 0;
    }

    pub(crate) fn finish(self) -> Outline {
        // Without code in elements there is no outline, as for documents.
        let is_flat = self.res.lines.iter().all(|it| *it == 1);
        if is_flat { Outline::default() } else { self.res }
    }
}
