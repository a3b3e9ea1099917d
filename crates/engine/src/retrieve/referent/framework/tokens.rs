//! Words, strings and marks of a text in any language with quotes and brackets, without comments.

use foreword_chunk::{Language, Span};

use crate::retrieve::names::place::is_name;

/// Bytes of a name that is looked for.
pub(super) const MAX_NAME: usize = 200;

/// A word, a string or a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier or number.
    Word(Span),
    /// What is between quotes.
    String(Span),
    /// Any other character that is no space, by its first byte.
    Mark(u8),
}

/// The tokens of a text, in order.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    /// What begins a comment that ends with its line.
    comment: &'static str,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str, language: Language) -> Self {
        let is_hash = matches!(language, Language::Python | Language::Ruby | Language::Yaml);
        Self { text, at: 0, comment: if is_hash { "#" } else { "//" } }
    }

    /// Passes over a text up to the end of a mark.
    fn pass(&mut self, skip: usize, end: &str) -> Span {
        let start = self.at + skip;
        let len = self.text[start..].find(end);
        let stop = len.map_or(self.text.len(), |it| start + it);
        self.at = (stop + end.len()).min(self.text.len());
        Span::new(start, stop)
    }

    /// A string that begins with a quote; without another one it ends with its line, that of a template nowhere.
    fn string(&mut self, quote: u8) -> Span {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut at = start;
        while at < bytes.len() && bytes[at] != quote && (bytes[at] != b'\n' || quote == b'`') {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        let end = self.text.floor_char_boundary(at.min(bytes.len()));
        self.at = self.text.ceil_char_boundary((at + 1).min(bytes.len()));
        Span::new(start, end)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            self.at += self.text[self.at..].len() - self.text[self.at..].trim_start().len();
            let rest = &self.text[self.at..];
            let first = *rest.as_bytes().first()?;
            if rest.starts_with("/*") {
                self.pass(2, "*/");
            } else if rest.starts_with(self.comment) {
                self.pass(0, "\n");
            } else if let Some(quote) =
                ["\"\"\"", "'''"].into_iter().find(|it| rest.starts_with(it))
            {
                self.pass(3, quote);
            } else if matches!(first, b'\'' | b'"' | b'`') {
                return Some(Token::String(self.string(first)));
            } else {
                let len = rest.find(|it| !is_name(it)).unwrap_or(rest.len());
                let start = self.at;
                self.at += len.max(rest.chars().next().map_or(1, char::len_utf8));
                let is_word = len > 0;
                return Some(if is_word {
                    Token::Word(Span::new(start, self.at))
                } else {
                    Token::Mark(first)
                });
            }
        }
    }
}
