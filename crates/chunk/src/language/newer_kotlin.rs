//! Hides Kotlin syntax that is newer than the grammar: context parameters (`context(scope: Scope)` before a
//! declaration) and strings with several dollar signs (`$$"…"`). Most files with them had no tree.
//!
//! The parser reads spaces instead. No byte moves, so chunks, names and texts are unaffected.

use std::borrow::Cow;
use std::ops::Range;

/// Start of a list of context parameters.
const CONTEXT_LIST_START: &[u8] = b"context(";

/// Replaces the unsupported syntax by spaces.
pub(crate) fn without_newer_syntax(text: &[u8]) -> Cow<'_, [u8]> {
    let contexts =
        memchr::memmem::find_iter(text, CONTEXT_LIST_START).filter_map(|at| context(text, at));
    let dollars = memchr::memmem::find_iter(text, b"$$\"").map(|at| dollars(text, at));
    let found: Vec<Range<usize>> = contexts.chain(dollars).collect();
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut shown = text.to_vec();
    for range in found {
        for byte in shown[range].iter_mut().filter(|it| !matches!(it, b'\n' | b'\r')) {
            *byte = b' ';
        }
    }
    Cow::Owned(shown)
}

/// A list of context parameters that fills its line. A call of a function named `context` looks the same only if its
/// value is unused.
fn context(text: &[u8], at: usize) -> Option<Range<usize>> {
    let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |it| it + 1);
    let rest = &text[at..];
    let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let code = rest.trim_ascii_end();
    let inner = code.strip_prefix(CONTEXT_LIST_START)?.strip_suffix(b")")?;
    let is_alone = text[line..at].trim_ascii().is_empty() && inner.contains(&b':');
    is_alone.then_some(at..at + code.len())
}

/// The dollar signs from `at` to the quote after them.
fn dollars(text: &[u8], at: usize) -> Range<usize> {
    let before = text[..at].iter().rev().take_while(|&&it| it == b'$').count();
    at - before..at + 2
}

#[cfg(test)]
mod tests {
    use super::without_newer_syntax;

    fn check(text: &str, shown: &str) {
        assert_eq!(String::from_utf8_lossy(&without_newer_syntax(text.as_bytes())), shown);
    }

    #[test]
    fn context_parameters_and_dollar_signs_before_a_string_are_not_shown() {
        check("context(a: A, b: B<C>)\nfun f() = 1\n", "                      \nfun f() = 1\n");
        check("val a = $$$\"$b\"\n", "val a =    \"$b\"\n");
    }

    #[test]
    fn calls_and_other_dollar_signs_stay() {
        for text in ["context(value)\n", "val a = context(b: C)\n", "val a = \"$$b\"\n"] {
            check(text, text);
        }
    }
}
