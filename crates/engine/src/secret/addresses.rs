//! Secrets within longer texts: passwords and signatures of addresses, tokens of several parts.

use std::ops::Range;

use super::cursor::{run_of, run_within};
use super::plausible::{Form, entropy, is_public, is_random, is_secret};
use crate::preset::constants::secret::SIGNATURE_ENTROPY;

/// Hosts of examples and local machines, whose passwords protect nothing (RFC 2606, RFC 6761).
const LOCAL: &[&str] = &["localhost", "127.0.0.1", "0.0.0.0", "[::1]", "host.docker.internal"];
const RESERVED: &[&str] =
    &[".example", ".test", ".invalid", ".localhost", "example.com", "example.org", "example.net"];

/// Maximum length of `user:password@host`.
const MAX_AUTHORITY: usize = 2048;

/// Length of the shortest token in the place of a user.
const MIN_USER: usize = 20;

/// Lengths of signatures: 32 bytes in Base64 and longer, percent-encoded.
const MIN_SIGNATURE: usize = 40;
const MAX_SIGNATURE: usize = 200;

/// Maximum length of the path of a webhook, and length of the shortest key in it: Slack's.
const MAX_WEBHOOK: usize = 256;
const MIN_WEBHOOK: usize = 24;

/// The password in `scheme://user:password@host`; the anchor is `://`.
pub(super) fn password(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let scheme = text[..anchor.start].last().is_some_and(u8::is_ascii_alphanumeric);
    scheme.then_some(())?;
    let ends = |it: u8| {
        it.is_ascii_whitespace() || !it.is_ascii() || br#"/?#"'<>`\,;(){}|$"#.contains(&it)
    };
    let authority = run_within(text, anchor.end, MAX_AUTHORITY, |it| !ends(it))?;
    let at = authority.start + memchr::memrchr(b'@', &text[authority.clone()])?;
    let colon = memchr::memchr(b':', &text[authority.start..at]);
    let user = authority.start..colon.map_or(at, |it| authority.start + it);
    let host = &text[at + 1..authority.end];
    is_remote(host).then_some(())?;
    let span = at.min(user.end + 1)..at;
    if is_password(&text[span.clone()], &text[user.clone()]) {
        return Some(vec![span]);
    }
    // A token instead of a user; Sentry's is shown to everybody.
    let is_token = user.len() >= MIN_USER && is_secret(&text[user.clone()], Form::Quoted);
    let is_site = matches!(
        &text[..anchor.start],
        [.., b'h', b't', b't', b'p'] | [.., b'h', b't', b't', b'p', b's']
    );
    let is_public = !is_site || memchr::memmem::find(host, b"sentry").is_some();
    (is_token && !is_public).then(|| vec![user])
}

/// The password in `user:password@tcp(host)`, which Go's drivers read.
pub(super) fn driver(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let before = &text[anchor.start.saturating_sub(MAX_WEBHOOK)..anchor.start];
    let is_part = |it: &&u8| it.is_ascii_graphic() && !matches!(**it, b':' | b'"' | b'\'' | b'`');
    let length = before.iter().rev().take_while(is_part).count();
    let span = anchor.start - length..anchor.start;
    let is_password =
        text[..span.start].ends_with(b":") && is_secret(&text[span.clone()], Form::Quoted);
    is_password.then(|| vec![span])
}

/// The password in `jdbc:oracle:thin:user/password@host`.
pub(super) fn oracle(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let is_letter = |it: u8| it.is_ascii_graphic() && !matches!(it, b'"' | b'\'' | b'@');
    let both = run_within(text, anchor.end, MAX_WEBHOOK, is_letter)?;
    let slash = memchr::memchr(b'/', &text[both.clone()])?;
    let span = both.start + slash + 1..both.end;
    let is_password =
        text.get(both.end) == Some(&b'@') && is_secret(&text[span.clone()], Form::Quoted);
    is_password.then(|| vec![span])
}

fn is_password(password: &[u8], user: &[u8]) -> bool {
    password != user && is_secret(password, Form::Quoted)
}

fn is_remote(host: &[u8]) -> bool {
    let host = String::from_utf8_lossy(host).to_ascii_lowercase();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) => name,
        _ => &host,
    };
    !name.is_empty() && !LOCAL.contains(&name) && !RESERVED.iter().any(|it| name.ends_with(it))
}

/// The key in the path of a webhook's address, and what follows it.
pub(super) fn webhook(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let is_path = |it: u8| it.is_ascii_alphanumeric() || b"/_-".contains(&it);
    let path = run_within(text, anchor.end, MAX_WEBHOOK, is_path)?;
    let mut start = path.start;
    for part in text[path.clone()].split(|it| *it == b'/') {
        if part.len() >= MIN_WEBHOOK && is_random(part) {
            let span = start..path.end;
            return Some(vec![span]);
        }
        start += part.len() + 1;
    }
    None
}

/// The token of a bot in an address of Telegram's: digits, `:` and 35 letters.
pub(super) fn bot(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    const SECRET_CHARS: usize = 35;
    let id = run_within(text, anchor.end, 10, |it| it.is_ascii_digit())?;
    (id.len() >= 8 && text.get(id.end) == Some(&b':')).then_some(())?;
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || b"_-".contains(&it);
    let secret = run_within(text, id.end + 1, SECRET_CHARS, is_letter)?;
    let is_token = secret.len() == SECRET_CHARS && is_random(&text[secret.clone()]);
    let span = id.start..secret.end;
    is_token.then(|| vec![span])
}

/// The signature in the query of an address: Base64, often percent-encoded.
pub(super) fn signature(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let is_parameter = matches!(text[..anchor.start].last(), Some(b'?' | b'&' | b';'));
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || b"%+/=_-".contains(&it);
    let span = run_within(text, anchor.end, MAX_SIGNATURE, is_letter)?;
    let is_secret = is_parameter && span.len() >= MIN_SIGNATURE && is_random(&text[span.clone()]);
    is_secret.then(|| vec![span])
}

/// The payload and signature of a token; the header alone only names the algorithm.
pub(super) fn jwt(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    /// Minimum lengths: `{"alg":"HS256"}`, a claim, 20 bytes.
    const LEAST: [usize; 3] = [20, 16, 27];
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    if anchor.start > 0 && is_letter(text[anchor.start - 1]) {
        return None;
    }
    let mut end = anchor.start;
    let mut second = end;
    for (part, least) in LEAST.into_iter().enumerate() {
        let letters = run_of(text, end, is_letter);
        let is_object = part == 2 || text[letters.start..].starts_with(b"eyJ");
        let is_last = part == 2 || text.get(letters.end) == Some(&b'.');
        if letters.len() < least || !is_object || !is_last {
            return None;
        }
        second = if part == 1 { letters.start } else { second };
        end = letters.end + usize::from(part < 2);
    }
    let signature = memchr::memrchr(b'.', &text[second..end])? + second + 1..end;
    let span = second..end;
    let signature = &text[signature];
    (entropy(signature) >= SIGNATURE_ENTROPY && !is_public(signature)).then(|| vec![span])
}
