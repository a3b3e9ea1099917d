//! Hides macros of C and C++ from the grammar, which does not expand them: `class LIB_EXPORT Store {`.
//!
//! tree-sitter takes `LIB_EXPORT` for the class and `Store` for a function. If the surrounding words leave no doubt
//! that a name in capitals is such a macro, the parser reads spaces instead. No byte moves, so chunks, names and texts
//! are unaffected.

use std::ops::Range;

/// First words of the definitions that a macro may hide.
const DEFINITION_KEYWORDS: [&[u8]; 6] =
    [b"class", b"struct", b"union", b"enum", b"namespace", b"template"];

/// The macros before or after the name of a type or namespace.
pub(super) fn macros(text: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for word in DEFINITION_KEYWORDS {
        for at in memchr::memmem::find_iter(text, word).filter(|&at| is_word(text, at, word)) {
            found.extend(macro_in_header(text, at + word.len(), word));
        }
    }
    found
}

/// The macro between `class` and the name before a body or base list, or between `namespace a` and its body.
fn macro_in_header(text: &[u8], after: usize, head: &[u8]) -> Option<Range<usize>> {
    let first = word_from(text, spaces(text, after))?;
    let behind = arguments(text, path_end(text, first.end));
    let second = word_from(text, spaces(text, behind))?;
    let next = spaces(text, path_end(text, second.end));
    let opens = |at: usize| match text.get(at..).unwrap_or_default() {
        [b':', b':', ..] => false,
        [b'{' | b':', ..] => true,
        rest => rest.starts_with(b"final"),
    };
    if head == b"namespace" {
        let is_body = text.get(next) == Some(&b'{');
        return (is_body && is_macro(&text[second.clone()])).then_some(second);
    }
    let is_hidden = is_macro(&text[first.clone()]) && text[second] != *b"final";
    (is_hidden && opens(next)).then_some(first.start..behind)
}

/// Names written as macros are: at least three capitals, digits and underscores, including a letter.
pub(super) fn is_macro(name: &[u8]) -> bool {
    let fits = |it: &u8| it.is_ascii_uppercase() || it.is_ascii_digit() || *it == b'_';
    name.len() > 2 && name.iter().all(fits) && name.iter().any(u8::is_ascii_uppercase)
}

fn is_word(text: &[u8], at: usize, word: &[u8]) -> bool {
    let is_part = |it: Option<&u8>| it.is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    !is_part(at.checked_sub(1).and_then(|it| text.get(it))) && !is_part(text.get(at + word.len()))
}

fn spaces(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|it| it.is_ascii_whitespace()).count()
}

/// The name that begins at `at`.
fn word_from(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_part = |it: &&u8| it.is_ascii_alphanumeric() || **it == b'_';
    let len = text[at..].iter().take_while(is_part).count();
    (len > 0 && !text[at].is_ascii_digit()).then_some(at..at + len)
}

/// The end of the arguments of a macro whose name ends at `at`: `EXPORT(lib)`.
fn arguments(text: &[u8], at: usize) -> usize {
    if text.get(at) != Some(&b'(') {
        return at;
    }
    let close = text[at..].iter().take(200).position(|&it| it == b')' || it == b';');
    close.filter(|it| text[at + it] == b')').map_or(at, |it| at + it + 1)
}

/// The end of a name including further path segments and type arguments: `a::b<T>`.
fn path_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while text[end..].starts_with(b"::") {
        let Some(next) = word_from(text, end + 2) else { break };
        end = next.end;
    }
    if text.get(end) == Some(&b'<') {
        let close = text[end..].iter().take(200).position(|it| matches!(it, b'{' | b';'));
        let inner = &text[end..end + close.unwrap_or(0)];
        end += inner.iter().rposition(|&it| it == b'>').map_or(0, |it| it + 1);
    }
    end
}

#[cfg(test)]
mod tests {
    use crate::language::{Language, check_parser_text};

    #[track_caller]
    fn check(text: &str, shown: &str) {
        check_parser_text(Language::C, text, shown);
    }

    #[test]
    fn a_macro_before_or_after_the_name_of_a_type_is_not_shown() {
        check("class LIB_API Store {", "class         Store {");
        check("struct API(x, y) Store final : Base {", "struct           Store final : Base {");
        check("enum class API Color : int {", "enum class     Color : int {");
        check("namespace lib VISIBLE {", "namespace lib         {");
        check("namespace lib::detail VISIBLE {", "namespace lib::detail         {");
        check("LIB_BEGIN\nnamespace lib {", "         \nnamespace lib {");
        check("class API lib::Store<int> {", "class     lib::Store<int> {");
    }

    #[test]
    fn variables_functions_and_types_in_capitals_stay() {
        for text in [
            "struct POINT origin;",
            "struct POINT origin = {0};",
            "struct POINT f(int x) {",
            "class STORE {",
            "class STORE final {",
            "class STORE : public B {",
            "namespace LIB {",
            "x = STORE\n;",
            "#define A\n",
            "class API Store;",
        ] {
            check(text, text);
        }
    }
}
