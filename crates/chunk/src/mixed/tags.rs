//! The tags of template languages: `<% %>`, `{{ }}`, `{% %}`.

use std::ops::Range;

use super::{erase, fill, markup};

/// Maximum length of a tag, in bytes; longer ones are text.
const MAX_TAG_LENGTH: usize = 1 << 14;

/// The purpose of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind {
    /// Writes a value.
    Output,
    /// Runs a statement.
    Statement,
    /// A comment.
    Comment,
}

/// The opening and closing marks of a kind of tag.
pub(super) struct Delimiter {
    pub(super) open: &'static [u8],
    pub(super) close: &'static [u8],
    pub(super) kind: TagKind,
}

const fn delimiter(open: &'static [u8], close: &'static [u8], kind: TagKind) -> Delimiter {
    Delimiter { open, close, kind }
}

/// ERB, EJS and EEx. Longer marks come before their prefixes.
pub(super) const ANGLE: &[Delimiter] = &[
    delimiter(b"<%#", b"%>", TagKind::Comment),
    delimiter(b"<%!--", b"--%>", TagKind::Comment),
    delimiter(b"<%%", b"%>", TagKind::Comment),
    delimiter(b"<%==", b"%>", TagKind::Output),
    delimiter(b"<%=", b"%>", TagKind::Output),
    delimiter(b"<%-", b"%>", TagKind::Statement),
    delimiter(b"<%_", b"%>", TagKind::Statement),
    delimiter(b"<%", b"%>", TagKind::Statement),
];

/// Jinja, Django, Twig, Nunjucks, Liquid.
pub(super) const JINJA: &[Delimiter] = &[
    delimiter(b"{#", b"#}", TagKind::Comment),
    delimiter(b"{{", b"}}", TagKind::Output),
    delimiter(b"{%", b"%}", TagKind::Statement),
];

/// Blade.
pub(super) const BLADE: &[Delimiter] = &[
    delimiter(b"{{--", b"--}}", TagKind::Comment),
    delimiter(b"{!!", b"!!}", TagKind::Output),
    delimiter(b"{{", b"}}", TagKind::Output),
    delimiter(b"<?php", b"?>", TagKind::Statement),
    delimiter(b"@php\n", b"@endphp", TagKind::Statement),
];

/// One tag.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) kind: TagKind,
    pub(super) range: Range<usize>,
    /// The contents without delimiters.
    pub(super) inner: Range<usize>,
}

/// Finds the tags of a text, in order.
pub(super) fn tags(text: &[u8], delimiters: &'static [Delimiter]) -> Vec<Tag> {
    let mut found = Vec::new();
    // The next closing mark of each delimiter: a text full of opening marks is read only once.
    let mut closes: Vec<Option<usize>> =
        delimiters.iter().map(|it| markup::find(text, 0, it.close)).collect();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let Some(next) = rest.iter().position(|it| matches!(it, b'<' | b'{' | b'@')) else { break };
        at += next;
        let opens = |it: &Delimiter| text[at..].starts_with(it.open);
        let tag = delimiters.iter().position(opens).and_then(|it| {
            let (delimiter, start) = (&delimiters[it], at + delimiters[it].open.len());
            if closes[it].is_some_and(|end| end < start) {
                closes[it] = markup::find(text, start, delimiter.close);
            }
            let end = closes[it].filter(|end| end - start <= MAX_TAG_LENGTH)?;
            Some(tag(text, at, end, delimiter))
        });
        at = tag.as_ref().map_or(at + 1, |it| it.range.end);
        found.extend(tag);
    }
    found
}

/// The tag that opens at `at` and whose closing delimiter is at `end`.
fn tag(text: &[u8], at: usize, end: usize, delimiter: &Delimiter) -> Tag {
    let start = at + delimiter.open.len();
    // White-space control marks: `-%>`, `{%-`.
    let is_mark = |it: u8| matches!(it, b'-' | b'_' | b'+');
    let mut inner = start..end;
    if inner.len() > 1 && is_mark(text[end - 1]) && text[end - 2].is_ascii_whitespace() {
        inner.end -= 1;
    }
    if delimiter.open.starts_with(b"{")
        && inner.len() > 1
        && is_mark(text[start])
        && text[start + 1] == b' '
    {
        inner.start += 1;
    }
    Tag { kind: delimiter.kind, range: at..end + delimiter.close.len(), inner }
}

/// Replaces each output tag by a word and other tags by blanks.
pub(super) fn without(text: &[u8], tags: &[Tag]) -> Vec<u8> {
    let mut shown = text.to_vec();
    for it in tags {
        let is_word = it.kind == TagKind::Output && !text[it.range.clone()].contains(&b'\n');
        match is_word {
            true => fill(&mut shown, it.range.clone()),
            false => erase(&mut shown, it.range.clone()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{ANGLE, BLADE, JINJA, tags, without};

    #[test]
    fn tags_are_taken_without_their_marks() {
        let of = |text: &str, delimiters| {
            let inner = |it: super::Tag| text[it.inner].to_owned();
            tags(text.as_bytes(), delimiters).into_iter().map(inner).collect::<Vec<_>>()
        };
        assert_eq!(of("<% a -%><%= b %><%# c %><% d", ANGLE), [" a ", " b ", " c "]);
        assert_eq!(of("{%- if a -%}{{ b }}{# c #}", JINJA), [" if a ", " b ", " c "]);
        assert_eq!(of("{{-- a --}}{!! b !!}{{ c }}", BLADE), [" a ", " b ", " c "]);
    }

    #[test]
    fn a_tag_that_writes_is_a_word_for_what_stands_around_it() {
        let text = b"var a = <%= b %>;<% c %>";
        let shown = without(text, &tags(text, ANGLE));
        assert_eq!(shown, b"var a = xxxxxxxx;       ");
    }
}
