//! Cuts texts to the lines around the cursor: those that are too large to be analysed, such as a log in an editor, and
//! minified ones, where each key would cost the analysis of a hundred thousand tokens that say nothing about the place.

use foreword_load::minified;

/// What is kept of a text that is too large, in bytes. The beginning moves in steps, so that it stays while the user types.
const LARGE: Part = Part { before: 96 << 10, after: 32 << 10, step: 16 << 10 };

/// What is kept of a minified text, in bytes: a key in it then takes some 10 ms.
const MINIFIED: Part = Part { before: 12 << 10, after: 4 << 10, step: 2 << 10 };

/// Sizes of the part of a text that is kept, in bytes.
struct Part {
    before: usize,
    after: usize,
    /// Step of the beginning.
    step: usize,
}

/// The part of the text of the file `path` to analyse, and the cursor's offset in it: all of it, unless it has more than
/// `limit` bytes or is minified. The offset must be a character boundary.
pub fn analysable<'t>(path: &str, text: &'t str, offset: usize, limit: usize) -> (&'t str, usize) {
    let (text, offset) = if text.len() > limit { LARGE.of(text, offset) } else { (text, offset) };
    let is_minified =
        text.len() > MINIFIED.before + MINIFIED.after && minified(path, text).is_some();
    if is_minified { MINIFIED.of(text, offset) } else { (text, offset) }
}

/// That a text of so many bytes is cut.
pub fn note(bytes: usize) -> String {
    format!("of {bytes} bytes only the lines around the cursor are used")
}

/// The end of a long text before a cursor: whole lines, unless one line is longer than the limit.
pub fn tail(before: &str) -> &str {
    LARGE.tail(before)
}

/// The start of a long text after a cursor.
pub fn head(after: &str) -> &str {
    LARGE.head(after)
}

impl Part {
    /// The part of a text around an offset, and the offset in it.
    fn of<'t>(&self, text: &'t str, offset: usize) -> (&'t str, usize) {
        let (before, after) = text.split_at(offset);
        let start = before.len() - self.tail(before).len();
        let end = offset + self.head(after).len();
        (&text[start..end], offset - start)
    }

    fn tail<'t>(&self, before: &'t str) -> &'t str {
        let Some(least) = before.len().checked_sub(self.before) else { return before };
        let at = before.ceil_char_boundary(least.next_multiple_of(self.step).min(before.len()));
        let line = before[at..].find('\n').map_or(at, |it| at + it + 1);
        &before[line..]
    }

    fn head<'t>(&self, after: &'t str) -> &'t str {
        if after.len() <= self.after {
            return after;
        }
        let at = after.floor_char_boundary(self.after);
        let line = after[..at].rfind('\n').map_or(at, |it| it + 1);
        &after[..line]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_within_the_limit_is_used_whole() {
        assert_eq!(analysable("a.py", "abc", 1, 3), ("abc", 1));
    }

    #[test]
    fn of_a_larger_text_whole_lines_around_the_cursor_are_used() {
        let text = "\u{fc}ber = 1\n".repeat(200_000);
        for offset in [0, 1000 * 10, text.len() / 20 * 10, text.len()] {
            let (part, at) = analysable("a.py", &text, offset, 1 << 20);
            assert!(part.len() <= LARGE.before + LARGE.after, "{}", part.len());
            assert!(part.starts_with('\u{fc}') && part.ends_with('\n'), "{offset}");
            assert_eq!(part[at..].get(..99), text[offset..].get(..99));
            assert!(text[..offset].ends_with(&part[..at]));
            assert!(at >= (LARGE.before - LARGE.step - 10).min(offset), "{at} of {offset}");
        }
    }

    #[test]
    fn a_line_that_is_longer_than_the_part_is_cut() {
        let text = "\u{1f600}".repeat(1 << 20);
        let (part, at) = analysable("a.txt", &text, 2 << 20, 1 << 20);
        assert!(at > 0 && at <= LARGE.before && part.len() <= LARGE.before + LARGE.after);
        assert!(part.len() > LARGE.before);
    }

    #[test]
    fn while_one_types_the_part_begins_at_the_same_line() {
        let text = "x = 1\n".repeat(1 << 20);
        let starts = (3_000_000..3_000_200).map(|it| it - analysable("a.py", &text, it, 1 << 20).1);
        let starts: std::collections::BTreeSet<usize> = starts.collect();
        assert!(starts.len() <= 2, "{starts:?}");
    }

    #[test]
    fn of_a_minified_text_a_smaller_part_is_used_and_of_long_prose_all() {
        let text = "var a=function(b){return b+1};".repeat(10_000);
        for offset in [0, 30 * 777, text.len()] {
            let (part, at) = analysable("a.js", &text, offset, 1 << 20);
            assert!(part.len() <= MINIFIED.before + MINIFIED.after, "{}", part.len());
            assert_eq!(part[at..].get(..99), text[offset..].get(..99));
            assert!(text[..offset].ends_with(&part[..at]));
        }
        assert_eq!(analysable("a.md", &text, 9, 1 << 20), (&*text, 9));
        let larger = text.repeat(9);
        let (part, _) = analysable("a.js", &larger, 30 * 77_777, 1 << 20);
        assert!(part.len() <= MINIFIED.before + MINIFIED.after, "{}", part.len());
    }
}
