//! Text of any language to tokens, and back, byte for byte.
//!
//! The model should learn from code and not from its alignment, so blanks are set apart from what they stand between:
//!
//! * A **word** is a run of letters, digits and underscores that begins with a letter or underscore; a **number** one
//!   that begins with a digit, with its point. Strings and comments are not one token each: they are their quotes and
//!   the words in them, so that a name in a string is the same token as in code, and no quote that is never closed (an
//!   apostrophe, a lifetime) swallows a file.
//! * A **mark** is an operator of up to three characters by the longest match, or any other single character.
//! * Blanks within a line are the **gap** of the token after them.
//! * Blanks with a line feed in them are a token, a **break**. It is spelled relative to the indentation of the line
//!   before: the run up to the last line feed, then nothing (as before), `+` and what is more, `-` and how many bytes
//!   are less, or `=` and the whole of it. So the end of a block is one token at every depth.

use std::borrow::Cow;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters, digits, underscores.
    Word,
    /// Begins with a digit.
    Number,
    /// Anything else that is not blank.
    Mark,
    /// The end of a line with the indentation of the next.
    Break,
    /// Blanks at the end of a text.
    Blank,
}

/// One token with the blanks before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: Kind,
    /// The blanks before it on its line; always empty before a break.
    pub gap: &'t str,
    /// Its spelling; of a break the relative one.
    pub text: Cow<'t, str>,
    /// One past its last byte in the text.
    pub end: usize,
}

/// Iterates over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// The indentation of the line at hand.
    indent: &'t str,
}

impl<'t> Lexer<'t> {
    /// Begins at the start of `text`.
    pub fn new(text: &'t str) -> Self {
        let (end, last_feed) = blanks(text, 0);
        Self { text, at: 0, indent: &text[..if last_feed.is_some() { 0 } else { end }] }
    }

    /// The indentation of the line that is being read.
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

/// Where the run of blanks that begins at `start` ends, and its last line feed.
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

/// The kind and the end of the token that begins at `at`, which is no blank.
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

/// Where a run of letters, digits and underscores ends.
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

/// Operators of three characters.
const THREE: [&[u8; 3]; 18] = [
    b"...", b"..=", b"===", b"!==", b"<<=", b">>=", b"**=", b"&&=", b"||=", b"??=", b"\"\"\"",
    b"'''", b"```", b"///", b"//!", b"/**", b"<=>", b"->>",
];

/// Operators of two characters.
const TWO: [&[u8; 2]; 40] = [
    b"::", b"->", b"=>", b"==", b"!=", b"<=", b">=", b"&&", b"||", b"+=", b"-=", b"*=", b"/=",
    b"%=", b"&=", b"|=", b"^=", b"..", b"//", b"/*", b"*/", b"<<", b">>", b":=", b"**", b"</",
    b"/>", b"?.", b"??", b"?:", b"++", b"--", b"<-", b"|>", b"~=", b"=~", b"#[", b"#!", b"${",
    b"#{",
];

/// The length of the operator at the start.
fn mark_len(bytes: &[u8]) -> usize {
    if bytes.first_chunk::<3>().is_some_and(|it| THREE.contains(&it)) {
        return 3;
    }
    if bytes.first_chunk::<2>().is_some_and(|it| TWO.contains(&it)) {
        return 2;
    }
    1
}

/// Puts tokens back together.
#[derive(Clone, Debug, Default)]
pub struct Renderer {
    text: String,
    /// The indentation of the last line; `None` before the first token of a text.
    indent: Option<String>,
}

impl Renderer {
    /// Continues a text whose line at hand has this indentation.
    pub fn after(indent: &str) -> Self {
        Self { text: String::new(), indent: Some(indent.to_owned()) }
    }

    /// Appends a token; `text` is its spelling, and a spelling with a line feed is a break's.
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

    /// What was put together so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The indentation of the last line.
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
        fn any_text_comes_back(text in "([a-z_.+'\"(){}\\[\\]0-9é日 \t\r\n]|\\PC){0,60}") {
            prop_assert_eq!(rendered(&text), text);
        }
    }
}
