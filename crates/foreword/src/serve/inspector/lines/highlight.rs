//! Colours of code: comments, strings, numbers, keywords, and the names of definitions.
//!
//! Uses the language's comment marks, keywords and the usual string forms instead of its grammar, since grammars run in
//! separate processes and an approximation suffices here. A misread string ends at the end of its line.

use std::ops::Range;

use foreword_chunk::Language;

/// The kind of a coloured part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Comment,
    String,
    Number,
    Keyword,
}

/// The parts of a text that have a colour, in order.
pub(super) fn tokens(text: &str, language: Option<Language>) -> Vec<(Range<usize>, Token)> {
    let Some(language) = language.filter(|it| *it != Language::Markdown) else { return Vec::new() };
    let mut scanner = Scanner { text, language, at: 0, res: Vec::new() };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.res
}

struct Scanner<'t> {
    text: &'t str,
    language: Language,
    at: usize,
    res: Vec<(Range<usize>, Token)>,
}

impl Scanner<'_> {
    /// Reads one token, or one character outside of tokens.
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return };
        if let Some(len) = self.comment(rest) {
            self.take(len, Token::Comment);
        } else if let Some(len) = self.string(rest, first) {
            self.take(len, Token::String);
        } else if first.is_ascii_digit() {
            self.take(number(rest), Token::Number);
        } else if is_word(first) {
            let len = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
            match self.language.keywords().binary_search(&&rest[..len]) {
                Ok(_) => self.take(len, Token::Keyword),
                Err(_) => self.at += len,
            }
        } else {
            self.at += first.len_utf8();
        }
    }

    fn take(&mut self, len: usize, token: Token) {
        self.res.push((self.at..self.at + len, token));
        self.at += len;
    }

    fn comment(&self, rest: &str) -> Option<usize> {
        if let Some((begin, end)) = self.language.block_comment()
            && let Some(inner) = rest.strip_prefix(begin)
        {
            let end = inner.find(end).map_or(inner.len(), |at| at + end.len());
            return Some(begin.len() + end);
        }
        let mark = self.language.line_comment().filter(|it| rest.starts_with(it))?;
        // `$#` and `${#x}` of shells, `a#b` of others.
        let before = self.text[..self.at].chars().next_back();
        let begins = mark != "#" || before.is_none_or(char::is_whitespace);
        begins.then(|| line_of(rest).len())
    }

    fn string(&self, rest: &str, first: char) -> Option<usize> {
        for mark in ["\"\"\"", "'''"] {
            if let Some(inner) = rest.strip_prefix(mark).filter(|_| has_triple(self.language)) {
                let end = inner.find(mark).map_or(inner.len(), |at| at + mark.len());
                return Some(mark.len() + end);
            }
        }
        match first {
            '"' if has_long_quotes(self.language) => closed(rest, '"').or(Some(rest.len())),
            '"' => closed(line_of(rest), '"'),
            '\'' if self.text[..self.at].ends_with(is_word) => None,
            '\'' if has_characters(self.language) => {
                closed(line_of(rest), '\'').filter(|len| is_character(&rest[1..len - 1]))
            }
            '\'' => closed(line_of(rest), '\''),
            '`' if has_templates(self.language) => closed(rest, '`').or(Some(rest.len())),
            _ => None,
        }
    }
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

fn line_of(rest: &str) -> &str {
    rest.split('\n').next().unwrap_or(rest)
}

/// The length of a quotation from its first mark to its last, if it ends.
fn closed(text: &str, mark: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, it) in text.char_indices().skip(1) {
        if it == mark && !is_escaped {
            return Some(at + it.len_utf8());
        }
        is_escaped = it == '\\' && !is_escaped;
    }
    None
}

/// Whether the text between two apostrophes is one character: `a`, `\n`, `\u{1F600}`; a lifetime's name is longer.
fn is_character(inner: &str) -> bool {
    inner.chars().count() == 1 || inner.starts_with('\\') && inner.len() <= 10
}

/// Digits, letters and dots between digits: `0x1f`, `1_000u32`, `1.5e3`; not the dots of `1..2`.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let is_dot = bytes[at] == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if !(bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_' || is_dot) {
            break;
        }
        at += 1;
    }
    at
}

/// Whether three quotation marks begin a string that may have several lines.
fn has_triple(language: Language) -> bool {
    use Language::{
        CSharp, Dart, Elixir, GdScript, Java, Kotlin, Notebook, Python, Scala, Swift, Toml,
    };
    let known =
        [Python, Notebook, Kotlin, Scala, Swift, Java, CSharp, Elixir, Dart, GdScript, Toml];
    known.contains(&language)
}

/// Whether a string in quotation marks may have several lines.
fn has_long_quotes(language: Language) -> bool {
    use Language::{Bash, Elixir, Erlang, Nix, Php, R, Ruby, Rust};
    [Rust, Ruby, Php, Bash, Elixir, Erlang, R, Nix].contains(&language)
}

/// Whether apostrophes enclose one character and a single apostrophe has another meaning.
fn has_characters(language: Language) -> bool {
    use Language::{C, CSharp, Cpp, Go, Haskell, Java, Kotlin, Rust, Scala, Solidity, Zig};
    [Rust, C, Cpp, Go, Java, Kotlin, CSharp, Scala, Haskell, Zig, Solidity].contains(&language)
}

/// Whether backticks enclose a string that may have several lines.
fn has_templates(language: Language) -> bool {
    use Language::{Astro, Go, JavaScript, Svelte, Tsx, TypeScript, Vue};
    [JavaScript, TypeScript, Tsx, Go, Vue, Svelte, Astro].contains(&language)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The coloured parts, each with the first letter of its kind.
    fn check(language: Language, text: &str, expect: &[&str]) {
        let letter = |it: Token| format!("{it:?}").to_lowercase()[..1].to_owned();
        let found: Vec<String> = tokens(text, Some(language))
            .into_iter()
            .map(|(range, token)| format!("{}:{}", letter(token), &text[range]))
            .collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn comments_strings_numbers_and_keywords_have_colours() {
        check(
            Language::Python,
            "def f(a): # why\n    '''long\n    doc'''\n    return \"x # y\" + 1.5\n",
            &["k:def", "c:# why", "s:'''long\n    doc'''", "k:return", "s:\"x # y\"", "n:1.5"],
        );
        check(
            Language::Rust,
            "fn f<'a>(x: &'a str) -> char { 'x' /* so */ }\n",
            &["k:fn", "s:'x'", "c:/* so */"],
        );
        check(Language::Go, "x := `a\nb` + 0x1f\n", &["s:`a\nb`", "n:0x1f"]);
        check(Language::Bash, "echo $# 'a' # b\n", &["s:'a'", "c:# b"]);
    }

    #[test]
    fn what_does_not_end_takes_no_other_line_with_it() {
        check(Language::Java, "char c = '\nint b = \"a\n1\n", &["k:char", "k:int", "n:1"]);
        check(
            Language::JavaScript,
            "// don't\nlet s = 'don'\n",
            &["c:// don't", "k:let", "s:'don'"],
        );
        check(Language::C, "/* never ends", &["c:/* never ends"]);
        check(Language::Markdown, "It's `code` and 1.\n", &[]);
    }

    #[test]
    fn any_text_is_read_to_its_end() {
        for &language in Language::ALL {
            for text in ["é'ü\"😀`\\", "'\\", "\"\"\"", "'''é", "1.é", "/*", "<!-- é", "#"] {
                let found = tokens(text, Some(language));
                assert!(found.iter().all(|it| text.get(it.0.clone()).is_some()), "{text}");
            }
        }
    }
}
