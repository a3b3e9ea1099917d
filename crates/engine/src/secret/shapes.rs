//! What a secret looks like around an anchor.

use std::ops::Range;

use super::cursor::run_within;
use super::plausible::is_random;
use super::{Secret, names};

/// A kind of secret.
pub(super) struct Shape {
    pub(super) kind: &'static str,
    /// The exact text that is searched.
    pub(super) anchor: &'static str,
    pub(super) rule: Rule,
}

/// The text that must be around the anchor.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// A run after it, then a word boundary.
    Run(Letters),
    /// A run on each side, which is secret, too.
    Around(Letters, Letters),
    /// The value that is assigned to a name.
    Named,
    /// Anything else, found by a function.
    Other(Finder),
}

/// Finds a secret at an anchor.
pub(super) type Finder = fn(&[u8], Range<usize>) -> Option<Vec<Range<usize>>>;

/// Letters of an alphabet, with the least and the greatest number of them.
pub(super) type Letters = (Alphabet, usize, usize);

/// The alphabet of a token.
#[derive(Clone, Copy)]
pub(super) enum Alphabet {
    /// `0-9`.
    Digits,
    /// `0-9a-fA-F`.
    Hex,
    /// `a-z0-9`.
    Lower,
    /// `A-Z0-9`.
    Upper,
    /// `A-Za-z0-9`.
    Base62,
    /// `A-Za-z0-9_`: several parts.
    Base62Under,
    /// `A-Za-z0-9+/=`.
    Base64,
    /// Base64 of both kinds.
    Base64Url,
    /// `A-Za-z0-9_-`.
    Url,
    /// `A-Za-z0-9_-.`: several parts.
    Parts,
    /// `A-Za-z0-9%`: Base64, percent-encoded.
    Percent,
    /// `A-Za-z0-9_-.~`.
    Tilde,
    /// `A-Za-z0-9+/.,=$`: parts of a hash, in Base64 of both orders.
    Hash,
}

pub(super) const fn run(
    kind: &'static str,
    anchor: &'static str,
    alphabet: Alphabet,
    min: usize,
    max: usize,
) -> Shape {
    Shape { kind, anchor, rule: Rule::Run((alphabet, min, max)) }
}

pub(super) const fn around(
    kind: &'static str,
    anchor: &'static str,
    before: Letters,
    after: Letters,
) -> Shape {
    Shape { kind, anchor, rule: Rule::Around(before, after) }
}

pub(super) const fn other(kind: &'static str, anchor: &'static str, finder: Finder) -> Shape {
    Shape { kind, anchor, rule: Rule::Other(finder) }
}

pub(super) const fn named(anchor: &'static str) -> Shape {
    Shape { kind: "value of a secret's name", anchor, rule: Rule::Named }
}

impl Shape {
    /// Whether a format that a maker published says more.
    pub(super) fn is_named(&self) -> bool {
        matches!(self.rule, Rule::Named)
    }

    /// The secret at an anchor, if there is one.
    pub(super) fn secret_at(&self, text: &[u8], anchor: Range<usize>) -> Option<Secret> {
        let spans = match self.rule {
            Rule::Named => names::values(text, anchor)?,
            Rule::Other(find) => find(text, anchor)?,
            Rule::Run(letters) => vec![token(text, anchor.start, anchor.end, letters)?],
            Rule::Around((alphabet, min, max), after) => {
                let run = text[..anchor.start].iter().rev().take(max + 1);
                let length = run.take_while(|it| alphabet.has(**it)).count();
                let start = anchor.start - length;
                let end = token(text, start, anchor.end, after)?.end;
                let span = start..end;
                ((min..=max).contains(&length) && is_random(&text[span.clone()]))
                    .then(|| vec![span])?
            }
        };
        Some(Secret { kind: self.kind, spans })
    }
}

/// The letters at `at` of a token that begins at `start`, if they are a word and random.
pub(super) fn token(
    text: &[u8],
    start: usize,
    at: usize,
    (alphabet, min, max): Letters,
) -> Option<Range<usize>> {
    let prefix = &text[start..at];
    let is_in_base64 = matches!(text[..start].last(), Some(b'+' | b'/'))
        && prefix.iter().all(u8::is_ascii_alphanumeric);
    if is_in_base64 || continues_word(text, start) {
        return None;
    }
    let span = run_within(text, at, max + MAX_FULL_STOPS, |it| alphabet.has(it))?;
    let span = trimmed(text, span);
    let is_word = text.get(span.end).is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    let fits = (min..=max).contains(&span.len()) && !is_word;
    // The last part of a token of two parts may be short.
    (fits && (start < at && min < MIN_RANDOM || is_random(&text[span.clone()]))).then_some(span)
}

/// Whether the letter before `at` belongs to the same word. The end of an escape (`\n`, `%3D`, `\u003d`) does not.
pub(super) fn continues_word(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(6)..at];
    let is_hex = |it: &[u8]| it.iter().all(u8::is_ascii_hexdigit);
    match before {
        [.., b'\\', b'n' | b't' | b'r'] => false,
        [.., b'%', a, b] if is_hex(&[*a, *b]) => false,
        [b'\\', b'u', code @ ..] if is_hex(code) => false,
        [.., last] => last.is_ascii_alphanumeric() || *last == b'_',
        [] => false,
    }
}

impl Alphabet {
    fn has(self, letter: u8) -> bool {
        let more: &[u8] = match self {
            Self::Digits => return letter.is_ascii_digit(),
            Self::Hex => return letter.is_ascii_hexdigit(),
            Self::Lower => return letter.is_ascii_lowercase() || letter.is_ascii_digit(),
            Self::Upper => return letter.is_ascii_uppercase() || letter.is_ascii_digit(),
            Self::Base62 => b"",
            Self::Base62Under => b"_",
            Self::Base64 => b"+/=",
            Self::Base64Url => b"+/=_-",
            Self::Url => b"_-",
            Self::Parts => b"_-.",
            Self::Percent => b"%",
            Self::Tilde => b"_-.~",
            Self::Hash => b"+/.,=$",
        };
        letter.is_ascii_alphanumeric() || more.contains(&letter)
    }
}

/// Shorter parts cannot be told from words.
const MIN_RANDOM: usize = 12;

/// Full stops after a token that are read before it counts as too long.
const MAX_FULL_STOPS: usize = 8;

/// Removes the full stops of a sentence.
fn trimmed(text: &[u8], span: Range<usize>) -> Range<usize> {
    let dots = text[span.clone()].iter().rev().take_while(|it| **it == b'.').count();
    span.start..span.end - dots
}
