//! Lossless tokenizer for text of any language, and its renderer.
//!
//! The model should learn from code rather than its alignment, so whitespace is kept apart from tokens:
//!
//! * A **word** is a run of letters, digits and underscores that starts with a letter or underscore; a **number**
//!   starts with a digit and includes its decimal point. Strings and comments are split into quotes and words, so that
//!   a name in a string is the same token as in code, and an unclosed quote (an apostrophe, a lifetime) does not
//!   swallow the file.
//! * A **mark** is an operator of up to three characters by longest match, or any other single character.
//! * Whitespace within a line is the **gap** of the next token.
//! * Whitespace with a line feed is a token, a **break**, spelled relative to the previous line's indentation: the run
//!   up to the last line feed, then nothing (same indentation), `+` and the added whitespace, `-` and the number of
//!   bytes removed, or `=` and all of it. So the end of a block is the same token at every depth.

use std::borrow::Cow;

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters, digits, underscores.
    Word,
    /// Begins with a digit.
    Number,
    /// Any other visible character.
    Mark,
    /// A line end and the next line's indentation.
    Break,
    /// Whitespace at the end of a text.
    Blank,
}

/// A token with the whitespace before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// Kind of the token.
    pub kind: Kind,
    /// Whitespace before it on its line; always empty before a break.
    pub gap: &'t str,
    /// Its spelling; relative for a break.
    pub text: Cow<'t, str>,
    /// End offset in the text.
    pub end: usize,
}

/// Iterator over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Indentation of the current line.
    indent: &'t str,
}

impl<'t> Lexer<'t> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'t str) -> Self {
        let (end, last_feed) = blanks(text, 0);
        Self { text, at: 0, indent: &text[..if last_feed.is_some() { 0 } else { end }] }
    }

    /// Continues after the visible character at `at`, or starts at 0.
    pub(crate) fn after(text: &'t str, at: usize) -> Self {
        if at == 0 {
            return Self::new(text);
        }
        let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
        Self { text, at, indent: &text[line..blanks(text, line).0] }
    }

    /// Indentation of the current line.
    pub fn indent(&self) -> &'t str {
        self.indent
    }

    fn line_break(&mut self, start: usize, end: usize, last_feed: usize) -> Token<'t> {
        let run = &self.text[start..=last_feed];
        let indent = &self.text[last_feed + 1..end];
        let text = if indent == self.indent {
            Cow::Borrowed(run)
        } else if let Some(more) = indent.strip_prefix(self.indent) {
            Cow::Owned(format!("{run}+{more}"))
        } else if self.indent.starts_with(indent) {
            Cow::Owned(format!("{run}-{}", self.indent.len() - indent.len()))
        } else {
            Cow::Owned(format!("{run}={indent}"))
        };
        self.indent = indent;
        self.at = end;
        Token { kind: Kind::Break, gap: "", text, end }
    }
}

impl<'t> Iterator for Lexer<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let (text, start) = (self.text, self.at);
        if start == text.len() {
            return None;
        }
        let (at, last_feed) = blanks(text, start);
        if let Some(last_feed) = last_feed {
            return Some(self.line_break(start, at, last_feed));
        }
        let (kind, end) = match text.as_bytes().get(at) {
            None => (Kind::Blank, at),
            Some(_) => solid(text, at),
        };
        self.at = end;
        let (gap, own) =
            if kind == Kind::Blank { ("", start..end) } else { (&text[start..at], at..end) };
        Some(Token { kind, gap, text: Cow::Borrowed(&text[own]), end })
    }
}

/// End of the whitespace that starts at `start`, and its last line feed.
fn blanks(text: &str, start: usize) -> (usize, Option<usize>) {
    let (mut at, mut last_feed) = (start, None);
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => last_feed = Some(at),
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
            _ => break,
        }
        at += 1;
    }
    (at, last_feed)
}

/// Kind and end of the visible token at `at`.
fn solid(text: &str, at: usize) -> (Kind, usize) {
    let bytes = text.as_bytes();
    match bytes[at] {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => (Kind::Word, word_end(text, at)),
        b'0'..=b'9' => (Kind::Number, number_end(text, at)),
        byte if byte.is_ascii() => (Kind::Mark, at + mark_len(&bytes[at..])),
        _ => match text[at..].chars().next() {
            Some(c) if c.is_alphanumeric() => (Kind::Word, word_end(text, at)),
            c => (Kind::Mark, at + c.map_or(1, char::len_utf8)),
        },
    }
}

/// End of a run of letters, digits and underscores.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            at += 1;
        } else if byte.is_ascii() {
            break;
        } else {
            match text[at..].chars().next() {
                Some(c) if c.is_alphanumeric() => at += c.len_utf8(),
                _ => break,
            }
        }
    }
    at
}

fn number_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = word_end(text, start);
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if bytes.get(at) == Some(&b'.') && is_digit(at + 1) {
        at = word_end(text, at + 1);
    }
    at
}

const THREE: [&[u8; 3]; 18] = [
    b"...", b"..=", b"===", b"!==", b"<<=", b">>=", b"**=", b"&&=", b"||=", b"??=", b"\"\"\"",
    b"'''", b"```", b"///", b"//!", b"/**", b"<=>", b"->>",
];

const TWO: [&[u8; 2]; 40] = [
    b"::", b"->", b"=>", b"==", b"!=", b"<=", b">=", b"&&", b"||", b"+=", b"-=", b"*=", b"/=",
    b"%=", b"&=", b"|=", b"^=", b"..", b"//", b"/*", b"*/", b"<<", b">>", b":=", b"**", b"</",
    b"/>", b"?.", b"??", b"?:", b"++", b"--", b"<-", b"|>", b"~=", b"=~", b"#[", b"#!", b"${",
    b"#{",
];

/// Length of the operator at the start.
fn mark_len(bytes: &[u8]) -> usize {
    if bytes.first_chunk::<3>().is_some_and(|it| THREE.contains(&it)) {
        return 3;
    }
    if bytes.first_chunk::<2>().is_some_and(|it| TWO.contains(&it)) {
        return 2;
    }
    1
}

/// Joins tokens to text.
#[derive(Clone, Debug, Default)]
pub struct Renderer {
    text: String,
    /// Indentation of the last line; `None` before the first token.
    indent: Option<String>,
}

impl Renderer {
    /// Continues a text after a line with this indentation.
    pub fn after(indent: &str) -> Self {
        Self { text: String::new(), indent: Some(indent.to_owned()) }
    }

    /// Appends a token; a spelling with a line feed is a break.
    pub fn push(&mut self, gap: &str, text: &str) {
        let Some(last_feed) = text.rfind('\n') else {
            self.indent.get_or_insert_with(|| gap.to_owned());
            self.text.push_str(gap);
            self.text.push_str(text);
            return;
        };
        let (run, change) = text.split_at(last_feed + 1);
        let indent = self.indent.get_or_insert_default();
        match change.as_bytes().first() {
            Some(b'+') => indent.push_str(&change[1..]),
            Some(b'-') => {
                let less = change[1..].parse().unwrap_or(0);
                indent.truncate(indent.len().saturating_sub(less));
            }
            Some(b'=') => change[1..].clone_into(indent),
            _ => {}
        }
        self.text.push_str(run);
        self.text.push_str(indent);
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Indentation of the last line.
    pub fn indent(&self) -> &str {
        self.indent.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spelled(text: &str) -> Vec<String> {
        Lexer::new(text).map(|it| it.text.into_owned()).collect()
    }

    fn rendered(text: &str) -> String {
        let mut renderer = Renderer::default();
        Lexer::new(text).for_each(|it| renderer.push(it.gap, &it.text));
        renderer.text
    }

    #[test]
    fn code_is_words_numbers_marks_and_breaks() {
        let text = "def f(x_1):\n    return x_1 != 2.5\n\nf('ab c')\n";
        let expected = [
            "def", "f", "(", "x_1", ")", ":", "\n+    ", "return", "x_1", "!=", "2.5", "\n\n-4",
            "f", "(", "'", "ab", "c", "'", ")", "\n",
        ];
        assert_eq!(spelled(text), expected);
    }

    #[test]
    fn the_end_of_a_block_is_one_token_at_every_depth() {
        let text = "a\n  b\n    c\n  b\n    c\n  d\n";
        let breaks: Vec<String> =
            spelled(text).into_iter().filter(|it| it.contains('\n')).collect();
        assert_eq!(breaks, ["\n+  ", "\n+  ", "\n-2", "\n+  ", "\n-2", "\n-2"]);
    }

    #[test]
    fn tabs_spaces_and_carriage_returns_come_back() {
        for text in
            ["", " ", "\n", "\t a\r\n\tb \r\n\r\n  c\n\td  ", "  a\n b", "é'ß \u{a0}x\n日本 = 1"]
        {
            assert_eq!(rendered(text), text);
        }
    }

    proptest! {
        #[test]
        fn tokens_after_a_place_are_those_of_the_whole(text in "[a(\\t\r\n ]{0,40}") {
            let whole: Vec<Token<'_>> = Lexer::new(&text).collect();
            for (at, token) in whole.iter().enumerate() {
                if !matches!(token.kind, Kind::Break | Kind::Blank) {
                    let rest: Vec<Token<'_>> = Lexer::after(&text, token.end).collect();
                    prop_assert_eq!(&whole[at + 1..], rest);
                }
            }
        }

        #[test]
        fn any_text_comes_back(text in "([a-z_.+'\"(){}\\[\\]0-9é日 \t\r\n]|\\PC){0,60}") {
            prop_assert_eq!(rendered(&text), text);
        }
    }
}
