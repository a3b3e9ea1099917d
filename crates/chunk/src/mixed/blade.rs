//! Blade: the definitions and imports of its directives, and the PHP in them.

use std::ops::Range;

use super::tags::{Tag, TagKind};
use super::{Part, PartRole, definition, erase, import, quoted};
use crate::language::Language;
use crate::span::Span;
use crate::symbol::{Kind, Symbols};

/// Precedes the PHP of a template in the text for the parser.
const PHP_OPENING_TAG: &[u8] = b"<?php ";
/// Maximum length of a directive's arguments, in bytes.
const MAX_ARGUMENTS_LENGTH: usize = 1024;

/// The code in tags and directive arguments, one statement each.
pub(super) fn code(text: &[u8], found: &[Tag]) -> Part {
    let mut part = Part::new(text, Language::Php, PartRole::Expressions);
    let tags = found.iter().filter(|it| it.kind != TagKind::Comment).map(|it| it.inner.clone());
    let mut ranges: Vec<Range<usize>> = tags.collect();
    for it in directives(text) {
        let next = found.partition_point(|tag| tag.range.end <= it.start);
        let is_free = found.get(next).is_none_or(|tag| it.start < tag.range.start);
        if !it.arguments.is_empty() && is_free {
            ranges.push(it.arguments);
        }
    }
    ranges.sort_unstable_by_key(|it| it.start);
    if ranges.first().is_none_or(|it| it.start < PHP_OPENING_TAG.len()) {
        return part;
    }
    part.shown[..PHP_OPENING_TAG.len()].copy_from_slice(PHP_OPENING_TAG);
    for range in ranges {
        if part.regions.last().is_some_and(|it| it.end > range.start) {
            continue;
        }
        part.show(text, range.clone());
        // `@foreach ($users as $user)`: only the iterated value is an expression.
        if let Some(at) = memchr::memmem::find(&text[range.clone()], b" as $") {
            let start = range.start + at;
            erase(&mut part.shown, start..range.end - 1);
        }
        part.put(range.end, b';');
    }
    part
}

/// Sections, and templates that are extended, included or used as components.
pub(super) fn symbols(text: &[u8]) -> Symbols {
    let mut symbols = Symbols::default();
    // Indices of the open sections.
    let mut open: Vec<usize> = Vec::new();
    for it in directives(text) {
        if matches!(
            &text[it.word.clone()],
            b"endsection" | b"stop" | b"show" | b"endpush" | b"endslot"
        ) {
            if let Some(section) = open.pop().map(|it| &mut symbols.definitions[it]) {
                section.body = Some(Span::new(section.span.end as usize, it.start));
                section.span.end = it.word.end as u32;
            }
            continue;
        }
        let Some(name) = quoted(text, it.arguments.clone()) else { continue };
        let span = Span::new(it.start, it.arguments.end);
        match &text[it.word.clone()] {
            b"section" | b"push" | b"slot" | b"fragment" => {
                let name = Span::new(name.start, name.end);
                // With a second argument the section is complete.
                if !text[it.arguments.clone()].contains(&b',') {
                    open.push(symbols.definitions.len());
                }
                symbols.definitions.push(definition(Kind::Section, span, name, span, None));
            }
            b"extends" | b"include" | b"includeIf" | b"includeWhen" | b"includeUnless"
            | b"component" | b"each" | b"livewire" | b"includeFirst" => {
                symbols.imports.push(import(span, &text[name], &[]));
            }
            _ => {}
        }
    }
    symbols
}

/// `@word(arguments)`.
struct Directive {
    start: usize,
    word: Range<usize>,
    /// Including the brackets; empty without them.
    arguments: Range<usize>,
}

fn directives(text: &[u8]) -> impl Iterator<Item = Directive> {
    memchr::memchr_iter(b'@', text).filter_map(|start| {
        let is_word = |it: &&u8| it.is_ascii_alphabetic();
        let end = start + 1 + text[start + 1..].iter().take_while(is_word).count();
        let is_part = start.checked_sub(1).is_some_and(|it| text[it].is_ascii_alphanumeric());
        if end == start + 1 || is_part {
            return None;
        }
        let blanks = text[end..].iter().take_while(|it| **it == b' ').count();
        let arguments = closing_bracket(text, end + blanks).map_or(end..end, |it| end + blanks..it);
        Some(Directive { start, word: start + 1..end, arguments })
    })
}

/// The end of the bracket pair that opens at `open`.
fn closing_bracket(text: &[u8], open: usize) -> Option<usize> {
    if text.get(open) != Some(&b'(') {
        return None;
    }
    let mut depth = 0_u32;
    for (at, byte) in text.iter().enumerate().skip(open).take(MAX_ARGUMENTS_LENGTH) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}
