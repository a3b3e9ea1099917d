//! Secrets by the names that they are assigned to: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`.

use std::ops::Range;

use super::plausible::is_secret;
use super::values::{self, Value};

/// Words that make a key a secret; others are names of fields, caches and keyboards.
const KEYS: &[&str] = &[
    "access",
    "account",
    "admin",
    "api",
    "app",
    "application",
    "auth",
    "client",
    "consumer",
    "cookie",
    "crypto",
    "deploy",
    "encryption",
    "encrypt",
    "fernet",
    "function",
    "hmac",
    "ingest",
    "integration",
    "jwt",
    "license",
    "maps",
    "master",
    "private",
    "record",
    "sdk",
    "sec",
    "secret",
    "security",
    "server",
    "service",
    "session",
    "shared",
    "sign",
    "signing",
    "storage",
    "subscription",
    "webhook",
    "write",
];

/// What may follow in the name of a secret: `password2`, `SECRET_KEY_BASE`, `TOKEN_PROD`.
const ENDS: &[&str] = &[
    "",
    "word",
    "wd",
    "phrase",
    "base",
    "value",
    "val",
    "prod",
    "production",
    "live",
    "staging",
    "stage",
    "dev",
    "text",
    "string",
    "old",
    "new",
    "current",
    "previous",
    "primary",
    "secondary",
    "main",
    "default",
    "plain",
    "private",
    "s",
];

/// Words before `token`, `key` or `credential` in names of things that are shown to everybody.
const PUBLIC: &[&str] = &["public", "publickey", "publishable", "amz"];

/// Words before `token` in names of marks that serve once: of pages, of forms, of requests that are repeated.
const ONCE: &[&str] = &[
    "action",
    "authenticity",
    "backward",
    "change",
    "client",
    "continuation",
    "csrf",
    "csrfmiddleware",
    "forward",
    "idempotency",
    "lock",
    "next",
    "page",
    "request",
    "starting",
    "unit",
    "update",
    "xsrf",
];

/// Words before `-Key` in names of headers that hold no secret.
const HEADERS: &[&str] =
    &["cache", "idempotency", "ordering", "partition", "routing", "surrogate", "websocket"];

/// What `pass` may follow without a sign between; `minipass` is none.
const USERS: &[&str] = &[
    "admin", "auth", "db", "ftp", "http", "key", "mail", "my", "pg", "require", "root", "smtp",
    "sql", "ssh", "store", "user",
];

/// Length of the shortest token or key that is masked; passwords are shorter.
const MIN_TOKEN: usize = 12;

/// Maximum length of the part of a name that is read on each side.
const MAX_NAME: usize = 32;

/// The secret that is assigned to a name with one of the words.
pub(super) fn value(text: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    let before = before(text, word.start);
    let start = word.start - before.len();
    let rest = text[word.end..].iter().take(MAX_NAME).take_while(|it| is_name(**it)).count();
    let end = word.end + rest;
    let mut ends = text[word.end..end].split(|it| matches!(it, b'_' | b'-'));
    let word = &text[word];
    let is_pass = word.eq_ignore_ascii_case(b"pass");
    // In prose, `pass` is a verb.
    let is_verb = is_pass && rest == 0 && before.is_empty() && is_alone(text, end);
    if is_verb || !ends.all(is_end) || !is_name_of_secret(word, rest, before) {
        return None;
    }
    // `--db-password x`, also before other arguments.
    let argument = || before.starts_with(b"-").then(|| values::argument(text, end)).flatten();
    let Value { span, form } = values::after(text, start..end).or_else(argument)?;
    let is_long = is_pass || word.eq_ignore_ascii_case(b"pwd") || span.len() >= MIN_TOKEN;
    (is_long && is_secret(&text[span.clone()], form)).then_some(span)
}

/// Whether a word has neither a quote nor an operator after it.
fn is_alone(text: &[u8], end: usize) -> bool {
    let next = text[end..].iter().take(MAX_NAME).find(|it| !matches!(it, b' ' | b'\t'));
    text.get(end).is_some_and(u8::is_ascii_whitespace) && !matches!(next, Some(b'=' | b':'))
}

fn is_name(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-')
}

/// The part of the name before the word.
fn before(text: &[u8], start: usize) -> &[u8] {
    let is_part = |it: &&u8| is_name(**it) || **it == b'.';
    let length = text[..start].iter().rev().take(MAX_NAME).take_while(is_part).count();
    &text[start - length..start]
}

/// True for names in the style of HTTP headers: `X-Service-Key`.
fn is_header(before: &[u8]) -> bool {
    before.last() == Some(&b'-') && before[0].is_ascii_uppercase()
}

fn is_end(word: &[u8]) -> bool {
    let digits = word.iter().rev().take_while(|it| it.is_ascii_digit()).count();
    let word = &word[..word.len() - digits];
    ENDS.iter().any(|it| it.as_bytes().eq_ignore_ascii_case(word))
}

fn is_name_of_secret(word: &[u8], rest: usize, before: &[u8]) -> bool {
    let name =
        before.strip_suffix(b"_").or(before.strip_suffix(b"-")).or(before.strip_suffix(b"."));
    let name = name.unwrap_or(before);
    let ends_with = |it: &&str| {
        name.len() >= it.len() && name[name.len() - it.len()..].eq_ignore_ascii_case(it.as_bytes())
    };
    match word {
        b"Key" if is_header(before) => !HEADERS.iter().any(ends_with),
        b"key" | b"Key" | b"KEY" => KEYS.iter().any(ends_with),
        b"pass" if rest == 0 && before.last().is_some_and(u8::is_ascii_lowercase) => {
            USERS.iter().any(ends_with)
        }
        b"token" | b"Token" | b"TOKEN" => !PUBLIC.iter().chain(ONCE).any(ends_with),
        _ => !PUBLIC.iter().any(ends_with),
    }
}
