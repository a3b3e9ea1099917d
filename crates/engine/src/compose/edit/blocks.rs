//! The blocks into which Zeta 2.1's region is cut, each between two numbered marks.
//!
//! Source: Zed's `multi_region.rs`, the limits of `V0318`. A model answers with marks, so a block that ends elsewhere
//! would put its text in another place.

/// Lines of a block.
const MIN_BLOCK_LINES: usize = 6;
const MAX_BLOCK_LINES: usize = 16;

/// Lines that a beginning may move down.
const MAX_MOVED_LINES: usize = 5;

/// The mark with a number, from 1.
pub(super) fn mark(number: usize) -> String {
    format!("<|marker_{number}|>")
}

/// The bytes at which blocks begin, and the end of the text.
pub(super) fn boundaries(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for line in &lines {
        starts.push(at);
        at += line.len();
    }
    let is_blank = |it: usize| lines[it].trim().is_empty();
    let good = |from: usize| {
        let last = lines.len().min(from + MAX_MOVED_LINES);
        (from..last).find(|it| !is_blank(*it) && !is_tail(lines[*it].trim())).unwrap_or(from)
    };
    let (mut res, mut last, mut line) = (vec![0], 0, 0);
    while line < lines.len() {
        let length = line - last;
        let is_paragraph =
            length >= MIN_BLOCK_LINES && line > 0 && !is_blank(line) && is_blank(line - 1);
        let start = good(line);
        let is_begun =
            (is_paragraph && lines.len() - start >= MIN_BLOCK_LINES) || length >= MAX_BLOCK_LINES;
        if is_begun && res.last().is_some_and(|it| starts[start] > *it) {
            res.push(starts[start]);
            last = start;
            line = start;
        }
        line += 1;
    }
    if res.last() != Some(&text.len()) || text.is_empty() {
        res.push(text.len());
    }
    res
}

/// A line that ends what is above it.
fn is_tail(line: &str) -> bool {
    let word = line.trim_end_matches(';');
    line.starts_with(['}', ']', ')'])
        || ["break", "continue", "return", "throw", "end"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, first_lines: &[usize]) {
        let found = boundaries(text);
        let line = |at: &usize| text[..*at].matches('\n').count() + 1;
        let (end, starts) = found.split_last().unwrap();
        assert_eq!(starts.iter().map(line).collect::<Vec<_>>(), first_lines, "{text}");
        assert_eq!(*end, text.len());
    }

    #[test]
    fn blocks_begin_behind_blank_lines_and_never_with_a_closing_line() {
        let lines = |n: usize| "x = 1\n".repeat(n);
        check("", &[1]);
        check(&lines(5), &[1]);
        // At most sixteen lines without a blank one.
        check(&lines(20), &[1, 17]);
        // Behind a blank line, if six lines are above and below.
        check(&format!("{}\n{}", lines(6), lines(6)), &[1, 8]);
        check(&format!("{}\n{}", lines(4), lines(6)), &[1]);
        check(&format!("{}\n{}", lines(6), lines(5)), &[1]);
        // What closes the lines above stays with them.
        check(&format!("{}\n}}\n{}", lines(6), lines(7)), &[1, 9]);
        check(&format!("{}return;\n{}", lines(16), lines(3)), &[1, 18]);
    }
}
