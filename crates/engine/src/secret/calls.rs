//! Secrets that are arguments: of calls with a known order, and behind the public half of a pair.

use std::ops::Range;

use super::cursor::{Cursor, run_within};
use super::plausible::{Form, decoded, is_base64, is_secret, is_strong};
use super::rarity::pieces;
use super::shapes::Alphabet::{Base62, Hex, Upper};
use super::shapes::token;
use super::values;
use crate::preset::constants::secret::LETTER_PIECES;

/// Maximum length of a call up to its secret.
const MAX_CALL: usize = 240;

/// Length of the shortest key that is an argument of any client; shorter ones are names of regions and services.
const MIN_CLIENT: usize = 24;

/// Length of the shortest key of one case.
const MIN_HEX: usize = 32;

/// Length of the longest key that is an argument of any call.
const MAX_KEY: usize = 100;

/// Length of an AWS secret access key.
const AWS_SECRET_CHARS: usize = 40;

/// The password in `connect(address, user, "password")`: any argument but the first.
pub(super) fn password(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let is_password = |it: &Range<usize>| is_secret(&text[it.clone()], Form::Quoted);
    let spans: Vec<_> = arguments(text, anchor.end, 1).into_iter().filter(is_password).collect();
    (!spans.is_empty()).then_some(spans)
}

/// The key in `Client("key")`, `Client("address", "key")` and `hmac("sha256", text, "key")`.
pub(super) fn client(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let is_key = |it: &Range<usize>| is_key(&text[it.clone()]);
    arguments(text, anchor.end, 0).into_iter().find(is_key).map(|it| vec![it])
}

/// A key that is an argument of any call: random letters of both cases and digits.
pub(super) fn any(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    let span = run_within(text, anchor.end, MAX_KEY, is_letter)?;
    let is_whole = text.get(span.end) == Some(&text[anchor.end - 1]);
    let key = &text[span.clone()];
    // UUIDs, and numbers of accounts after two letters.
    let is_number = |it: &[u8]| it.iter().all(|it| it.is_ascii_hexdigit() || *it == b'-');
    let is_word = is_unnamed(key) && !is_number(&key[key.len().min(2)..]);
    let is_key = span.len() >= MIN_CLIENT && is_whole && is_word && is_strong(key);
    (is_key && !is_text(key)).then(|| vec![span])
}

/// Whether a word is no name such as `TLS_DH_RSA_WITH_AES_128_CBC_SHA256` and `20260113203012_ChangeOwnerIdToGuid`: it has
/// few separators, and letters that are rare without the digits, too.
fn is_unnamed(word: &[u8]) -> bool {
    let marks = word.iter().filter(|it| matches!(it, b'_' | b'-')).count();
    let letters: Vec<u8> = word.iter().copied().filter(u8::is_ascii_alphabetic).collect();
    let is_hex = word.iter().all(u8::is_ascii_hexdigit);
    marks <= word.len() / 10 && (is_hex || pieces(&letters) >= LETTER_PIECES)
}

/// Whether letters are a text in Base64.
fn is_text(letters: &[u8]) -> bool {
    decoded(letters).iter().all(|it| it.is_ascii_graphic() || *it == b' ')
}

/// The key or password that is the only argument or the second: `login("key")`, `login("user", "password")`.
pub(super) fn login(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    client(text, anchor.clone()).or_else(|| password(text, anchor))
}

/// Whether a literal is long enough for a place where other arguments can be.
fn is_key(key: &[u8]) -> bool {
    let is_letter = |it: &u8| is_base64(*it) || matches!(it, b'_' | b'-');
    let key = key.strip_prefix(b"0x").filter(|it| it.len() == 64).unwrap_or(key);
    let is_long = key.len() >= MIN_HEX || key.len() >= MIN_CLIENT && is_strong(key);
    is_long && key.iter().all(is_letter) && is_unnamed(key) && is_secret(key, Form::Quoted)
}

/// The secret behind the public key of Razorpay.
pub(super) fn razorpay(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let id = token(text, anchor.start, anchor.end, (Base62, 14, 14))?;
    beside(text, id.end).map(|it| vec![it])
}

/// The string literals that are arguments of a call, from the one after `least` commas.
fn arguments(text: &[u8], at: usize, least: usize) -> Vec<Range<usize>> {
    let end = text.len().min(at + MAX_CALL);
    let (mut quote, mut commas, mut depth) = (None, 0, 0_usize);
    let mut res = Vec::new();
    res.extend((least == 0).then(|| values::literal(text, at)).flatten());
    for at in at..end {
        match (quote, text[at]) {
            (Some(open), it) => quote = (it != open).then_some(open),
            (None, it @ (b'"' | b'\'' | b'`')) => quote = Some(it),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') if depth > 0 => depth -= 1,
            (None, b')' | b']' | b'}' | b';') => break,
            (None, b',') if depth == 0 => {
                commas += 1;
                let literal = || values::literal(text, at + 1);
                res.extend((commas >= least).then(literal).flatten());
            }
            _ => {}
        }
    }
    res
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
