//! Passwords and tokens in headers, in the settings of registries, and on command lines.

use std::ops::Range;

use super::cursor::run_within;
use super::plausible::{Form, decoded, is_base64, is_random, is_secret};
use super::shapes::continues_word;
use super::values;

/// Maximum length of a token in a header, and of user and password in Base64.
const MAX_TOKEN: usize = 2048;

/// Length of the shortest token in a header that is masked.
const MIN_TOKEN: usize = 20;

/// Maximum length of a command or a call up to its password.
const MAX_COMMAND: usize = 240;

/// `Basic` and user and password in Base64.
pub(super) fn basic(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    matches!(text[..anchor.start].last(), Some(b'B' | b'b')).then_some(())?;
    let span = run_within(text, anchor.end, MAX_TOKEN, is_base64)?;
    is_user_and_password(&text[span.clone()]).then(|| vec![span])
}

/// `Bearer` and a token; JSON web tokens have their own rule.
pub(super) fn bearer(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    matches!(text[..anchor.start].last(), Some(b'B' | b'b')).then_some(())?;
    let is_token = |it: u8| is_base64(it) || b"-._~".contains(&it);
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

/// The password in `curl -u user:password`.
pub(super) fn user(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    matches!(text[..anchor.start].last(), Some(b' ' | b'\t')).then_some(())?;
    let value = values::argument(text, anchor.end)?;
    let colon = text[value.span.clone()].iter().position(|it| *it == b':')?;
    let span = value.span.start + colon + 1..value.span.end;
    // `user:'password'`
    let span = if span.is_empty() { values::literal(text, span.end)? } else { span };
    secret(text, span)
}

/// The password in `sshpass -p password`.
pub(super) fn argument(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    secret(text, values::argument(text, anchor.end)?.span)
}

/// The password between quotes in `-p'password'`; the anchor ends with the first.
pub(super) fn literal(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    secret(text, values::literal(text, anchor.end - 1)?)
}

/// The password in `redis-cli -h host -a password`.
pub(super) fn redis(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    const FLAG: &[u8] = b" -a ";
    let end = text.len().min(anchor.end + MAX_COMMAND);
    let line = &text[anchor.end - 1..end];
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let at = memchr::memmem::find(line, FLAG)? + anchor.end - 1 + FLAG.len();
    argument(text, at..at)
}

/// The password in `getConnection(address, user, "password")`.
pub(super) fn third_argument(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let end = text.len().min(anchor.end + MAX_COMMAND);
    let (mut quote, mut commas) = (None, 0);
    for at in anchor.end..end {
        match (quote, text[at]) {
            (Some(open), it) => quote = (it != open).then_some(open),
            (None, it @ (b'"' | b'\'')) => quote = Some(it),
            (None, b';' | b'{') => return None,
            (None, b',') => commas += 1,
            _ => {}
        }
        if commas == 2 {
            return secret(text, values::literal(text, at + 1)?);
        }
    }
    None
}

fn secret(text: &[u8], span: Range<usize>) -> Option<Vec<Range<usize>>> {
    is_secret(&text[span.clone()], Form::Quoted).then(|| vec![span])
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
