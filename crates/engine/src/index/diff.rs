//! Differences between files and the last commit: hunks of lines with the names that each adds and removes.
//!
//! The caller provides the committed texts.

use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::terms::identifiers;
use crate::source::ContentHash;

/// Pairs of lines compared between the first and last difference, a few milliseconds of work; with more, the whole
/// range is one hunk.
const MAX_PAIRS: usize = 1 << 22;

/// The difference between the files of a repository and its last commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitDiff {
    /// The files that differ, most recently written first; deleted files are not included.
    pub files: Vec<FileDiff>,
}

impl CommitDiff {
    /// The difference of one file.
    pub fn file(&self, path: &str) -> Option<&FileDiff> {
        self.files.iter().find(|it| it.path == path)
    }
}

/// The difference between a file and its text in the last commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff {
    /// The file, relative to the root.
    pub path: String,
    /// Its text in the commit; `None` if the commit does not contain the file.
    pub committed: Option<Arc<str>>,
    /// Hash of the text that `hunks` refer to.
    pub hash: ContentHash,
    /// In file order.
    pub hunks: Vec<Hunk>,
}

/// Consecutive changed lines, or the position of deleted lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Byte range of the text, in whole lines; empty for a pure deletion.
    pub range: Range<usize>,
    /// Byte range of the committed text that it replaces, in whole lines; empty for a pure insertion.
    pub replaced: Range<usize>,
    /// Names in its lines that the replaced lines do not have, in order, without duplicates.
    pub added: Vec<String>,
    /// Names in the replaced lines that its lines do not have.
    pub removed: Vec<String>,
}

impl FileDiff {
    /// Compares a file's text with the committed one; `None` if their lines are equal.
    pub fn new(path: impl Into<String>, committed: Option<Arc<str>>, text: &str) -> Option<Self> {
        let hunks = hunks(committed.as_deref().unwrap_or_default(), text);
        let hash = ContentHash::of(text.as_bytes());
        (!hunks.is_empty()).then(|| Self { path: path.into(), committed, hash, hunks })
    }

    /// The hunks of another text of the file, such as an unsaved buffer.
    pub fn hunks_of(&self, text: &str) -> Vec<Hunk> {
        match ContentHash::of(text.as_bytes()) == self.hash {
            true => self.hunks.clone(),
            false => hunks(self.committed.as_deref().unwrap_or_default(), text),
        }
    }
}

/// The hunks that turn `old` into `new`, in order. Line endings are ignored, because git may convert them.
fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    let (old_lines, new_lines) = (Lines::new(old), Lines::new(new));
    let pairs = changed(&old_lines.contents(), &new_lines.contents());
    let pairs = pairs.iter().map(|(a, b)| (old_lines.bytes(a), new_lines.bytes(b)));
    let hunk = |(a, b): (Range<usize>, Range<usize>)| {
        let (had, has) = (names(&old[a.clone()]), names(&new[b.clone()]));
        let without = |these: &[&str], others: &[&str]| -> Vec<String> {
            let others: FxHashSet<&str> = others.iter().copied().collect();
            these.iter().filter(|it| !others.contains(*it)).map(|it| (*it).to_owned()).collect()
        };
        let (added, removed) = (without(&has, &had), without(&had, &has));
        Hunk { range: b, replaced: a, added, removed }
    };
    pairs.map(hunk).collect()
}

/// The ranges of lines that differ between two texts, in order.
pub(super) fn changed<L: Copy + Eq + Hash>(a: &[L], b: &[L]) -> Vec<(Range<usize>, Range<usize>)> {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    let pairs = match a.len().saturating_mul(b.len()) {
        0 if a.is_empty() && b.is_empty() => Vec::new(),
        n if n == 0 || n > MAX_PAIRS => vec![(0..a.len(), 0..b.len())],
        _ => differing(a, b),
    };
    let from = |it: Range<usize>| start + it.start..start + it.end;
    pairs.into_iter().map(|(a, b)| (from(a), from(b))).collect()
}

/// Ranges of differing lines, by Myers' algorithm.
fn differing<L: Copy + Eq + Hash>(a: &[L], b: &[L]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut known: FxHashMap<L, u32> = FxHashMap::default();
    let mut numbers = Vec::with_capacity(a.len() + b.len());
    for line in a.iter().chain(b) {
        let next = known.len() as u32;
        numbers.push(*known.entry(*line).or_insert(next));
    }
    let (a, b) = numbers.split_at(a.len());
    let ops = capture_diff_slices(Algorithm::Myers, a, b);
    let mut res: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    // By lengths: `similar` may note another place of the other text for a line that is only in one.
    let mut at = (0, 0);
    for it in &ops {
        let start = at;
        at = (at.0 + it.old_range().len(), at.1 + it.new_range().len());
        match res.last_mut() {
            _ if matches!(it, DiffOp::Equal { .. }) => {}
            // A deletion followed by an insertion is a replacement.
            Some(last) if last.0.end == start.0 && last.1.end == start.1 => {
                (last.0.end, last.1.end) = at;
            }
            _ => res.push((start.0..at.0, start.1..at.1)),
        }
    }
    res
}

/// A text split into lines with their endings.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|it| it + 1);
        let starts = std::iter::once(0).chain(ends).filter(|it| *it < text.len()).collect();
        Self { text, starts }
    }

    /// Lines without trailing white space.
    fn contents(&self) -> Vec<&'t str> {
        (0..self.starts.len()).map(|at| self.text[self.bytes(&(at..at + 1))].trim_end()).collect()
    }

    fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let start = |at: usize| self.starts.get(at).copied().unwrap_or(self.text.len());
        start(lines.start)..start(lines.end)
    }
}

/// Names in a text, in order, without duplicates.
fn names(text: &str) -> Vec<&str> {
    let mut met = FxHashSet::default();
    let mut res = Vec::new();
    identifiers(text, |start, end| {
        let word = &text[start..end];
        if word.len() > 1 && !word.as_bytes()[0].is_ascii_digit() && met.insert(word) {
            res.push(word);
        }
    });
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expect: &[(&str, &[&str], &[&str])]) {
        let found = hunks(old, new);
        let found: Vec<(&str, Vec<&str>, Vec<&str>)> = found
            .iter()
            .map(|it| {
                let added = it.added.iter().map(String::as_str).collect();
                (&new[it.range.clone()], added, it.removed.iter().map(String::as_str).collect())
            })
            .collect();
        let expect: Vec<_> =
            expect.iter().map(|(text, a, b)| (*text, a.to_vec(), b.to_vec())).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn a_renamed_function_is_one_hunk_with_both_names() {
        let old = "import a\n\ndef late_fee(n):\n    return n\n\nx = 1\n";
        let new = "import a\n\ndef overdue_fee(n):\n    return n\n\nx = 1\ny = 2\n";
        check(
            old,
            new,
            &[("def overdue_fee(n):\n", &["overdue_fee"], &["late_fee"]), ("y = 2\n", &[], &[])],
        );
    }

    #[test]
    fn what_is_gone_leaves_an_empty_hunk_and_a_new_file_is_one() {
        check("a\nold_name\nb\n", "a\nb\n", &[("", &[], &["old_name"])]);
        check("", "first\nlast\n", &[("first\nlast\n", &["first", "last"], &[])]);
        check("", "", &[]);
    }

    #[test]
    fn other_ends_of_lines_are_no_difference() {
        check("one\ntwo\n", "one\r\ntwo\r\n", &[]);
        check("one\ntwo", "one\r\nthree\r\n", &[("three\r\n", &["three"], &["two"])]);
        assert_eq!(FileDiff::new("a.txt", Some("one\n".into()), "one\r\n"), None);
    }

    #[test]
    fn a_rewritten_text_of_any_length_is_compared_in_time() {
        let text = |word: &str| -> String { (0..9000).map(|n| format!("{word}{n}\n")).collect() };
        let (old, new) = (text("old"), text("new"));
        assert_eq!(hunks(&old, &new).len(), 1);
    }

    proptest::proptest! {
        #[test]
        fn hunks_turn_one_text_into_the_other(old in "([a-c]\n){0,12}", new in "([a-c]\n){0,12}") {
            let (mut made, mut at) = (String::new(), 0);
            for it in hunks(&old, &new) {
                made.push_str(&old[at..it.replaced.start]);
                proptest::prop_assert_eq!(made.len(), it.range.start);
                made.push_str(&new[it.range]);
                at = it.replaced.end;
            }
            made.push_str(&old[at..]);
            proptest::prop_assert_eq!(made, new);
        }
    }

    #[test]
    fn the_hunks_of_a_buffer_are_those_of_its_own_text() {
        let diff = FileDiff::new("a.py", Some("a\nb\n".into()), "a\nsaved\nb\n").unwrap();
        assert_eq!(diff.hunks_of("a\nsaved\nb\n"), diff.hunks);
        let buffer = "a\nsaved\nb\nunsaved\n";
        let ranges: Vec<&str> =
            diff.hunks_of(buffer).into_iter().map(|it| &buffer[it.range]).collect();
        assert_eq!(ranges, ["saved\n", "unsaved\n"]);
        let changed = diff.hunks_of("a\nB\n");
        assert_eq!((changed.len(), changed[0].replaced.clone()), (1, 2..4));
    }
}
