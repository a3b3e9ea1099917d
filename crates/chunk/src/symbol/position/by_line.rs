//! Prose in a line of a file without a syntax tree.

use std::ops::Range;

use crate::language::Language;

/// The quoted or commented parts of a line, judged from the line alone. An apostrophe is not a quote: it may begin a
/// lifetime, a type variable or an attribute.
pub(in crate::symbol) fn prose_of_line(line: &str, language: Language) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = line.get(at..) {
        let comment = language.line_comment().and_then(|it| rest.find(it));
        let block = language.block_comment().and_then(|it| rest.find(it.0));
        let comment = comment.into_iter().chain(block).min();
        let quote = rest.find('"').filter(|it| comment.is_none_or(|comment| *it < comment));
        let Some(quote) = quote else {
            found.extend(comment.map(|it| at + it..line.len()));
            break;
        };
        let Some(len) = length_of_string(&rest[quote + 1..]) else { break };
        found.push(at + quote..at + quote + 1 + len);
        at += quote + 1 + len;
    }
    found
}

/// Length including the closing quote.
fn length_of_string(rest: &str) -> Option<usize> {
    let mut is_escaped = false;
    let close = rest.bytes().position(|it| {
        let closes = it == b'"' && !is_escaped;
        is_escaped = it == b'\\' && !is_escaped;
        closes
    });
    close.map(|it| it + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_the_comment_at_the_end_of_a_line_are_prose() {
        let line = r#"log("it \" is", f("b")) // call the server"#;
        let found = prose_of_line(line, Language::Go).into_iter().map(|it| &line[it]);
        assert_eq!(found.collect::<Vec<_>>(), [r#""it \" is""#, r#""b""#, "// call the server"]);
        assert!(prose_of_line("fn f<'a>(x: &'a str) {", Language::Rust).is_empty());
    }
}
