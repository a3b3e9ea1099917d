//! A change of one place in a file, as a diff.

use crate::cli::output::{self, BAD, DIM, GOOD};

/// Unchanged lines shown around a change.
const AROUND: usize = 2;

/// The lines that differ, with those around them.
pub(super) fn diff(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev());
    let tail = tail.take(rest).take_while(|(a, b)| a == b).count();
    let first = head.saturating_sub(AROUND);
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut res = format!("{DIM}@@ line {} @@{DIM:#}\n", first + 1);
    let mut lines = |mark: &str, style: anstyle::Style, lines: &[&str]| {
        for it in lines {
            res.push_str(&format!("{style}{mark} {}{style:#}\n", output::plain(it)));
        }
    };
    lines(" ", DIM, &old[first..head]);
    lines("-", BAD, &old[head..old_end]);
    lines("+", GOOD, &new[head..new_end]);
    lines(" ", DIM, &old[old_end..old.len().min(old_end + AROUND)]);
    res
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
}
