//! Private keys in blocks of several lines.

use std::ops::Range;

use super::cursor::run_of;
use super::plausible::{entropy, is_mixed};
use crate::preset::constants::secret::KEY_LINE_ENTROPY;

/// Maximum length of a block; the largest RSA keys in use have about 12 kB.
const MAX_BLOCK: usize = 64 << 10;

/// Length of the first Base64 run of a key, whose lines have 64 characters or more. Code between two constants with the
/// first and last line of a block has no such run.
const MIN_FIRST_RUN: usize = 32;

/// Shorter runs are words such as headers or `end`.
const MIN_RUN: usize = 4;

/// A block from `-----BEGIN … PRIVATE KEY-----` to its end, also in string literals.
pub(super) fn pem(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    check_begin(text, anchor.start)?;
    let rest = &text[anchor.end..];
    let after = rest.strip_prefix(b" BLOCK").unwrap_or(rest).strip_prefix(b"-----")?;
    let body = text.len() - after.len();
    let limit = text.len().min(body + MAX_BLOCK);
    let end = memchr::memmem::find(&text[body..limit], b"-----").map(|it| body + it);
    letters(text, body..end.unwrap_or(limit))
}

/// Checks that `-----BEGIN ` and the kind of key end at `at`.
fn check_begin(text: &[u8], at: usize) -> Option<()> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    const MAX_KIND: usize = 24;
    let from = at.saturating_sub(BEGIN.len() + MAX_KIND);
    let begin = memchr::memmem::rfind(&text[from..at], BEGIN)? + from;
    let kind = &text[begin + BEGIN.len()..at];
    let is_kind = |it: &u8| it.is_ascii_uppercase() || it.is_ascii_digit() || *it == b' ';
    kind.iter().all(is_kind).then_some(())
}

/// The lines after `Private-Lines: N` in a PuTTY key.
pub(super) fn putty(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let count = run_of(text, anchor.end, |it| it.is_ascii_digit());
    let count: usize = std::str::from_utf8(&text[count]).ok()?.parse().ok()?;
    let limit = text.len().min(anchor.end + MAX_BLOCK);
    // A key ends before its `Private-MAC`. Blocks never overlap, so that many anchors cost no more than one.
    let next = memchr::memmem::find(&text[anchor.end..limit], b"Private-");
    let limit = next.map_or(limit, |it| anchor.end + it);
    let mut ends = memchr::memchr_iter(b'\n', &text[anchor.end..limit]).map(|it| anchor.end + it);
    let start = ends.next()?;
    let end = ends.take(count).last().unwrap_or(limit);
    letters(text, start..end)
}

/// The Base64 runs in a block, from the first that can be a line of a key.
fn letters(text: &[u8], block: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut runs = Vec::new();
    let mut at = block.start;
    while at < block.end {
        match text[at] {
            // An escape such as `\n` is not part of the key.
            b'\\' => at += 2,
            it if is_base64(it) => {
                let run = run_of(&text[..block.end], at, is_base64);
                at = run.end;
                let is_first = runs.is_empty();
                if run.len() >= MIN_RUN && (!is_first || is_key(&text[run.clone()])) {
                    runs.push(run);
                }
            }
            _ => at += 1,
        }
    }
    (!runs.is_empty()).then_some(runs)
}

fn is_key(run: &[u8]) -> bool {
    run.len() >= MIN_FIRST_RUN && is_mixed(run) && entropy(run) >= KEY_LINE_ENTROPY
}

fn is_base64(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, b'+' | b'/' | b'=')
}
