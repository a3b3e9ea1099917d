//! Excerpts of texts, with marks for omitted lines.

use foreword_chunk::LineIndex;
use foreword_engine::search::SearchResult;

/// At most `most` lines of a result: the matching lines of the best definition.
pub fn of_result(it: &SearchResult, most: usize) -> String {
    let excerpt = it.excerpt(most);
    render(excerpt.text, excerpt.start_line, it.focus_lines().0, excerpt.following)
}

/// The first lines, at most `most`, of a text that begins at line `start`.
pub fn beginning(text: &str, start: u32, most: usize) -> String {
    let text = text.trim_end();
    let blank = text.lines().take_while(|it| it.trim().is_empty()).count();
    let lines: Vec<&str> = text.lines().skip(blank).collect();
    let shown = &lines[..most.min(lines.len())];
    render(&shown.join("\n"), start + blank as u32, start, lines.len() - shown.len())
}

/// Lines from `line` on of a text that begins at line `start`.
fn render(text: &str, line: u32, start: u32, following: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    // Blank lines before the first need no mark.
    let before = match line > start + 2 {
        true => format!("… line {line}:\n"),
        false => String::new(),
    };
    let after = match following {
        0 => String::new(),
        1 => "\n… 1 more line".to_owned(),
        following => format!("\n… {following} more lines"),
    };
    format!("{before}{}{after}", text.trim_end_matches(['\n', '\r']))
}

/// Lines `first` to `last` of a text, 1-based, inclusive.
pub fn lines_of(text: &str, first: u32, last: u32) -> &str {
    let lines = LineIndex::new(text.as_bytes());
    let start = lines.start_of(first);
    let end = text[start..]
        .split_inclusive('\n')
        .take((last + 1 - first) as usize)
        .map(str::len)
        .sum::<usize>();
    &text[start..start + end]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\nfn outer() {\n    one();\n    two();\n}\n";

    #[test]
    fn a_short_text_is_shown_whole_and_of_a_long_one_the_beginning() {
        assert_eq!(beginning(TEXT, 10, 20), TEXT.trim());
        assert_eq!(beginning(TEXT, 10, 2), "fn outer() {\n    one();\n… 2 more lines");
    }

    #[test]
    fn lines_are_cut_out_whole() {
        assert_eq!(lines_of("a\nb\nc\n", 2, 3), "b\nc\n");
        assert_eq!(lines_of("a\nb", 2, 2), "b");
    }

    #[test]
    fn no_lines_and_no_text_are_fine() {
        assert_eq!(beginning(TEXT, 10, 0), "");
        assert_eq!(beginning("", 1, 5), "");
        assert_eq!(beginning("\n\n", 1, 5), "");
    }
}
