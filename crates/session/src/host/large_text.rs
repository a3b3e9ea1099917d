//! Cuts texts that are too large to be analysed, such as a log in an editor, to the lines around the cursor.

/// Bytes kept before the cursor.
pub(crate) const BYTES_BEFORE: usize = 96 << 10;

/// Bytes kept after the cursor.
pub(crate) const BYTES_AFTER: usize = 32 << 10;

/// Step of the beginning, in bytes, so that it stays while the user types.
const STEP: usize = 16 << 10;

/// Cuts a text of more than `limit` bytes around the cursor; returns the text and the cursor's offset in it. The offset
/// must be a character boundary.
pub fn analysable(text: &str, offset: usize, limit: usize) -> (&str, usize) {
    if text.len() <= limit {
        return (text, offset);
    }
    let (before, after) = text.split_at(offset);
    let start = before.len() - tail(before).len();
    let end = offset + head(after).len();
    (&text[start..end], offset - start)
}

/// The end of a long text before a cursor: whole lines, unless one line is longer than the limit.
pub fn tail(before: &str) -> &str {
    let Some(least) = before.len().checked_sub(BYTES_BEFORE) else { return before };
    let at = before.ceil_char_boundary(least.next_multiple_of(STEP).min(before.len()));
    let line = before[at..].find('\n').map_or(at, |it| at + it + 1);
    &before[line..]
}

/// The start of a long text after a cursor.
pub fn head(after: &str) -> &str {
    if after.len() <= BYTES_AFTER {
        return after;
    }
    let at = after.floor_char_boundary(BYTES_AFTER);
    let line = after[..at].rfind('\n').map_or(at, |it| it + 1);
    &after[..line]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_within_the_limit_is_used_whole() {
        assert_eq!(analysable("abc", 1, 3), ("abc", 1));
    }

    #[test]
    fn of_a_larger_text_whole_lines_around_the_cursor_are_used() {
        let text = "\u{fc}ber = 1\n".repeat(200_000);
        for offset in [0, 1000 * 10, text.len() / 20 * 10, text.len()] {
            let (part, at) = analysable(&text, offset, 1 << 20);
            assert!(part.len() <= BYTES_BEFORE + BYTES_AFTER, "{}", part.len());
            assert!(part.starts_with('\u{fc}') && part.ends_with('\n'), "{offset}");
            assert_eq!(part[at..].get(..99), text[offset..].get(..99));
            assert!(text[..offset].ends_with(&part[..at]));
            assert!(at >= (BYTES_BEFORE - STEP - 10).min(offset), "{at} of {offset}");
        }
    }

    #[test]
    fn a_line_that_is_longer_than_the_part_is_cut() {
        let text = "\u{1f600}".repeat(1 << 20);
        let (part, at) = analysable(&text, 2 << 20, 1 << 20);
        assert!(at > 0 && at <= BYTES_BEFORE && part.len() <= BYTES_BEFORE + BYTES_AFTER);
        assert!(part.len() > BYTES_BEFORE);
    }

    #[test]
    fn while_one_types_the_part_begins_at_the_same_line() {
        let text = "x = 1\n".repeat(1 << 20);
        let starts = (3_000_000..3_000_200).map(|it| it - analysable(&text, it, 1 << 20).1);
        let starts: std::collections::BTreeSet<usize> = starts.collect();
        assert!(starts.len() <= 2, "{starts:?}");
    }
}
