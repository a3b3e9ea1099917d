//! The tokens of Rust, C and C++ as far as macros need them: no comments, and no values of literals.

use std::ops::Range;

use super::Language;

/// The type of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, keyword or number.
    Word,
    /// A string or character.
    Literal,
    /// A line of C's preprocessor, with its continuations.
    Directive,
    /// One byte of punctuation.
    Sign(u8),
}

/// Iterates over the tokens of a text, each with its byte range. Linear in the text.
pub(super) struct Tokens<'t> {
    text: &'t [u8],
    is_rust: bool,
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t [u8], language: Language) -> Self {
        Self { text, is_rust: language == Language::Rust, at: 0 }
    }

    /// The first byte at or after `at` outside blanks and comments.
    fn after_blanks(&self, mut at: usize) -> usize {
        loop {
            at += self.text[at..].iter().take_while(|it| it.is_ascii_whitespace()).count();
            at = match &self.text[at..] {
                [b'/', b'/', rest @ ..] => {
                    at + 2 + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
                }
                [b'/', b'*', ..] => self.after_comment(at + 2),
                _ => return at,
            }
        }
    }

    /// The end of the block comment whose content begins at `at`. Rust's comments nest.
    fn after_comment(&self, mut at: usize) -> usize {
        let mut depth = 1;
        while let Some(found) = memchr::memchr2(b'*', b'/', &self.text[at..]) {
            at += found;
            match &self.text[at..] {
                [b'*', b'/', ..] if depth == 1 => return at + 2,
                [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
                [b'/', b'*', ..] if self.is_rust => (depth, at) = (depth + 1, at + 2),
                _ => at += 1,
            }
        }
        self.text.len()
    }

    /// The end of the word that begins at `at`, or of the raw string with that prefix.
    fn after_word(&self, at: usize) -> (Token, usize) {
        let len = self.text[at..].iter().take_while(|it| is_word(**it)).count();
        let (word, rest) = self.text[at..].split_at(len);
        let hashes = rest.iter().take_while(|&&it| it == b'#').count();
        let raw = match word {
            b"r" | b"br" | b"cr" if self.is_rust && rest.get(hashes) == Some(&b'"') => {
                Some((hashes + 1, [b"\"", &rest[..hashes]].concat()))
            }
            b"R" | b"LR" | b"uR" | b"UR" | b"u8R" if rest.first() == Some(&b'"') => {
                let open = rest.iter().take(18).position(|&it| it == b'(');
                open.map(|open| (open + 1, [b")", &rest[1..open], b"\""].concat()))
            }
            _ => None,
        };
        if let Some((open, close)) = raw {
            let end = memchr::memmem::find(&rest[open..], &close);
            let end = end.map_or(self.text.len(), |it| at + len + open + it + close.len());
            return (Token::Literal, end);
        }
        // C++'s `1'000`, Rust's `r#type`.
        let joins = match rest {
            [b'\'', next, ..] => !self.is_rust && word[0].is_ascii_digit() && is_word(*next),
            [b'#', next, ..] => self.is_rust && word == b"r" && is_word(*next),
            _ => false,
        };
        let more = if joins { self.after_word(at + len + 1).1 } else { at + len };
        (Token::Word, more)
    }

    /// The end of the literal whose first quote is at `at`. Only Rust's strings go on over lines.
    fn after_quote(&self, at: usize) -> usize {
        let quote = self.text[at];
        let mut end = at + 1;
        while let Some(&byte) = self.text.get(end) {
            match byte {
                b'\\' => end += 2,
                b'\n' if !self.is_rust => break,
                _ if byte == quote => return end + 1,
                _ => end += 1,
            }
        }
        end.min(self.text.len())
    }

    /// A character of Rust, or a lifetime.
    fn after_tick(&self, at: usize) -> (Token, usize) {
        let rest = &self.text[at + 1..];
        let width = rest.first().map_or(0, |&it| match it {
            0..0x80 => 1,
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        });
        match rest.first() {
            Some(b'\\') => (Token::Literal, self.after_quote(at)),
            _ if rest.get(width) == Some(&b'\'') => (Token::Literal, at + width + 2),
            _ => (Token::Sign(b'\''), at + 1),
        }
    }

    /// The end of the directive at `at`.
    fn after_directive(&self, at: usize) -> usize {
        let newlines = memchr::memchr_iter(b'\n', &self.text[at..]).map(|it| at + it);
        let continues = |it: &usize| {
            let line = &self.text[at..*it];
            line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
        };
        newlines.into_iter().find(|it| !continues(it)).unwrap_or(self.text.len())
    }
}

impl Iterator for Tokens<'_> {
    type Item = (Token, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.after_blanks(self.at);
        let (token, end) = match *self.text.get(start)? {
            b'"' => (Token::Literal, self.after_quote(start)),
            b'\'' if self.is_rust => self.after_tick(start),
            b'\'' => (Token::Literal, self.after_quote(start)),
            b'#' if !self.is_rust => (Token::Directive, self.after_directive(start)),
            byte if is_word(byte) => self.after_word(start),
            byte => (Token::Sign(byte), start + 1),
        };
        self.at = end;
        Some((token, start..end))
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
