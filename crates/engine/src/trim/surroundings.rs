//! The text around the cursor, as other places are compared with it: its lines, and its names by how near they are.

use rustc_hash::{FxHashMap, FxHashSet};

use super::window::Window;
use crate::index::terms::{each_name, hash_of};

/// Lines that are compared on each side of a place, not counting blank ones. As many as the ranking compares.
pub(super) const COMPARED: usize = 12;

/// What a name counts for each line that it is farther from the place.
pub(super) const BY_LINE: f32 = 0.8;

/// Significant lines, by their hashes.
pub(super) type LineHashes = FxHashSet<u64>;

/// The text around the cursor.
pub(super) struct Surroundings<'w> {
    before: Names<'w>,
    after: Names<'w>,
    known: LineHashes,
}

/// Names by what they count: 1 on the nearest line, less on lines farther away.
pub(super) struct Names<'w> {
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

    /// The names before and after the cursor.
    pub(super) fn sides(&self) -> [&Names<'w>; 2] {
        [&self.before, &self.after]
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

    /// What a name counts.
    pub(super) fn weight(&self, name: &str) -> f32 {
        self.weights.get(name).copied().unwrap_or_default()
    }

    /// The sum over all names.
    pub(super) fn sum(&self) -> f32 {
        self.sum
    }
}

/// The lines that say something: trimmed, longer than a bracket.
pub(super) fn line_hashes(text: &str) -> LineHashes {
    text.lines().filter_map(line_hash).collect()
}

/// A line that says something.
pub(super) fn line_hash(line: &str) -> Option<u64> {
    let line = line.trim();
    (line.len() > 3).then(|| hash_of(line))
}
