//! Secrets by the names that they are assigned to: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`.

use std::ops::Range;
use std::sync::LazyLock;

use super::manifests;
use super::plausible::{is_secret, is_strong};
use super::values::{self, Value};

/// Words that make a key a secret: what it is for, and who gives it. Others are names of fields, caches and keyboards.
const KEYS: &str = "\
    access account admin aes airtable alchemy algolia amplitude anthropic api app application auth aws \
    azure binance bot brevo bugsnag captcha client cloudflare cohere coinbase connection consumer cookie \
    crypto datadog deepgram deepl deploy discord ecdsa elastic encrypt encryption etherscan fcm fernet \
    figma firebase function gcp gemini giphy github google grafana groq heroku hmac hubspot ibm infura \
    ingest integration intercom ipinfo jwt langfuse license linear mailchimp mailgun mandrill mapbox \
    maps master maxmind mistral mixpanel moralis nexmo notion openai openrouter openweather pagerduty \
    partner pass paypal paystack perplexity pinecone postmark private pubnub push pusher rapidapi \
    razorpay recaptcha record relic replicate resend rsa sdk sec secret security seed segment send \
    sendgrid sentry serp server service session shared shopify sign signing slack storage stripe \
    subscription supabase tavily telegram tmdb totp trello twilio vault vonage weather webhook write xai \
    yandex zoom";

/// The words by their last letter.
static KEYS_BY_END: LazyLock<[Vec<&[u8]>; 26]> = LazyLock::new(|| {
    let mut res = [const { Vec::new() }; 26];
    let words = KEYS.split_ascii_whitespace().map(str::as_bytes);
    words.for_each(|it| res[usize::from(it[it.len() - 1] - b'a')].push(it));
    res
});

/// What may follow in the name of a secret: `password2`, `SECRET_KEY_BASE`, `TOKEN_PROD`.
const ENDS: &[&str] = &[
    "",
    "word",
    "wd",
    "wort",
    "phrase",
    "code",
    "data",
    "hex",
    "base",
    "base64",
    "b64",
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
    "admin", "auth", "bind", "db", "ftp", "http", "key", "mail", "my", "pg", "require", "root",
    "smtp", "sql", "ssh", "store", "user",
];

/// Length of the shortest token or key that is masked; passwords are shorter.
const MIN_TOKEN: usize = 12;

/// Maximum length of the part of a name that is read on each side.
const MAX_NAME: usize = 32;

/// Length of the shortest value of a name that is often used for something else, such as `auth`.
const MIN_VAGUE: usize = 20;

/// Length of the shortest value of a name that is `key` alone.
const MIN_PLAIN_KEY: usize = 24;

/// Maximum number of values in a list.
const MAX_LIST: usize = 100;

/// The secrets that are assigned to a name with one of the words.
pub(super) fn values(text: &[u8], word: Range<usize>) -> Option<Vec<Range<usize>>> {
    let rest = text[word.end..].iter().take(MAX_NAME).take_while(|it| is_name(**it)).count();
    let end = word.end + rest;
    let mut ends = text[word.end..end].split(|it| matches!(it, b'_' | b'-'));
    let is_whole = ends.all(is_end);
    // Other words may follow, before a value that can be nothing else: `token_of_staging`.
    if !is_whole && !matches!(text.get(word.end), Some(b'_' | b'-' | b'A'..=b'Z')) {
        return None;
    }
    let before = before(text, word.start);
    let name = word.start - before.len()..end;
    let word = &text[word];
    let is_pass = word.eq_ignore_ascii_case(b"pass");
    // In prose, `pass` is a verb.
    let is_verb =
        is_pass && word != b"PASS" && rest == 0 && before.is_empty() && is_alone(text, end);
    if is_verb {
        let value = values::argument(text, end)?.span;
        return is_strong(&text[value.clone()]).then(|| vec![value]);
    }
    if !is_name_of_secret(word, rest, before) {
        return None;
    }
    let is_key_alone =
        word.eq_ignore_ascii_case(b"key") && !is_key(stem(before)) && !is_header(before);
    let is_public = is_key_alone && text[..name.start].ends_with(b"ublic ");
    if is_public || !is_whole && text[end - 2..end].eq_ignore_ascii_case(b"id") {
        return None;
    }
    let is_plain = !is_whole || is_key_alone;
    let least = least_length(word);
    let is_value = |it: &Value| {
        let value = &text[it.span.clone()];
        it.span.len() >= least && is_secret(value, it.form) && (!is_plain || is_plain_key(value))
    };
    // `--db-password x`, also before other arguments.
    let argument = || before.starts_with(b"-").then(|| values::argument(text, end)).flatten();
    let value = values::after(text, name.clone()).or_else(argument).filter(is_value);
    let Some(value) = value else { return manifests::below(text, name) };
    let next = |it: &Value| values::next(text, it).filter(is_value);
    let all = std::iter::successors(Some(value), next).take(MAX_LIST);
    Some(all.map(|it| it.span).collect())
}

/// Length of the shortest value of a name with a word.
fn least_length(word: &[u8]) -> usize {
    match word {
        b"pass" | b"Pass" | b"PASS" | b"pwd" | b"Pwd" | b"PWD" | b"pw" | b"PW" | b"psk"
        | b"PSK" => 0,
        b"auth" | b"Auth" | b"AUTH" | b"bearer" | b"Bearer" | b"encrypt" => MIN_VAGUE,
        _ => MIN_TOKEN,
    }
}

/// Whether a word has neither a quote nor an operator after it.
fn is_alone(text: &[u8], end: usize) -> bool {
    if text[end..].starts_with(b" is ") {
        return false;
    }
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

/// Whether the value of `key` without another word is a secret: a long random word.
fn is_plain_key(value: &[u8]) -> bool {
    value.len() >= MIN_PLAIN_KEY && is_strong(value)
}

/// The part of a name before the word and its separator.
fn stem(before: &[u8]) -> &[u8] {
    before
        .strip_suffix(b"_")
        .or(before.strip_suffix(b"-"))
        .or(before.strip_suffix(b"."))
        .unwrap_or(before)
}

/// Whether a word that makes a key a secret ends the name before `key`.
fn is_key(name: &[u8]) -> bool {
    let last = name.last().map_or(0, u8::to_ascii_lowercase);
    let words = KEYS_BY_END.get(usize::from(last.wrapping_sub(b'a')));
    let ends = |it: &&[u8]| {
        name.len() >= it.len() && name[name.len() - it.len()..].eq_ignore_ascii_case(it)
    };
    words.is_some_and(|words| words.iter().any(ends))
}

fn is_end(word: &[u8]) -> bool {
    let digits = word.iter().rev().take_while(|it| it.is_ascii_digit()).count();
    let word = &word[..word.len() - digits];
    ENDS.iter().any(|it| it.as_bytes().eq_ignore_ascii_case(word))
}

fn is_name_of_secret(word: &[u8], rest: usize, before: &[u8]) -> bool {
    let name = stem(before);
    let ends_with = |it: &&str| {
        name.len() >= it.len() && name[name.len() - it.len()..].eq_ignore_ascii_case(it.as_bytes())
    };
    let is_apart = !before.last().is_some_and(u8::is_ascii_alphanumeric);
    match word {
        b"pw" | b"PW" => is_apart || USERS.iter().any(ends_with),
        b"encrypt" => before.is_empty(),
        b"auth" if name.ends_with(b"master") => rest == 0,
        b"psk" | b"PSK" | b"auth" | b"Auth" | b"AUTH" | b"bearer" | b"Bearer" => {
            is_apart && rest == 0
        }
        b"Key" if is_header(before) => !HEADERS.iter().any(ends_with),
        b"key" | b"Key" | b"KEY" => {
            is_key(name) || rest == 0 && is_apart && !PUBLIC.iter().any(ends_with)
        }
        b"pass" if rest == 0 && before.last().is_some_and(u8::is_ascii_lowercase) => {
            USERS.iter().any(ends_with)
        }
        b"token" | b"Token" | b"TOKEN" => !PUBLIC.iter().chain(ONCE).any(ends_with),
        _ => !PUBLIC.iter().any(ends_with),
    }
}
