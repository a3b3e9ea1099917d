//! Limits a long file to the text near the cursor, to bound reading time.

use super::preset::{BYTES_AFTER, BYTES_BEFORE};

/// The whole lines around the cursor within these limits.
pub(super) fn around<'t>(prefix: &'t str, suffix: &'t str) -> (&'t str, &'t str) {
    let start = prefix.floor_char_boundary(prefix.len().saturating_sub(BYTES_BEFORE));
    let line = prefix[start..].find('\n').map_or(start, |at| start + at + 1);
    let end = suffix.floor_char_boundary(suffix.len().min(BYTES_AFTER));
    let end =
        if end == suffix.len() { end } else { suffix[..end].rfind('\n').map_or(end, |at| at + 1) };
    (&prefix[if start == 0 { 0 } else { line }..], &suffix[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_is_read_whole() {
        assert_eq!(around("a\nb", "c\nd"), ("a\nb", "c\nd"));
        assert_eq!(around("", ""), ("", ""));
    }

    #[test]
    fn what_is_long_is_read_in_whole_lines_around_the_cursor() {
        let lines = "some line \u{e9}\n".repeat(20_000);
        let prefix = format!("{lines}begun");
        let (before, behind) = around(&prefix, &lines);
        assert!(
            before.len() <= BYTES_BEFORE && before.len() > BYTES_BEFORE - 20,
            "{}",
            before.len()
        );
        assert!(before.starts_with("some") && before.ends_with("begun"));
        assert!(behind.len() <= BYTES_AFTER && behind.ends_with('\n'));
    }

    #[test]
    fn one_endless_line_is_cut_where_it_must() {
        let line = "x".repeat(1 << 20);
        let (before, behind) = around(&line, &line);
        assert_eq!((before.len(), behind.len()), (BYTES_BEFORE, BYTES_AFTER));
    }
}
