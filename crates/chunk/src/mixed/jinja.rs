//! Definitions and imports in the tags of Jinja and its relatives (Django, Twig, Nunjucks, Liquid). They have no
//! grammar: the first word of a tag decides, and few words matter.

use std::ops::Range;

use super::tags::{Tag, TagKind};
use super::{Part, PartRole, definition, import, name_len, quoted};
use crate::language::Language;
use crate::span::Span;
use crate::symbol::{Definition, Import, Kind, Symbols};

/// Expressions, parsed as JavaScript: calls look the same.
pub(super) fn expressions(text: &[u8], found: &[Tag]) -> Part {
    let mut part = Part::new(text, Language::JavaScript, PartRole::Expressions);
    for it in found.iter().filter(|it| it.kind == TagKind::Output) {
        part.show(text, it.inner.clone());
        part.put(it.inner.start - 1, b'{');
        part.put(it.inner.end, b'}');
    }
    part
}

/// The blocks, macros and imports.
pub(super) fn symbols(text: &[u8], found: &[Tag]) -> Symbols {
    let mut open: Vec<(&Tag, Kind, Span)> = Vec::new();
    let mut symbols = Symbols::default();
    for tag in found.iter().filter(|it| it.kind == TagKind::Statement) {
        let (word, rest) = first_word(text, tag.inner.clone());
        let kind = match word {
            b"block" => Kind::Section,
            b"macro" => Kind::Function,
            b"endblock" | b"endmacro" => {
                symbols.definitions.extend(open.pop().map(|it| closed(it, tag)));
                continue;
            }
            _ => {
                symbols.imports.extend(imported(text, tag, word, rest));
                continue;
            }
        };
        let name = Span::new(rest.start, rest.start + name_len(&text[rest.start..rest.end]));
        if !name.is_empty() {
            open.push((tag, kind, name));
        }
    }
    symbols.definitions.sort_by_key(|it| (it.span.start, std::cmp::Reverse(it.span.end)));
    symbols
}

/// The first word of a tag, and the rest.
fn first_word(text: &[u8], inner: Range<usize>) -> (&[u8], Range<usize>) {
    let skip = |at: usize| {
        let rest = &text[at..inner.end];
        at + rest.len() - rest.trim_ascii_start().len()
    };
    let start = skip(inner.start);
    let end = start + name_len(&text[start..inner.end]);
    (&text[start..end], skip(end)..inner.end)
}

fn closed((tag, kind, name): (&Tag, Kind, Span), end: &Tag) -> Definition {
    let span = Span::new(tag.range.start, end.range.end);
    let signature = Span::new(tag.range.start, tag.range.end);
    definition(kind, span, name, signature, Some(Span::new(tag.range.end, end.range.start)))
}

fn imported(text: &[u8], tag: &Tag, word: &[u8], rest: Range<usize>) -> Option<Import> {
    if !matches!(word, b"extends" | b"include" | b"import" | b"from" | b"embed" | b"render") {
        return None;
    }
    let module = quoted(text, rest.clone())?;
    let span = Span::new(tag.range.start, tag.range.end);
    let mut names: Vec<&[u8]> = Vec::new();
    let after = &text[module.end..rest.end];
    if word == b"from"
        && let Some(at) = memchr::memmem::find(after, b" import ")
    {
        let list = after[at + b" import ".len()..].split(|it| *it == b',');
        names = list.map(|it| &it.trim_ascii()[..name_len(it.trim_ascii())]).collect();
        names.retain(|it| !it.is_empty());
    }
    Some(import(span, &text[module], &names))
}
