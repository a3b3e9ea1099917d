//! The region that a next-edit model may rewrite, and recent edits.

use std::ops::Range;

use crate::sorting::sort_by_key;

/// Size of the editable region and of the context around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionLines {
    /// Editable lines before the cursor's.
    pub before: usize,
    /// Editable lines after the cursor's.
    pub after: usize,
    /// Context lines on each side.
    pub around: usize,
}

/// A recent edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastEdit<'a> {
    /// The file, relative to the root.
    pub path: &'a str,
    /// First line that it wrote, 1-based, in the current file; for a pure deletion, the line after it.
    pub line: u32,
    /// The lines that it replaced.
    pub before: &'a str,
    /// The lines that it wrote.
    pub after: &'a str,
}

/// The part of a file around a cursor: the editable region and its context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRegion {
    /// Byte range of the context before the region.
    pub above: Range<usize>,
    /// Byte range of the region, in whole lines.
    pub region: Range<usize>,
    /// Byte range of the context after the region.
    pub below: Range<usize>,
    /// First line of the region, 1-based.
    pub first_line: usize,
    /// Last line of the region, 1-based, inclusive.
    pub last_line: usize,
}

impl EditRegion {
    /// The region around a byte of a text.
    pub fn around(text: &str, at: usize, lines: RegionLines) -> Self {
        let mut starts: Vec<usize> = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|it| it + 1));
        // Text after the last line feed is a line only if it is not empty.
        if starts.len() > 1 && starts.last() == Some(&text.len()) {
            starts.pop();
        }
        let own = starts.partition_point(|it| *it <= at).saturating_sub(1);
        let start = |line: usize| starts.get(line).copied().unwrap_or(text.len());
        let first = own.saturating_sub(lines.before);
        let last = (own + lines.after).min(starts.len() - 1);
        let region = start(first)..start(last + 1);
        Self {
            above: start(first.saturating_sub(lines.around))..region.start,
            below: region.end..start(last + 1 + lines.around),
            region,
            first_line: first + 1,
            last_line: last + 1,
        }
    }

    /// The region before the edits: each edit is a byte range of the text and its previous content.
    pub fn original(&self, text: &str, edits: &[(Range<usize>, &str)]) -> String {
        let mut inside: Vec<&(Range<usize>, &str)> = edits
            .iter()
            .filter(|it| self.region.start <= it.0.start && it.0.end <= self.region.end)
            .collect();
        sort_by_key(&mut inside, |it| it.0.start);
        let (mut res, mut at) = (String::new(), self.region.start);
        for (range, before) in inside {
            if range.start >= at {
                res.push_str(&text[at..range.start]);
                res.push_str(before);
                at = range.end;
            }
        }
        res.push_str(&text[at..self.region.end]);
        res
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "one\ntwo\nthree\nfour\nfive\n";

    fn cut(at: usize, before: usize, after: usize, around: usize) -> [&'static str; 3] {
        let it = EditRegion::around(TEXT, at, RegionLines { before, after, around });
        [&TEXT[it.above], &TEXT[it.region], &TEXT[it.below]]
    }

    #[test]
    fn a_region_is_whole_lines_around_the_cursor() {
        assert_eq!(cut(9, 1, 1, 1), ["one\n", "two\nthree\nfour\n", "five\n"]);
        assert_eq!(cut(0, 2, 0, 1), ["", "one\n", "two\n"]);
        assert_eq!(cut(TEXT.len(), 0, 9, 1), ["four\n", "five\n", ""]);
        let empty = EditRegion::around("", 0, RegionLines { before: 2, after: 2, around: 2 });
        assert_eq!((empty.region, empty.first_line, empty.last_line), (0..0, 1, 1));
    }

    #[test]
    fn the_original_has_what_the_edits_in_the_region_replaced() {
        let it = EditRegion::around(TEXT, 9, RegionLines { before: 1, after: 1, around: 0 });
        let edits = [(8..14, "3\n"), (4..4, "1.5\n"), (0..4, "outside\n")];
        assert_eq!(it.original(TEXT, &edits), "1.5\ntwo\n3\nfour\n");
    }
}
