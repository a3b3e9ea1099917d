//! Renders some lines of a text, with a comment in place of each gap.

use super::Outline;
use crate::language::Language;
use crate::mixed;
use crate::span::LineIndex;

/// Gaps of one line up to this length are shown: the comment would be as long.
const MAX_SHOWN_GAP: usize = 24;

/// Renders the `shown` lines of `text`, with `// ...` in the language's comment syntax in place of omitted lines. The
/// result begins and ends with a non-blank line and has no two blank lines in a row.
///
/// `lines` are those of the text. The numbers in `shown`, from 0, ascend and should be complete
/// ([`Outline::complete`]).
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
    /// A line, counted from 0, including its line ending.
    fn line(&self, at: usize) -> &'a str {
        let [start, end] = [1, 2].map(|it| self.lines.start_of(at as u32 + it));
        self.text.get(start..end).unwrap_or_default()
    }

    /// Writes a replacement for the omitted lines from `start` to `end`.
    fn gap(&self, start: usize, end: usize, res: &mut String) {
        let mut telling = (start..end).filter(|it| !is_blank(self.line(*it)));
        let Some(first) = telling.next() else {
            return res.push_str(self.line(start));
        };
        let line = self.line(first);
        if telling.next().is_none() && line.trim().len() <= MAX_SHOWN_GAP {
            return res.push_str(line);
        }
        let content = line.trim_start_matches([' ', '\t']);
        res.push_str(&line[..line.len() - content.len()]);
        match self.placeholder(first, end) {
            // Python has a placeholder of its own.
            "... " => res.push_str("..."),
            other => {
                res.push_str(other);
                self.mark(first, res);
            }
        }
        res.push_str(if line.ends_with("\r\n") { "\r\n" } else { "\n" });
    }

    /// Whether the lines are the whole contents of a block. In Scala, whether they begin one: a comment before the next
    /// definition belongs to the block, and a value may precede others.
    fn is_block(&self, start: usize, end: usize) -> bool {
        let level = self.outline.level(start);
        let is_outer = |it: usize| self.outline.level(it) < level;
        let before = (0..start).rev().find(|it| !is_blank(self.line(*it)));
        let is_to_end = self.language == Some(Language::Scala) || is_outer(end);
        before.is_some_and(is_outer) && is_to_end
    }

    /// A placeholder for an empty block if the language needs one.
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

    /// Writes a comment that stands for lines from `line` on.
    fn mark(&self, line: usize, res: &mut String) {
        let Some(language) = self.language else { return res.push_str("...") };
        if mixed::has_raw_elements(language) && self.outline.level(line) > 0 {
            // In a script or a style: the comment that both have.
            return res.push_str("/* ... */");
        }
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
