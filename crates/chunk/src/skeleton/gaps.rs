//! The parts of a file outside its definitions (licences, imports, statements), and signatures alone.

use super::Skeleton;
use super::fold::{Edit, Folder};
use crate::line::line_start;
use crate::span::Span;
use crate::symbol::{Definition, Kind};

/// Shorter gaps stay, in bytes: dropping them saves nothing.
const MIN_DROPPED: usize = 24;
/// Maximum indentation of a signature, in levels.
const MAX_LEVELS: usize = 8;

/// The text between the outermost definitions of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gaps {
    /// It stays.
    Keep,
    /// It stays from the first import on.
    Imports,
    /// It is dropped.
    Drop,
}

/// The edits that drop `gaps`, in order: each gap with words becomes `...`.
pub(super) fn dropped(folder: Folder<'_>, gaps: Gaps) -> Vec<Edit> {
    let Folder { text, symbols, .. } = folder;
    let mut spans = outermost(folder);
    if gaps == Gaps::Imports {
        spans.extend(symbols.imports.iter().map(|it| it.span));
    }
    spans.sort_unstable();
    spans.push(Span::new(text.len(), text.len()));
    let n_gaps = match gaps {
        Gaps::Keep => 0,
        Gaps::Imports => 1,
        Gaps::Drop => spans.len(),
    };
    let mut at = 0;
    let mut edits = Vec::new();
    for span in spans.into_iter().take(n_gaps) {
        let start = line_start(text.as_bytes(), span.start as usize).unwrap_or(0) as u32;
        let end = if span.is_empty() { span.end } else { start };
        let gap = Span { start: at, end: end.max(at) };
        let says = gap.of(text).contains(char::is_alphanumeric);
        if says && gap.len() > MIN_DROPPED {
            let (newline, is_last) = (folder.newline(), end as usize == text.len());
            let before = if at == 0 { "" } else { newline };
            let after = if is_last { "" } else { newline };
            let text = format!("{before}...{after}{after}");
            edits.push(Edit { span: gap, text, folds: true });
        }
        // The rest of the definition's last line stays.
        let rest = text.get(span.end as usize..).unwrap_or("");
        let line = rest.find('\n').map_or(rest.len(), |it| it + 1);
        at = at.max(span.end + line as u32);
    }
    edits
}

/// The outermost definitions; of a namespace that reaches to the next one (`namespace A;`) its head and what it holds.
fn outermost(folder: Folder<'_>) -> Vec<Span> {
    let definitions = &folder.symbols.definitions;
    let mut is_open = vec![false; definitions.len()];
    let mut spans = Vec::new();
    for (idx, it) in definitions.iter().enumerate() {
        if it.parent.is_some_and(|parent| !is_open[parent as usize]) {
            continue;
        }
        let reaches = |body: Span| {
            body.end == it.span.end && !body.of(folder.text).starts_with(['{', 'd', ':'])
        };
        is_open[idx] = it.kind == Kind::Module && it.body.is_some_and(reaches);
        spans.push(if is_open[idx] { it.signature } else { it.span_with_doc() });
    }
    spans
}

/// The first lines of the signatures of functions and types, outer before inner, as many as fit; `...` if none does.
pub(super) fn signatures(folder: Folder<'_>, fits: &dyn Fn(&str) -> bool) -> Skeleton {
    let Folder { text, symbols, .. } = folder;
    let newline = folder.newline();
    let first_line = |(idx, it): (u32, &Definition)| {
        let depth = symbols.ancestors(Some(idx)).take(MAX_LEVELS + 1).count() - 1;
        let line = it.signature.of(text).lines().next().unwrap_or_default();
        format!("{}{}{newline}", "  ".repeat(depth), line.trim_end())
    };
    let definitions = (0..).zip(&symbols.definitions);
    let called = definitions.filter(|(_, it)| !matches!(it.kind, Kind::Field | Kind::Constant));
    let lines: Vec<String> = called.map(first_line).collect();
    let of = |kept: usize| format!("{}...", lines[..kept].concat());
    let (mut low, mut high) = (0, lines.len());
    while low < high {
        let kept = usize::midpoint(low, high) + 1;
        if fits(&of(kept)) { low = kept } else { high = kept - 1 }
    }
    Skeleton { text: of(low), folded: (lines.len() - low).max(1) as u32 }
}
