//! Changed lines of an edit: common lines at both ends are removed, the rest is compared line by line.

use std::collections::HashMap;
use std::ops::Range;

/// Byte ranges of `new`, in whole lines, that are not in `old`. Moved lines do not count.
pub fn changed_ranges(old: &str, new: &str) -> Vec<Range<usize>> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, rest) = (&old[same_start..], &new[same_start..]);
    let same_end = old.iter().rev().zip(rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut left: HashMap<&str, usize> = HashMap::new();
    for line in &old[..old.len() - same_end] {
        *left.entry(line.trim()).or_default() += 1;
    }
    let mut at: usize = new[..same_start].iter().map(|it| it.len()).sum();
    let mut res: Vec<Range<usize>> = Vec::new();
    for line in &rest[..rest.len() - same_end] {
        let range = at..at + line.len();
        at = range.end;
        let known = left.get_mut(line.trim()).filter(|it| **it > 0);
        match (known, res.last_mut()) {
            (Some(count), _) => *count -= 1,
            (None, Some(last)) if last.end == range.start => last.end = range.end,
            (None, _) => res.push(range),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, expect: &[&str]) {
        let ranges = changed_ranges(old, new);
        let texts: Vec<&str> = ranges.into_iter().map(|it| &new[it]).collect();
        assert_eq!(texts, expect);
    }

    #[test]
    fn inserted_lines_are_changed() {
        check("a\nb\nc\n", "a\nx\ny\nb\nc\n", &["x\ny\n"]);
        check("a\nb\nc\n", "a\nB\nc\nd\n", &["B\n", "d\n"]);
    }

    #[test]
    fn moved_and_equal_lines_are_not() {
        check("a\nb\nc\n", "a\nb\nc\n", &[]);
        check("a\nb\nc\nd\n", "a\nc\nb\nd\n", &[]);
        check("", "new\n", &["new\n"]);
    }
}
