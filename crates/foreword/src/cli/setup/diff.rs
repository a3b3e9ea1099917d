//! A change of one place in a file, as a diff.

use foreword_engine::secret;

use crate::cli::output::{self, BAD, DIM, GOOD};

/// Unchanged lines shown around a change.
const AROUND: usize = 2;

/// The most characters of a line; a file may be one line.
const MOST_CHARS: usize = 160;

/// Unchanged characters shown around a change in a longer line.
const CHARS_AROUND: usize = 40;

/// The lines that differ, with those around them. Keys and tokens are masked, and long lines shortened.
pub(super) fn diff(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev());
    let tail = tail.take(rest).take_while(|(a, b)| a == b).count();
    let first = head.saturating_sub(AROUND);
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut res = format!("{DIM}@@ line {} @@{DIM:#}\n", first + 1);
    let mut lines = |mark: &str, style: anstyle::Style, lines: &[&str], other: Option<&&str>| {
        for &it in lines {
            // Before a line is cut: half a key is none to the search for keys.
            let masked = |it: &str| secret::masked(it.to_owned());
            let shown = shortened(&masked(it), &masked(other.copied().unwrap_or(it)));
            res.push_str(&format!("{style}{mark} {}{style:#}\n", output::plain(&shown)));
        }
    };
    lines(" ", DIM, &old[first..head], None);
    lines("-", BAD, &old[head..old_end], new[head..new_end].first());
    lines("+", GOOD, &new[head..new_end], old[head..old_end].first());
    lines(" ", DIM, &old[old_end..old.len().min(old_end + AROUND)], None);
    res
}

/// The part of a long line that is not in the other one.
fn shortened(line: &str, other: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    if chars.len() <= MOST_CHARS {
        return line.to_owned();
    }
    let head = equal(chars.iter().copied(), other.chars());
    let tail = equal(chars.iter().rev().copied(), other.chars().rev());
    let head = if head == chars.len() { 0 } else { head };
    let start = head.saturating_sub(CHARS_AROUND);
    let end = (chars.len().saturating_sub(tail) + CHARS_AROUND).clamp(start, start + MOST_CHARS);
    let end = end.min(chars.len());
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    let shown: String = chars[start..end].iter().collect();
    format!("{}{shown}{}", mark(start > 0), mark(end < chars.len()))
}

/// How many characters are equal at the beginning.
fn equal(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    one.zip(other).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_shown_with_two_lines_around_it() {
        let before = "{\n  a\n  b\n  c\n  d\n}\n";
        let shown = diff(before, &before.replace("  c\n", "  c,\n  x\n"));
        let shown = anstream::adapter::strip_str(&shown).to_string();
        assert_eq!(shown, "@@ line 2 @@\n    a\n    b\n-   c\n+   c,\n+   x\n    d\n  }\n");
        assert!(diff("", "x\n").contains("+ x"));
    }

    #[test]
    fn a_file_of_one_line_is_shown_around_the_change_and_without_keys() {
        let key = format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).unwrap());
        let before = format!("{{\"a\":\"{}\",\"key\":\"{key}\"}}", "x".repeat(5000));
        let shown = diff(&before, &before.replace("\"}", "\",\"foreword\":1}"));
        assert!(shown.contains("\"foreword\":1") && shown.len() < 600, "{shown}");
        assert!(!shown.contains(&key), "{shown}");
    }
}
