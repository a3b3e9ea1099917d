//! Distinguishes random characters from placeholders and words.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::rarity::pieces;
use crate::preset::constants::secret::{
    GENERATED, GENERATED_PIECES, MIN_PASSWORD, PASSWORD_PIECES, PATTERN_LENGTH, TOKEN_ENTROPY,
    WORD_PIECES,
};

/// Parts of placeholders, in lower case; each has at least four letters, so that random text rarely contains it.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "xxxx",
    "your",
    "fake",
    "dummy",
    "sample",
    "placeholder",
    "redacted",
    "changeme",
    "jbswy3dpehpk3px",
    "change-me",
    "change_me",
    "insert",
    "replace",
    "mock",
    "notreal",
    "not-real",
    "todo",
    "asdf",
    "qwer",
    "pbkdf2",
    "hmacsha",
    "iso-8859",
    "aws4_request",
];

/// Words of tokens that protect nothing, and of passwords that everybody knows; a password may contain one.
const WORDS: &[&str] = &[
    "password",
    "passwort",
    "passwd",
    "passphrase",
    "pass",
    "pwd",
    "secret",
    "token",
    "access",
    "credential",
    "login",
    "admin",
    "root",
    "guest",
    "user",
    "test",
    "foobar",
    "foo",
    "bar",
    "baz",
    "qux",
    "hello",
    "world",
    "hunter2",
    "postgres",
    "mysql",
    "mongo",
    "redis",
    "welcome",
    "letmein",
    "qwerty",
    "super",
    "default",
    "private",
    "key",
    "abc",
    "def",
    "123",
    "my",
];

static PLACEHOLDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let built = AhoCorasick::builder().ascii_case_insensitive(true).build(PLACEHOLDERS);
    built.expect("a few short words")
});

static WORD: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(WORDS);
    built.expect("a few short words")
});

/// Length of the part of a value that is judged. Texts can repeat a name in every few letters of a long value.
const MAX_JUDGED: usize = 128;

/// Keys that are printed in manuals: of Azure's storage emulator, signatures of the tokens on jwt.io, Stripe's test keys,
/// and the first accounts of Hardhat's and Anvil's networks, and the examples of RFC 6749, 6750 and 7662.
const PUBLIC: &[&[u8]] = &[
    b"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
    b"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    b"TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ",
    b"4eC39HqLyjWDarjtT1zdp7dc",
    b"BQokikJOvBiI2HlWgH4olfQ2",
    b"gX1fBat3",
    b"tGzv3JOkF0XG5Qx2TlKWIA",
    b"2YotnFZFEjr1zCsicMWpAA",
    b"SplxlOBeZQQYbYS6WxSbIA",
    b"mF_9.B5f-4.1JqM",
    b"23410913-abewfq.123483",
    b"ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
    b"59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
];

/// Whether the characters after a maker's prefix are random enough for a secret.
pub(super) fn is_random(body: &[u8]) -> bool {
    let lower = body.to_ascii_lowercase();
    let has = |word: &str| memchr::memmem::find(&lower, word.as_bytes()).is_some();
    entropy(body) >= TOKEN_ENTROPY
        && (is_mixed(body) || pieces(body) >= PASSWORD_PIECES)
        && !is_placeholder(body)
        && !["secret", "token", "test"].into_iter().any(has)
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Between quotes or tags, or where nothing but a secret can be.
    Quoted,
    /// As a word, which may also be a variable.
    Bare,
}

/// Whether a value that is assigned to the name of a secret is one.
pub(super) fn is_secret(value: &[u8], form: Form) -> bool {
    let plain = plain_text(value).unwrap_or_else(|| without_escapes(value));
    let value = &plain[..plain.len().min(MAX_JUDGED)];
    let has = |is: fn(&u8) -> bool| value.iter().any(is);
    let (least, is_mixed) = match form {
        Form::Quoted => (PASSWORD_PIECES, is_mixed(value) || is_generated(value)),
        Form::Bare => {
            let is_word = !has(u8::is_ascii_digit) && !is_generated(value) && !is_marked(value);
            (WORD_PIECES, !is_word && !is_assignment(value))
        }
    };
    value.len() >= MIN_PASSWORD
        && has(u8::is_ascii_alphabetic)
        && (value.iter().all(u8::is_ascii_graphic) || is_noise(value))
        && is_mixed
        && !is_expression(value)
        && pieces(value) >= least
        && !is_placeholder(value)
        && letters_without_words(value) >= MIN_RARE
}

/// Whether a word can be nothing else than a secret, where neither a name nor a quote says so: digits and letters of both
/// cases, in so many pieces that no name in code has them.
pub(super) fn is_strong(word: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| word.iter().any(is);
    word.len() >= MIN_STRONG
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && !word.iter().any(|it| b":=@".contains(it))
        && (word.len() >= MIN_KEY || !word.contains(&b'/'))
        && pieces(word) >= PASSWORD_PIECES
        && is_secret(word, Form::Bare)
}

/// True for letters that are too rare for words, such as passwords that a mail server makes.
fn is_generated(value: &[u8]) -> bool {
    value.len() >= GENERATED
        && value.iter().all(u8::is_ascii_alphabetic)
        && pieces(value) >= GENERATED_PIECES
}

/// Whether letters of both cases have a mark between them that names do not have.
fn is_marked(value: &[u8]) -> bool {
    let is_inside = |it: &[u8]| {
        it[0].is_ascii_alphabetic() && b"!#%^$*".contains(&it[1]) && it[2].is_ascii_alphabetic()
    };
    is_mixed(value) && value.windows(3).any(is_inside)
}

/// Whether a word is a setting of its own, after an empty value: `token= limit=10`.
fn is_assignment(word: &[u8]) -> bool {
    memchr::memchr(b'=', word).is_some_and(|at| word[at..].iter().any(|it| *it != b'='))
}

/// What a short text in Base64 stands for, if that is text: `cGFzc3dvcmQ=` protects as little as `password`.
fn plain_text(value: &[u8]) -> Option<Vec<u8>> {
    let is_base64 = value.len().is_multiple_of(4)
        && value.len() < MAX_PLAIN
        && value.iter().all(|it| is_base64(*it));
    let plain = is_base64.then(|| decoded(value))?;
    let plain = plain.trim_ascii();
    let is_text = plain.len() > 3
        && plain[0] != b'{'
        && plain.iter().all(|it| it.is_ascii_graphic() || it.is_ascii_whitespace());
    is_text.then(|| plain.to_vec())
}

/// The characters that are not percent-encoded.
fn without_escapes(text: &[u8]) -> Vec<u8> {
    let mut parts = text.split(|it| *it == b'%');
    let first = parts.next().unwrap_or_default().to_vec();
    let is_escape = |it: &[u8]| it.len() >= 2 && it[..2].iter().all(u8::is_ascii_hexdigit);
    parts.fold(first, |mut res, part| {
        res.extend_from_slice(if is_escape(part) { &part[2..] } else { part });
        res
    })
}

/// Longer texts in Base64 are settings with a secret in them.
const MAX_PLAIN: usize = 64;

/// Whether a letter is of Base64 or its padding.
pub(super) fn is_base64(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || b"+/=".contains(&letter)
}

/// The bytes that Base64 stands for, as far as it is Base64.
pub(super) fn decoded(text: &[u8]) -> Vec<u8> {
    let digit = |it: &u8| match it {
        b'A'..=b'Z' => Some(it - b'A'),
        b'a'..=b'z' => Some(it - b'a' + 26),
        b'0'..=b'9' => Some(it - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let (mut bits, mut n, mut res) = (0_u32, 0, Vec::new());
    for digit in text.iter().map_while(digit) {
        bits = bits << 6 | u32::from(digit);
        n += 6;
        if n >= 8 {
            n -= 8;
            res.push((bits >> n) as u8);
        }
    }
    res
}

/// Length of the shortest key in Base64; shorter words with slashes are paths.
const MIN_KEY: usize = 40;

/// Length of the shortest word that is a secret without a name.
const MIN_STRONG: usize = 12;

/// Least number of letters of a password that belong to no well-known word.
const MIN_RARE: usize = 7;

/// Whether a value is computed or names something else: a variable, a format, an address.
fn is_expression(value: &[u8]) -> bool {
    let has = |it: &[u8]| memchr::memmem::find(value, it).is_some();
    let brackets: [[&[u8]; 2]; 4] = [[b"{", b"}"], [b"(", b")"], [b"<", b">"], [b"[", b"]"]];
    let dots = memchr::memchr_iter(b'.', value).count();
    let is_bracketed = || brackets.iter().any(|[open, close]| has(open) && has(close));
    // A header and a payload without a signature are no token.
    value.starts_with(b"eyJ") && dots == 1
        || value.starts_with(b"arn:")
        || value[0] == b'$'
        || is_path(value)
        || is_time(value)
        || is_bracketed() && !is_noise(value)
        || [b"://".as_slice(), b"..", b"%s", b"%d", b"\\u", b":\""].into_iter().any(has)
        || is_number(value)
}

/// True for a long value with so many kinds of punctuation that it is neither code nor an expression: a key of Django's.
pub(super) fn is_noise(value: &[u8]) -> bool {
    /// Least length, and least kinds of marks.
    const LEAST: (usize, usize) = (40, 6);
    let is_kind = |mark: u8| mark.is_ascii_punctuation() && value.contains(&mark);
    let is_json = value.contains(&b'"') && value.contains(&b':');
    value.len() >= LEAST.0 && !is_json && (b'!'..=b'~').filter(|it| is_kind(*it)).count() >= LEAST.1
}

/// True for a value that begins with a date and a time: `2026-11-24T21:00:00Z`.
fn is_time(value: &[u8]) -> bool {
    const FORM: &[u8] = b"0000-00-00T00:00";
    let fits = |(letter, form): (&u8, &u8)| match form {
        b'0' => letter.is_ascii_digit(),
        _ => letter == form,
    };
    value.len() >= FORM.len() && value.iter().zip(FORM).all(fits)
}

/// Extensions of files that hold keys.
const FILES: &[&str] =
    &["pem", "key", "pub", "crt", "cer", "der", "p12", "pfx", "jks", "json", "txt"];

/// Whether a value names a file.
fn is_path(value: &[u8]) -> bool {
    let dot = memchr::memrchr(b'.', value).unwrap_or(value.len());
    let extension = value.get(dot + 1..).unwrap_or_default();
    let is_file = || FILES.iter().any(|it| it.as_bytes().eq_ignore_ascii_case(extension));
    is_file()
        || memchr::memchr_iter(b'/', value).count() > 1
            && (1..=7).contains(&extension.len())
            && extension.iter().all(u8::is_ascii_alphanumeric)
}

/// Whether a hexadecimal number is in a value. One of 256 bits is a key, as those of Ethereum.
fn is_number(value: &[u8]) -> bool {
    const KEY_BYTES: usize = 2 + 64;
    let starts = memchr::memmem::find_iter(value, b"0x");
    let is_start = |at: usize| at == 0 || !value[at - 1].is_ascii_alphanumeric();
    let is_key = value.len() == KEY_BYTES && value[2..].iter().all(u8::is_ascii_hexdigit);
    !is_key && starts.into_iter().any(is_start)
}

/// Number of characters in no well-known word, where digits may stand for letters: none in `P4ssw0rd`.
fn letters_without_words(value: &[u8]) -> usize {
    let plain = |it: &u8| match it.to_ascii_lowercase() {
        b'0' => b'o',
        b'1' | b'!' => b'i',
        b'3' => b'e',
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'7' => b't',
        letter => letter,
    };
    let mut is_in_word = vec![false; value.len()];
    let plain: Vec<u8> = value.iter().map(plain).collect();
    for text in [value.to_ascii_lowercase(), plain] {
        WORD.find_iter(&text).for_each(|it| is_in_word[it.range()].fill(true));
    }
    is_in_word.iter().filter(|it| !**it).count()
}

/// Whether everybody knows the characters.
pub(super) fn is_public(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"0x").unwrap_or(body);
    PUBLIC.iter().any(|it| body.starts_with(it))
}

/// Whether the characters are a placeholder.
pub(super) fn is_placeholder(body: &[u8]) -> bool {
    is_public(body) || PLACEHOLDER.is_match(body) || has_pattern(&body.to_ascii_lowercase())
}

/// Whether the characters include a digit or letters of both cases; identifiers in names usually have neither.
pub(super) fn is_mixed(body: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| body.iter().filter(|it| is(it)).count();
    count(u8::is_ascii_digit) > 0
        || (count(u8::is_ascii_uppercase) > 2 && count(u8::is_ascii_lowercase) > 2)
}

/// Shannon entropy in bits per character.
pub(super) fn entropy(body: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    body.iter().for_each(|it| counts[usize::from(*it)] += 1);
    let share = |count: &u32| f64::from(*count) / body.len() as f64;
    counts.iter().filter(|it| **it > 0).map(|it| -share(it) * share(it).log2()).sum()
}

/// Whether some characters in a row, or every second of them, are equal or consecutive: `aaaaa`, `12345`, `a1b2c3d4e5`.
fn has_pattern(body: &[u8]) -> bool {
    // Long random texts have short patterns, too.
    let least = PATTERN_LENGTH.max(body.len() / 6);
    let is_run = |distance: usize| {
        let mut length = 0;
        let mut last = 2;
        body.windows(distance + 1).any(|it| {
            let step = it[distance].wrapping_sub(it[0]);
            length = if step > 1 {
                0
            } else if step == last {
                length + 1
            } else {
                1
            };
            last = step;
            length + 1 >= least
        })
    };
    is_run(1) || is_run(2)
}
