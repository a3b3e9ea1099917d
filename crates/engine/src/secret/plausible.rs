//! Distinguishes random characters from placeholders and words.

use crate::preset::constants::secret::{PATTERN_LENGTH, TOKEN_ENTROPY};

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
    "insert",
    "secret",
    "token",
    "test",
];

/// Whether the characters are random enough for a secret.
pub(super) fn is_random(body: &[u8]) -> bool {
    entropy(body) >= TOKEN_ENTROPY && is_mixed(body) && !is_placeholder(body)
}

/// Whether the characters are a placeholder.
pub(super) fn is_placeholder(body: &[u8]) -> bool {
    let lower = body.to_ascii_lowercase();
    let has = |word: &&str| memchr::memmem::find(&lower, word.as_bytes()).is_some();
    PLACEHOLDERS.iter().any(has) || has_pattern(&lower)
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

fn has_pattern(body: &[u8]) -> bool {
    let step = |pair: &[u8]| i16::from(pair[1]) - i16::from(pair[0]);
    let steps: Vec<i16> = body.windows(2).map(step).collect();
    let is_pattern = |it: &[i16]| it.iter().all(|step| *step == it[0]) && matches!(it[0], 0 | 1);
    steps.windows(PATTERN_LENGTH - 1).any(is_pattern)
}
