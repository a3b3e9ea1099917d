//! Type arguments that are never closed, in grammars where `<` may begin them.
//!
//! After an error tree-sitter completes every construct that is open in all possible ways. In `a<a<a<…` each `<` may
//! begin type arguments or compare, so the nodes of a statement grow with the square of its open `<`: 15 kB take 320 MB
//! in Java and C#, and 90 kB more than 6 GB.

/// Of the real files no statement had more open `<` than 42, nearly none more than this: they do not count.
const FREE: u64 = 20;
/// Of the squares of all others. The parser takes about 70 bytes for each in Java and C#.
const MOST_PAIRS: u64 = 1_000_000;

/// Whether so few `<` are open at once that the parser bears them.
pub(super) fn is_safe(text: &[u8]) -> bool {
    // The sum of squares is at most the square of the sum.
    let all = memchr::memchr_iter(b'<', text).count() as u64;
    if all * all <= MOST_PAIRS {
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
    pairs + cost(most) <= MOST_PAIRS
}

fn cost(open: u64) -> u64 {
    if open > FREE { open * open } else { 0 }
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
