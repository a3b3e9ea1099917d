//! Mandatory cuts around definitions that become chunks of their own.

use crate::config::Granularity;
use crate::line::line_start;
use crate::size::is_space;
use crate::symbol::{Kind, Symbols};

/// Mandatory cuts, ascending; empty for granularities without any.
pub(crate) fn fences(text: &[u8], symbols: &Symbols, granularity: Granularity) -> Vec<u32> {
    let mut fences = Vec::new();
    let mut end = 0;
    for definition in symbols.definitions.iter().filter(|it| stands_alone(it.kind, granularity)) {
        if definition.span.end <= end || definition.span.end as usize > text.len() {
            continue;
        }
        let start = definition.span_with_doc().start as usize;
        fences.push(line_start(text, start).unwrap_or(start).max(end as usize) as u32);
        end = closed_end(text, definition.span.end as usize) as u32;
        fences.push(end);
    }
    fences.dedup();
    fences
}

fn stands_alone(kind: Kind, granularity: Granularity) -> bool {
    match kind {
        Kind::Function | Kind::Method | Kind::Constructor => {
            matches!(granularity, Granularity::Method | Granularity::Definition)
        }
        // A module may contain the whole file; a constant or field is too small for a chunk.
        Kind::Module | Kind::Field | Kind::Constant => false,
        _ => granularity == Granularity::Definition,
    }
}

/// The end of a definition including the punctuation and comment on its last line, and the following lines with only
/// closing brackets.
fn closed_end(text: &[u8], end: usize) -> usize {
    let closing = |byte: u8| is_space(byte) || matches!(byte, b'}' | b')' | b']' | b';' | b',');
    let rest = &text[end..];
    let closed = rest.iter().take_while(|&&byte| closing(byte)).count();
    let line = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
    if closed < line {
        let trails = rest[closed..].starts_with(b"//") || rest[closed..].starts_with(b"#");
        return end + if trails { line } else { closed };
    }
    // Whole lines only: `} else {` is not part of the definition.
    let lines = if closed == rest.len() {
        Some(closed)
    } else {
        memchr::memrchr(b'\n', &rest[..closed]).map(|at| at + 1)
    };
    end + lines.unwrap_or(closed)
}
