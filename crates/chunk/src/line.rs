//! Starts of lines, and the cost of a cut there, from the bytes alone.

use crate::size::is_space;

/// The start of the line of byte `at` if only blanks precede it on that line.
pub(crate) fn line_start(text: &[u8], at: usize) -> Option<usize> {
    let blanks = text[..at].iter().rev().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
    let start = at - blanks;
    (start == 0 || text[start - 1] == b'\n').then_some(start)
}

/// Whether the line before the one that begins at `start` is blank.
pub(crate) fn blank_before(text: &[u8], start: usize) -> bool {
    let Some(newline) = start.checked_sub(1) else { return true };
    let line =
        text[..newline].iter().rev().take_while(|&&byte| byte != b'\n' && is_space(byte)).count();
    let begin = newline - line;
    begin == 0 || text[begin - 1] == b'\n'
}

/// Cost of a cut before the line that begins at `start`: low after blank lines and at low indentation, high before a
/// closing line.
pub(crate) fn line_cost(text: &[u8], start: usize) -> u32 {
    const NO_BLANK_LINE: u32 = 40;
    const COLUMN: u32 = 4;
    const CLOSES: u32 = 100;
    let mut columns = 0;
    let mut first = b'\n';
    for &byte in &text[start..] {
        first = byte;
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += 4,
            _ => break,
        }
        if columns >= 40 {
            break;
        }
    }
    let blank = if blank_before(text, start) { 0 } else { NO_BLANK_LINE };
    let closes = if matches!(first, b'}' | b')' | b']') { CLOSES } else { 0 };
    blank + closes + columns * COLUMN
}

#[cfg(test)]
mod tests {
    use super::{blank_before, line_cost, line_start};

    #[test]
    fn a_line_starts_where_only_blanks_stand_before() {
        let text = b"ab\n\t  cd ef";
        assert_eq!(line_start(text, 6), Some(3));
        assert_eq!(line_start(text, 9), None);
        assert_eq!(line_start(text, 0), Some(0));
    }

    #[test]
    fn a_blank_line_may_hold_blanks_and_a_carriage_return() {
        assert!(blank_before(b"a\n \t\r\nb", 6));
        assert!(blank_before(b"a\n\nb", 3));
        assert!(!blank_before(b"a\nb", 2));
        assert!(blank_before(b"b", 0));
    }

    #[test]
    fn low_indentation_after_a_blank_line_is_the_cheapest_cut() {
        let text = b"a\n\nb\nc\n    d\n}\n";
        assert!(line_cost(text, 3) < line_cost(text, 5));
        assert!(line_cost(text, 5) < line_cost(text, 7));
        assert!(line_cost(text, 5) < line_cost(text, 13));
    }
}
