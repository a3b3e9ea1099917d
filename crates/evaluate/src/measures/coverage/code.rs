//! Blanks comments and strings, whose words are not identifiers.
//!
//! A hole may begin inside a docstring, so the text is scanned from the beginning of its file. A few properties of the
//! language identify literals: its comments, whether a string may span lines, and whether `'` begins a string or a
//! character (or a lifetime).

use foreword_chunk::Language;

/// `text` with comments and strings blanked; `before` is the preceding text of its file. Returns the text unchanged
/// without a language.
pub(crate) fn code_of(before: &str, text: &str, language: Option<Language>) -> String {
    let Some(language) = language else { return text.to_owned() };
    let whole = format!("{before}{text}");
    let mut reader = Reader { text: &whole, language, at: 0, blanked: vec![false; whole.len()] };
    reader.run();
    let mut res = String::with_capacity(text.len());
    for (at, it) in whole[before.len()..].char_indices() {
        // Keeps the number of bytes, so that positions in both texts agree.
        match reader.blanked[before.len() + at] && it != '\n' {
            true => res.extend(std::iter::repeat_n(' ', it.len_utf8())),
            false => res.push(it),
        }
    }
    res
}

/// Number of lines that a string may span.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StringLines {
    One,
    Many,
}

struct Reader<'t> {
    text: &'t str,
    language: Language,
    at: usize,
    blanked: Vec<bool>,
}

impl Reader<'_> {
    fn run(&mut self) {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let len = self.literal(rest);
            if len > 0 {
                self.blanked[self.at..self.at + len].fill(true);
                self.at += len;
            } else {
                self.at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
    }

    /// Length in bytes of a comment or string at the beginning of `rest`; 0 without one.
    fn literal(&self, rest: &str) -> usize {
        if let Some((begin, end)) =
            self.language.block_comment().filter(|it| rest.starts_with(it.0))
        {
            return until(rest, begin.len(), end);
        }
        if self.language.line_comment().is_some_and(|it| rest.starts_with(it)) {
            return rest.find('\n').unwrap_or(rest.len());
        }
        for triple in ["\"\"\"", "'''"] {
            if self.has_triples() && rest.starts_with(triple) {
                return until(rest, 3, triple);
            }
        }
        match rest.as_bytes()[0] {
            b'"' => quoted(rest, '"', self.string_lines()),
            b'\'' if self.apostrophes_quote_strings() => quoted(rest, '\'', StringLines::One),
            b'\'' => character(rest),
            b'`' if self.backticks_quote_strings() => quoted(rest, '`', StringLines::Many),
            _ => 0,
        }
    }

    fn has_triples(&self) -> bool {
        use Language::{Elixir, Java, Kotlin, Python, Scala, Swift};
        matches!(self.language, Python | Java | Kotlin | Scala | Swift | Elixir)
    }

    fn string_lines(&self) -> StringLines {
        use Language::{Bash, Elixir, Php, Ruby, Rust};
        match self.language {
            Rust | Ruby | Php | Bash | Elixir => StringLines::Many,
            _ => StringLines::One,
        }
    }

    fn apostrophes_quote_strings(&self) -> bool {
        use Language::{Bash, Elixir, JavaScript, Lua, Php, Python, Ruby, Sql, Tsx, TypeScript};
        matches!(
            self.language,
            Python | JavaScript | TypeScript | Tsx | Ruby | Php | Bash | Lua | Elixir | Sql
        )
    }

    fn backticks_quote_strings(&self) -> bool {
        use Language::{Go, JavaScript, Tsx, TypeScript};
        matches!(self.language, Go | JavaScript | TypeScript | Tsx)
    }
}

/// End of the first `end` after `from` bytes, or of the text.
fn until(rest: &str, from: usize, end: &str) -> usize {
    rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len())
}

/// A string that ends with `quote`, or at the end of its line. An unclosed quote in its line is a stray character.
fn quoted(rest: &str, quote: char, lines: StringLines) -> usize {
    let mut escaped = false;
    for (at, it) in rest.char_indices().skip(1) {
        match it {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if lines == StringLines::One => return 0,
            it if it == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    if lines == StringLines::Many { rest.len() } else { 0 }
}

/// A character in apostrophes; 0 for anything longer, such as a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    let Some((_, first)) = chars.next() else { return 0 };
    let longest = if first == '\\' { 12 } else { 1 };
    let skipped = usize::from(first == '\\');
    let end = chars.skip(skipped).take(longest).find(|it| it.1 == '\'' || it.1 == '\n');
    end.filter(|it| it.1 == '\'').map_or(0, |it| it.0 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: &str, before: &str, text: &str, expect: &str) {
        let code = code_of(before, text, Language::from_name(language));
        let words = |it: &str| it.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&code), words(expect));
        assert_eq!(code.len(), text.len());
    }

    #[test]
    fn comments_and_strings_are_no_code() {
        check("python", "", "a = 'bé' + \"c\\\"d\"  # e\nf('''g\nh''')\n", "a = + f( )");
        check(
            "rust",
            "",
            "/// a\nfn b<'c>(d: &'c str) { e('f', '\\n', \"g\nh\") } /* i */",
            "fn b<'c>(d: &'c str) { e( , , ) }",
        );
        check("go", "", "a := `b\nc` + 'd' // e", "a := +");
        check("typescript", "", "it(\"can't\", () => a('b'))", "it( , () => a( ))");
        check("kotlin", "", "val a = \"\"\"b\nc\"\"\" + 'd'", "val a = +");
    }

    #[test]
    fn a_hole_may_begin_in_a_docstring() {
        check("python", "def a():\n    \"\"\"One.\n", "    Two.\n    \"\"\"\n    b()\n", "b()");
        check("java", "/** One.\n", " * Two.\n */\nvoid b() {}\n", "void b() {}");
    }

    #[test]
    fn a_stray_quote_ends_with_its_line_and_no_language_is_all_code() {
        check("python", "", "it's\nb\n", "it's b");
        assert_eq!(code_of("", "a # b", None), "a # b");
    }
}
