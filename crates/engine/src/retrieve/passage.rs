//! Splits a long question, such as an issue, into its sentences and pasted text. A table of versions, a log or a
//! traceback has more and rarer words than the sentence above it and would outweigh it. `passage/named_files.rs` finds the
//! files that a text names.

mod named_files;

pub(super) use named_files::named_files;

use super::words::is_stop_word;
use crate::preset::constants::retrieve::SHORT_QUESTION_LINES;

/// Kind of a line of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// The first line, or every line of a question of at most two lines.
    Title,
    /// A sentence or part of one.
    Sentence,
    /// Pasted code, log, traceback or table of versions.
    Evidence,
    /// Part of an issue form: comments, check boxes, headings.
    Form,
}

/// The lines of a question with their kinds.
pub(super) fn passages(question: &str) -> Vec<(Passage, &str)> {
    let n_lines = question.lines().filter(|it| !it.trim().is_empty()).count();
    if n_lines <= SHORT_QUESTION_LINES {
        return question.lines().map(|it| (Passage::Title, it)).collect();
    }
    let mut reader = Reader::default();
    question.lines().map(|it| (reader.read(it), it)).collect()
}

/// State carried from line to line.
#[derive(Default)]
struct Reader {
    is_fenced: bool,
    in_comment: bool,
    in_trace: bool,
    has_title: bool,
    /// Whether the previous line was blank or pasted, so that an indented line is code.
    may_indent: bool,
}

impl Reader {
    fn read(&mut self, line: &str) -> Passage {
        let text = line.trim();
        let res = self.passage(line, text);
        self.may_indent = text.is_empty() || res == Passage::Evidence;
        res
    }

    fn passage(&mut self, line: &str, text: &str) -> Passage {
        if text.starts_with("```") || text.starts_with("~~~") {
            self.is_fenced = !self.is_fenced;
            return Passage::Form;
        }
        if self.is_fenced {
            return Passage::Evidence;
        }
        if self.in_comment || text.starts_with("<!--") {
            self.in_comment = !text.contains("-->");
            return Passage::Form;
        }
        if text.is_empty() {
            return Passage::Form;
        }
        if !self.has_title {
            self.has_title = true;
            return Passage::Title;
        }
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        if text.starts_with("Traceback (") || text.starts_with("stack backtrace:") {
            self.in_trace = true;
        } else if !is_indented && !line.starts_with("  ") && is_sentence(text) {
            self.in_trace = false;
        }
        match text {
            _ if self.in_trace || is_pasted(text) => Passage::Evidence,
            _ if is_form(text) => Passage::Form,
            _ if is_indented && self.may_indent => Passage::Evidence,
            _ if is_sentence(text) => Passage::Sentence,
            _ => Passage::Evidence,
        }
    }
}

/// Prompts, traceback frames, separators of logs.
fn is_pasted(text: &str) -> bool {
    let begins = [
        ">>>", "...", "$ ", "In [", "Out[", "File \"", "at ", "E  ", "+++", "---", "===", "@@",
        "- - -", "| ",
    ];
    begins.iter().any(|it| text.starts_with(it)) && !text.starts_with("at least")
}

/// Check boxes, headings and separators of a form.
fn is_form(text: &str) -> bool {
    let box_to_tick = ["- [", "* ["].iter().any(|it| text.starts_with(it));
    box_to_tick
        || text.starts_with('#')
        || (text.starts_with("**") && text.trim_end_matches(':').ends_with("**"))
}

/// Whether a line reads as English: most words consist of letters, and at least one is a function word.
fn is_sentence(text: &str) -> bool {
    let (mut n, mut plain, mut ties) = (0, 0, 0);
    for word in text.split_whitespace() {
        let word = word.trim_matches(|it: char| it.is_ascii_punctuation() && it != '_');
        n += 1;
        plain += usize::from(
            !word.is_empty()
                && word.chars().all(|it| it.is_alphabetic() || it == '\'' || it == '-'),
        );
        ties += usize::from(is_stop_word(&word.to_lowercase()));
    }
    ties > 0 && 5 * plain >= 3 * n
}

/// A stack frame of a traceback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame<'t> {
    /// The file as written, with directories if it has them.
    pub(super) path: &'t str,
    /// The function, if named.
    pub(super) function: Option<&'t str>,
}

/// Parses a line of a traceback: `File "a/b.py", line 3, in f`, `at a.b.f(B.java:3)`, `at f (a/b.js:3:5)`, `a/b.go:3
/// +0x1d`, `at src/b.rs:3:5`.
pub(super) fn frame(line: &str) -> Option<Frame<'_>> {
    let text = line.trim();
    if let Some(rest) = text.strip_prefix("File \"") {
        let (path, after) = rest.split_once('"')?;
        let function = after.split_once(", in ").map(|it| it.1.trim()).filter(|it| is_name(it));
        return Some(Frame { path, function });
    }
    let place = text.split(|it: char| it.is_whitespace() || matches!(it, '(' | ')'));
    let mut paths = place.filter_map(|it| {
        let (path, line) = it.split_once(':')?;
        let is_line = line.starts_with(|it: char| it.is_ascii_digit());
        let extension = path.rsplit_once('.')?.1;
        (is_line
            && (1..=5).contains(&extension.len())
            && extension.chars().all(char::is_alphanumeric))
        .then_some(path)
    });
    let path = paths.next_back()?;
    let before = text.strip_prefix("at ").and_then(|it| it.split(['(', ' ']).next());
    let before = before.filter(|it| !it.contains(path));
    let function = before.and_then(|it| it.rsplit(['.', ':', '#']).next()).filter(|it| is_name(it));
    Some(Frame { path, function })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_alphanumeric() || it == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Passage> {
        passages(text).into_iter().filter(|it| !it.1.trim().is_empty()).map(|it| it.0).collect()
    }

    #[test]
    fn a_short_question_is_all_its_writers_words() {
        assert_eq!(kinds("where is x=1 parsed"), [Passage::Title]);
    }

    #[test]
    fn what_was_pasted_is_told_from_what_was_said() {
        use Passage::{Evidence, Form, Sentence, Title};
        let issue = "str() on the pytest.raises context variable is odd\n\nThe output is not the same as before.\n\n```\n>>> str(e)\n```\n    x = 1\n<!-- a\ncomment -->\n- [x] a minimal example is here\nplatform linux -- Python 3.7.1, pytest-4.0\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n    with this(and_that) as it:\nThis is what I would expect to see.\n";
        assert_eq!(
            kinds(issue),
            [
                Title, Sentence, Form, Evidence, Form, Evidence, Form, Form, Form, Evidence,
                Evidence, Evidence, Evidence, Sentence
            ]
        );
    }

    #[test]
    fn frames_name_a_file_and_a_function() {
        let check = |line, path, function: Option<&str>| {
            assert_eq!(frame(line), Some(Frame { path, function }), "{line}");
        };
        check("  File \"/usr/lib/a/b.py\", line 3, in visit_x", "/usr/lib/a/b.py", Some("visit_x"));
        check("\tat com.a.Some$Inner.run(Some.java:12)", "Some.java", Some("run"));
        check("    at Object.parse (lib/a/b.js:3:5)", "lib/a/b.js", Some("parse"));
        check("\t/home/me/x/a.go:12 +0x1d", "/home/me/x/a.go", None);
        check("   at src/main.rs:4:5", "src/main.rs", None);
        assert_eq!(frame("see http://a.b:80 or 12:30"), None);
        assert_eq!(frame("nothing at all"), None);
    }
}
