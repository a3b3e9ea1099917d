//! Folds function bodies, docstrings and long values.

use crate::line::line_start;
use crate::span::Span;
use crate::symbol::{Definition, Kind, Symbols};

/// Maximum number of lines of an unfolded value.
const MAX_VALUE_LINES: usize = 8;

/// A replacement of a range of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) span: Span,
    pub(crate) text: String,
    /// Whether it folds or drops a body or a member, not only a comment.
    pub(crate) folds: bool,
}

/// A text and its symbols.
#[derive(Clone, Copy)]
pub(crate) struct Folder<'a> {
    pub(crate) text: &'a str,
    pub(crate) symbols: &'a Symbols,
    /// Whether doc comments are kept.
    pub(crate) docs: bool,
    /// Whether fields and constants are kept.
    pub(crate) values: bool,
}

impl<'a> Folder<'a> {
    /// The edits for the definitions from index `first` on within `range`, in order and disjoint.
    pub(crate) fn edits(self, first: usize, range: Span) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut done = range.start;
        // The last definition with a mark for its values.
        let mut marked = None;
        let definitions = self.symbols.definitions.iter().enumerate().skip(first);
        for (idx, it) in definitions.take_while(|(_, it)| it.span.start < range.end) {
            if it.span.start < done || !range.contains(it.span) {
                continue;
            }
            if !self.values && self.is_value(it) {
                let mut edit = self.dropped(it.span_with_doc());
                if marked != Some(it.parent) && edit.span.of(self.text).ends_with('\n') {
                    let indentation = self.indentation(it.span.start).unwrap_or("");
                    edit.text = format!("{indentation}...{}", self.newline());
                    (edit.folds, marked) = (true, Some(it.parent));
                }
                done = edit.span.end;
                edits.push(edit);
                continue;
            }
            let doc = it.doc.filter(|doc| !self.docs && done <= doc.start && doc.end <= range.end);
            let docstring =
                doc.is_some_and(|doc| it.body.is_some_and(|body| body.start <= doc.start));
            let fold = self.fold(idx, it).filter(|fold| fold.span.start >= done);
            let before = doc.filter(|_| !docstring).map(|doc| self.dropped(doc));
            let inside = doc
                .filter(|_| docstring && fold.is_none())
                .map(|doc| self.dropped_inside(doc, it.body));
            edits.extend([before, fold, inside].into_iter().flatten());
            done = edits.last().map_or(done, |edit: &Edit| edit.span.end.max(done));
        }
        edits
    }

    /// Whether it is a field or constant in a body, and not a variant of an enumeration.
    fn is_value(self, it: &Definition) -> bool {
        let around = it.parent.and_then(|it| self.symbols.definitions.get(it as usize));
        let is_inside = |around: &Definition| {
            around.kind != Kind::Enum && around.body.is_some_and(|body| body.contains(it.span))
        };
        matches!(it.kind, Kind::Field | Kind::Constant) && around.is_none_or(is_inside)
    }

    /// Folds the body of a definition, if it has one.
    fn fold(self, idx: usize, it: &Definition) -> Option<Edit> {
        let body = it.body.map(|body| self.trimmed(body));
        let span = match it.kind {
            Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro => body?,
            Kind::Section if !self.has_members(idx) => body?,
            Kind::Field if body.is_some() => body?,
            Kind::Constant | Kind::Field => return self.folded_value(it.span),
            _ => return None,
        };
        let text = self.folded_body(span, it.doc);
        (span.len() > text.len()).then_some(Edit { span, text, folds: true })
    }

    fn has_members(self, idx: usize) -> bool {
        self.symbols.definitions.get(idx + 1).is_some_and(|next| next.parent == Some(idx as u32))
    }

    fn folded_body(self, body: Span, doc: Option<Span>) -> String {
        let text = body.of(self.text);
        if text.starts_with('{') && text.ends_with('}') {
            return "{ ... }".to_owned();
        }
        if text.starts_with("do") && text.ends_with("end") {
            return "do ... end".to_owned();
        }
        let docstring = doc
            .filter(|doc| self.docs && body.contains(*doc))
            .map(|doc| first_line(doc.of(self.text)));
        match (docstring, self.indentation(body.start)) {
            (Some(docstring), Some(indentation)) => {
                format!("{docstring}{}{indentation}...", self.newline())
            }
            _ => "...".to_owned(),
        }
    }

    /// Folds a long value between its brackets.
    fn folded_value(self, span: Span) -> Option<Edit> {
        let text = span.of(self.text).trim_end_matches([';', ',']);
        let head =
            text.lines().next().filter(|_| text.lines().count() > MAX_VALUE_LINES)?.trim_end();
        let closes = text.ends_with(['}', ']', ')']);
        let inner =
            Span { start: span.start + head.len() as u32, end: span.start + text.len() as u32 - 1 };
        (closes && head.ends_with(['{', '[', '('])).then(|| Edit {
            span: inner,
            text: " ... ".to_owned(),
            folds: true,
        })
    }

    /// Drops a doc comment or a value with its lines.
    fn dropped(self, doc: Span) -> Edit {
        let mut span = self.trimmed(doc);
        if let Some(indentation) = self.indentation(span.start) {
            let rest = self.text.get(span.end as usize..).unwrap_or("");
            let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
            if rest.get(..line).is_some_and(|it| it.trim_matches([',', ';']).trim().is_empty()) {
                span.end += line as u32;
                span.start -= indentation.len() as u32;
            }
        }
        Edit { span, text: String::new(), folds: false }
    }

    /// Drops a docstring. A body that consists only of the docstring keeps a mark, because it must not be empty.
    fn dropped_inside(self, doc: Span, body: Option<Span>) -> Edit {
        let all = body.is_some_and(|body| self.trimmed(body) == self.trimmed(doc));
        if all {
            Edit { span: self.trimmed(doc), text: "...".to_owned(), folds: false }
        } else {
            self.dropped(doc)
        }
    }

    /// The text before `at` on its line, if it is blank.
    pub(crate) fn indentation(self, at: u32) -> Option<&'a str> {
        let start = line_start(self.text.as_bytes(), (at as usize).min(self.text.len()))?;
        self.text.get(start..at as usize)
    }

    fn trimmed(self, span: Span) -> Span {
        let text = span.of(self.text);
        let start = text.len() - text.trim_start().len();
        Span {
            start: span.start + start as u32,
            end: span.start + (start + text.trim().len()) as u32,
        }
    }

    /// The line ending used by the text.
    pub(crate) fn newline(self) -> &'static str {
        match self.text.find('\n') {
            Some(at) if self.text.as_bytes()[..at].ends_with(b"\r") => "\r\n",
            _ => "\n",
        }
    }
}

/// Cuts a docstring after its first non-blank line.
fn first_line(docstring: &str) -> String {
    let quoted = docstring.trim_start_matches(|it: char| it.is_ascii_alphabetic());
    let Some(quotes) = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|&it| quoted.starts_with(it))
    else {
        return docstring.lines().next().unwrap_or("").to_owned();
    };
    let prefix = &docstring[..docstring.len() - quoted.len()];
    let inner = quoted.trim_start_matches(quotes).trim_end_matches(quotes);
    let line = inner.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or("");
    // A trailing backslash or quote would merge with the closing quotes.
    let line = line.trim_end_matches(['\\', '"', '\'']);
    format!("{prefix}{quotes}{line}{quotes}")
}
