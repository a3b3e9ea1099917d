//! Passwords and tokens in headers, and in the settings of registries.

use std::ops::Range;

use super::cursor::{Cursor, run_within};
use super::plausible::{Form, decoded, is_base64, is_random, is_secret};
use super::shapes::continues_word;
use super::values;

/// Maximum length of a token in a header, and of user and password in Base64.
const MAX_TOKEN: usize = 2048;

/// Length of the shortest token in a header that is masked.
const MIN_TOKEN: usize = 20;

/// Maximum length of the name of a scheme.
const MAX_SCHEME: usize = 16;

/// `Basic` and user and password in Base64.
pub(super) fn basic(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    matches!(text[..anchor.start].last(), Some(b'B' | b'b')).then_some(())?;
    let span = run_within(text, anchor.end, MAX_TOKEN, is_base64)?;
    is_user_and_password(&text[span.clone()]).then(|| vec![span])
}

/// `Bearer` and a token; JSON web tokens have their own rule.
pub(super) fn bearer(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    matches!(text[..anchor.start].last(), Some(b'B' | b'b')).then_some(())?;
    let span = run_within(text, anchor.end, MAX_TOKEN, is_token)?;
    let token = &text[span.clone()];
    let is_whole = span.len() >= MIN_TOKEN && !token.starts_with(b"eyJ");
    (is_whole && is_secret(token, Form::Quoted)).then(|| vec![span])
}

/// User and password in Base64, or a password, in the settings of a registry.
pub(super) fn registry(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let end = anchor.end - usize::from(text[anchor.end - 1] == b'"');
    let value = values::after(text, anchor.start..end)?;
    is_user_and_password(&text[value.span.clone()]).then(|| vec![value.span])
}

fn is_user_and_password(encoded: &[u8]) -> bool {
    if encoded.len() < 12 || !encoded.iter().all(|it| is_base64(*it)) {
        return false;
    }
    let text = decoded(encoded);
    let colon = text.iter().position(|it| *it == b':');
    match colon.filter(|it| *it > 2 && !text[..*it].iter().any(u8::is_ascii_control)) {
        Some(colon) => is_secret(&text[colon + 1..], Form::Quoted),
        None => encoded.len() >= MIN_TOKEN && is_secret(encoded, Form::Quoted),
    }
}

/// The token after the scheme of an `Authorization` header; `Basic` and `Bearer` have their own rules.
pub(super) fn authorization(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    matches!(text[..anchor.start].last(), Some(b'A' | b'a')).then_some(())?;
    let mut it = Cursor { text, at: anchor.end };
    it.any(b"\"'`\\]", 4);
    it.any(b" \t", 4);
    let operator = it.any(b":=,>", 2);
    it.any(b" \t", 4);
    // A pair: `"name": "Authorization", "value": "…"`.
    it.any(b"\"'`\\", 2);
    if it.eat(b"value\"") {
        it.any(b" :\"", 4);
    }
    let token = it;
    let scheme = it.run(MAX_SCHEME, |letter| letter.is_ascii_alphabetic() || letter == b'-');
    let is = |name: &[u8]| text[scheme.clone()].eq_ignore_ascii_case(name);
    let is_scheme = !operator.is_empty() && !scheme.is_empty() && !is(b"basic") && !is(b"bearer");
    let at = if matches!(it.peek(), b' ' | b'=') { it.at + 1 } else { token.at };
    (is_scheme || at == token.at && !operator.is_empty()).then_some(())?;
    let span = run_within(text, at, MAX_TOKEN, is_token)?;
    // A scheme with a digit in it, such as `AWS4-HMAC-SHA256`, has its token behind a blank.
    let is_last = at > token.at || text.get(span.end) != Some(&b' ');
    (is_last && span.len() >= MIN_TOKEN && is_secret(&text[span.clone()], Form::Quoted))
        .then(|| vec![span])
}

/// A letter of a token in a header.
fn is_token(letter: u8) -> bool {
    is_base64(letter) || b"-._~".contains(&letter)
}

/// Three parts: the number of a bot in Base64, a time, and a signature.
pub(super) fn discord(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    /// Least and greatest lengths.
    const PARTS: [(usize, usize); 3] = [(22, 28), (6, 7), (27, 40)];
    if continues_word(text, anchor.start) {
        return None;
    }
    let mut end = anchor.start;
    for (at, (least, most)) in PARTS.into_iter().enumerate() {
        let is_letter = |it: u8| it.is_ascii_alphanumeric() || b"_-".contains(&it);
        let part = run_within(text, end, most, is_letter)?;
        if part.len() < least || at < 2 && text.get(part.end) != Some(&b'.') {
            return None;
        }
        end = part.end + usize::from(at < 2);
    }
    let span = anchor.start..end;
    is_random(&text[span.clone()]).then(|| vec![span])
}
