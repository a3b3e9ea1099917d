//! Limits a long file to the text near the cursor, to bound reading time, and separates what stays the same between keys.

use super::preset::{BLOCK_BYTES, BYTES_AFTER, BYTES_BEFORE};
use crate::ngram::FileText;

const BLANKS: [char; 6] = [' ', '\t', '\r', '\n', '\u{b}', '\u{c}'];

/// The whole lines around the cursor within these limits. Limits and seams lie at multiples of a block from both ends of
/// the file, so they move only now and then while somebody types.
pub(super) fn around<'t>(prefix: &'t str, suffix: &'t str) -> FileText<'t> {
    let start = blocks_over(prefix.len(), BYTES_BEFORE);
    let start = prefix.floor_char_boundary(start);
    let line = prefix[start..].find('\n').map_or(start, |at| start + at + 1);
    let end = suffix.len() - blocks_over(suffix.len(), BYTES_AFTER);
    let end = suffix.floor_char_boundary(end);
    let last = suffix[..end].rfind('\n').map_or(end, |at| at + 1);
    let start = if start == 0 { 0 } else { line };
    let end = if end == suffix.len() { end } else { last };
    FileText {
        head: head(
            &prefix[start..],
            (prefix.len() / BLOCK_BYTES * BLOCK_BYTES).saturating_sub(start),
        ),
        tail: tail(&suffix[..end], suffix.len() % BLOCK_BYTES),
        prefix: &prefix[start..],
        suffix: &suffix[..end],
    }
}

/// Bytes beyond `most`, in whole blocks.
fn blocks_over(bytes: usize, most: usize) -> usize {
    bytes.saturating_sub(most).next_multiple_of(BLOCK_BYTES)
}

/// End of the last line with text that ends before `most`.
fn head(text: &str, most: usize) -> usize {
    let before = &text[..text.floor_char_boundary(most)];
    let line = before.rfind('\n').map_or("", |at| &before[..at]);
    line.trim_end_matches(BLANKS).len()
}

/// End of the first line that ends after `least`; the end of the text if it has no line end.
fn tail(text: &str, least: usize) -> usize {
    let least = text.floor_char_boundary(least.min(text.len()));
    let Some(line) = text[least..].find('\n') else { return text.len() };
    match text[..least + line].trim_end_matches(BLANKS).len() {
        0 => text.len(),
        end => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_is_read_whole() {
        for (prefix, suffix) in [("a\nb", "c\nd"), ("", "")] {
            let file = around(prefix, suffix);
            assert_eq!((file.prefix, file.suffix), (prefix, suffix));
            assert_eq!((file.head, file.tail), (0, suffix.len()));
        }
    }

    #[test]
    fn outer_parts_stay_while_somebody_types() {
        let lines = "some line \u{e9}\n\n".repeat(20_000);
        let outer = |typed: &str| {
            let prefix = format!("{lines}{typed}");
            let file = around(&prefix, &lines);
            (file.prefix[..file.head].to_owned(), file.suffix[file.tail..].to_owned())
        };
        let before = outer("");
        assert!(before.0.len() > BYTES_BEFORE - 3 * BLOCK_BYTES && before.0.ends_with('\u{e9}'));
        assert!(before.1.len() > BYTES_AFTER - 3 * BLOCK_BYTES && before.1.starts_with('\n'));
        for typed in ["a", "ab(\n  c", "\n\n"] {
            assert_eq!(outer(typed), before, "{typed:?}");
        }
    }

    #[test]
    fn what_is_long_is_read_in_whole_lines_around_the_cursor() {
        let lines = "some line \u{e9}\n".repeat(20_000);
        let prefix = format!("{lines}begun");
        let FileText { prefix: before, suffix: behind, .. } = around(&prefix, &lines);
        assert!(
            before.len() <= BYTES_BEFORE && before.len() > BYTES_BEFORE - BLOCK_BYTES,
            "{}",
            before.len()
        );
        assert!(before.starts_with("some") && before.ends_with("begun"));
        assert!(behind.len() <= BYTES_AFTER && behind.ends_with('\n'));
    }

    #[test]
    fn one_endless_line_is_cut_where_it_must() {
        let line = "x".repeat(1 << 20);
        let FileText { prefix: before, suffix: behind, head, tail } = around(&line, &line);
        assert_eq!((before.len(), behind.len()), (BYTES_BEFORE, BYTES_AFTER));
        assert_eq!((head, tail), (0, BYTES_AFTER));
    }
}
