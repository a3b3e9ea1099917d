//! The lines of a text that match a query best.

use foreword_chunk::LineIndex;

/// Some consecutive lines of a longer text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The first line, 1-based.
    pub(crate) line: u32,
    pub(crate) text: String,
    /// How many lines of the text follow the last one.
    pub(crate) following: usize,
}

impl Excerpt {
    /// The lines, with a mark for what is left out before and after them. `start` is the first line of the whole text.
    pub(crate) fn render(&self, start: u32) -> String {
        if self.text.is_empty() {
            return String::new();
        }
        // Blank lines before the first need no mark.
        let before = match self.line > start + 2 {
            true => format!("… line {}:\n", self.line),
            false => String::new(),
        };
        let after = match self.following {
            0 => String::new(),
            following => format!("\n… {following} more lines"),
        };
        format!("{before}{}{after}", self.text)
    }
}

/// The beginning says what a text is, so other lines replace it only when they have half as many words more.
const BEGINNING: usize = 3;

/// At most `most` lines of `text`, which begins at line `start`: its beginning, or lines further down that have clearly
/// more of `terms` (in lower case).
pub(crate) fn excerpt(text: &str, start: u32, most: usize, terms: &[String]) -> Excerpt {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let first = lines.iter().position(|it| !it.trim().is_empty()).unwrap_or(0);
    let last = lines.len().saturating_sub(most).max(first);
    let counts: Vec<usize> = lines.iter().map(|it| count(it, terms)).collect();
    let worth = |at: usize| counts[at..lines.len().min(at + most)].iter().sum::<usize>();
    let best = (first..=last).max_by_key(|&at| (worth(at), std::cmp::Reverse(at))).unwrap_or(first);
    let beginning = lines.len() <= most || worth(first) * BEGINNING >= worth(best) * 2;
    let at = if beginning || most == 0 { first } else { best };
    let shown = &lines[at..lines.len().min(at + most)];
    Excerpt {
        line: start + at as u32,
        text: shown.join("\n"),
        following: lines.len() - at - shown.len(),
    }
}

/// Lines `first` to `last` of a text, 1-based, inclusive.
pub(crate) fn lines_of(text: &str, first: u32, last: u32) -> &str {
    let lines = LineIndex::new(text.as_bytes());
    let start = lines.start_of(first);
    let end = text[start..]
        .split_inclusive('\n')
        .take((last + 1 - first) as usize)
        .map(str::len)
        .sum::<usize>();
    &text[start..start + end]
}

/// How many of the terms a line contains.
fn count(line: &str, terms: &[String]) -> usize {
    let lower = line.to_lowercase();
    terms.iter().filter(|it| lower.contains(it.as_str())).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "\nfn outer() {\n    one();\n    two();\n    parse(request);\n    three();\n}\n";

    #[track_caller]
    fn check(most: usize, terms: &[&str], line: u32, text: &str) {
        let terms: Vec<String> = terms.iter().map(|it| (*it).to_owned()).collect();
        let it = excerpt(TEXT, 10, most, &terms);
        assert_eq!((it.line, it.text.as_str()), (line, text));
    }

    #[test]
    fn a_short_text_is_shown_whole() {
        check(20, &["parse"], 11, TEXT.trim());
    }

    #[test]
    fn a_long_text_is_shown_from_its_beginning_or_where_the_words_are() {
        check(2, &[], 11, "fn outer() {\n    one();");
        check(1, &["outer"], 11, "fn outer() {");
        check(1, &["parse", "request"], 14, "    parse(request);");
    }

    #[test]
    fn lines_are_cut_out_whole() {
        assert_eq!(lines_of("a\nb\nc\n", 2, 3), "b\nc\n");
        assert_eq!(lines_of("a\nb", 2, 2), "b");
    }

    #[test]
    fn no_lines_and_no_text_are_fine() {
        check(0, &["parse"], 11, "");
        assert_eq!(excerpt("", 1, 5, &[]).text, "");
        assert_eq!(excerpt("\n\n", 1, 5, &[]).text, "");
    }
}
