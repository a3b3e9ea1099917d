//! How much of a file is left: a sketch of its lines that is stored instead of them.
//!
//! The sketch is the smallest hashes of the distinct lines. Of the smallest hashes of two sketches together, the share that
//! both have estimates the share of lines that the texts have in common (Broder, "On the resemblance and containment of
//! documents", 1997). With 64 hashes the standard error is at most .06.

use std::collections::BTreeSet;

use twox_hash::XxHash3_64;

use crate::preset::constants::speculate::SKETCH_HASHES;

/// The sketch of a text, ascending. Blank lines and indentation do not matter.
pub(super) fn sketch(text: &str) -> Vec<u32> {
    let mut res: BTreeSet<u32> = BTreeSet::new();
    for line in text.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let hash = XxHash3_64::oneshot(line.as_bytes()) as u32;
        let is_small = res.len() < SKETCH_HASHES || res.last().is_some_and(|it| hash < *it);
        if is_small && res.insert(hash) && res.len() > SKETCH_HASHES {
            res.pop_last();
        }
    }
    res.into_iter().collect()
}

/// The share of lines that two texts have in common, estimated from their sketches; 1 if both are empty.
pub(super) fn resemblance(a: &[u32], b: &[u32]) -> f32 {
    let all: BTreeSet<u32> = a.iter().chain(b).copied().collect();
    let is_in = |sketch: &[u32], it: &u32| sketch.binary_search(it).is_ok();
    let smallest: Vec<u32> = all.into_iter().take(SKETCH_HASHES).collect();
    let common = smallest.iter().filter(|it| is_in(a, it) && is_in(b, it)).count();
    if smallest.is_empty() { 1.0 } else { common as f32 / smallest.len() as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: std::ops::Range<usize>) -> String {
        lines.map(|it| format!("    let value_{it} = {it};\n\n")).collect()
    }

    fn compared(a: &str, b: &str) -> f32 {
        resemblance(&sketch(a), &sketch(b))
    }

    #[test]
    fn equal_and_different_texts_are_told_apart_exactly() {
        assert!((compared(&text(0..500), &text(0..500)) - 1.0).abs() < f32::EPSILON);
        assert!(compared(&text(0..500), &text(500..1000)) < f32::EPSILON);
        assert!((compared("", "\n\n") - 1.0).abs() < f32::EPSILON);
        // Short texts are compared line by line: three of five lines.
        assert!((compared("a\nb\nc\nd\n", "a\nb\n  c\ne\n") - 0.6).abs() < f32::EPSILON);
    }

    #[test]
    fn the_share_of_common_lines_is_estimated() {
        for common in [100, 500, 900] {
            let shared = common as f32 / (2000 - common) as f32;
            let found = compared(&text(0..1000), &text(1000 - common..2000 - common));
            assert!((found - shared).abs() < 0.2, "{common}: {found} for {shared}");
        }
    }
}
