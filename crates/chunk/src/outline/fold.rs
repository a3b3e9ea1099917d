//! A text with some of its lines left out, and a comment in place of each gap.

use super::Outline;
use crate::language::Language;
use crate::span::LineIndex;

/// A gap of one line that is no longer than this is shown: a comment in its place would not be shorter.
const SHORT: usize = 24;

/// The lines of `text` that are `shown`, with `// ...`, in the language's comment syntax, where lines between them are left
/// out. It begins and ends with a line that is not blank, and has at most one blank line in place of several that are left
/// out.
///
/// `lines` are those of the text; the numbers in `shown`, from 0, ascend and should be complete ([`Outline::complete`]).
pub fn fold(
    text: &str,
    lines: &LineIndex,
    language: Option<Language>,
    outline: &Outline,
    shown: &[usize],
) -> String {
    let folder = Folder { text, lines, language, outline };
    let is_telling = |it: &usize| !is_blank(folder.line(*it));
    let Some(first) = shown.iter().position(is_telling) else { return String::new() };
    let last = shown.iter().rposition(is_telling).unwrap_or(first);
    let shown = &shown[first..=last];
    let bytes: usize = shown.iter().map(|it| folder.line(*it).len()).sum();
    let mut res = String::with_capacity(bytes + bytes / 4);
    let mut next = shown[0];
    for line in shown {
        if next < *line {
            folder.gap(next, *line, &mut res);
        }
        res.push_str(folder.line(*line));
        next = line + 1;
    }
    if !res.ends_with('\n') {
        res.push('\n');
    }
    res
}

struct Folder<'a> {
    text: &'a str,
    lines: &'a LineIndex,
    language: Option<Language>,
    outline: &'a Outline,
}

impl<'a> Folder<'a> {
    /// A line, counted from 0, with its line ending.
    fn line(&self, at: usize) -> &'a str {
        let [start, end] = [1, 2].map(|it| self.lines.start_of(at as u32 + it));
        self.text.get(start..end).unwrap_or_default()
    }

    /// What stands for the lines from `start` to `end`, which are left out.
    fn gap(&self, start: usize, end: usize, res: &mut String) {
        let mut telling = (start..end).filter(|it| !is_blank(self.line(*it)));
        let Some(first) = telling.next() else {
            return res.push_str(self.line(start));
        };
        let line = self.line(first);
        if telling.next().is_none() && line.trim().len() <= SHORT {
            return res.push_str(line);
        }
        let content = line.trim_start_matches([' ', '\t']);
        res.push_str(&line[..line.len() - content.len()]);
        match self.placeholder(first, end) {
            // Python's own word for what is left out.
            "... " => res.push_str("..."),
            other => {
                res.push_str(other);
                self.mark(res);
            }
        }
        res.push_str(if line.ends_with("\r\n") { "\r\n" } else { "\n" });
    }

    /// Whether the lines are all that a block contains; in Scala, whether they begin one: the comment before the next
    /// definition belongs to the block, and a value may be followed by others.
    fn is_block(&self, start: usize, end: usize) -> bool {
        let level = self.outline.level(start);
        let is_outer = |it: usize| self.outline.level(it) < level;
        let before = (0..start).rev().find(|it| !is_blank(self.line(*it)));
        let is_to_end = self.language == Some(Language::Scala) || is_outer(end);
        before.is_some_and(is_outer) && is_to_end
    }

    /// What stands for all that a block contains, where the language needs something there.
    fn placeholder(&self, start: usize, end: usize) -> &'static str {
        let comment = self.language.and_then(Language::line_comment);
        let is_comment = |it: usize| {
            let line = self.line(it).trim_start();
            line.is_empty() || comment.is_some_and(|it| line.starts_with(it))
        };
        if !self.is_block(start, end) || (start..end).all(is_comment) {
            return "";
        }
        let head = (0..start).rev().find(|it| !is_comment(*it));
        let head = head.map_or("", |it| self.line(it).trim_end());
        let opens = |words: &[&str]| words.iter().any(|it| head.ends_with(it));
        match self.language {
            Some(Language::Python) => "... ",
            Some(Language::Bash) if opens(&["then", "do", "else", "{", "("]) => ": ",
            Some(Language::Scala) if opens(&["=", "<-", "=>", "else", "then", "yield"]) => "??? ",
            _ => "",
        }
    }

    fn mark(&self, res: &mut String) {
        let Some(language) = self.language else { return res.push_str("...") };
        match (language.line_comment(), language.block_comment()) {
            (Some(comment), _) => res.extend([comment, " ..."]),
            (None, Some((open, close))) => res.extend([open, " ... ", close]),
            (None, None) => res.push_str("..."),
        }
    }
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}
