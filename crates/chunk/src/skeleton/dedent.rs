//! Removes the common indentation of a text.

/// Removes `indentation` from each line but the first, merges blank lines and trims the end.
pub(crate) fn dedent(text: &str, indentation: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = true;
    for (i, line) in text.split_inclusive('\n').enumerate() {
        if line.trim().is_empty() {
            if !std::mem::replace(&mut blank, true) {
                out.push_str(if line.ends_with("\r\n") { "\r\n" } else { "\n" });
            }
            continue;
        }
        blank = false;
        let shared = line.bytes().zip(indentation.bytes()).take_while(|(a, b)| a == b).count();
        out.push_str(&line[if i == 0 { 0 } else { shared }..]);
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::dedent;

    #[test]
    fn lines_move_to_the_left_by_the_given_indentation() {
        assert_eq!(dedent("a\n\t  b\n\tc\nd", "\t"), "a\n  b\nc\nd");
    }

    #[test]
    fn blank_lines_merge_and_line_endings_stay() {
        assert_eq!(dedent("\r\na\r\n\r\n \r\n  b\r\n\r\n", "  "), "a\r\n\r\nb");
    }
}
