//! Whether letters look like a secret, or like what people write in its place.

/// Bits per letter that random letters of the alphabets in use exceed at 16 letters and more, and words and patterns
/// often do not. Random hexadecimal digits have about 3.4 at 32 letters, other alphabets more.
const MIN_ENTROPY: f64 = 2.9;

/// What stands in placeholders, in lower case. Each has four letters or more, so that random letters rarely have it.
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

/// So many equal or consecutive letters in a row are a pattern: `aaaaa`, `12345`.
const PATTERN: usize = 5;

/// Whether the letters are random enough for a secret of a known shape.
pub(super) fn is_random(body: &[u8]) -> bool {
    entropy(body) >= MIN_ENTROPY && is_mixed(body) && !is_placeholder(body)
}

/// Whether somebody wrote the letters as a stand-in.
pub(super) fn is_placeholder(body: &[u8]) -> bool {
    let lower = body.to_ascii_lowercase();
    let has = |word: &&str| memchr::memmem::find(&lower, word.as_bytes()).is_some();
    PLACEHOLDERS.iter().any(has) || has_pattern(&lower)
}

/// Whether there is a digit, or letters of both cases: names of things have neither as a rule.
pub(super) fn is_mixed(body: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| body.iter().filter(|it| is(it)).count();
    count(u8::is_ascii_digit) > 0
        || (count(u8::is_ascii_uppercase) > 2 && count(u8::is_ascii_lowercase) > 2)
}

/// Shannon's entropy of the letters, in bits per letter.
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
    steps.windows(PATTERN - 1).any(is_pattern)
}
