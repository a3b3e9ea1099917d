//! Secrets within longer texts: addresses with passwords, settings with keys, tokens of several parts.

use std::ops::Range;

use super::plausible::{entropy, is_mixed, is_placeholder, is_random};
use super::runs::{run_of, run_within};
use crate::preset::constants::secret::{PASSWORD_ENTROPY, SIGNATURE_ENTROPY, STORAGE_KEY_ENTROPY};

/// Schemes of addresses with user and password.
const SCHEMES: &[&str] = &[
    "amqp",
    "amqps",
    "clickhouse",
    "cockroachdb",
    "ftp",
    "ftps",
    "http",
    "https",
    "jdbc",
    "ldap",
    "ldaps",
    "mariadb",
    "mongodb",
    "mongodb+srv",
    "mqtt",
    "mssql",
    "mysql",
    "mysql2",
    "nats",
    "postgis",
    "postgres",
    "postgresql",
    "redis",
    "rediss",
    "sftp",
    "smtp",
    "smtps",
    "snowflake",
    "sqlserver",
];

/// Hosts of examples and local machines, whose passwords protect nothing (RFC 2606, RFC 6761).
const LOCAL: &[&str] = &["localhost", "127.0.0.1", "0.0.0.0", "[::1]", "host.docker.internal"];
const RESERVED: &[&str] =
    &[".example", ".test", ".invalid", ".localhost", "example.com", "example.org", "example.net"];

/// Words of passwords that protect nothing, in lower case.
const WORDS: &[&str] = &[
    "pass", "pwd", "user", "root", "admin", "guest", "postgres", "mysql", "mongo", "redis", "foo",
    "bar", "hunter2",
];

/// Length of the shortest password that is masked.
const MIN_PASSWORD: usize = 8;

/// Maximum length of `user:password@host`.
const MAX_AUTHORITY: usize = 2048;

/// Maximum number of quotes, blanks and operators between the name of a setting and its value.
const MAX_SEPARATORS: usize = 256;

/// Maximum length of the path of a webhook.
const MAX_WEBHOOK: usize = 256;

/// The password in `scheme://user:password@host`; the anchor is `://`.
pub(super) fn password(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let start = scheme_start(text, anchor.start);
    let scheme = std::str::from_utf8(&text[start..anchor.start]).ok()?.to_ascii_lowercase();
    // `postgresql+psycopg2` names a driver after the scheme; in `jdbc:mysql` the last part is the scheme.
    let name = scheme.split('+').next().unwrap_or(&scheme);
    if !SCHEMES.contains(&&*scheme) && !SCHEMES.contains(&name) {
        return None;
    }
    let ends = |it: u8| {
        it.is_ascii_whitespace() || !it.is_ascii() || br#"/?#"'<>`\,;(){}|$"#.contains(&it)
    };
    let authority = run_within(text, anchor.end, MAX_AUTHORITY, |it| !ends(it))?;
    let at = authority.start + memchr::memrchr(b'@', &text[authority.clone()])?;
    let colon = authority.start + memchr::memchr(b':', &text[authority.start..at])?;
    let (user, span) = (&text[authority.start..colon], colon + 1..at);
    let host = &text[at + 1..authority.end];
    let is_secret = is_password(&text[span.clone()], user) && is_remote(host);
    is_secret.then(|| vec![span])
}

fn scheme_start(text: &[u8], end: usize) -> usize {
    let is_scheme = |it: &&u8| it.is_ascii_alphanumeric() || matches!(**it, b'+' | b'.' | b'-');
    end - text[..end].iter().rev().take(24).take_while(is_scheme).count()
}

fn is_password(password: &[u8], user: &[u8]) -> bool {
    // Parser tests have passwords of little but escapes.
    let password = &*without_escapes(password);
    let lower = password.to_ascii_lowercase();
    let has = |word: &&str| memchr::memmem::find(&lower, word.as_bytes()).is_some();
    password.len() >= MIN_PASSWORD
        && is_mixed(password)
        && password != user
        && !is_placeholder(password)
        && !WORDS.iter().any(has)
        && entropy(password) >= PASSWORD_ENTROPY
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

fn is_remote(host: &[u8]) -> bool {
    let host = String::from_utf8_lossy(host).to_ascii_lowercase();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) => name,
        _ => &host,
    };
    !name.is_empty() && !LOCAL.contains(&name) && !RESERVED.iter().any(|it| name.ends_with(it))
}

/// The 40 characters after the name of the setting, on the same line.
pub(super) fn aws_secret(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let is_separator = |it: u8| b" \t\"'`:=>,({[".contains(&it);
    let between = run_within(text, anchor.end, MAX_SEPARATORS, is_separator)?;
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'/' | b'+');
    let span = run_within(text, between.end, 40, is_letter)?;
    let is_key = !between.is_empty() && span.len() == 40 && text.get(span.end) != Some(&b'=');
    let has_upper = text[span.clone()].iter().any(u8::is_ascii_uppercase);
    (is_key && has_upper && is_random(&text[span.clone()])).then(|| vec![span])
}

/// The three parts of a webhook address.
pub(super) fn slack_webhook(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let is_path = |it: u8| it.is_ascii_alphanumeric() || it == b'/';
    let path = run_within(text, anchor.end, MAX_WEBHOOK, is_path)?;
    let parts: Vec<&[u8]> = text[path.clone()].split(|it| *it == b'/').collect();
    let [_, _, key] = parts[..] else { return None };
    let is_secret = key.len() == 24 && is_random(key);
    let span = path.end - key.len()..path.end;
    is_secret.then(|| vec![span])
}

/// `sk-`, twenty characters, the anchor, twenty characters.
pub(super) fn openai_legacy(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    let before = text[..anchor.start].iter().rev();
    let letters = before.take(21).take_while(|it| it.is_ascii_alphanumeric()).count();
    let start = anchor.start - letters;
    let end = run_within(text, anchor.end, 20, |it| it.is_ascii_alphanumeric())?.end;
    let is_key = letters == 20 && end - anchor.end == 20 && text[..start].ends_with(b"sk-");
    let span = start..end;
    (is_key && is_random(&text[span.clone()])).then(|| vec![span])
}

/// The key in a connection string. The emulator's key is public.
pub(super) fn azure_storage(text: &[u8], anchor: Range<usize>) -> Option<Vec<Range<usize>>> {
    const EMULATOR: &[u8] = b"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq";
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'/' | b'+');
    let span = run_within(text, anchor.end, 86, is_letter)?;
    let body = &text[span.clone()];
    let is_key = span.len() == 86 && text[span.end..].starts_with(b"==");
    (is_key && entropy(body) > STORAGE_KEY_ENTROPY && !body.starts_with(EMULATOR))
        .then(|| vec![span])
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
    (entropy(&text[signature]) >= SIGNATURE_ENTROPY).then(|| vec![span])
}
