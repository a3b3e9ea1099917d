//! Open brackets.
//!
//! The parser keeps state for every open bracket: a megabyte of `[` takes 250 MB in Python, and an error inside may
//! cost one step for each.

use crate::language::Language;

/// Maximum number of open brackets, including those in strings and comments. No real file reached 220.
const MAX_OPEN: u32 = 5_000;

/// Whether the number of open brackets is safe for the parser.
pub(super) fn is_safe(text: &[u8], language: Language) -> bool {
    // Markdown does not nest by brackets.
    if text.len() <= MAX_OPEN as usize || language == Language::Markdown {
        return true;
    }
    // Nearly every text has fewer brackets in total, which is fast to count.
    let begins = |byte: &u8| matches!(byte, b'(' | b'[' | b'{');
    // A count that fits a byte is made for 16 bytes at once.
    let in_piece = |it: &[u8]| it.iter().map(|byte| u8::from(begins(byte))).sum::<u8>();
    if text.chunks(255).map(|it| u64::from(in_piece(it))).sum::<u64>() <= u64::from(MAX_OPEN) {
        return true;
    }
    let mut open: u32 = 0;
    text.iter().all(|byte| {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open <= MAX_OPEN
    })
}

#[cfg(test)]
mod tests {
    use super::is_safe;
    use crate::language::Language;

    #[test]
    fn thousands_of_open_brackets_are_not_safe() {
        assert!(is_safe(&b"[1,2],".repeat(100_000), Language::Json));
        assert!(!is_safe(&b"[".repeat(100_000), Language::Python));
    }
}
