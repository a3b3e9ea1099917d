//! Secrets that are arguments: of calls with a known order, and behind the public half of a pair.

use std::ops::Range;

use super::cursor::Cursor;
use super::plausible::{Form, is_base64, is_secret};
use super::shapes::Alphabet::{Base62, Hex, Upper};
use super::shapes::token;
use super::values;

/// Maximum length of a call up to its secret.
const MAX_CALL: usize = 240;

/// Length of the shortest key that is an argument of any client; shorter ones are names of regions and services.
const MIN_CLIENT: usize = 32;

/// Length of an AWS secret access key.
const AWS_SECRET_CHARS: usize = 40;

/// The password in `getConnection(address, user, "password")`.
pub(super) fn third_argument(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    argument(text, anchor.end, 2)
}

/// The key in `sign(payload, "key")`.
pub(super) fn second_argument(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    argument(text, anchor.end, 1)
}

/// The key in `Client("key")` and `Client("address", "key")`.
pub(super) fn client(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let only = values::literal(text, anchor.end).map(|it| vec![it]);
    only.and_then(|it| key(text, it)).or_else(|| key(text, argument(text, anchor.end, 1)?))
}

/// A key that is long enough for a place where other arguments can be.
fn key(text: &[u8], spans: Vec<Range<usize>>) -> Option<Vec<Range<usize>>> {
    let is_key = |it: &u8| is_base64(*it) || matches!(it, b'_' | b'-');
    let key = &text[spans[0].clone()];
    let is_secret =
        key.len() >= MIN_CLIENT && key.iter().all(is_key) && is_secret(key, Form::Quoted);
    is_secret.then_some(spans)
}

/// The secret behind the public key of Razorpay.
pub(super) fn razorpay(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let id = token(text, anchor.start, anchor.end, (Base62, 14, 14))?;
    beside(text, id.end).map(|it| vec![it])
}

/// The string literal after some commas of a call.
fn argument(text: &[u8], at: usize, commas: usize) -> Option<Vec<Range<usize>>> {
    let end = text.len().min(at + MAX_CALL);
    let (mut quote, mut passed, mut depth) = (None, 0, 0_usize);
    for at in at..end {
        match (quote, text[at]) {
            (Some(open), it) => quote = (it != open).then_some(open),
            (None, it @ (b'"' | b'\'' | b'`')) => quote = Some(it),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            (None, b';') => return None,
            (None, b',') if depth == 0 => passed += 1,
            _ => {}
        }
        if passed == commas {
            return secret(text, values::literal(text, at + 1)?);
        }
    }
    None
}

/// An access key of AWS, and the secret key that follows it.
pub(super) fn aws(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let id = token(text, anchor.start, anchor.end, (Upper, 16, 16))?;
    let secret = beside(text, id.end).filter(|it| {
        it.len() == AWS_SECRET_CHARS && text[it.clone()].iter().all(|letter| is_base64(*letter))
    });
    Some([Some(id), secret].into_iter().flatten().collect())
}

/// An access key of Alibaba, and the secret key that follows it.
pub(super) fn alibaba(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let id = token(text, anchor.start, anchor.end, (Base62, 12, 24))?;
    let secret = beside(text, id.end);
    Some([Some(id), secret].into_iter().flatten().collect())
}

/// The token behind an account of Twilio, whose number is public.
pub(super) fn twilio(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let account = token(text, anchor.start, anchor.end, (Hex, 32, 32))?;
    let is_hex = |it: &Range<usize>| text[it.clone()].iter().all(u8::is_ascii_hexdigit);
    beside(text, account.end).filter(|it| it.len() == 32 && is_hex(it)).map(|it| vec![it])
}

/// The string literal after another and a comma, or the word after `:`.
fn beside(text: &[u8], id: usize) -> Option<Range<usize>> {
    let mut it = Cursor { text, at: id };
    it.any(b"\\\"'`", 2);
    it.any(b" \t", 4);
    let span = match it.peek() {
        b':' => values::argument(text, it.at + 1)?.span,
        b',' => values::literal(text, it.at + 1)?,
        _ => return None,
    };
    is_secret(&text[span.clone()], Form::Quoted).then_some(span)
}

/// The first account of a network, as an Ethereum key: `accounts: ["0x…"]`.
pub(super) fn account(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut it = Cursor { text, at: anchor.end };
    it.any(b"\"': =\t", 4);
    it.eat(b"[").then_some(())?;
    let span = values::literal(text, it.at)?;
    let start = span.start + if text[span.clone()].starts_with(b"0x") { 2 } else { 0 };
    let is_key = span.end - start == 64 && text[start..span.end].iter().all(u8::is_ascii_hexdigit);
    is_key.then(|| secret(text, start..span.end))?
}

fn secret(text: &[u8], span: Range<usize>) -> Option<Vec<Range<usize>>> {
    is_secret(&text[span.clone()], Form::Quoted).then(|| vec![span])
}
