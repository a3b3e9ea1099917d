//! The signature of a definition, without its attributes, body or value.

use super::candidates::{DefinitionCandidate, Lead, LeadKind};
use super::types::Kind;
use crate::span::Span;

/// The signature of `it`; `leads` are all comments and attributes of the file, by first byte.
pub(super) fn signature(text: &[u8], leads: &[Lead], it: &DefinitionCandidate) -> Span {
    let start = after_attributes(text, leads, it);
    let end = match it.body.filter(|body| body.start > start) {
        Some(body) => body.start.min(it.span.end),
        None => {
            let line = first_line(text, it, start);
            // Haskell's records have fields in the place of parameters.
            let opens = text[start as usize..line as usize].trim_ascii_end().ends_with(b"{");
            if opens || has_value_lines(it) { line } else { it.span.end }
        }
    };
    let written = &text[start as usize..end.max(start) as usize];
    let mut len = written.trim_ascii_end().len();
    if it.body.is_none() && end < it.span.end {
        len = without_opener(&written[..len]).len().max(written.len().min(1));
    }
    Span::new(start as usize, start as usize + len)
}

/// Whether the later lines are a value, not part of the signature. A body that begins at once (a block without a head)
/// does not count.
fn has_value_lines(it: &DefinitionCandidate) -> bool {
    let is_value = matches!(
        it.kind,
        Some(Kind::Constant | Kind::Field | Kind::Type | Kind::Macro | Kind::Section)
    );
    is_value || it.body.is_some()
}

/// The start of the definition proper: after its attributes and the comments among them.
fn after_attributes(text: &[u8], leads: &[Lead], it: &DefinitionCandidate) -> u32 {
    let mut start = it.span.start;
    let mut at = start;
    loop {
        let next = leads.partition_point(|lead| lead.span.start < at);
        let Some(lead) = leads.get(next).filter(|lead| lead.span.start == at) else { break };
        if lead.span.end >= it.name.start || declares_types(text, lead.span) {
            break;
        }
        let rest = &text[lead.span.end as usize..it.span.end as usize];
        at = it.span.end - rest.trim_ascii_start().len() as u32;
        // A comment counts only after an attribute.
        if lead.kind == LeadKind::Attribute || start != it.span.start {
            start = at;
        }
    }
    start
}

/// Whether a lead declares the type of the definition (`@spec` in Elixir, a signature in Haskell). Types are part of a
/// signature.
fn declares_types(text: &[u8], lead: Span) -> bool {
    let text = &text[lead.range()];
    text.starts_with(b"@spec") || !matches!(text.first(), Some(b'@' | b'#' | b'[' | b'/' | b'-'))
}

/// The end of the line with the end of the name, or of the first line if the name follows a block.
fn first_line(text: &[u8], it: &DefinitionCandidate, start: u32) -> u32 {
    let head = text.get(start as usize..it.name.start as usize).unwrap_or_default();
    let from = if head.contains(&b'{') { start } else { it.name.end.max(start) };
    let rest = &text[from as usize..it.span.end.max(from) as usize];
    from + memchr::memchr(b'\n', rest).unwrap_or(rest.len()) as u32
}

/// Removes the bracket, operator or backslash that continues the line.
fn without_opener(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|it| !matches!(it, b'{' | b'[' | b'(' | b'=' | b'\\' | b' '));
    &line[..end.map_or(0, |it| it + 1)]
}
