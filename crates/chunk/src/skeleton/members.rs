//! The members of a definition, which are dropped from the last one on.

use super::fold::{Edit, Folder};
use crate::span::Span;
use crate::symbol::Kind;

/// Starts of the members of a definition, or of the parts of a file.
pub(crate) struct Members {
    /// First byte of each member, at its indentation. Lines outside definitions count as members.
    pub(crate) starts: Vec<u32>,
    /// The starts that are definitions.
    definitions: Vec<u32>,
    /// End of the last member, before the closing bracket.
    end: u32,
}

/// The members of the definition at `idx`, or of the file.
pub(crate) fn members(folder: Folder<'_>, idx: Option<u32>) -> Members {
    let Some(inner) = inside(folder, idx) else {
        return Members { starts: Vec::new(), definitions: Vec::new(), end: 0 };
    };
    let mut all = Members { starts: Vec::new(), definitions: Vec::new(), end: inner.end };
    let mut at = inner.start;
    let children = || folder.symbols.definitions.iter().filter(|it| it.parent == idx);
    // Lines indented deeper than the members do not begin a member.
    let margin =
        children().find_map(|it| folder.indentation(it.span_with_doc().start)).map(str::len);
    for it in children() {
        let span = it.span_with_doc();
        if span.start < at || span.end > inner.end {
            continue;
        }
        push_lines(folder, Span { start: at, end: span.start }, margin, &mut all.starts);
        all.starts.push(span.start);
        all.definitions.push(span.start);
        at = span.end;
    }
    push_lines(folder, Span { start: at, end: inner.end }, margin, &mut all.starts);
    let doc =
        idx.and_then(|idx| folder.symbols.definitions.get(idx as usize)?.doc).unwrap_or_default();
    all.starts.retain(|&start| !doc.contains_byte(start as usize));
    all
}

impl Members {
    /// Lines outside definitions are no longer members.
    pub(crate) fn keep_definitions(&mut self) {
        self.starts.clone_from(&self.definitions);
    }

    /// Number of definitions from member `kept` on, at least one.
    pub(crate) fn count_from(&self, kept: usize) -> u32 {
        let Some(&start) = self.starts.get(kept) else { return 0 };
        let before = self.definitions.partition_point(|&it| it < start);
        ((self.definitions.len() - before) as u32).max(1)
    }

    /// Drops all members from `kept` on.
    pub(crate) fn dropped_from(&self, folder: Folder<'_>, kept: usize) -> Edit {
        let start = self.starts[kept];
        let rest = Span { start, end: self.end.max(start) };
        let newline = if rest.of(folder.text).ends_with('\n') { folder.newline() } else { "" };
        Edit { span: rest, text: format!("...{newline}"), folds: true }
    }
}

/// The inside of a bracketed body, or all of a suite or file; `None` for definitions without members.
fn inside(folder: Folder<'_>, idx: Option<u32>) -> Option<Span> {
    let Some(idx) = idx else { return Some(Span::new(0, folder.text.len())) };
    let definition = folder.symbols.definitions.get(idx as usize)?;
    if matches!(definition.kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro) {
        return None;
    }
    let body = definition.body?;
    let text = body.of(folder.text);
    if !(text.starts_with('{') && text.ends_with('}')) {
        return Some(body);
    }
    // The closing bracket keeps its line and its indentation.
    let close = body.end - 1;
    let indentation = folder.indentation(close).map_or(0, str::len);
    Some(Span { start: body.start + 1, end: close - indentation as u32 })
}

/// Adds the first non-blank byte of each line in `gap` that contains more than punctuation. The rest of the gap's first
/// line and lines indented deeper than `margin` belong to the member before.
fn push_lines(folder: Folder<'_>, gap: Span, margin: Option<usize>, starts: &mut Vec<u32>) {
    let mut at = gap.start;
    for line in gap.of(folder.text).split_inclusive('\n') {
        let blank = line.len() - line.trim_start().len();
        let says = line.contains(|it: char| it.is_alphanumeric());
        let is_inner = margin.is_some_and(|it| blank > it);
        if says && !is_inner && folder.indentation(at + blank as u32).is_some() {
            starts.push(at + blank as u32);
        }
        at += line.len() as u32;
    }
}
