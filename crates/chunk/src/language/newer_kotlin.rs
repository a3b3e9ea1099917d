//! Syntax of Kotlin that is newer than its grammar: context parameters (`context(scope: Scope)` before a declaration) and
//! strings with several dollar signs (`$$"…"`). Most files that have them got no tree.
//!
//! The parser is shown spaces in their place; chunks, names and texts are unaffected, because nothing moves.

use std::borrow::Cow;
use std::ops::Range;

/// What begins the parameters that a declaration takes from its context.
const CONTEXT: &[u8] = b"context(";

/// `text` with spaces in place of what the grammar does not know.
pub(crate) fn without_newer_syntax(text: &[u8]) -> Cow<'_, [u8]> {
    let contexts = memchr::memmem::find_iter(text, CONTEXT).filter_map(|at| context(text, at));
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

/// A list of context parameters that is all of its line; a call of a function of that name looks the same only where its
/// value is not used.
fn context(text: &[u8], at: usize) -> Option<Range<usize>> {
    let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |it| it + 1);
    let rest = &text[at..];
    let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let code = rest.trim_ascii_end();
    let inner = code.strip_prefix(CONTEXT)?.strip_suffix(b")")?;
    let is_alone = text[line..at].trim_ascii().is_empty() && inner.contains(&b':');
    is_alone.then_some(at..at + code.len())
}

/// The dollar signs before the quote that follows those at `at`.
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
