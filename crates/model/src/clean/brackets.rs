//! Finds unmatched closing brackets.

use super::preset::BRACKET_REACH;

/// Offset of the first closing bracket without a partner in the text or before it. Strings are not parsed, so a quoted
/// bracket before the cursor can hide one.
pub(super) fn end(text: &str, prefix: &str) -> usize {
    let from = prefix.floor_char_boundary(prefix.len().saturating_sub(BRACKET_REACH));
    let mut open: Vec<char> = Vec::new();
    for c in prefix[from..].chars() {
        if let Some(close) = close_of(c) {
            open.push(close);
        } else if open.last() == Some(&c) {
            open.pop();
        }
    }
    let is_cut = from > 0;
    let mut within = 0_usize;
    for (at, c) in text.char_indices() {
        if let Some(close) = close_of(c) {
            open.push(close);
            within += 1;
        } else if matches!(c, ')' | ']' | '}') {
            if open.last() == Some(&c) {
                open.pop();
                within = within.saturating_sub(1);
            } else if open.is_empty() && !is_cut && within == 0 {
                return at;
            }
        }
    }
    text.len()
}

fn close_of(c: char) -> Option<char> {
    match c {
        '(' => Some(')'),
        '[' => Some(']'),
        '{' => Some('}'),
        _ => None,
    }
}
