//! Secrets of Kubernetes: the values below `data` and `stringData` in a manifest of the kind `Secret`.

use std::ops::Range;

use super::plausible::{Form, is_base64, is_secret};

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
