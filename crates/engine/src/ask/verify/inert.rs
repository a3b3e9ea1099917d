//! Makes the active parts of Markdown inert: images and elements of HTML, which a program that shows an answer loads from
//! an address as soon as it shows them. Instructions that are hidden in code could have a model write such an address with
//! what it read.
//!
//! An image begins with `![`, and becomes `!\[`; an element begins with `<`, and becomes `\<`. Links stay, since nobody
//! loads them before a click. Code blocks and code within a line stay as they are. What is code is decided for all
//! programs at once: where they may disagree (a fence in a nested list, a code span that may have begun on an earlier line
//! or cross the cells of a table), images and elements are broken there too. Elements of HTML that begin a line are always
//! broken, so that no text is hidden from the other rules in a block of HTML.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

/// Breaks the active parts of a text line by line. The state is that of the text so far.
#[derive(Clone, Debug, Default)]
pub struct InertMarkdown {
    block: Block,
    /// A code span may have begun on an earlier line of the paragraph.
    has_open_span: bool,
}

#[derive(Clone, Copy, Debug, Default)]
enum Block {
    #[default]
    Text,
    /// A code block that all programs see.
    Code(Fence),
    /// Programs may disagree until a line that begins at the margin, or to the end.
    Doubt { ends_at_margin: bool },
}

/// The mark that began a code block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fence {
    pub(super) mark: u8,
    pub(super) length: usize,
    /// Columns before it.
    pub(super) indent: usize,
}

/// A line with its active parts broken.
#[derive(Debug)]
pub struct InertLine<'l> {
    /// The line.
    pub text: Cow<'l, str>,
    /// Something in it would have been loaded.
    pub was_active: bool,
}

/// Elements that load an address.
const LOADING_ELEMENTS: [&str; 22] = [
    "applet", "audio", "base", "body", "embed", "form", "frame", "iframe", "image", "img", "input",
    "link", "meta", "object", "picture", "script", "source", "style", "svg", "table", "use",
    "video",
];

impl InertMarkdown {
    /// The next line, without its line break.
    pub fn line<'l>(&mut self, line: &'l str) -> InertLine<'l> {
        let (indent, text) = indentation(line);
        match self.block {
            Block::Code(fence) => {
                let closes = fence.is_closed_by(text);
                let is_doubtful = !text.is_empty()
                    && (indent < fence.indent || closes && fence.indent > 0 && indent > 3);
                if is_doubtful {
                    self.block = Block::Doubt { ends_at_margin: false };
                    return broken(line);
                }
                if closes && indent <= 3 {
                    *self = Self::default();
                }
                InertLine { text: Cow::Borrowed(line), was_active: false }
            }
            Block::Doubt { ends_at_margin } => {
                if !ends_at_margin || indent > 0 || text.is_empty() || text.starts_with('>') {
                    return broken(line);
                }
                *self = Self { block: Block::Text, has_open_span: true };
                self.text_line(line, indent, text)
            }
            Block::Text => self.text_line(line, indent, text),
        }
    }

    fn text_line<'l>(&mut self, line: &'l str, indent: usize, text: &str) -> InertLine<'l> {
        if text.is_empty() {
            self.has_open_span = false;
        }
        if let Some((mark, length)) = fence(text).filter(|_| indent <= 3) {
            self.block = Block::Code(Fence { mark, length, indent });
            self.has_open_span = false;
            return InertLine { text: Cow::Borrowed(line), was_active: false };
        }
        let inner = without_containers(text);
        if fence(inner).is_some() || inner.starts_with("$$") {
            self.block = Block::Doubt { ends_at_margin: !inner.starts_with("$$") };
            return broken(line);
        }
        let spans = if self.has_open_span { Spans::Doubtful } else { Spans::Code };
        let mut writer = MarkdownWriter::new(line, spans);
        writer.write(line.len() - inner.len());
        self.has_open_span |= writer.has_open_span;
        writer.finish()
    }
}

impl Fence {
    /// Whether a line without its indentation ends the block.
    pub(super) fn is_closed_by(self, text: &str) -> bool {
        let run = text.bytes().take_while(|it| *it == self.mark).count();
        run >= self.length && text[run..].trim().is_empty()
    }
}

/// The meaning of text between backticks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spans {
    /// Code for every program.
    Code,
    Doubtful,
}

/// Quotations of a repository in a text of our own: images and elements are broken in code too.
pub fn inert_quotations(text: &str) -> Cow<'_, str> {
    let mut writer = MarkdownWriter::new(text, Spans::Doubtful);
    writer.write(text.len());
    writer.finish().text
}

/// The columns before a line's text, and the text.
fn indentation(line: &str) -> (usize, &str) {
    let text = line.trim_start_matches([' ', '\t']);
    let columns = line[..line.len() - text.len()].bytes().fold(0, |columns: usize, it| match it {
        b'\t' => (columns / 4 + 1) * 4,
        _ => columns + 1,
    });
    (columns, text)
}

/// The mark and the length of a fence that begins a code block.
pub(super) fn fence(text: &str) -> Option<(u8, usize)> {
    let mark = *text.as_bytes().first().filter(|it| matches!(it, b'`' | b'~'))?;
    let length = text.bytes().take_while(|it| *it == mark).count();
    let is_fence = length >= 3 && (mark == b'~' || !text[length..].contains('`'));
    is_fence.then_some((mark, length))
}

/// The text after the marks of quotations and of list items.
fn without_containers(text: &str) -> &str {
    let mut rest = text;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = match rest.as_bytes().get(digits) {
            Some(b'>' | b'-' | b'*' | b'+') if digits == 0 => &rest[1..],
            Some(b'.' | b')') if (1..10).contains(&digits) => &rest[digits + 1..],
            _ => return rest,
        };
        let is_mark = rest.starts_with('>') || after.starts_with([' ', '\t']);
        if !is_mark {
            return rest;
        }
        rest = after.trim_start_matches([' ', '\t']);
    }
}

/// Breaks everything without a backslash, which would be seen if the line is code.
fn broken(line: &str) -> InertLine<'_> {
    let mut text = String::with_capacity(line.len() + 8);
    let mut was_active = false;
    let last_address = line.rfind("](").unwrap_or(0);
    for (at, c) in line.char_indices() {
        text.push(c);
        let rest = &line[at + c.len_utf8()..];
        let is_image = c == '!' && rest.starts_with('[');
        if is_image || c == '<' && rest.starts_with(begins_element) {
            text.push(' ');
        }
        was_active |= is_image && at < last_address;
    }
    let text = if text.len() == line.len() { line.into() } else { text.into() };
    InertLine { text, was_active }
}

/// Writes a text with its active parts broken.
struct MarkdownWriter<'t> {
    text: &'t str,
    res: String,
    /// Bytes of the text that are written.
    done: usize,
    spans: Spans,
    /// The runs of backticks by their length: where each begins.
    runs: FxHashMap<usize, Vec<usize>>,
    has_open_span: bool,
    /// The position is in an address or an element, where a backtick begins no code.
    in_element: bool,
    /// Where the last address of an image or a link begins.
    last_address: usize,
    was_active: bool,
}

impl<'t> MarkdownWriter<'t> {
    fn new(text: &'t str, spans: Spans) -> Self {
        Self {
            text,
            res: String::new(),
            done: 0,
            spans,
            runs: runs(text),
            has_open_span: false,
            in_element: false,
            last_address: text.rfind("](").unwrap_or(0),
            was_active: false,
        }
    }

    fn finish(mut self) -> InertLine<'t> {
        let was_active = self.was_active;
        if self.res.is_empty() {
            return InertLine { text: Cow::Borrowed(self.text), was_active };
        }
        self.res.push_str(&self.text[self.done..]);
        InertLine { text: Cow::Owned(self.res), was_active }
    }

    /// Inserts a backslash before byte `at`.
    fn escape(&mut self, at: usize) {
        self.res.push_str(&self.text[self.done..at]);
        self.res.push('\\');
        self.done = at;
    }

    /// Breaks images, and elements: those at byte `start`, elsewhere those that could do something.
    fn write(&mut self, start: usize) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let next = bytes.get(at + 1).copied().unwrap_or(b'\n');
            // Addresses of links, and formulas, may have backticks.
            let is_formula = bytes[at] == b'\\'
                && (next == b'(' || next == b'[' && !bytes[..at].ends_with(b"!"));
            let is_in_element = self.in_element && bytes[at] == b'`';
            if is_formula
                || is_in_element
                || matches!((bytes[at], next), (b'$', _) | (b']', b'(') | (b'[', b'['))
            {
                (self.spans, self.has_open_span) = (Spans::Doubtful, true);
            }
            at = match bytes[at] {
                b'\\' if next.is_ascii_punctuation() => at + 2,
                b'`' => self.span(at),
                b'!' if next == b'[' => {
                    self.escape(at + 1);
                    self.was_active |= at < self.last_address;
                    at + 2
                }
                b'<' => {
                    let rest = &self.text[at + 1..];
                    if at == start && rest.starts_with(begins_element) || is_element(rest) {
                        self.escape(at);
                        self.in_element = true;
                    }
                    self.was_active |= loads(rest);
                    at + 1
                }
                b'>' => {
                    self.in_element = false;
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    /// Where to go on after the backtick at byte `at`: after the code, if it is code for every program.
    fn span(&mut self, at: usize) -> usize {
        let length = self.text[at..].bytes().take_while(|it| *it == b'`').count();
        let after = at + length;
        let same = self.runs.get(&length).map_or(&[][..], Vec::as_slice);
        let Some(end) = same.get(same.partition_point(|it| *it < after)).copied() else {
            self.has_open_span = true;
            return after;
        };
        // Cells of a table end in code too.
        if self.spans == Spans::Code && self.text[after..end].contains('|') {
            self.spans = Spans::Doubtful;
        }
        if self.spans == Spans::Code { end + length } else { after }
    }
}

fn runs(text: &str) -> FxHashMap<usize, Vec<usize>> {
    let mut res: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', &text.as_bytes()[at..]) {
        at += found;
        let length = text[at..].bytes().take_while(|it| *it == b'`').count();
        res.entry(length).or_default().push(at);
        at += length;
    }
    res
}

fn begins_element(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')
}

/// The name after `<`, and what follows it.
fn element_name(rest: &str) -> (&str, &str) {
    let is_name = |it: &u8| it.is_ascii_alphanumeric() || *it == b'-';
    match rest.starts_with(|it: char| it.is_ascii_alphabetic()) {
        true => rest.split_at(rest.bytes().take_while(is_name).count()),
        false => ("", rest),
    }
}

/// Whether the text after `<` is an element that loads an address.
fn loads(rest: &str) -> bool {
    let (name, after) = element_name(rest);
    let is_listed = LOADING_ELEMENTS.iter().any(|it| it.eq_ignore_ascii_case(name));
    is_listed && (after.is_empty() || after.starts_with([' ', '\t', '\n', '/']))
}

/// Whether the text after `<` may begin a comment, an address, or an element with attributes or a program. `<T>` and
/// `<String, u8>` are types.
fn is_element(rest: &str) -> bool {
    let (name, after) = element_name(rest);
    match name {
        "" => rest.starts_with(['!', '?']),
        name if name.eq_ignore_ascii_case("script") || name.eq_ignore_ascii_case("style") => true,
        _ => !after.starts_with(['>', ',', ')', ';', '(', '[', ']', '<']),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inert(text: &str) -> String {
        let mut markdown = InertMarkdown::default();
        let lines = text.split('\n').map(|it| markdown.line(it).text.into_owned());
        lines.collect::<Vec<_>>().join("\n")
    }

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(inert(text), expect, "{text}");
        assert_eq!(inert(expect), expect, "a second time");
    }

    #[test]
    fn images_of_every_form_become_text_and_citations_and_links_stay() {
        check("a ![x](http://e/?q) [1]", "a !\\[x](http://e/?q) [1]");
        check("![x][y]\n\n[y]: http://e", "!\\[x][y]\n\n[y]: http://e");
        check("[![x](http://e)](http://f)", "[!\\[x](http://e)](http://f)");
        check("![a\nb](http://e)", "!\\[a\nb](http://e)");
        check("\\\\![x](http://e)", "\\\\!\\[x](http://e)");
        check("- > ![x](http://e)", "- > !\\[x](http://e)");
        check(
            "see [the page](http://e) and shop/a.py:3 [1, 2]!",
            "see [the page](http://e) and shop/a.py:3 [1, 2]!",
        );
    }

    #[test]
    fn elements_become_text_and_types_stay() {
        check("a <img src=http://e> b", "a \\<img src=http://e> b");
        check("a <IMG/src=http://e>", "a \\<IMG/src=http://e>");
        check("a <img\nsrc=http://e>", "a \\<img\nsrc=http://e>");
        check("<div>\n```\n\n![x](u)", "\\<div>\n```\n\n![x](u)");
        check("<!-- `\n![x](u) ` -->", "\\<!-- `\n!\\[x](u) ` -->");
        check("a <b style=x> <script> <http://e>", "a \\<b style=x> \\<script> \\<http://e>");
        check(
            "HashMap<String, Vec<u8>>, a < b, Option<&T>",
            "HashMap<String, Vec<u8>>, a < b, Option<&T>",
        );
    }

    #[test]
    fn code_stays_as_it_is() {
        check(
            "```rust\nlet a = vec![1];\n<img src=x>\n```\n![x](u)",
            "```rust\nlet a = vec![1];\n<img src=x>\n```\n!\\[x](u)",
        );
        check("~~~~\n```\n![x](u)\n~~~\n~~~~\n![x](u)", "~~~~\n```\n![x](u)\n~~~\n~~~~\n!\\[x](u)");
        check(
            "1. Do:\n   ```rust\n   vec![1]\n\n   ```\n   ![x](u)",
            "1. Do:\n   ```rust\n   vec![1]\n\n   ```\n   !\\[x](u)",
        );
        check("use `vec![1]` and ``a`![x](u)`` here", "use `vec![1]` and ``a`![x](u)`` here");
        check("```\nnever closed ![x](u)", "```\nnever closed ![x](u)");
    }

    #[test]
    fn what_is_code_for_some_programs_only_is_broken_too() {
        // A span that began on an earlier line; cells of a table; formulas; an escaped backtick.
        check("a ` b\n` ![x](u) ` c", "a ` b\n` !\\[x](u) ` c");
        check("| ` | ![x](u) | ` |", "| ` | !\\[x](u) | ` |");
        check("$`$ ![x](u) $`$", "$`$ !\\[x](u) $`$");
        check("\\` ![x](u) `", "\\` !\\[x](u) `");
        check("[a](`) ![x](u) `", "[a](`) !\\[x](u) `");
        check("[a](\n`) ![x](u) `", "[a](\n`) !\\[x](u) `");
        check("<a`b@c.de> ![x](u) `", "\\<a`b@c.de> !\\[x](u) `");
        // A fence in a quotation or in a nested list ends where its container does.
        check("> ```\n![x](u)", "> ```\n!\\[x](u)");
        check("- ```\n![x](u)", "- ```\n!\\[x](u)");
        check("1. a\nb\n   ```\n![x](u)", "1. a\nb\n   ```\n! [x](u)");
        check("a\n    ```\n    ![x](u)", "a\n    ```\n    ! [x](u)");
        check("$$\n```\n$$\n![x](u)", "$$\n```\n$$\n! [x](u)");
    }

    #[test]
    fn a_note_is_wanted_only_where_something_would_be_loaded() {
        let was_active = |line: &str| InertMarkdown::default().line(line).was_active;
        for line in ["![x](u)", "<img src=u>", "a <svg/onload=x>", "    ```![x](u)"] {
            assert!(was_active(line), "{line}");
        }
        for line in ["vec![1]", "Option<Source>", "`![x](u)`", "<div>", "a < img"] {
            assert!(!was_active(line), "{line}");
        }
    }

    #[test]
    fn quotations_are_broken_everywhere() {
        assert_eq!(
            inert_quotations("`![x](u)`\n<img src=u> Vec<T>"),
            "`!\\[x](u)`\n\\<img src=u> Vec<T>"
        );
    }
}
