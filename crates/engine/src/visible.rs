//! Makes characters visible that nobody sees: those that change the direction of the text around them, so that code looks
//! different from what it is (CVE-2021-42574), and control characters, which a terminal would obey.

use std::borrow::Cow;

/// Whether a character changes the direction in which the characters around it are shown.
pub fn is_directional(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// The text for a model: directional characters are escapes, as in `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    // In UTF-8 they begin with one of these bytes.
    let may_have = memchr::memchr2(0xd8, 0xe2, text.as_bytes()).is_some();
    if !may_have || !text.contains(is_directional) {
        return Cow::Borrowed(text);
    }
    let mut res = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_directional(c) { res.extend(c.escape_unicode()) } else { res.push(c) }
    }
    Cow::Owned(res)
}

/// The text in one line: as [`visible`], with line ends as escapes. A file's name may have them, so that it looks like an
/// answer's own words.
pub fn one_line(text: &str) -> Cow<'_, str> {
    match visible(text) {
        it if it.contains(['\n', '\r']) => it.replace('\n', "\\n").replace('\r', "\\r").into(),
        it => it,
    }
}

/// The text for a terminal, and for what may be shown on one: as [`visible`], with line feeds alone as line ends, and
/// other control characters than those and tabs replaced.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_control = |it: char| it.is_control() && !matches!(it, '\n' | '\t');
    if !text.contains(is_control) {
        return visible(text);
    }
    let text = text.replace("\r\n", "\n").replace(is_control, "\u{fffd}");
    Cow::Owned(visible(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_the_direction_is_an_escape() {
        let all = "a\u{202a}\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}b";
        let expect = "a\\u{202a}\\u{202e}\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{61c}b";
        assert_eq!(visible(all), expect);
        assert_eq!(visible(&visible(all)), expect);
        // Letters that are written from right to left, dashes and quotes are text.
        for text in ["שלום عربي – “x” → \u{200b}\u{2028}\u{2065}\u{206a}", "", "a\u{1b}"]
        {
            assert!(matches!(visible(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn a_name_with_line_ends_is_one_line() {
        assert_eq!(one_line("a\r\nb\u{202e}"), "a\\r\\nb\\u{202e}");
        assert!(matches!(one_line("a b"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_terminal_gets_no_control_character() {
        assert_eq!(
            printable("a\u{1b}[2J\r\nb\u{9b}\tc\u{202e}\r"),
            "a\u{fffd}[2J\nb\u{fffd}\tc\\u{202e}\u{fffd}"
        );
        assert!(matches!(printable("a\n\tb"), Cow::Borrowed(_)));
    }
}
