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
    /// Context lines before the region.
    pub above: usize,
    /// Context lines after the region.
    pub below: usize,
    /// Where the region may end.
    pub edge: RegionEdge,
}

/// Where a region may begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionEdge {
    /// At any line.
    Fixed,
    /// Not at a blank line, unless the cursor is there.
    NoBlank,
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
    /// The line above it in the current file; empty without one.
    pub above: &'a str,
    /// The line below it.
    pub below: &'a str,
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
        let mut first = own.saturating_sub(lines.before);
        let mut last = (own + lines.after).min(starts.len() - 1);
        let is_blank = |line: usize| text[start(line)..start(line + 1)].trim().is_empty();
        if lines.edge == RegionEdge::NoBlank {
            while first < own && is_blank(first) {
                first += 1;
                last = (last + 1).min(starts.len() - 1);
            }
            while last > own && is_blank(last) {
                last -= 1;
            }
        }
        let region = start(first)..start(last + 1);
        Self {
            above: start(first.saturating_sub(lines.above))..region.start,
            below: region.end..start(last + 1 + lines.below),
            region,
        }
    }

    /// The region before the edits: each edit is a byte range of the text and its previous content.
    pub fn original(&self, text: &str, edits: &[(Range<usize>, &str)]) -> String {
        before(text, self.region.clone(), edits)
    }
}

/// The file before the edits: all of it, or of a long one the part around the cursor that Sweep's program takes.
pub fn file_before(text: &str, at: usize, edits: &[(Range<usize>, &str)]) -> String {
    let whole = before(text, 0..text.len(), edits);
    let lines: Vec<&str> = whole.lines().collect();
    if lines.len() <= MAX_FILE_LINES {
        return whole;
    }
    let own = whole[..whole.floor_char_boundary(at)].matches('\n').count();
    let stride = FILE_BLOCK_LINES / 2;
    let ideal = own.saturating_sub(FILE_BLOCK_LINES / 2) as f64 / stride as f64;
    let first = (ideal.round_ties_even() as usize * stride).min(lines.len());
    lines[first..lines.len().min(first + FILE_BLOCK_LINES)].join("\n")
}

/// Lines of a file that is shown whole, and of a part of a longer one: `get_lines_around_cursor` in Sweep's program.
const MAX_FILE_LINES: usize = 800;
const FILE_BLOCK_LINES: usize = 300;

/// A part of a text before the edits in it.
fn before(text: &str, part: Range<usize>, edits: &[(Range<usize>, &str)]) -> String {
    let is_inside = |it: &&(Range<usize>, &str)| part.start <= it.0.start && it.0.end <= part.end;
    let mut inside: Vec<&(Range<usize>, &str)> = edits.iter().filter(is_inside).collect();
    sort_by_key(&mut inside, |it| it.0.start);
    let (mut res, mut at) = (String::new(), part.start);
    for (range, before) in inside {
        if range.start >= at {
            res.push_str(&text[at..range.start]);
            res.push_str(before);
            at = range.end;
        }
    }
    res.push_str(&text[at..part.end]);
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "one\ntwo\nthree\nfour\nfive\n";

    fn lines(before: usize, after: usize, around: usize) -> RegionLines {
        RegionLines { before, after, above: around, below: around, edge: RegionEdge::Fixed }
    }

    fn cut(at: usize, before: usize, after: usize, around: usize) -> [&'static str; 3] {
        let it = EditRegion::around(TEXT, at, lines(before, after, around));
        [&TEXT[it.above], &TEXT[it.region], &TEXT[it.below]]
    }

    #[test]
    fn a_region_is_whole_lines_around_the_cursor() {
        assert_eq!(cut(9, 1, 1, 1), ["one\n", "two\nthree\nfour\n", "five\n"]);
        assert_eq!(cut(0, 2, 0, 1), ["", "one\n", "two\n"]);
        assert_eq!(cut(TEXT.len(), 0, 9, 1), ["four\n", "five\n", ""]);
        let empty = EditRegion::around("", 0, lines(2, 2, 2));
        assert_eq!(empty.region, 0..0);
    }

    #[test]
    fn a_region_may_have_to_begin_and_end_with_code() {
        let text = "a\n\n\nb\n\n\nc\n";
        let region = |at: usize| {
            let lines = RegionLines { edge: RegionEdge::NoBlank, ..lines(2, 1, 0) };
            &text[EditRegion::around(text, at, lines).region]
        };
        // Blank lines at its beginning move the end down.
        assert_eq!(region(4), "b\n\n\nc\n");
        assert_eq!(region(8), "c\n");
        assert_eq!(region(0), "a\n");
    }

    #[test]
    fn the_original_has_what_the_edits_in_the_region_replaced() {
        let it = EditRegion::around(TEXT, 9, lines(1, 1, 0));
        let edits = [(8..14, "3\n"), (4..4, "1.5\n"), (0..4, "outside\n")];
        assert_eq!(it.original(TEXT, &edits), "1.5\ntwo\n3\nfour\n");
        assert_eq!(file_before(TEXT, 9, &edits), "outside\n1.5\ntwo\n3\nfour\nfive\n");
    }

    #[test]
    fn of_a_long_file_the_part_around_the_cursor_is_shown() {
        let text: String = (0..900).map(|it| format!("{it}\n")).collect();
        let first = |line: usize| {
            let at = text.find(&format!("\n{line}\n")).unwrap() + 1;
            let part = file_before(&text, at, &[]);
            assert!(part.lines().count() <= 300);
            part.lines().next().unwrap().to_owned()
        };
        assert_eq!([first(10), first(300), first(450), first(890)], ["0", "150", "300", "750"]);
    }
}
