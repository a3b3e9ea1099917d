//! An annotation at the end of a Kotlin file.
//!
//! To decide whether a line break ends a statement, the scanner skips an annotation on the next line. It searches for a
//! blank after the `@`, or for a line break after a following `(`, without checking for the end of the text. Both can
//! be missing only on a last line without a line break.

/// The `@` characters after which the scanner would loop for ever.
pub(super) fn blanks(text: &[u8]) -> Vec<usize> {
    let line = memchr::memrchr(b'\n', text).map_or(0, |it| it + 1);
    let ends = |at: usize| {
        let rest = &text[at..];
        rest.iter().any(u8::is_ascii_whitespace) && !rest.contains(&b'(')
    };
    // Going backwards, the answer changes once, because the rest of the text only grows.
    memchr::memchr_iter(b'@', &text[line..]).map(|it| line + it).filter(|&it| !ends(it)).collect()
}

#[cfg(test)]
mod tests {
    use super::blanks;

    #[test]
    fn an_annotation_is_blanked_where_nothing_ends_it() {
        assert_eq!(blanks(b"val i = 1\n@"), [10]);
        assert_eq!(blanks(b"@A\n@Deprecated(\"x y\") @B fun f"), [3]);
        assert_eq!(blanks(b"@A fun f\n@B\n"), []);
        assert_eq!(blanks(b"val i = 1\n@A val j = 2"), []);
    }
}
