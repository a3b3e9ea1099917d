//! Finds the paragraph of a document, or the comment at the head of a file, that describes the project or the file.

use super::explain::{one_line, summary, without_tags};
use crate::preset::constants::ask::PARAGRAPH_START_WORDS;

/// The first descriptive paragraph of a document, and its line. In order of preference: a paragraph that says what
/// `name` is, a heading that does, a full sentence, any paragraph.
pub(super) fn first_paragraph(text: &str, name: &str) -> (u32, String) {
    let all = paragraphs(text);
    let spoken = |it: &str| it.to_lowercase().replace(['-', '_'], " ");
    // With an article: "it is available" and "it is released" do not describe.
    let says = ["a", "an", "the"].map(|it| format!("{} is {it} ", spoken(name)));
    let is_told = |it: &&(u32, String)| {
        !name.is_empty() && says.iter().any(|says| spoken(&it.1).contains(says))
    };
    let leads_elsewhere = |it: &&(u32, String)| it.1.starts_with("See ") || it.1.ends_with(':');
    let is_sentence = |it: &&(u32, String)| {
        let end = it.1.trim_end_matches(['`', '"', ')', '*', '_']);
        end.ends_with(['.', '!', '?', '…']) && !leads_elsewhere(it)
    };
    let heading = || (!name.is_empty()).then(|| heading(text, name)).flatten();
    let told = all.iter().find(is_told).cloned().or_else(heading);
    let best = told.or_else(|| all.iter().find(is_sentence).cloned());
    let best = best.or_else(|| all.iter().find(|it| !leads_elsewhere(it)).cloned());
    let best = best.or_else(|| all.first().cloned());
    best.map_or((1, String::new()), |it| (it.0, one_line(&it.1, MAX_PARAGRAPH_CHARS)))
}

/// The first heading, where it describes `name`: `# Shop – counts what is on shelves`.
fn heading(text: &str, name: &str) -> Option<(u32, String)> {
    let (n, line) = text.lines().enumerate().take(MAX_LINES).find(|it| it.1.starts_with("# "))?;
    let title = without_links(&without_tags(line[1..].trim()));
    let rest =
        title.get(name.len()..).filter(|_| title[..name.len()].eq_ignore_ascii_case(name))?;
    let said = rest.trim_start().trim_start_matches([':', '-', '–', '—']);
    let is_said = said.len() < rest.trim_start().len();
    (is_said && said.split_whitespace().count() >= PARAGRAPH_START_WORDS)
        .then_some((n as u32 + 1, title))
}

/// Characters of a paragraph.
const MAX_PARAGRAPH_CHARS: usize = 600;

/// Lines of a document that are read.
const MAX_LINES: usize = 400;

/// The first paragraphs of a document, with their lines.
fn paragraphs(text: &str) -> Vec<(u32, String)> {
    let mut res: Vec<(u32, String)> = Vec::new();
    let mut reader = Reader::default();
    let mut is_open = false;
    for (n, line) in text.lines().enumerate().take(MAX_LINES) {
        // The text above an underline is a heading.
        if is_underline(line.trim()) && is_open {
            res.pop_if(|it| it.0 == n as u32);
        }
        let least = if is_open { 1 } else { PARAGRAPH_START_WORDS };
        let plain = reader.prose(line).map(|it| plain(it, least)).unwrap_or_default();
        match (plain.is_empty(), is_open) {
            (true, _) => is_open = false,
            (false, false) => {
                res.push((n as u32 + 1, plain));
                is_open = true;
            }
            (false, true) => {
                if let Some(it) = res.last_mut() {
                    it.1 = format!("{} {plain}", it.1);
                }
            }
        }
    }
    res
}

/// Whether a line only underlines the one above.
fn is_underline(line: &str) -> bool {
    let first = line.chars().next().unwrap_or(' ');
    line.len() >= 3 && "=-~^\"".contains(first) && line.chars().all(|it| it == first)
}

/// Reads a document line by line.
#[derive(Default)]
struct Reader {
    is_code: bool,
    is_comment: bool,
    /// Inside an HTML tag that spans lines.
    is_tag: bool,
    /// After a reStructuredText directive, whose options and content are indented.
    is_directive: bool,
}

impl Reader {
    /// The prose of the next line; `None` inside a comment, code, a tag or a directive.
    fn prose<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        let trimmed = line.trim();
        self.is_comment |= trimmed.starts_with("<!--");
        if self.is_comment {
            self.is_comment = !trimmed.contains("-->");
            return None;
        }
        if trimmed.starts_with("```") {
            self.is_code = !self.is_code;
            return None;
        }
        let is_inside = self.is_directive && (trimmed.is_empty() || line.starts_with([' ', '\t']));
        self.is_directive = is_inside || trimmed.starts_with(".. ");
        if self.is_code || self.is_directive {
            return None;
        }
        self.outside_of_tags(trimmed)
    }

    /// Removes the part of the line inside an HTML tag that spans several lines.
    fn outside_of_tags<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        let mut rest = line;
        if self.is_tag && !line.is_empty() {
            rest = line.split_once('>')?.1;
        }
        let open = rest.rfind('<').filter(|open| {
            let after = &rest[open + 1..];
            let is_name = after.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/');
            is_name && !after.contains('>') && !rest[..*open].ends_with('`')
        });
        self.is_tag = open.is_some();
        Some(&rest[..open.unwrap_or(rest.len())])
    }
}

/// The words of a prose line; empty for headings, lists and pictures, and below `least` words.
fn plain(line: &str, least: usize) -> String {
    // A quotation is often the project's motto; `> [!NOTE]` and `> **Note**` are notes.
    let line = line.strip_prefix("> ").filter(|it| !it.starts_with(['[', '*'])).unwrap_or(line);
    let is_other = ["#", "[![", "![", "=", "-", "*", "|", ">", "..", "+", "```"]
        .iter()
        .any(|it| line.starts_with(it));
    let words = without_links(&without_tags(line));
    let letters = words.chars().filter(|it| it.is_alphabetic()).count();
    let n_words = words.split_whitespace().count();
    if is_other && !line.starts_with("**") || n_words < least || 2 * letters < words.len() {
        return String::new();
    }
    words
}

/// Strips Markdown around words: `[word](address)`, `[word][reference]`, `**word**`.
fn without_links(text: &str) -> String {
    let text = text.replace("**", "").replace("[#]_", "");
    let mut res = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, inside)) = rest.split_once('[') {
        res.push_str(before);
        let Some((word, after)) = inside.split_once(']') else {
            res.push('[');
            rest = inside;
            continue;
        };
        let address = [('(', ')'), ('[', ']')].into_iter().find_map(|(open, close)| {
            after.strip_prefix(open).and_then(|it| it.split_once(close)).map(|it| it.1)
        });
        rest = address.unwrap_or(after);
        // A number in brackets is not a link.
        match address.is_some() || word.chars().any(char::is_alphabetic) {
            true => res.push_str(word),
            false => res.push_str(&format!("[{word}]")),
        }
    }
    res.push_str(rest);
    res
}

/// The comment at the head of a file that describes it, other than a licence: its lines, and its first paragraph.
pub(super) fn head_comment(text: &str) -> Option<((u32, u32), String)> {
    let mut start = 0;
    let lines: Vec<&str> = text.lines().take(80).collect();
    while start < lines.len() {
        let is_comment = |it: &str| {
            ["//", "/*", "*", "#", "--", ";;", "\"\"\"", "'''", "r\"\"\""]
                .iter()
                .any(|mark| it.trim_start().starts_with(mark))
        };
        let first = (start..lines.len())
            .find(|it| !lines[*it].trim().is_empty() && !is_directive(lines[*it]))?;
        if !is_comment(lines[first]) {
            return None;
        }
        let quoted = lines[first].trim_start_matches('r').starts_with("\"\"\"");
        let last = match quoted && lines[first].matches("\"\"\"").count() == 1 {
            true => (first + 1..lines.len()).find(|it| lines[*it].contains("\"\"\""))?,
            false => (first..lines.len())
                .take_while(|it| is_comment(lines[*it]) && !is_directive(lines[*it]))
                .last()?,
        };
        let block = lines[first..=last].join("\n");
        let lower = block.to_lowercase();
        let is_licence = ["copyright", "licen", "spdx"].iter().any(|it| lower.contains(it));
        let words = summary(&block);
        if !is_licence && words.split_whitespace().count() >= 3 {
            return Some(((first as u32 + 1, last as u32 + 1), words));
        }
        start = last + 1;
    }
    None
}

/// Whether a line with a hash is no comment: an attribute of Rust, a directive of C, an interpreter.
fn is_directive(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('#') else { return false };
    let word = rest.split(|it: char| !it.is_alphabetic()).next().unwrap_or_default();
    rest.starts_with(['!', '['])
        || matches!(word, "define" | "endif" | "if" | "ifdef" | "ifndef" | "include" | "pragma")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_a_document_is_no_paragraph() {
        let check = |text: &str, name: &str, expect: &str| {
            assert_eq!(first_paragraph(text, name).1, expect);
        };
        let badges = "|version|\n\n.. |version| image:: https://x.y/v\n    :target: https://x.y/\n    :alt: Shop on the Package Index\n\nWelcome to the Shop!\n====================\n\nThe Shop counts all that is on its shelves.\n";
        check(badges, "shop", "The Shop counts all that is on its shelves.");
        let picture = "<p align=\"center\">\n  <img\n    src=\"x.png\"\n    alt=\"The sign of our shop\"\n  />\n</p>\n\n**Counts all that is on the shelves!**\n";
        check(picture, "shop", "Counts all that is on the shelves!");
        let address = "Shop\n\n• `An example with carts <https://x.y/carts>`_\n\n.. start\n\n\n**shop** is a library that counts items\non shelves.\n";
        check(address, "shop", "shop is a library that counts items on shelves.");
        check(
            "# Shop – counts all items on shelves\n\n[![x](y)](z)\n\nMany people have to count what they have.\n\n## Installation\n\nShop is available as a package.\n",
            "shop",
            "Shop – counts all items on shelves",
        );
        check(
            "```\nmake image\n```\n\nimage name will be `shop`\n\nIt runs the shop.\n",
            "",
            "It runs the shop.",
        );
    }

    #[test]
    fn a_first_paragraph_is_no_comment_and_leads_nowhere_else() {
        let check = |text: &str, name: &str, expect: &str| {
            assert_eq!(first_paragraph(text, name).1, expect);
        };
        let generated = "<!-- README is made\nby a script from a template -->\n\nPandoc converts documents between formats.\n";
        check(generated, "pandoc", "Pandoc converts documents between formats.");
        check(
            "# Phoenix\n\n> Peace of mind from prototype to production.\n\nSee the site at <https://x.y>.\n",
            "phoenix",
            "Peace of mind from prototype to production.",
        );
        check(
            "See the presentation over [here](x):\n\nSpring Petclinic is a [Spring Boot](https://x.y) **application** of [Maven].\n",
            "spring-petclinic",
            "Spring Petclinic is a Spring Boot application of Maven.",
        );
    }

    #[test]
    fn the_first_paragraph_is_a_sentence() {
        let text = "# Gin\n\n[![Build](x)](y)\n<img src=\"x\">\n\nGin is a web framework written in Go.\nIt is fast.\n\nMore.\n";
        assert_eq!(
            first_paragraph(text, "gin"),
            (6, "Gin is a web framework written in Go. It is fast.".to_owned())
        );
    }

    #[test]
    fn attributes_and_directives_are_no_comments() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(head_comment(text).map(|it| it.1).as_deref(), expect, "{text}");
        };
        check("#![cfg(all(feature = \"a\", unix))]\n#[cfg(all(test, unix))]\nmod a;\n", None);
        check(
            "#![cfg(unix)]\n//! Counts what is on shelves.\n",
            Some("Counts what is on shelves."),
        );
        check("#ifndef A_H\n#define die(...) errx(EXIT, __VA_ARGS__)\n", None);
        check("#!/bin/sh\n# Counts what is on shelves.\n", Some("Counts what is on shelves."));
    }

    #[test]
    fn a_licence_is_not_what_a_file_holds() {
        let text = "// Copyright 2020 Somebody.\n// Use of it is governed by a licence.\n\n// Package binding reads requests into structs.\npackage binding\n";
        let (lines, words) = head_comment(text).unwrap();
        assert_eq!(
            (lines, words.as_str()),
            ((4, 4), "Package binding reads requests into structs.")
        );
        assert_eq!(head_comment("package x\n// later\n"), None);
        let python = "\"\"\"Reads requests.\n\nMore.\n\"\"\"\nimport x\n";
        assert_eq!(head_comment(python), None);
        let python = "\"\"\"Reads all the requests.\n\nMore.\n\"\"\"\nimport x\n";
        assert_eq!(head_comment(python).unwrap().0, (1, 4));
    }
}
