//! A compiled pattern, and how its matches in a text are found.

use grep_matcher::Matcher as _;
use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};

use super::types::{Case, GrepError, GrepRequest};

/// Maximum bytes of a compiled pattern, and of its cache of states in each thread.
const SIZE_LIMIT: usize = 8 << 20;

/// Maximum nesting of an expression.
pub(super) const NEST_LIMIT: u32 = 100;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    matcher: RegexMatcher,
    word: bool,
    /// Whether upper and lower case differ.
    pub(super) is_sensitive: bool,
}

impl Pattern {
    pub(super) fn new(request: &GrepRequest<'_>) -> Result<Self, GrepError> {
        let &GrepRequest { pattern, regex, case, word, .. } = request;
        if pattern.is_empty() {
            return Err(GrepError::Empty);
        }
        // A literal pattern has no classes or escapes, so its letters decide.
        let is_sensitive = match case {
            Case::Sensitive => true,
            Case::Insensitive => false,
            Case::Smart => pattern.chars().any(char::is_uppercase),
        };
        let spans_lines = if regex { regex_spans_lines(pattern) } else { pattern.contains('\n') };
        let mut builder = RegexMatcherBuilder::new();
        builder
            .fixed_strings(!regex)
            .case_insensitive(if regex { case == Case::Insensitive } else { !is_sensitive })
            .case_smart(regex && case == Case::Smart)
            .word(word)
            .multi_line(true)
            .crlf(!spans_lines)
            .size_limit(SIZE_LIMIT)
            .dfa_size_limit(SIZE_LIMIT)
            .nest_limit(NEST_LIMIT);
        let matcher = builder.build(pattern).map_err(|it| error_of(pattern, it.kind()))?;
        Ok(Self { matcher, word, is_sensitive })
    }

    /// Calls `found` with the bytes of each match, in order. Matches that begin in a line that an earlier match touches are
    /// skipped.
    pub(super) fn each(&self, text: &str, mut found: impl FnMut(usize, usize)) {
        let mut at = 0;
        while let Some((start, end)) = self.next(text, at) {
            // After the last line break there is no line.
            if start == text.len() && (text.is_empty() || text.ends_with('\n')) {
                return;
            }
            found(start, end);
            let last = end.max(start + 1) - 1;
            match memchr::memchr(b'\n', &text.as_bytes()[last..]) {
                Some(break_at) => at = last + break_at + 1,
                None => return,
            }
        }
    }

    /// The first match that begins at `at` or later.
    fn next(&self, text: &str, mut at: usize) -> Option<(usize, usize)> {
        while at <= text.len() {
            let found = self.matcher.find_at(text.as_bytes(), at).ok().flatten()?;
            let (start, end) = (found.start(), found.end());
            if !self.word || stands_alone(text, start, end) {
                return Some((start, end));
            }
            at = start + text.get(start..)?.chars().next().map_or(1, char::len_utf8);
        }
        None
    }
}

/// Whether the surrounding characters are no parts of words for the index. The regex engine checks letters, marks and
/// digits; fractions, superscripts and the like are parts of words only for the index.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..start).and_then(|it| it.chars().next_back());
    let after = text.get(end..).and_then(|it| it.chars().next());
    !before.is_some_and(is_part) && !after.is_some_and(is_part)
}

/// Whether a regular expression contains a line break, literal or escaped.
fn regex_spans_lines(pattern: &str) -> bool {
    let mut is_escaped = false;
    pattern.chars().any(|c| {
        let is_break = c == '\n' || (is_escaped && c == 'n');
        is_escaped = c == '\\' && !is_escaped;
        is_break
    })
}

fn error_of(pattern: &str, kind: &ErrorKind) -> GrepError {
    let pattern = pattern.to_owned();
    match kind {
        ErrorKind::Regex(what) if what.contains("size limit") => {
            GrepError::TooLarge { pattern, what: reason(what) }
        }
        ErrorKind::Regex(what) => GrepError::Syntax { pattern, what: reason(what) },
        ErrorKind::NotAllowed(_) => {
            let what = "it holds a line break in another form than \\n".to_owned();
            GrepError::Syntax { pattern, what }
        }
        other => GrepError::Syntax { pattern, what: format!("{other:?}") },
    }
}

/// The last line of the parser's message, which is the reason; the lines before it repeat the pattern.
fn reason(what: &str) -> String {
    let line = what.lines().rfind(|it| !it.trim().is_empty()).unwrap_or(what).trim();
    line.strip_prefix("error: ").unwrap_or(line).trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regex_spans_lines_with_a_literal_or_an_escaped_line_break() {
        assert!(regex_spans_lines("a\nb"));
        assert!(regex_spans_lines(r"a\nb"));
        assert!(!regex_spans_lines(r"a\\nb"));
        assert!(regex_spans_lines(r"a\\\nb"));
    }
}
