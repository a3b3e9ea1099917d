//! A match for the result: its line, cut if too long, the lines around it, and the enclosing definition.

use foreword_chunk::LineIndex;

use crate::index::FileRecord;

use super::types::{GrepMatch, MAX_LINE_CHARS};

/// Characters before a match in a cut line.
const CHARS_BEFORE: usize = 60;

/// A file with matches.
pub(super) struct FileView<'f> {
    pub(super) path: &'f str,
    pub(super) text: &'f str,
    pub(super) record: &'f FileRecord,
    pub(super) lines: &'f LineIndex,
}

impl FileView<'_> {
    /// The match at `start..end`.
    pub(super) fn show(&self, start: usize, end: usize, context: u32) -> GrepMatch {
        let line = self.lines.line_of(start);
        let last = self.lines.line_of(end.max(start + 1) - 1);
        let line_start = self.lines.start_of(line);
        let column = self.text.get(line_start..start).map_or(0, |it| it.chars().count());
        let whole = &self.text[line_start..self.lines.start_of(last + 1)];
        let symbol = self.record.symbols.enclosing(start);
        let definition = symbol.and_then(|it| self.record.symbols.definitions.get(it as usize));
        let n_lines = self.lines.count();
        let before = line.saturating_sub(context).max(1)..line;
        let after = last + 1..last.saturating_add(context).min(n_lines) + 1;
        GrepMatch {
            path: self.path.to_owned(),
            line,
            column: column as u32 + 1,
            text: cut(without_line_break(whole), column),
            symbol: symbol.map(|it| self.record.dotted_name(self.text, it)).unwrap_or_default(),
            kind: definition.map(|it| it.kind),
            before: before.map(|it| self.line(it)).collect(),
            after: after.map(|it| self.line(it)).collect(),
        }
    }

    fn line(&self, line: u32) -> String {
        let line = &self.text[self.lines.start_of(line)..self.lines.start_of(line + 1)];
        cut(without_line_break(line), 0)
    }
}

fn without_line_break(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// The line if it is short; otherwise the longest allowed part that includes the character at `column`.
fn cut(line: &str, column: usize) -> String {
    let n_chars = line.chars().count();
    if n_chars <= MAX_LINE_CHARS {
        return line.to_owned();
    }
    let first = column.saturating_sub(CHARS_BEFORE).min(n_chars - MAX_LINE_CHARS);
    let mut res = String::new();
    if first > 0 {
        res.push('…');
    }
    res.extend(line.chars().skip(first).take(MAX_LINE_CHARS));
    if first + MAX_LINE_CHARS < n_chars {
        res.push('…');
    }
    res
}
