//! Divides a document into sections by its headings.

/// A part of a document from one heading to the next.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section<'t> {
    /// Its first line, from 1.
    pub(super) first: u32,
    /// The line after its last one, and after the last one of its subsections.
    pub(super) end: u32,
    pub(super) below_end: u32,
    /// Empty before the first heading.
    pub(super) title: &'t str,
    /// 1 for the title of a document; 0 before the first heading.
    pub(super) level: usize,
    /// Pieces of code with the numbers of their lines: lines of blocks, and text in backticks.
    pub(super) code: Vec<(u32, &'t str)>,
}

/// The sections of a document in Markdown, reStructuredText, AsciiDoc or plain text, in order. Linear in its length.
pub(super) fn sections(text: &str) -> Vec<Section<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut res = vec![section(1, "", 0)];
    let mut underlines: Vec<u8> = Vec::new();
    let (mut in_block, mut at) = (false, 0);
    while at < lines.len() {
        let (line, number) = (lines[at], at as u32 + 1);
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            in_block = !in_block;
        } else if in_block {
            add_code(&mut res, number, trimmed);
        } else if let Some((level, title)) = marked(line) {
            res.push(section(number, title, level));
        } else if let Some(mark) = lines.get(at + 1).and_then(|it| underline(line, it)) {
            let known = underlines.iter().position(|it| *it == mark);
            let level = known.unwrap_or(underlines.len()) + 1;
            if known.is_none() {
                underlines.push(mark);
            }
            res.push(section(number, trimmed, level));
            at += 1;
        } else if is_indented(line) || trimmed.starts_with("$ ") {
            add_code(&mut res, number, trimmed);
        } else {
            trimmed.split('`').skip(1).step_by(2).for_each(|it| add_code(&mut res, number, it));
        }
        at += 1;
    }
    close(&mut res, lines.len() as u32 + 1);
    res
}

fn section(first: u32, title: &str, level: usize) -> Section<'_> {
    Section { first, end: first, below_end: first, title, level, code: Vec::new() }
}

/// A heading by marks: `## Title`, `== Title`.
fn marked(line: &str) -> Option<(usize, &str)> {
    let mark = line.bytes().next().filter(|it| matches!(it, b'#' | b'='))?;
    let level = line.bytes().take_while(|it| *it == mark).count();
    let title = line[level..].strip_prefix(' ')?.trim().trim_end_matches(mark as char).trim();
    (level <= 6 && !title.is_empty()).then_some((level, title))
}

/// The mark of a line below a title: as many marks as the title has letters, or nearly.
fn underline(title: &str, below: &str) -> Option<u8> {
    let mark = below.bytes().next().filter(|it| b"=-~^*+\"".contains(it))?;
    let below = below.trim_end();
    let is_title = title.starts_with(|it: char| it.is_alphanumeric()) && title.len() < 80;
    let is_long = below.len() >= 3 && below.len() + 3 >= title.trim().chars().count();
    (is_title && is_long && below.bytes().all(|it| it == mark)).then_some(mark)
}

fn is_indented(line: &str) -> bool {
    line.starts_with("    ") || line.starts_with('\t') || line.starts_with("  $ ")
}

fn add_code<'t>(all: &mut [Section<'t>], line: u32, code: &'t str) {
    if let Some(it) = all.last_mut() {
        it.code.push((line, code));
    }
}

/// Finds the ends of all sections; `end` is the line after the last one.
fn close(all: &mut [Section<'_>], end: u32) {
    // The first line of the next section of each level or a higher one.
    let mut next: Vec<u32> = vec![end; 8];
    let mut following = end;
    for it in all.iter_mut().rev() {
        let level = it.level.min(7);
        (it.end, it.below_end) = (following, next[level]);
        next[level..].fill(it.first);
        following = it.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_divided_by_its_headings() {
        let text = "intro\n# Shop\n## Install\n```sh\n# no heading\npip install shop\n```\n### On Arch\n`pacman -S shop`\n## Use\n";
        let all = sections(text);
        let told: Vec<_> =
            all.iter().map(|it| (it.title, it.level, it.first, it.end, it.below_end)).collect();
        let expected = [
            ("", 0, 1, 2, 11),
            ("Shop", 1, 2, 3, 11),
            ("Install", 2, 3, 8, 10),
            ("On Arch", 3, 8, 10, 10),
            ("Use", 2, 10, 11, 11),
        ];
        assert_eq!(told, expected);
        assert_eq!(all[2].code, [(5, "# no heading"), (6, "pip install shop")]);
        assert_eq!(all[3].code, [(9, "pacman -S shop")]);
    }

    #[test]
    fn headings_are_underlined_in_other_formats() {
        let text = "Shop\n====\n\nInstall\n-------\n\n    pip install shop\n\nUse\n---\n";
        let told: Vec<_> = sections(text).iter().map(|it| (it.title, it.level)).collect();
        assert_eq!(told, [("", 0), ("Shop", 1), ("Install", 2), ("Use", 2)]);
        assert_eq!(sections(text)[2].code, [(7, "pip install shop")]);
        assert_eq!(sections("").len(), 1);
    }
}
