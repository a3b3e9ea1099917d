//! Secrets below their name: the values of a manifest of the kind `Secret`, the children of `secrets`, and the cells of a
//! column, in CSV, Markdown and SQL.

use std::ops::Range;

use super::plausible::{Form, is_base64, is_secret, is_strong};

/// Maximum length of a manifest's part before and after its kind.
const MAX_MANIFEST: usize = 64 << 10;

/// Length of a line of Base64 in a value of several lines.
const MIN_LINE: usize = 32;

/// `-----BEGIN ` and `-----BEGIN C` in Base64; certificates are public.
const BLOCK: &[u8] = b"LS0tLS1CRUdJTi";
const CERTIFICATE: &[u8] = b"LS0tLS1CRUdJTiBD";

/// Length of the shortest private key in Base64; shorter ones are a first and a last line.
const MIN_KEY: usize = 128;

/// The values in the manifest with this kind.
pub(super) fn secret(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let is_line = matches!(text[..anchor.start].last(), None | Some(b'\n' | b' '));
    (is_line && matches!(text.get(anchor.end), None | Some(b'\n' | b'\r'))).then_some(())?;
    let manifest = manifest(text, anchor);
    let mut spans = Vec::new();
    // Indentation of `data:`, while its values are read.
    let mut below = None;
    let mut is_in_block = false;
    let mut start = manifest.start;
    for line in text[manifest].split_inclusive(|it| *it == b'\n') {
        let content = line.trim_ascii();
        let at = start + line.len() - line.trim_ascii_start().len();
        let indentation = at - start;
        start += line.len();
        // Certificates are public; private keys have their own rule.
        is_in_block |= content.starts_with(b"-----BEGIN");
        if content.is_empty() || is_in_block {
            is_in_block &= !content.starts_with(b"-----END");
            continue;
        }
        if below.is_some_and(|it| indentation > it) {
            spans.extend(value(content).map(|it| at + it.start..at + it.end));
        } else {
            below = matches!(content, b"data:" | b"stringData:").then_some(indentation);
        }
    }
    (!spans.is_empty()).then_some(spans)
}

/// The manifest: up to the next `---` or kind on both sides, so that no manifest is read for two kinds.
fn manifest(text: &[u8], kind: Range<usize>) -> Range<usize> {
    let from = kind.start.saturating_sub(MAX_MANIFEST);
    let last = |from: usize, what: &[u8]| {
        let at = memchr::memmem::rfind(&text[from..kind.start], what);
        at.map_or(from, |at| from + at + what.len())
    };
    let start = last(last(from, b"kind: "), b"\n---");
    let to = text.len().min(kind.end + MAX_MANIFEST);
    let next = |to: usize, what: &[u8]| {
        memchr::memmem::find(&text[kind.end..to], what).map_or(to, |at| kind.end + at)
    };
    start..next(next(to, b"kind: "), b"\n---")
}

/// The value in a line `key: value`, or a line of Base64.
fn value(line: &[u8]) -> Option<Range<usize>> {
    let start = line.windows(2).position(|it| it == b": ").map_or(0, |it| it + 2);
    let comment = memchr::memmem::find(&line[start..], b" #").map_or(line.len(), |it| start + it);
    let line = &line[..comment];
    let value = line[start..].trim_ascii();
    let start = start + line[start..].len() - line[start..].trim_ascii_start().len();
    let is_quote = |it: &u8| matches!(it, b'"' | b'\'' | b'`' | b',');
    let quotes = value.iter().take_while(|it| is_quote(it)).count();
    let end = value.len() - value.iter().rev().take_while(|it| is_quote(it)).count();
    let body = value.get(quotes..end)?;
    let is_block = body.starts_with(BLOCK);
    let is_key = is_block && !body.starts_with(CERTIFICATE) && body.len() >= MIN_KEY;
    let is_value = match start {
        _ if is_block => is_key,
        0 => body.len() >= MIN_LINE && body.iter().all(|it| is_base64(*it)),
        _ => is_secret(body, Form::Quoted),
    };
    is_value.then(|| start + quotes..start + end)
}

/// Maximum length of the first row of a table, and of each other.
const MAX_ROW: usize = 512;

/// Length of the shortest secret in a table.
const MIN_CELL: usize = 10;

/// Maximum number of rows, and number of those that are read before a secret is found.
const MAX_ROWS: usize = 1000;
const MAX_MISSES: usize = 4;

/// The secrets in the lines below a name: of its children, or of its column.
pub(super) fn below(text: &[u8], name: Range<usize>) -> Option<Vec<Range<usize>>> {
    let quotes = |it: &&u8| matches!(**it, b'"' | b'\'' | b'`' | b' ');
    let end = name.end + text[name.end..].iter().take(4).take_while(quotes).count();
    let start = name.start - text[..name.start].iter().rev().take(4).take_while(quotes).count();
    match (start.checked_sub(1).map(|it| text[it]), text.get(end)?) {
        (_, b':' | b'=' | b'{' | b']') if text[..name.end].ends_with(b"s") => {
            children(text, start, end)
        }
        (
            None | Some(b'\n' | b',' | b';' | b'|' | b'\t' | b'('),
            b',' | b';' | b'|' | b'\t' | b')',
        ) => column(text, start, end),
        (Some(b',' | b';' | b'\t'), b'\r' | b'\n') => column(text, start, end),
        _ => None,
    }
}

/// Values in the lines of a block after `secrets:`, `[secrets]` or `secrets = {`; their own names may say nothing.
fn children(text: &[u8], start: usize, end: usize) -> Option<Vec<Range<usize>>> {
    let line =
        start - text[..start].iter().rev().take(MAX_ROW).take_while(|it| **it != b'\n').count();
    let indentation = |line: &[u8]| line.len() - line.trim_ascii_start().len();
    let is_section = text[end] == b']';
    let outer = indentation(&text[line..end]);
    let mut at = end + text[end..].iter().take(8).take_while(|it| b"]:={ >".contains(it)).count();
    if !matches!(text.get(at)?, b'\r' | b'\n') {
        text[end..at].contains(&b'{').then_some(())?;
        let line = &text[at..text.len().min(at + MAX_ROW)];
        let line = &line[..memchr::memchr2(b'\n', b'}', line).unwrap_or(line.len())];
        let value = child(line).filter(|it| is_strong(&line[it.clone()]))?;
        let span = at + value.start..at + value.end;
        return Some(vec![span]);
    }
    at += text[at..].iter().take(2).position(|it| *it == b'\n')? + 1;
    let mut spans = Vec::new();
    for row in 0..MAX_ROWS {
        let limit = text.len().min(at + MAX_ROW);
        let line = &text[at..memchr::memchr(b'\n', &text[at..limit]).map_or(limit, |it| at + it)];
        let content = line.trim_ascii();
        let is_child = !content.is_empty()
            && (is_section || indentation(line) > outer)
            && !matches!(content[0], b'[' | b'}' | b']');
        if !is_child || row == MAX_MISSES && spans.is_empty() {
            break;
        }
        let value = child(line).filter(|it| is_child_secret(&line[it.clone()]));
        spans.extend(value.map(|it| at + it.start..at + it.end));
        at = (at + line.len() + 1).min(text.len());
    }
    (!spans.is_empty()).then_some(spans)
}

fn is_child_secret(value: &[u8]) -> bool {
    let is_word = || value.iter().all(u8::is_ascii_alphanumeric) && value.len() >= MIN_CELL;
    is_strong(value) || is_word() && is_secret(value, Form::Quoted)
}

/// The value in a line `key: value` or `key = value`.
fn child(line: &[u8]) -> Option<Range<usize>> {
    let operator = memchr::memchr2(b':', b'=', line)?;
    let is_mark = |it: &&u8| matches!(**it, b' ' | b'"' | b'\'' | b'`');
    let start = operator + 1 + line[operator + 1..].iter().take_while(is_mark).count();
    let is_letter = |it: &&u8| !matches!(**it, b' ' | b'"' | b'\'' | b'`' | b',' | b'\r');
    let length = line[start..].iter().take_while(is_letter).count();
    (length > 0).then_some(start..start + length)
}

/// Secrets of the column with a name between `start` and `end`.
fn column(text: &[u8], start: usize, end: usize) -> Option<Vec<Range<usize>>> {
    let is_sql = |it: &u8| *it == b'(';
    let before =
        text[..start].iter().rev().take(MAX_ROW).take_while(|it| **it != b'\n' && !is_sql(it));
    let line = start - before.count();
    let is_sql = line > 0 && is_sql(&text[line - 1]);
    let closes = |it: &&u8| **it != if is_sql { b')' } else { b'\n' };
    let header = line..end + text[end..].iter().take(MAX_ROW).take_while(closes).count();
    let head = &text[header.clone()];
    let is_name = |it: &u8| it.is_ascii_alphanumeric() || b" _-,;|\t\"'`.\r".contains(it);
    head.iter().all(is_name).then_some(())?;
    let separator = *b"|\t;,".iter().find(|it| head.contains(it))?;
    let cells = |row: &[u8]| memchr::memchr_iter(separator, row).count();
    let (number, place) = (cells(head), cells(&text[line..start]));
    let mut at = header.end;
    if is_sql {
        let next = text[at..].iter().take(MAX_ROW).position(|it| *it == b'(');
        at += next.filter(|it| {
            text[at..at + it].to_ascii_uppercase().trim_ascii().ends_with(b"VALUES")
        })?;
    }
    let mut spans = Vec::new();
    for row in 0..MAX_ROWS {
        at += 1;
        let limit = text.len().min(at + MAX_ROW);
        let end = memchr::memchr(if is_sql { b')' } else { b'\n' }, text.get(at..limit)?)
            .map_or(limit, |it| at + it);
        if cells(&text[at..end]) != number || row == MAX_MISSES && spans.is_empty() {
            break;
        }
        spans.extend(cell(text, at..end, separator, place));
        at = end;
        if is_sql {
            at += text[at..].iter().take(8).position(|it| *it == b'(').unwrap_or(0);
        }
        if text.len() <= at + 1 {
            break;
        }
    }
    (!spans.is_empty()).then_some(spans)
}

/// The secret in a cell of a row.
fn cell(text: &[u8], row: Range<usize>, separator: u8, place: usize) -> Option<Range<usize>> {
    let mut start = row.start;
    for _ in 0..place {
        start += memchr::memchr(separator, &text[start..row.end])? + 1;
    }
    let end = memchr::memchr(separator, &text[start..row.end]).map_or(row.end, |it| start + it);
    let is_mark = |it: &&u8| matches!(**it, b' ' | b'"' | b'\'' | b'`' | b'\r');
    let start = start + text[start..end].iter().take_while(is_mark).count();
    let end = end - text[start..end].iter().rev().take_while(is_mark).count();
    let cell = &text[start..end];
    let is_word = cell.len() >= MIN_CELL && !cell.contains(&b'"');
    (is_word && is_secret(cell, Form::Quoted)).then_some(start..end)
}
