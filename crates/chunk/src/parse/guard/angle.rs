//! Unclosed type arguments, in grammars where `<` may begin them.
//!
//! After an error tree-sitter completes every open construct in all possible ways. In `a<a<a<…` each `<` may begin type
//! arguments or compare, so the nodes of a statement grow with the square of its open `<`: 15 kB take 320 MB in Java
//! and C#, and 90 kB more than 6 GB.

/// Open `<` of a statement that do not count. Statements of real files had at most 42, nearly all of them fewer than
/// this.
const UNCOUNTED_OPEN: u64 = 20;
/// Limit for the sum of squares over all statements. The parser takes about 70 bytes for each in Java and C#.
const MAX_PAIRS: u64 = 1_000_000;

/// Whether the number of open `<` is safe for the parser.
pub(super) fn is_safe(text: &[u8]) -> bool {
    // The sum of squares is at most the square of the sum.
    let all = memchr::memchr_iter(b'<', text).count() as u64;
    if all * all <= MAX_PAIRS {
        return true;
    }
    let (mut open, mut most, mut pairs) = (0u64, 0u64, 0u64);
    let mut bytes = text.iter().peekable();
    while let Some(&byte) = bytes.next() {
        match byte {
            // A shift.
            b'<' if bytes.next_if_eq(&&b'<').is_some() => {}
            b'<' => {
                open += 1;
                most = most.max(open);
            }
            b'>' => open = open.saturating_sub(1),
            b';' | b'{' | b'}' => {
                pairs += cost(most);
                (open, most) = (0, 0);
            }
            _ => {}
        }
    }
    pairs + cost(most) <= MAX_PAIRS
}

fn cost(open: u64) -> u64 {
    if open > UNCOUNTED_OPEN { open * open } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::is_safe;

    #[test]
    fn hundreds_of_open_type_arguments_are_not_safe() {
        assert!(is_safe("if (a < b && c < d) {}\n".repeat(10_000).as_bytes()));
        assert!(is_safe("#define A (1<<2)\n".repeat(10_000).as_bytes()));
        assert!(is_safe(format!("{}int{} x;", "List<".repeat(200), ">".repeat(200)).as_bytes()));
        assert!(!is_safe("a<\n".repeat(1100).as_bytes()));
        assert!(!is_safe(format!("{};", "a<\n".repeat(110)).repeat(100).as_bytes()));
    }
}
