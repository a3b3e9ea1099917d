//! What the text around the cursor says about which lines of another place are of use.
//!
//! Where a file goes on like the lines before the cursor, what follows there is the likeliest to be written here; where it
//! goes on like the lines after the cursor, what stands before them. Lines that the window shows already are worth little.

use rustc_hash::{FxHashMap, FxHashSet};
use twox_hash::XxHash3_64;

use super::window::Window;
use crate::index::terms::{LineNames, each_name};

/// Lines that are compared on each side of a place, not counting blank ones. As many as the ranking compares.
const COMPARED: usize = 12;

/// What a name counts for each line that it is farther from the place.
const BY_LINE: f32 = 0.8;

/// The likeness that any two places have: as in the ranking.
const COMMON: f32 = 0.15;

/// What is left of a likeness for each line that is farther from the like place.
const FADES: f32 = 0.92;

/// Significant lines, by their hashes.
pub(super) type LineHashes = FxHashSet<u64>;

/// The text around the cursor.
pub(super) struct Surroundings<'w> {
    before: Names<'w>,
    after: Names<'w>,
    known: LineHashes,
}

/// Names by what they count: 1 on the nearest line, less on lines farther away.
struct Names<'w> {
    weights: FxHashMap<&'w str, f32>,
    sum: f32,
}

impl<'w> Surroundings<'w> {
    pub(super) fn new(window: &'w Window) -> Self {
        let Window { prefix, suffix, .. } = window;
        let mut known = line_hashes(prefix);
        known.extend(line_hashes(suffix));
        Self { before: Names::new(prefix.lines().rev()), after: Names::new(suffix.lines()), known }
    }

    /// The significant lines of the window.
    pub(super) fn known(&self) -> &LineHashes {
        &self.known
    }

    /// For each line of a text whether the window shows it.
    pub(super) fn is_known(&self, line: &str) -> bool {
        line_hash(line).is_some_and(|it| self.known.contains(&it))
    }

    /// For each of these lines how likely it is of use because of where it stands: from 0 to 1.
    pub(super) fn likeness(&self, lines: &[&str]) -> Vec<f32> {
        let named = LineNames::new(lines.iter().copied());
        let mut res = vec![0.0_f32; lines.len()];
        let mut fading = 0.0_f32;
        let mut before = Comparison::new(&named, &self.before);
        for (at, it) in res.iter_mut().enumerate() {
            fading = fading.max(before.likeness((0..at).rev()));
            *it = fading;
            fading *= FADES;
        }
        let mut fading = 0.0_f32;
        let mut after = Comparison::new(&named, &self.after);
        for (at, it) in res.iter_mut().enumerate().rev() {
            fading = fading.max(after.likeness(at + 1..lines.len()));
            *it = it.max(fading);
            fading *= FADES;
        }
        res
    }
}

impl<'w> Names<'w> {
    fn new(lines: impl Iterator<Item = &'w str>) -> Self {
        let mut weights = FxHashMap::default();
        let mut weight = 1.0;
        for line in lines.filter(|it| !it.trim().is_empty()).take(COMPARED) {
            each_name(line, |name| {
                weights.entry(name).or_insert(weight);
            });
            weight *= BY_LINE;
        }
        let mut all: Vec<f32> = weights.values().copied().collect();
        // The order of a map must not reach a sum.
        all.sort_unstable_by(f32::total_cmp);
        Self { sum: all.iter().sum(), weights }
    }
}

/// Lines of a text beside the names on one side of the cursor. Every line of a long chunk is a place to compare, so a
/// name is looked up once, and whether it was met at a place is a number, not a search.
struct Comparison<'l> {
    lines: &'l LineNames<'l>,
    /// By the number of a name, what it counts at the cursor.
    weights: Vec<f32>,
    /// Their sum over all names at the cursor.
    sum: f32,
    /// By the number of a name, the last place at which it was met.
    met: Vec<u32>,
    place: u32,
}

impl<'l> Comparison<'l> {
    fn new(lines: &'l LineNames<'l>, here: &Names<'_>) -> Self {
        let weight = |it: &&str| here.weights.get(it).copied().unwrap_or_default();
        let weights = lines.names().iter().map(weight).collect();
        let met = vec![0; lines.names().len()];
        Self { lines, weights, sum: here.sum, met, place: 0 }
    }

    /// How much the lines at `places`, the nearest first, are like the cursor's, beyond what is common: the weighted
    /// Jaccard index of their names.
    fn likeness(&mut self, places: impl Iterator<Item = usize>) -> f32 {
        self.place += 1;
        let (mut weight, mut sum, mut both) = (1.0, 0.0, 0.0);
        let lines = self.lines;
        for line in places.map(|it| lines.on(it)).filter(|it| !it.is_empty()).take(COMPARED) {
            for number in line.iter().map(|it| *it as usize) {
                if std::mem::replace(&mut self.met[number], self.place) != self.place {
                    sum += weight;
                    both += self.weights[number].min(weight);
                }
            }
            weight *= BY_LINE;
        }
        let likeness = both / (self.sum + sum - both).max(f32::MIN_POSITIVE);
        ((likeness - COMMON) / (1.0 - COMMON)).max(0.0)
    }
}

/// The lines that say something: trimmed, longer than a bracket.
pub(super) fn line_hashes(text: &str) -> LineHashes {
    text.lines().filter_map(line_hash).collect()
}

/// A line that says something.
pub(super) fn line_hash(line: &str) -> Option<u64> {
    let line = line.trim();
    (line.len() > 3).then(|| XxHash3_64::oneshot(line.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(prefix: &str, suffix: &str, text: &str) -> Vec<f32> {
        let window = Window { prefix: prefix.into(), suffix: suffix.into(), visible: Vec::new() };
        let lines: Vec<&str> = text.lines().collect();
        Surroundings::new(&window).likeness(&lines)
    }

    const OTHER: &str = "import logging\nclass Store:\ndef open(path, mode):\n    check(path)\n    handle = connect(path)\n    register(handle)\ndef close(handle):\n    release(handle)\n";

    #[test]
    fn what_follows_the_like_lines_is_likelier_than_the_like_lines() {
        let by_line = likeness("def open(path, flags):\n    check(path)\n", "", OTHER);
        assert!(
            by_line[4] > 0.3 && by_line[4] > by_line[3] && by_line[4] > by_line[5],
            "{by_line:?}"
        );
        assert!(by_line[5] > by_line[1], "{by_line:?}");
    }

    #[test]
    fn what_stands_before_lines_like_those_after_the_cursor_is_likely_too() {
        let by_line = likeness("", "def close(handle):\n    release(handle)\n", OTHER);
        assert!(
            by_line[5] > 0.3 && by_line[5] > by_line[4] && by_line[5] > by_line[7],
            "{by_line:?}"
        );
    }

    #[test]
    fn nothing_is_like_an_empty_window() {
        assert!(likeness("", "", OTHER).iter().all(|it| it.abs() < 1e-6));
    }
}
