//! Brackets that are open at once.
//!
//! The parser keeps what it has seen of every open bracket: a megabyte of `[` takes 250 MB in Python, and an error within
//! them may cost as many steps as are open.

use crate::language::Language;

/// How many may be open. Brackets in strings and comments count, too: of the real files none reached 220.
const MOST_OPEN: u32 = 5_000;

/// Whether so few brackets are open at once that the parser bears them.
pub(super) fn is_safe(text: &[u8], language: Language) -> bool {
    // Prose and its blocks do not nest by brackets.
    if text.len() <= MOST_OPEN as usize || language == Language::Markdown {
        return true;
    }
    // Nearly every text has fewer in all, which is counted many bytes at a time.
    let begins = |byte: &u8| matches!(byte, b'(' | b'[' | b'{');
    if text.iter().filter(|it| begins(it)).count() <= MOST_OPEN as usize {
        return true;
    }
    let mut open: u32 = 0;
    text.iter().all(|byte| {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open <= MOST_OPEN
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
