//! Hides Kotlin syntax that is newer than the grammar: context parameters (`context(scope: Scope)` before a
//! declaration) and strings with several dollar signs (`$$"…"`). Most files with them had no tree.
//!
//! The parser reads spaces instead. No byte moves, so chunks, names and texts are unaffected.

use std::ops::Range;

/// Start of a list of context parameters.
const CONTEXT_LIST_START: &[u8] = b"context(";

/// The unsupported syntax.
pub(super) fn newer_syntax(text: &[u8]) -> Vec<Range<usize>> {
    let contexts =
        memchr::memmem::find_iter(text, CONTEXT_LIST_START).filter_map(|at| context(text, at));
    let dollars = memchr::memmem::find_iter(text, b"$$\"").map(|at| dollars(text, at));
    contexts.chain(dollars).collect()
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
    use crate::language::{Language, check_parser_text};

    #[track_caller]
    fn check(text: &str, shown: &str) {
        check_parser_text(Language::Kotlin, text, shown);
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
