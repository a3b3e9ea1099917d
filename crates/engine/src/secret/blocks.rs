//! Private keys in blocks of several lines.

use std::ops::Range;

use super::cursor::{Cursor, run_of};
use super::plausible::{Form, decoded, entropy, is_mixed, is_random, is_secret};
use crate::preset::constants::secret::KEY_LINE_ENTROPY;

/// Maximum length of a block; the largest RSA keys in use have about 12 kB.
const MAX_BLOCK: usize = 64 << 10;

/// Length of the first Base64 run of a key, whose lines have 64 characters or more. Code between two constants with the
/// first and last line of a block has no such run.
const MIN_FIRST_RUN: usize = 32;

/// Maximum length of a JSON web key on each side of its type: RSA keys of 4,096 bits have some 3,300 letters.
const MAX_JWK: usize = 4096;

/// Maximum length of the words of a wallet.
const MAX_WORDS: usize = 24 * 9;

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

/// Length of the shortest key without a block, of 32 bytes in a structure.
const MIN_BODY: usize = 48;

/// Letters of a structure before the part that all keys of a kind have.
const MAX_HEAD: usize = 8;

/// A private key in Base64, as PKCS #1, PKCS #8, SEC 1 or OpenSSH, or a whole block; the anchor is what all have at their
/// beginning. The following lines belong to it.
pub(super) fn encoded(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let before = text[..anchor.start].iter().rev().take(MAX_HEAD + 1);
    let head = before.take_while(|it| is_base64(**it)).count();
    (head <= MAX_HEAD).then_some(())?;
    let start = anchor.start - head;
    let limit = text.len().min(start + MAX_BLOCK);
    let mut run = run_of(&text[..limit], start, is_base64);
    let first = &text[run.clone()];
    (first.len() >= MIN_BODY && is_random(first) && !is_public(first)).then_some(())?;
    let mut spans = vec![run.clone()];
    loop {
        let mut it = Cursor { text: &text[..limit], at: run.end };
        it.any(b"\"'\\nr\n\r +,\t", 40);
        run = run_of(&text[..limit], it.at, is_base64);
        if run.len() < MIN_FIRST_RUN || !is_mixed(&text[run.clone()]) {
            return Some(spans);
        }
        spans.push(run.clone());
    }
}

/// Whether a block in Base64 is a certificate or a public key.
fn is_public(run: &[u8]) -> bool {
    run.starts_with(b"LS0t") && memchr::memmem::find(&decoded(run), b"PRIVATE").is_none()
}

/// The private numbers of a JSON web key; the anchor is the name of its type.
pub(super) fn jwk(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    const NAMES: [&[u8]; 7] = [b"d", b"p", b"q", b"dp", b"dq", b"qi", b"k"];
    let limit = text.len().min(anchor.end + MAX_JWK);
    let next =
        memchr::memmem::find(&text[anchor.end..limit], b"kty").map_or(limit, |it| anchor.end + it);
    let end = memchr::memchr(b'}', &text[anchor.end..next]).map_or(next, |it| anchor.end + it);
    let from = anchor.start.saturating_sub(MAX_JWK);
    let start = memchr::memrchr2(b'{', b'}', &text[from..anchor.start])
        .map_or(anchor.start, |it| from + it);
    let mut spans = Vec::new();
    for name in memchr::memchr2_iter(b'"', b'\'', &text[start..end]).map(|it| start + it + 1) {
        let mut it = Cursor { text: &text[..end], at: name };
        let name = it.run(2, |letter| letter.is_ascii_alphabetic());
        let is_closed = !it.any(b"\"'\\", 2).is_empty();
        if is_closed && NAMES.contains(&&text[name]) && !it.any(b": \"'\\", 8).is_empty() {
            let span = it.run(MAX_JWK, |letter| is_base64(letter) || matches!(letter, b'-' | b'_'));
            spans.extend(is_secret(&text[span.clone()], Form::Quoted).then_some(span));
        }
    }
    (!spans.is_empty()).then_some(spans)
}

/// The words of a wallet: `mnemonic = "twelve words …"`. Those of manuals repeat one word.
pub(super) fn mnemonic(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut it = Cursor { text, at: anchor.end };
    it.run(8, |letter| letter.is_ascii_alphabetic());
    it.any(b"\"'`: =\t,)(", 8);
    let span = it.run(MAX_WORDS, |letter| letter.is_ascii_lowercase() || letter == b' ');
    let words: Vec<&[u8]> = text[span.clone()].split(|it| *it == b' ').collect();
    let mut kinds = words.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let is_word = |it: &&[u8]| (3..=8).contains(&it.len());
    let is_key = matches!(words.len(), 12 | 15 | 18 | 21 | 24) && words.iter().all(is_word);
    (is_key && kinds.len() > words.len() / 2).then(|| vec![span])
}
