//! Components of Vue, Svelte and Astro: scripts, styles, and markup with expressions.

use std::ops::Range;

use super::markup::{self, Braces, Dialect, Markup, Surroundings};
use super::raw::{host_without, raw_parts};
use super::{MixedText, Part, PartRole, definition, erase, fill, name_len};
use crate::language::Language;
use crate::span::Span;
use crate::symbol::{Kind, Symbols};

/// Maximum length of an expression between double braces, in bytes.
const MAX_MUSTACHE_LENGTH: usize = 4096;

/// Splits a component into host text and parts.
pub(super) fn split_languages(text: &[u8], language: Language) -> MixedText {
    let head = match language {
        Language::Astro => frontmatter(text),
        _ => None,
    };
    let start = head.as_ref().map_or(0, |it| it.end);
    let dialect = if language == Language::Vue { Dialect::Vue } else { Dialect::Braces };
    let markup = markup::scan(text, start, dialect);
    let default = match language {
        Language::Astro => Language::TypeScript,
        _ => Language::JavaScript,
    };
    let mut parts = raw_parts(text, &markup, default);
    if let Some(head) = head.clone() {
        let mut part = Part::new(text, default, PartRole::Code);
        part.show(text, head);
        parts.insert(0, part);
    }
    let mut host = host_without(text.to_vec(), &markup);
    erase(&mut host, 0..start);
    let mut tags = Symbols::default();
    let expressions = match language {
        Language::Vue => vue_expressions(text, &markup, &parts, &mut host),
        _ => {
            hide(&markup.braces, &mut host);
            tags.definitions = snippets(text, &markup.braces);
            braces_expressions(text, &markup.braces, expression_language(language, &parts))
        }
    };
    parts.push(expressions);
    parts.retain(|it| !it.regions.is_empty());
    MixedText { host: Some(host), parts, tags }
}

/// The text between the two `---` lines at the start of an Astro component.
fn frontmatter(text: &[u8]) -> Option<Range<usize>> {
    let blank = text.len() - text.trim_ascii_start().len();
    text[blank..].strip_prefix(b"---")?;
    let end = markup::find(text, blank + 3, b"\n---")?;
    Some(blank + 3..end + 1)
}

/// Expressions of Astro may contain markup. Elsewhere they are in the language of the script.
fn expression_language(language: Language, parts: &[Part]) -> Language {
    let is_typed = |it: &Part| it.language == Language::TypeScript;
    match language {
        Language::Astro => Language::Tsx,
        _ if parts.iter().any(is_typed) => Language::TypeScript,
        _ => Language::JavaScript,
    }
}

/// Expressions between double braces and in bound attributes. The parser reads each as a block, which needs no
/// separator.
fn vue_expressions(text: &[u8], markup: &Markup, parts: &[Part], host: &mut [u8]) -> Part {
    let language = expression_language(Language::Vue, parts);
    let mut found = markup.bindings.clone();
    let openers: Vec<usize> = memchr::memmem::find_iter(&*host, b"{{").collect();
    for open in openers {
        let last = text.len().min(open + MAX_MUSTACHE_LENGTH);
        if let Some(close) = markup::find(&text[..last], open + 2, b"}}") {
            erase(host, open..close + 2);
            found.push(open + 1..close + 1);
        }
    }
    found.sort_unstable_by_key(|it| it.start);
    let mut part = Part::new(text, language, PartRole::Expressions);
    for range in found {
        if part.regions.last().is_none_or(|it| it.end <= range.start) {
            part.show(text, range.clone());
            part.put(range.start, b'{');
            part.put(range.end - 1, b'}');
        }
    }
    part
}

/// Expressions in braces, which parse as blocks unchanged, without the keywords of Svelte's blocks.
fn braces_expressions(text: &[u8], braces: &[Braces], language: Language) -> Part {
    let mut part = Part::new(text, language, PartRole::Expressions);
    for Braces { range, .. } in braces {
        let inner = &text[range.start + 1..range.end - 1];
        if inner.starts_with(b"#snippet") {
            continue; // A definition.
        }
        let words = match inner.first() {
            Some(b'#' | b':' | b'@') => block_word(inner),
            Some(b'/') if !inner.starts_with(b"/*") => continue,
            _ => 0,
        };
        part.show(text, range.clone());
        let word = range.start + 1..range.start + 1 + words;
        erase(&mut part.shown, word);
        // `{#each list as item}`: a pattern follows `as`.
        if inner.starts_with(b"#each")
            && let Some(at) = memchr::memmem::rfind(inner, b" as ")
        {
            let start = range.start + 1 + at;
            erase(&mut part.shown, start..range.end - 1);
        }
    }
    part
}

/// Length of a block keyword such as `#if`, `:else if`, `@html` or `#snippet`.
fn block_word(inner: &[u8]) -> usize {
    let word = 1 + name_len(&inner[1..]);
    let rest = &inner[word..];
    if inner.starts_with(b":else") && rest.trim_ascii_start().starts_with(b"if") {
        return word + (rest.len() - rest.trim_ascii_start().len()) + 2;
    }
    word
}

/// Hides expressions from the grammar of the markup.
fn hide(braces: &[Braces], host: &mut [u8]) {
    for it in braces {
        match it.around {
            Surroundings::Tag => fill(host, it.range.clone()),
            Surroundings::Content => erase(host, it.range.clone()),
        }
    }
}

/// Svelte's `{#snippet name(…)}` … `{/snippet}`.
fn snippets(text: &[u8], braces: &[Braces]) -> Vec<crate::symbol::Definition> {
    let mut open: Vec<(Span, Range<usize>)> = Vec::new();
    let mut found = Vec::new();
    for Braces { range, .. } in braces {
        let inner = &text[range.start + 1..range.end - 1];
        if let Some(rest) = inner.strip_prefix(b"#snippet ") {
            let blanks = rest.len() - rest.trim_ascii_start().len();
            let start = range.start + b"{#snippet ".len() + blanks;
            open.push((Span::new(start, start + name_len(&text[start..])), range.clone()));
        } else if inner.starts_with(b"/snippet")
            && let Some((name, head)) = open.pop()
        {
            let span = Span::new(head.start, range.end);
            let body = Span::new(head.end, range.start);
            let signature = Span::new(head.start, head.end);
            found.push(definition(Kind::Function, span, name, signature, Some(body)));
        }
    }
    found.retain(|it| !it.name.is_empty());
    found
}
