//! Lines that were edited, as a session keeps them: masked and bounded.

use std::ops::Range;
use std::sync::Arc;

use foreword_engine::scope::changed_ranges;
use foreword_engine::secret::masked;

/// Maximum edited lines used per file.
const MAX_LINES: usize = 12;

/// Maximum bytes of such a line.
const MAX_LINE_BYTES: usize = 400;

/// The first lines of a text that are not in its earlier version, without blank ones; secrets are masked.
pub(super) fn edited_lines(before: &str, after: &str) -> Arc<[String]> {
    match changed_ranges(before, after) {
        // Masking reads the whole text.
        ranges if ranges.is_empty() => Arc::default(),
        ranges => lines_of(&masked(after.to_owned()), ranges).collect(),
    }
}

/// The lines in ranges of a text, without blank ones.
pub(super) fn lines_of(
    text: &str,
    ranges: impl IntoIterator<Item = Range<usize>>,
) -> impl Iterator<Item = String> {
    let lines = ranges.into_iter().flat_map(move |it| text[it].lines());
    let told = lines.filter(|it| !it.trim().is_empty()).take(MAX_LINES);
    told.map(|it| it[..it.floor_char_boundary(MAX_LINE_BYTES)].to_owned())
}

/// The later lines, then earlier ones.
pub(super) fn joined(later: &[String], earlier: &[String]) -> Arc<[String]> {
    let older = earlier.iter().filter(|it| !later.contains(it));
    later.iter().chain(older).take(MAX_LINES).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edited_lines_are_masked_and_bounded() {
        let key =
            format!("aws_secret_access_key = \"{}\"", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYz3qkT9vQ2e");
        let lines = edited_lines("one\n", &format!("one\n\n{key}\n{}\n", "x".repeat(5000)));
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("aws_secret_access_key") && !lines[0].contains("wJalr"));
        assert_eq!(lines[1].len(), MAX_LINE_BYTES);
        let many: String = (0..100).map(|it| format!("line {it}\n")).collect();
        assert_eq!(edited_lines("", &many).len(), MAX_LINES);
        assert_eq!(*joined(&["b".to_owned()], &["a".to_owned(), "b".to_owned()]), ["b", "a"]);
    }
}
