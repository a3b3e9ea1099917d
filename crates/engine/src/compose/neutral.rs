//! Prevents repository text from being read as structure of the prompt.
//!
//! A space after the first character breaks a special token: `<|file_sep|>` becomes `< |file_sep|>`. It costs about a
//! token, remains readable, and changes nothing else. A line guard gets the space before it.

use crate::compose::format::Format;
use crate::visible::visible;
use std::borrow::Cow;

/// Breaks every special token and line guard of `format` in the text; borrows if there is none.
///
/// Idempotent.
pub fn neutralise<'t>(format: &Format, text: &'t str) -> Cow<'t, str> {
    break_marks((format.specials, format.line_guards), text)
}

/// Like [`neutralise`], with the special tokens and line guards given.
pub(super) fn break_marks<'t>(
    (specials, line_guards): (&[&str], &[&str]),
    text: &'t str,
) -> Cow<'t, str> {
    let breaks = breaks((specials, line_guards), text);
    if breaks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut res = String::with_capacity(text.len() + breaks.len());
    let mut done = 0;
    for at in breaks {
        res.push_str(&text[done..at]);
        res.push(' ');
        done = at;
    }
    res.push_str(&text[done..]);
    Cow::Owned(res)
}

/// The text of a piece: neutralised, with characters that change the direction of others as escapes. The text around the
/// cursor keeps them, since the completion continues it.
pub(super) fn piece_text<'t>(format: &Format, text: &'t str) -> Cow<'t, str> {
    match visible(text) {
        Cow::Borrowed(text) => neutralise(format, text),
        Cow::Owned(text) => Cow::Owned(neutralise(format, &text).into_owned()),
    }
}

/// A name for a header: on one line, not empty, and neutralised.
pub(super) fn title<'t>(format: &Format, name: &'t str, otherwise: &'t str) -> Cow<'t, str> {
    let name = if name.is_empty() { otherwise } else { name };
    if !name.contains(ends_line) {
        return piece_text(format, name);
    }
    let name = name.replace(ends_line, "?");
    Cow::Owned(piece_text(format, &name).into_owned())
}

fn ends_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Offsets at which a space is inserted, in order.
fn breaks((specials, line_guards): (&[&str], &[&str]), text: &str) -> Vec<usize> {
    let mut breaks = Vec::new();
    if !specials.is_empty() {
        // Every special token begins with one of these; a test checks the table.
        let openers = memchr::memchr2_iter(b'<', b'[', text.as_bytes());
        let is_special = |at: &usize| specials.iter().any(|it| text[*at..].starts_with(it));
        breaks.extend(openers.filter(is_special).map(|at| at + 1));
    }
    if !line_guards.is_empty() {
        let starts = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()).map(|at| at + 1);
        let is_mark = |at: &usize| line_guards.iter().any(|it| text[*at..].starts_with(it));
        breaks.extend(std::iter::once(0).chain(starts).filter(is_mark));
        breaks.sort_unstable();
    }
    breaks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn format(name: &str) -> &'static Format {
        Format::named(name).unwrap()
    }

    #[test]
    fn a_special_token_is_broken_by_a_space() {
        let qwen = format("qwen2.5-coder");
        assert_eq!(neutralise(qwen, "a<|file_sep|>b"), "a< |file_sep|>b");
        assert_eq!(neutralise(qwen, "<<|fim_prefix|><|fim_pad|>"), "<< |fim_prefix|>< |fim_pad|>");
        let deepseek = format("deepseek-coder");
        assert_eq!(neutralise(deepseek, "<｜fim▁hole｜>"), "< ｜fim▁hole｜>");
    }

    #[test]
    fn what_is_special_to_other_models_only_stays() {
        let qwen = format("qwen2.5-coder");
        assert!(matches!(neutralise(qwen, "usage: x <filename> [PREFIX]"), Cow::Borrowed(_)));
        assert_eq!(neutralise(format("mellum"), "x <filename>"), "x < filename>");
        assert_eq!(neutralise(format("codestral"), "[PREFIX]"), "[ PREFIX]");
    }

    #[test]
    fn a_mark_is_moved_off_the_start_of_its_line_and_left_alone_elsewhere() {
        let codestral = format("codestral");
        assert_eq!(
            neutralise(codestral, "+++++ a\nb +++++ c\r\n+++++ d"),
            " +++++ a\nb +++++ c\r\n +++++ d"
        );
    }

    #[test]
    fn text_without_specials_is_borrowed() {
        for format in Format::ALL {
            let text = "let a: Vec<u8> = b[0]; // ｜ ▁ <| |> ++++\n";
            assert!(matches!(neutralise(format, text), Cow::Borrowed(_)), "{}", format.name);
        }
    }

    #[test]
    fn a_name_with_line_feeds_stays_on_its_line() {
        let qwen = format("qwen2.5-coder");
        assert_eq!(title(qwen, "a\n<|file_sep|>b\u{2028}c", "x"), "a?< |file_sep|>b?c");
        assert_eq!(title(qwen, "", "untitled"), "untitled");
        assert_eq!(title(qwen, "a\u{202e}b", "x"), "a\\u{202e}b");
    }

    #[test]
    fn every_special_begins_with_a_character_that_it_has_once() {
        for special in Format::ALL.iter().flat_map(|it| it.specials) {
            let first = special.chars().next().unwrap();
            assert!(matches!(first, '<' | '['), "{special}");
            assert_eq!(special.matches(first).count(), 1, "{special}");
            assert!(!special.contains(['\n', ' ']), "{special}");
        }
        for guard in Format::ALL.iter().flat_map(|it| it.line_guards) {
            assert!(!guard.starts_with(' ') && !guard.contains(['\n', '<', '[']), "{guard}");
        }
    }

    proptest! {
        #[test]
        fn nothing_special_is_left_and_a_second_time_changes_nothing(
            row in 0..Format::ALL.len(),
            picks in prop::collection::vec((0..64_usize, "[a<|\\[\n+ ▁é]{0,4}"), 0..12),
        ) {
            let format = &Format::ALL[row];
            let pool: Vec<&str> = format.specials.iter().chain(format.line_guards).copied().collect();
            let mut text = String::new();
            for (pick, noise) in &picks {
                text.push_str(pool.get(pick % pool.len().max(1)).copied().unwrap_or_default());
                text.push_str(noise);
            }
            let once = neutralise(format, &text);
            for special in format.specials {
                prop_assert!(!once.contains(special));
            }
            prop_assert!(matches!(neutralise(format, &once), Cow::Borrowed(_)));
            prop_assert_eq!(once.replace(' ', ""), text.replace(' ', ""));
        }
    }
}
