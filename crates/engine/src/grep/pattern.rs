//! A pattern, compiled, and how it walks over a text.

use grep_matcher::Matcher as _;
use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};

use super::{Case, GrepError, GrepRequest};

/// How many bytes a compiled pattern may take, and how many its cache of states for each thread.
const SIZE_LIMIT: usize = 8 << 20;

/// How deeply an expression may be nested.
const NEST_LIMIT: u32 = 100;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    matcher: RegexMatcher,
    word: bool,
    /// Whether upper and lower case count.
    pub(super) is_sensitive: bool,
}

impl Pattern {
    pub(super) fn new(request: &GrepRequest<'_>) -> Result<Self, GrepError> {
        let &GrepRequest { pattern, regex, case, word, .. } = request;
        if pattern.is_empty() {
            return Err(GrepError::Empty);
        }
        // What stands for itself has no classes and escapes: its letters are all there are.
        let is_sensitive = match case {
            Case::Sensitive => true,
            Case::Insensitive => false,
            Case::Smart => pattern.chars().any(char::is_uppercase),
        };
        let mut builder = RegexMatcherBuilder::new();
        builder
            .fixed_strings(!regex)
            .case_insensitive(if regex { case == Case::Insensitive } else { !is_sensitive })
            .case_smart(regex && case == Case::Smart)
            .word(word)
            .multi_line(true)
            .crlf(!spans_lines(pattern, regex))
            .size_limit(SIZE_LIMIT)
            .dfa_size_limit(SIZE_LIMIT)
            .nest_limit(NEST_LIMIT);
        let matcher = builder.build(pattern).map_err(|it| error_of(pattern, it.kind()))?;
        Ok(Self { matcher, word, is_sensitive })
    }

    /// Calls `found` with the bytes of each match, in order; of those that begin in a line that a match before has
    /// touched, none.
    pub(super) fn each(&self, text: &str, mut found: impl FnMut(usize, usize)) {
        let mut at = 0;
        while let Some((start, end)) = self.next(text, at) {
            // Behind the last line break there is no line.
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

/// Whether the characters around are none that the index takes for parts of words. The expression sees to letters,
/// marks and digits; fractions, superscripts and the like are parts of words for the index only.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..start).and_then(|it| it.chars().next_back());
    let after = text.get(end..).and_then(|it| it.chars().next());
    !before.is_some_and(is_part) && !after.is_some_and(is_part)
}

/// Whether a pattern holds a line break, as such or escaped.
fn spans_lines(pattern: &str, regex: bool) -> bool {
    let mut is_escaped = false;
    pattern.chars().any(|c| {
        let is_break = c == '\n' || (regex && is_escaped && c == 'n');
        is_escaped = c == '\\' && !is_escaped;
        is_break
    })
}

fn error_of(pattern: &str, kind: &ErrorKind) -> GrepError {
    let pattern = pattern.to_owned();
    match kind {
        ErrorKind::Regex(what) if what.contains("size limit") => {
            GrepError::TooLarge { pattern, what: said(what) }
        }
        ErrorKind::Regex(what) => GrepError::Syntax { pattern, what: said(what) },
        ErrorKind::NotAllowed(_) => {
            let what = "it holds a line break in another form than \\n".to_owned();
            GrepError::Syntax { pattern, what }
        }
        other => GrepError::Syntax { pattern, what: format!("{other:?}") },
    }
}

/// The last line of what the parser says is the reason; the pattern before it is repeated in our own words.
fn said(what: &str) -> String {
    let line = what.lines().rfind(|it| !it.trim().is_empty()).unwrap_or(what).trim();
    line.strip_prefix("error: ").unwrap_or(line).trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_are_seen_as_such_and_escaped() {
        assert!(spans_lines("a\nb", false));
        assert!(spans_lines(r"a\nb", true));
        assert!(!spans_lines(r"a\nb", false));
        assert!(!spans_lines(r"a\\nb", true));
        assert!(spans_lines(r"a\\\nb", true));
    }
}
