//! Makes evidence of lines and definitions: with the signature, the first paragraph of the documentation and the key
//! lines.

use std::collections::BTreeSet;
use std::ops::Range;

use foreword_chunk::{Definition, Kind, LineIndex};

use super::types::{EvidenceItem, KeyLine, Role, Why, has_members};
use crate::index::{FileId, FileRecord, Snapshot};
use crate::preset::constants::ask::{
    KEY_LINE_BYTES, KEY_LINE_LETTERS, KEY_LINES, KEY_LINES_FROM, KEY_MEMBERS, OUTCOME_LINE_WEIGHT,
    SIGNATURE_CHARS, SUMMARY_CHARS,
};
use crate::sorting::{sort_by, sort_by_key};
use crate::trim::{Lines, Words};

/// A piece of evidence in progress, with its definition.
pub(super) struct Draft {
    pub(super) item: EvidenceItem,
    pub(super) file: FileId,
    /// Number of the definition in its file.
    pub(super) definition: Option<u32>,
}

/// Lines of a file, 1-based, inclusive, as evidence, clamped to the file.
pub(super) fn lines_of(
    snapshot: &Snapshot,
    file: FileId,
    lines: (u32, u32),
    role: Role,
    why: Vec<Why>,
) -> Draft {
    let index = LineIndex::new(snapshot.text(file).as_bytes());
    lines_by(snapshot, (file, &index), lines, role, why)
}

/// The same with the lines of the file, which cost its length, for whoever shows many places of it.
pub(super) fn lines_by(
    snapshot: &Snapshot,
    (file, index): (FileId, &LineIndex),
    lines: (u32, u32),
    role: Role,
    why: Vec<Why>,
) -> Draft {
    let (text, record) = snapshot.contents(file);
    let count = index.count().max(1);
    let (first, last) = (lines.0.clamp(1, count), lines.1.clamp(lines.0.clamp(1, count), count));
    let start = index.start_of(first).min(text.len());
    let end = index.start_of(last + 1).min(text.len()).max(start);
    let shown = text[start..end].trim_end_matches(['\n', '\r']);
    let inner = start + shown.len() - shown.trim_start().len();
    let definition = record.symbols.enclosing(inner.min(text.len()));
    let mut item = EvidenceItem {
        role,
        path: snapshot.path(file).to_owned(),
        start_line: first,
        end_line: last,
        bytes: start..start + shown.len(),
        symbol: String::new(),
        kind: None,
        extent: (first, last),
        signature: String::new(),
        summary: String::new(),
        key_lines: Vec::new(),
        why,
        source: None,
        message: None,
        text: shown.to_owned(),
        tokens: 0,
    };
    if let Some(idx) = definition {
        let it = &record.symbols.definitions[idx as usize];
        item.symbol = record.dotted_name(&text, idx);
        item.kind = Some(it.kind);
        item.signature = one_line(it.signature.of(&text), SIGNATURE_CHARS);
        item.extent = index.lines_of(it.span);
    }
    Draft { item, file, definition }
}

/// A definition as evidence: at most `most` lines, starting at its documentation, or at its signature where the
/// documentation leaves no room for code.
pub(super) fn definition(
    snapshot: &Snapshot,
    (file, idx): (FileId, u32),
    most: u32,
    role: Role,
    why: Vec<Why>,
) -> Option<Draft> {
    let (text, record) = snapshot.contents(file);
    let it = record.symbols.definitions.get(idx as usize)?;
    let index = LineIndex::new(text.as_bytes());
    let (first, last) = index.lines_of(it.span);
    let with_doc = it.doc.map_or(first, |doc| index.line_of(doc.start as usize).min(first));
    let from = if first - with_doc > most / 2 { first } else { with_doc };
    let mut draft = lines_of(snapshot, file, (from, last.min(from + most - 1)), role, why);
    describe(&mut draft, &text, it, &index);
    draft.item.symbol = record.dotted_name(&text, idx);
    draft.definition = Some(idx);
    Some(draft)
}

/// Sets the fields that describe the definition.
fn describe(draft: &mut Draft, text: &str, it: &Definition, index: &LineIndex) {
    let item = &mut draft.item;
    item.kind = Some(it.kind);
    item.signature = one_line(it.signature.of(text), SIGNATURE_CHARS);
    item.extent = index.lines_of(it.span);
    item.summary = it.doc.map(|doc| summary(doc.of(text))).unwrap_or_default();
}

/// Adds the key lines of the definition: those with most query words, and those that return or raise something.
pub(super) fn add_key_lines(snapshot: &Snapshot, draft: &mut Draft, words: &Words<'_>) {
    let (text, record) = snapshot.contents(draft.file);
    let Some(idx) = draft.definition else {
        let bytes = draft.item.bytes.clone();
        draft.item.key_lines = telling_lines(&text, &bytes, draft.item.start_line, words);
        return;
    };
    let Some(it) = record.symbols.definitions.get(idx as usize) else { return };
    draft.item.summary = it.doc.map(|doc| summary(doc.of(&text))).unwrap_or_default();
    let index = LineIndex::new(text.as_bytes());
    let (first, last) = index.lines_of(it.span);
    if last - first < KEY_LINES_FROM {
        return;
    }
    if draft.item.is_inside_type() {
        // The first methods of a long type may have nothing to do with the lines that were found.
        let bytes = draft.item.bytes.clone();
        draft.item.key_lines = telling_lines(&text, &bytes, draft.item.start_line, words);
        return;
    }
    let members = members(&text, &record, idx, &index);
    if !members.is_empty() {
        draft.item.key_lines = members;
        return;
    }
    let doc: Range<usize> = it.doc.map_or(0..0, foreword_chunk::Span::range);
    let signature_end = index.line_of((it.signature.end as usize).min(text.len()));
    let body = index.start_of(signature_end + 1).min(text.len());
    let bytes = body..index.start_of(last + 1).min(text.len()).max(body);
    let mut ranked = ranked_lines(&text, &bytes, signature_end + 1, words);
    ranked.retain(|it| !doc.contains(&it.at));
    draft.item.key_lines = best_lines(ranked);
}

/// The key lines of a piece without a definition (a task, a rule, configuration).
fn telling_lines(text: &str, bytes: &Range<usize>, first: u32, words: &Words<'_>) -> Vec<KeyLine> {
    best_lines(ranked_lines(text, bytes, first, words))
}

/// A line with its score.
struct RankedLine<'t> {
    worth: f32,
    number: u32,
    /// Its first byte in the file.
    at: usize,
    text: &'t str,
}

/// Scores the lines of `bytes`, of which the first has the number `first`. Braces and comments are left out.
fn ranked_lines<'t>(
    text: &'t str,
    bytes: &Range<usize>,
    first: u32,
    words: &Words<'_>,
) -> Vec<RankedLine<'t>> {
    let lines = Lines::new(text, bytes, words);
    let mut at = bytes.start;
    let mut res = Vec::new();
    for (n, worth) in lines.worth().iter().enumerate() {
        let line = text[at..].lines().next().unwrap_or_default();
        if says_something(line) {
            let (worth, number) = (worth + outcome(line), first + n as u32);
            res.push(RankedLine { worth, number, at, text: line.trim() });
        }
        at = (at + line.len() + 1).min(text.len());
    }
    res
}

/// The best of these lines, in their order.
fn best_lines(mut ranked: Vec<RankedLine<'_>>) -> Vec<KeyLine> {
    let mut seen = BTreeSet::new();
    ranked.retain(|it| it.worth > 0.0 && seen.insert(it.text));
    sort_by(&mut ranked, |a, b| b.worth.total_cmp(&a.worth).then(a.number.cmp(&b.number)));
    ranked.truncate(KEY_LINES);
    sort_by_key(&mut ranked, |it| it.number);
    let key = |it: &RankedLine<'_>| KeyLine { line: it.number, text: it.text.to_owned() };
    ranked.iter().map(key).collect()
}

/// The signatures of a type's methods, or of its other members if it has none.
fn members(text: &str, record: &FileRecord, idx: u32, index: &LineIndex) -> Vec<KeyLine> {
    let all = record.symbols.definitions.iter().filter(|it| it.parent == Some(idx));
    let own = record.symbols.definitions.get(idx as usize);
    if !own.is_some_and(|it| has_members(it.kind)) {
        return Vec::new();
    }
    let is_method =
        |it: &&Definition| matches!(it.kind, Kind::Method | Kind::Constructor | Kind::Function);
    let mut shown: Vec<&Definition> = all.clone().filter(is_method).take(KEY_MEMBERS).collect();
    if shown.is_empty() {
        shown = all.take(KEY_MEMBERS).collect();
    }
    let key = |it: &&Definition| KeyLine {
        line: index.line_of(it.signature.start as usize),
        text: one_line(it.signature.of(text), SIGNATURE_CHARS),
    };
    shown.iter().map(key).collect()
}

/// Whether a line is more than a brace or a comment.
fn says_something(line: &str) -> bool {
    let text = line.trim();
    let is_comment = ["//", "#", "*", "/*", "--", "\"\"\"", "'''", "<!--"];
    text.chars().filter(|it| it.is_alphanumeric()).count() >= KEY_LINE_LETTERS
        && text.len() <= KEY_LINE_BYTES
        && !is_comment.iter().any(|it| text.starts_with(it))
}

/// Words of outcomes that tell nothing of a function: most return an error that another one made, or whether all went
/// well, and `return async () => {` only opens a function.
const EMPTY_OUTCOMES: [&str; 18] = [
    "err",
    "error",
    "nil",
    "null",
    "None",
    "undefined",
    "true",
    "false",
    "True",
    "False",
    "self",
    "this",
    "res",
    "result",
    "ret",
    "Ok",
    "async",
    "function",
];

/// Extra score of a line that returns, raises or yields something.
fn outcome(line: &str) -> f32 {
    let text = line.trim_start();
    let begins = |all: &[&str]| all.iter().any(|it| text.starts_with(it));
    let is_outcome = begins(&["return ", "raise ", "throw ", "panic!(", "panic(", "yield "]);
    let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '_').skip(1);
    let says_what = words.any(|it| it.len() > 2 && !EMPTY_OUTCOMES.contains(&it));
    if is_outcome && says_what { OUTCOME_LINE_WEIGHT } else { 0.0 }
}

/// The last part of a dotted name.
pub(super) fn last_part(symbol: &str) -> &str {
    symbol.rsplit('.').next().unwrap_or(symbol)
}

/// Collapses white space, and cuts the text after `most` characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

/// The first paragraph of a documentation comment, without comment marks and tags.
pub(super) fn summary(doc: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for line in doc.lines() {
        let line = without_marks(line);
        let is_end = line.is_empty() || is_tag(&line);
        if is_end && !words.is_empty() {
            break;
        }
        if !is_end {
            words.push(line);
        }
    }
    one_line(&words.join(" "), SUMMARY_CHARS)
}

/// Strips comment marks from a line.
fn without_marks(line: &str) -> String {
    let mut text = line.trim();
    let prefixed = ["r\"\"\"", "u\"\"\"", "@doc", "@moduledoc", "~S\"\"\""];
    for it in prefixed {
        text = text.strip_prefix(it).map_or(text, str::trim_start);
    }
    let marks: &[char] = &['/', '*', '#', '!', '"', '\'', ';', '-', '%', '=', '|', '{', '}', '<'];
    let bare = text.trim_start_matches(marks);
    let is_markup = text.starts_with('<') && bare.len() + 1 == text.len();
    let bare = if is_markup { text } else { bare };
    let bare = bare.trim_end_matches("*/").trim_end_matches("-->").trim_end_matches("\"\"\"");
    without_tags(bare.trim_end_matches("'''").trim())
}

/// Strips XML and HTML tags.
pub(super) fn without_tags(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        // In backticks it is a name: `<stdin>`.
        let is_tag = rest[open + 1..].starts_with(|it: char| it.is_ascii_alphabetic() || it == '/')
            && !rest[..open].ends_with('`');
        match rest[open..].find('>').filter(|_| is_tag) {
            Some(close) => {
                res.push_str(&rest[..open]);
                res.push_str(named_by(&rest[open..open + close]));
                rest = &rest[open + close + 1..];
            }
            None => {
                res.push_str(&rest[..=open]);
                rest = &rest[open + 1..];
            }
        }
    }
    res.push_str(rest);
    res.trim().to_owned()
}

/// The name in a C# tag: `JToken` for `<see cref="T:Newtonsoft.Json.Linq.JToken"/>`; empty for other tags.
fn named_by(tag: &str) -> &str {
    let of = |name: &str| tag.split_once(name)?.1.split('"').next();
    let named = of("cref=\"").or_else(|| of("langword=\"")).or_else(|| of("paramref name=\""));
    named.and_then(|it| it.split('(').next()?.rsplit(['.', ':']).next()).unwrap_or_default()
}

/// Whether a line of documentation begins the list of parameters, or a section.
fn is_tag(line: &str) -> bool {
    let sections =
        ["Args:", "Arguments:", "Parameters", "Returns:", "Raises:", "Example", "Usage:", "Note:"];
    let is_field = line.starts_with(':') && line[1..].contains(':');
    line.starts_with('@')
        || is_field
        || sections.iter().any(|it| line.starts_with(it))
        || line.starts_with(".. ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_the_first_paragraph_without_marks() {
        let check = |doc: &str, expect: &str| assert_eq!(summary(doc), expect);
        check(
            "/// <summary>\n/// Used by <see cref=\"T:Json.JsonSerializer\"/> for `<stdin>`.\n/// </summary>",
            "Used by JsonSerializer for `<stdin>`.",
        );
        check("/// Takes one.\n/// Of many.\n///\n/// More.", "Takes one. Of many.");
        check("/**\n * Takes one.\n * @param x what\n */", "Takes one.");
        check("\"\"\"Takes one.\n\n    Args:\n        x: what\n    \"\"\"", "Takes one.");
        check("# Takes one", "Takes one");
        check("/// <summary>\n/// Takes <c>one</c>.\n/// </summary>", "Takes one.");
        check("\"\"\"\n:param x: what\n\"\"\"", "");
        check("// if a < b, takes one", "if a < b, takes one");
    }
}
