//! The attributes and the doc comment before a definition.

use super::candidates::{DefinitionCandidate, Lead, LeadKind};
use crate::language::Language;
use crate::span::Span;

/// Extends each candidate to the attributes before it, and makes the comment before it its documentation.
pub(super) fn attach(
    text: &[u8],
    language: Language,
    candidates: &mut [DefinitionCandidate],
    mut leads: Vec<Lead>,
) {
    leads.sort_by_key(|it| it.span.end);
    leads.dedup();
    let own = names(candidates);
    for candidate in candidates.iter_mut().filter(|it| it.kind.is_some()) {
        // A lead that defines another name (`@limit 10` in Elixir, a method's type in a Haskell class) is not part of
        // the definition.
        let is_other = |lead: Span| {
            let at = own.partition_point(|it| it.0 < lead);
            let names = own[at..].iter().take_while(|it| it.0 == lead);
            let text_of = |it: Span| &text[it.range()];
            names.into_iter().any(|it| text_of(it.1) != text_of(candidate.name))
        };
        let start = candidate.span.start as usize;
        let (start, doc) = walk_back(text, language, &leads, start, is_other);
        candidate.span.start = start as u32;
        candidate.doc = candidate.doc.or(doc);
    }
}

/// The spans and names of the definitions, sorted.
fn names(candidates: &[DefinitionCandidate]) -> Vec<(Span, Span)> {
    let named = candidates.iter().filter(|it| it.kind.is_some());
    let mut res: Vec<(Span, Span)> = named.map(|it| (it.core, it.name)).collect();
    res.sort_unstable();
    res
}

/// Removes the comments between a definition's header and its body: they belong to the body.
pub(super) fn without_comments(
    text: &[u8],
    language: Language,
    comments: &[Span],
    header: Span,
) -> Span {
    let mut end = header.end as usize;
    while let Ok(at) = comments.binary_search_by_key(&(end as u32), |it| it.end) {
        let comment = comments[at];
        if comment.start <= header.start || !is_doc(text, language, comment) {
            break;
        }
        end = text[..comment.start as usize].trim_ascii_end().len();
    }
    Span::new(header.start as usize, end.max(header.start as usize))
}

/// The start of the attributes before byte `start`, and the comment before or among them.
fn walk_back(
    text: &[u8],
    language: Language,
    leads: &[Lead],
    start: usize,
    is_other: impl Fn(Span) -> bool,
) -> (usize, Option<Span>) {
    let (mut at, mut begin) = (start, start);
    let mut doc: Option<Span> = None;
    let mut after_comment = false;
    loop {
        let before = text[..at].trim_ascii_end();
        let gap = &text[before.len()..at];
        let newlines = memchr::memchr_iter(b'\n', gap).count();
        let Ok(found) = leads.binary_search_by_key(&(before.len() as u32), |it| it.span.end) else {
            break;
        };
        let Lead { span, kind } = leads[found];
        let is_attribute = kind == LeadKind::Attribute;
        if is_attribute && is_other(span) {
            break;
        }
        if is_attribute && newlines <= 1 {
            begin = span.start as usize;
            after_comment = false;
        } else if newlines <= 1 && (doc.is_none() || after_comment) && is_doc(text, language, span)
        {
            doc = Some(Span { start: span.start, end: doc.map_or(span.end, |it| it.end) });
            after_comment = true;
        } else {
            break;
        }
        at = span.start as usize;
    }
    (begin, doc)
}

/// Whether a comment documents what follows: it begins its line and is not an inner doc comment.
fn is_doc(text: &[u8], language: Language, comment: Span) -> bool {
    let before = &text[..comment.start as usize];
    let line = memchr::memrchr(b'\n', before).map_or(0, |it| it + 1);
    let comment = &text[comment.range()];
    let is_inner = match language {
        Language::Rust | Language::Zig => {
            comment.starts_with(b"//!") || comment.starts_with(b"/*!")
        }
        _ => comment.starts_with(b"#!"),
    };
    !is_inner && before[line..].trim_ascii().is_empty()
}
