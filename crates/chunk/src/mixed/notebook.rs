//! Jupyter notebooks: code in JSON.
//!
//! A notebook is a list of cells. The source of each is a list of strings, one a line, each on its own line of the file
//! (as Jupyter, Colab and VS Code write it). It is read in two ways. [`notebook_text`] returns the code for indexing
//! and display: line 70 is the source on line 70 of the file, without quotes and escapes; lines without source are
//! blank. The parser instead reads the file with the code in place, so that spans are those of the file.

use std::ops::Range;

use super::{MixedText, Part, PartRole};
use crate::language::Language;

/// First line of a notebook's text, before the name of the language.
const TITLE_PREFIX: &str = "# Jupyter notebook: ";
/// Line before the source of a cell, as in jupytext's percent format.
const CODE_CELL: &str = "# %%";
const TEXT_CELL: &str = "# %% [markdown]";

/// The text of a notebook, line by line as in its file: the source of each cell in place, prose as comments, without
/// outputs and metadata. The first line names the language. `None` if the file is not a notebook or puts several lines of
/// source on one line.
///
/// ```
/// let file = "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"source\": [\n    \"a = \\\"b\\\"\"\n   ]\n  }\n ]\n}\n";
/// let text = foreword_chunk::notebook_text(file).unwrap();
/// assert_eq!(text, "# Jupyter notebook: python\n\n\n# %%\n\na = \"b\"\n\n\n\n\n");
/// ```
pub fn notebook_text(file: &str) -> Option<String> {
    let lines = Lines::of(file.as_bytes())?;
    let mut text = String::with_capacity(file.len() / 2);
    text.push_str(TITLE_PREFIX);
    text.push_str(lines.language.name());
    for (line, kind) in file.split_inclusive('\n').zip(&lines.kinds) {
        match kind {
            LineKind::Other => {}
            LineKind::CellHead(cell) => {
                text.push_str(if *cell == Cell::Code { CODE_CELL } else { TEXT_CELL });
            }
            LineKind::Source(cell, content) => {
                let shown = unescaped(&line[content.clone()]);
                if *cell == Cell::Text && !shown.is_empty() {
                    text.push_str("# ");
                }
                text.push_str(&shown);
            }
        }
        if line.ends_with('\n') {
            text.push('\n');
        }
    }
    Some(text)
}

/// Splits a notebook: its file, or its text.
pub(super) fn split_languages(text: &[u8]) -> MixedText {
    let as_text = || MixedText { parts: vec![whole(text)], ..MixedText::default() };
    if !text.trim_ascii_start().starts_with(b"{") {
        return as_text();
    }
    // Between cells, cuts come from the tree of the JSON.
    let host = Some(text.to_vec());
    let parts = Lines::of(text).map(|it| part(text, &it)).into_iter().collect();
    MixedText { host, parts, ..MixedText::default() }
}

/// A text as `notebook_text` returns it.
fn whole(text: &[u8]) -> Part {
    let line = text.split(|it| *it == b'\n').next().unwrap_or_default();
    let name =
        line.strip_prefix(TITLE_PREFIX.as_bytes()).and_then(|it| std::str::from_utf8(it).ok());
    let language = name.and_then(|it| Language::from_name(it.trim_end()));
    let mut part = Part::new(text, language.unwrap_or(Language::Python), PartRole::Code);
    part.show(text, 0..text.len());
    hide_magics(&mut part.shown);
    part
}

/// The code of a file, in place. The last byte of each escape is code, the bytes before it are blank.
fn part(text: &[u8], lines: &Lines) -> Part {
    let mut part = Part::new(text, lines.language, PartRole::Code);
    let mut start = 0;
    for (line, kind) in text.split_inclusive(|it| *it == b'\n').zip(&lines.kinds) {
        if let LineKind::Source(Cell::Code, content) = kind {
            let range = start + content.start..start + content.end;
            unescape_in_place(text, range, &mut part.shown);
            part.reach(start..start + line.len());
        }
        start += line.len();
    }
    hide_magics(&mut part.shown);
    part
}

/// Hides IPython commands: lines that begin with `%` or `!`. The parser reads comments instead.
fn hide_magics(shown: &mut [u8]) {
    let mut start = 0;
    while start < shown.len() {
        let line = memchr::memchr(b'\n', &shown[start..]).map_or(shown.len(), |it| start + it);
        let first = shown[start..line].iter().position(|it| !matches!(it, b' ' | b'\t'));
        if let Some(first) = first.map(|it| start + it)
            && matches!(shown[first], b'%' | b'!')
        {
            shown[first] = b'#';
        }
        start = line + 1;
    }
}

/// The type of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Code,
    /// Prose, or raw text.
    Text,
}

/// The role of a line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LineKind {
    /// A line of source: the bytes between the quotes, without a line break.
    Source(Cell, Range<usize>),
    /// The line before the one that begins a cell's source.
    CellHead(Cell),
    Other,
}

/// The lines of a notebook.
struct Lines {
    language: Language,
    kinds: Vec<LineKind>,
}

impl Lines {
    /// `None` if the file is not a notebook or is not written line by line.
    fn of(file: &[u8]) -> Option<Self> {
        let mut kinds: Vec<LineKind> = Vec::new();
        let mut cell = None;
        // Column of the open list's key.
        let mut open: Option<usize> = None;
        let mut column = None;
        for line in file.split_inclusive(|it| *it == b'\n') {
            let code = line.trim_ascii();
            let indentation = line.len() - line.trim_ascii_start().len();
            let kind = if open.is_some() {
                if code.starts_with(b"]") {
                    open = None;
                    LineKind::Other
                } else {
                    source(line, cell?)?
                }
            } else {
                if let Some(value) = string_value(code, b"\"cell_type\"") {
                    let kind = if value == b"code" { Cell::Code } else { Cell::Text };
                    (cell, column) = (Some(kind), Some(indentation));
                }
                let value = value(code, b"\"source\"").filter(|_| column == Some(indentation));
                if let (Some(_), Some(it)) = (value, kinds.last_mut()) {
                    *it = LineKind::CellHead(cell?);
                }
                open = value.filter(|it| *it == b"[").map(|_| indentation);
                match value {
                    Some(value) if open.is_none() => short_source(line, value, cell?)?,
                    _ => LineKind::Other,
                }
            };
            kinds.push(kind);
        }
        let has_cells = kinds.iter().any(|it| *it != LineKind::Other);
        has_cells.then(|| Self { language: kernel_language(file), kinds })
    }
}

/// A line of source: a string, with an optional comma.
fn source(line: &[u8], cell: Cell) -> Option<LineKind> {
    let start = line.len() - line.trim_ascii_start().len();
    let code = line.trim_ascii();
    let string = code.strip_suffix(b",").unwrap_or(code);
    let inner = string.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let inner = inner.strip_suffix(b"\\n").filter(|_| ends_in_escape(inner)).unwrap_or(inner);
    // A string of several lines would shift the lines after it.
    let is_line = !escapes(inner).any(|(_, it)| it == b'n');
    is_line.then(|| LineKind::Source(cell, start + 1..start + 1 + inner.len()))
}

/// The source of a cell in one string, on the line of its key: `"source": ["a = 1"],`.
fn short_source(line: &[u8], value: &[u8], cell: Cell) -> Option<LineKind> {
    let listed = value.strip_prefix(b"[").and_then(|it| it.strip_suffix(b"]"));
    let string = listed.unwrap_or(value).trim_ascii();
    if string.is_empty() {
        return Some(LineKind::Other);
    }
    let at = memchr::memmem::find(line, string)?;
    let LineKind::Source(cell, content) = source(string, cell)? else { return None };
    let escaped: usize = escapes(&string[content.clone()]).filter(|it| it.1 == b'"').count();
    let quotes = memchr::memchr_iter(b'"', &string[content.clone()]).count();
    let is_one = escaped == quotes;
    is_one.then(|| LineKind::Source(cell, at + content.start..at + content.end))
}

/// Whether the last two bytes are an escape.
fn ends_in_escape(inner: &[u8]) -> bool {
    escapes(inner).any(|(at, _)| at + 2 == inner.len())
}

/// The positions of escapes, with the byte after each backslash.
fn escapes(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += memchr::memchr(b'\\', text.get(at..)?)?;
        let found = (at, *text.get(at + 1)?);
        at += 2;
        Some(found)
    })
}

/// The value after a key, without a comma.
fn value<'l>(code: &'l [u8], key: &[u8]) -> Option<&'l [u8]> {
    let value = code.strip_prefix(key)?.trim_ascii_start().strip_prefix(b":")?.trim_ascii();
    Some(value.strip_suffix(b",").unwrap_or(value))
}

/// Like [`value`], for a string.
fn string_value<'l>(code: &'l [u8], key: &[u8]) -> Option<&'l [u8]> {
    value(code, key)?.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

/// The language of the kernel; Python if the notebook does not say.
fn kernel_language(file: &[u8]) -> Language {
    let of_line = |line: &[u8]| {
        let line = line.trim_ascii();
        let extension = string_value(line, b"\"file_extension\"");
        let by_extension = extension
            .and_then(|it| Language::of_path(&format!("a{}", std::str::from_utf8(it).ok()?), ""));
        by_extension.or_else(|| {
            let name = string_value(line, b"\"language\"")?;
            Language::from_name(std::str::from_utf8(name).ok()?)
        })
    };
    // The kernel is in the metadata at the end.
    let mut lines = file.rsplit(|it| *it == b'\n').take(200);
    lines.find_map(of_line).filter(|it| *it != Language::Notebook).unwrap_or(Language::Python)
}

/// Decodes a JSON string.
fn unescaped(string: &str) -> String {
    let mut text = String::with_capacity(string.len());
    let mut at = 0;
    for (escape, byte) in escapes(string.as_bytes()) {
        if escape < at {
            continue;
        }
        text.push_str(&string[at..escape]);
        at = escape + 2;
        match byte {
            b't' => text.push('\t'),
            b'b' | b'f' | b'r' => text.push(' '),
            b'u' => {
                let (shown, end) = unicode(string, escape);
                text.push(shown);
                at = end;
            }
            _ if byte.is_ascii() => text.push(byte as char),
            _ => at = escape + 1,
        }
    }
    text.push_str(&string[at..]);
    text
}

/// The character of the escape `\uXXXX` (or a surrogate pair) at `at`, and its end.
fn unicode(string: &str, at: usize) -> (char, usize) {
    let unit = |at: usize| {
        let digits = string.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(at) else { return ('\u{fffd}', at + 2) };
    let one = |units: &[u16]| char::decode_utf16(units.iter().copied()).next()?.ok();
    match (one(&[first]), unit(at + 6)) {
        (Some(it), _) => (it, at + 6),
        (None, Some(second)) => (one(&[first, second]).unwrap_or('\u{fffd}'), at + 12),
        _ => ('\u{fffd}', at + 6),
    }
}

/// Decodes a JSON string in place. The characters of consecutive escapes (`\"\"\"`) are written together at their end,
/// after blanks; a backslash that continues its line is written directly before the line break.
fn unescape_in_place(text: &[u8], range: Range<usize>, shown: &mut [u8]) {
    shown[range.clone()].copy_from_slice(&text[range.clone()]);
    let mut found = escapes(&text[range.clone()]).peekable();
    while let Some((first, byte)) = found.next() {
        let mut meant = vec![byte];
        let mut end = range.start + first + length(byte);
        while let Some((_, byte)) = found.next_if(|it| range.start + it.0 == end) {
            meant.push(byte);
            end += length(byte);
        }
        let end = end.min(range.end);
        shown[range.start + first..end].fill(b' ');
        let bytes = meant.iter().filter_map(|it| byte_of(*it));
        // At the start of a line they stay in place, because indentation matters.
        if text[range.start..range.start + first].trim_ascii().is_empty() {
            let places = range.start + first..;
            places.zip(bytes).for_each(|(place, byte)| shown[place] = byte);
            continue;
        }
        let is_last = end == range.end && meant.last() == Some(&b'\\');
        let line_end = memchr::memchr(b'\n', &text[end..]).map(|it| end + it);
        for (place, byte) in (range.start + first..end).rev().zip(bytes.rev()) {
            let place = line_end.filter(|_| is_last && place + 1 == end).map_or(place, |it| it - 1);
            shown[place] = byte;
        }
    }
}

/// Length of the escape whose second byte is `byte`.
fn length(byte: u8) -> usize {
    if byte == b'u' { 6 } else { 2 }
}

/// The byte to write for an escape: itself, a letter for longer characters, nothing for white space.
fn byte_of(byte: u8) -> Option<u8> {
    match byte {
        b'"' | b'\\' | b'/' => Some(byte),
        b'u' => Some(b'x'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{hide_magics, notebook_text, split_languages};
    use crate::language::Language;

    const FILE: &str = "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"metadata\": {},\n   \"source\": [\n    \"Prose\\n\",\n    \"\\n\",\n    \"more\"\n   ]\n  },\n  {\n   \"cell_type\": \"code\",\n   \"outputs\": [\n    {\n     \"text\": [\n      \"printed\\n\"\n     ]\n    }\n   ],\n   \"source\": [\n    \"%time x\\n\",\n    \"a = \\\"\\\\n\\\" + \\\\\\n\",\n    \"  \\\"\\u00e9\\\"\"\n   ]\n  }\n ],\n \"metadata\": {\n  \"kernelspec\": {\n   \"language\": \"python\"\n  }\n }\n}\n";

    #[test]
    fn the_text_of_a_notebook_has_the_lines_of_its_file() {
        let text = notebook_text(FILE).unwrap();
        assert_eq!(text.lines().count(), FILE.lines().count());
        for (line, from) in text.lines().zip(FILE.lines()) {
            assert_eq!(line.contains("a = "), from.contains("a = "));
        }
        let lines: Vec<&str> = text.lines().filter(|it| !it.is_empty()).collect();
        assert_eq!(
            lines,
            [
                "# Jupyter notebook: python",
                "# %% [markdown]",
                "# Prose",
                "# more",
                "# %%",
                "%time x",
                "a = \"\\n\" + \\",
                "  \"\u{e9}\""
            ]
        );
    }

    #[test]
    fn what_the_parser_is_shown_of_the_file_is_code_where_it_stands() {
        let part = split_languages(FILE.as_bytes()).parts.remove(0);
        assert_eq!((part.language, part.shown.len()), (Language::Python, FILE.len()));
        let shown = String::from_utf8(part.shown).unwrap();
        let lines: Vec<&str> = shown.lines().filter(|it| !it.trim().is_empty()).collect();
        let code: Vec<&str> = lines.iter().map(|it| it.trim()).collect();
        let joined = code.join("|").replace(' ', "");
        assert_eq!(joined, "#timex|a=\"\\n\"+\\|\"x\"");
        assert!(lines[1].ends_with('\\'));
    }

    #[test]
    fn what_is_not_written_line_by_line_is_no_text() {
        assert_eq!(notebook_text("{\"cells\": []}"), None);
        assert_eq!(notebook_text(&FILE.replace("Prose\\n", "Prose\\nand")), None);
        assert_eq!(notebook_text("# code"), None);
        let short = FILE.replace("\"source\": [\n    \"%time", "\"source\": [\"a\", \"b\n");
        assert_eq!(notebook_text(&short), None);
    }

    #[test]
    fn a_source_of_one_string_may_stand_on_the_line_of_its_key() {
        let cell = |source| {
            format!(
                "{{\n \"cells\": [\n  {{\n   \"cell_type\": \"code\",\n   \"source\": {source}\n  }}\n ]\n}}\n"
            )
        };
        for source in ["[\"a = \\\"b\\\"\"]", "\"a = \\\"b\\\"\""] {
            let text = notebook_text(&cell(source)).unwrap();
            assert_eq!(text.lines().nth(4), Some("a = \"b\""));
        }
        assert_eq!(notebook_text(&cell("[\"a\", \"b\"]")), None);
    }

    #[test]
    fn commands_are_comments() {
        let mut shown = b"!pip\n  %a\nb % c\n".to_vec();
        hide_magics(&mut shown);
        assert_eq!(shown, b"#pip\n  #a\nb % c\n");
    }
}
