//! Where a document was changed, in order of time.

use std::ops::Range;

/// Maximum ranges kept of a document.
const MAX_RANGES: usize = 64;

/// The changed ranges of a document, in its current text; empty where something was deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WrittenRanges {
    /// Each with the time of its last change, the latest last.
    ranges: Vec<(Range<usize>, u64)>,
}

impl WrittenRanges {
    /// Records that the bytes of `replaced` became `length` others at a time after all earlier ones. Ranges that it
    /// touches become one with it.
    pub(super) fn add(&mut self, replaced: &Range<usize>, length: usize, time: u64) {
        let moved = |at: usize| at - replaced.len() + length;
        let mut written = replaced.start..replaced.start + length;
        self.ranges.retain_mut(|(it, _)| {
            if it.end < replaced.start {
                return true;
            }
            if it.start > replaced.end {
                *it = moved(it.start)..moved(it.end);
                return true;
            }
            written.start = written.start.min(it.start);
            written.end = written.end.max(moved(it.end.max(replaced.end)));
            false
        });
        self.ranges.push((written, time));
        if self.ranges.len() > MAX_RANGES {
            self.ranges.remove(0);
        }
    }

    /// Each with the time of its last change, the latest last.
    pub(super) fn ranges(&self) -> &[(Range<usize>, u64)] {
        &self.ranges
    }
}

/// The bytes in which two texts differ, from the first to the last difference, and the length of what is new there.
pub(super) fn difference(old: &str, new: &str) -> (Range<usize>, usize) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    (start..start + a.len() - end, b.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(changes: &[(Range<usize>, usize)], expect: &[(Range<usize>, u64)]) {
        let mut written = WrittenRanges::default();
        for (time, (replaced, length)) in changes.iter().enumerate() {
            written.add(replaced, *length, time as u64);
        }
        assert_eq!(written.ranges(), expect);
    }

    #[test]
    fn later_changes_move_the_ranges_behind_them_and_join_those_that_they_touch() {
        check(&[(10..10, 5), (0..0, 3)], &[(13..18, 0), (0..3, 1)]);
        check(&[(10..10, 5), (30..32, 0), (12..13, 4)], &[(33..33, 1), (10..18, 2)]);
        check(&[(4..4, 1), (5..5, 1), (6..6, 1)], &[(4..7, 2)]);
        check(&[(10..20, 2), (40..50, 2), (0..60, 1)], &[(0..1, 2)]);
        check(&[(10..12, 10), (11..11, 0)], &[(10..20, 1)]);
    }

    #[test]
    fn the_oldest_of_many_ranges_is_forgotten() {
        let mut written = WrittenRanges::default();
        for n in 0..100 {
            written.add(&(n * 10..n * 10), 1, n as u64);
        }
        assert_eq!(written.ranges().len(), MAX_RANGES);
        assert_eq!(written.ranges()[0].1, 36);
    }

    #[test]
    fn the_difference_of_two_texts_is_one_range() {
        assert_eq!(difference("abcd", "abXcd"), (2..2, 1));
        assert_eq!(difference("aaaa", "aaa"), (3..4, 0));
        assert_eq!(difference("same", "same"), (4..4, 0));
        assert_eq!(difference("", "x"), (0..0, 1));
    }
}
