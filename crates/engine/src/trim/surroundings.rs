//! The text around the cursor, as other places are compared with it: its lines, and its names by how near they are.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lines::{trimmed, with_endings};
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
#[derive(Default)]
pub(super) struct Names<'w> {
    weights: FxHashMap<&'w str, f32>,
    sum: f32,
}

impl<'w> Surroundings<'w> {
    pub(super) fn new(window: &'w Window) -> Self {
        let Window { prefix, suffix, .. } = window;
        let before = Names::new(prefix.lines().rev());
        Self { before, after: Names::new(suffix.lines()), ..Self::without_names(window) }
    }

    /// For a reader to whom it does not matter which names are near.
    pub(super) fn without_names(window: &'w Window) -> Self {
        let mut known = line_hashes(&window.prefix);
        known.extend(line_hashes(&window.suffix));
        Self { before: Names::default(), after: Names::default(), known }
    }

    /// The significant lines of the window.
    pub(super) fn known(&self) -> &LineHashes {
        &self.known
    }

    /// Whether the window shows a line; `None` for one that says nothing.
    pub(super) fn is_known(&self, line: &str) -> Option<bool> {
        line_hash(line).map(|it| self.known.contains(&it))
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
        for line in lines.filter(|it| !trimmed(it).is_empty()).take(COMPARED) {
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
    with_endings(text).filter_map(line_hash).collect()
}

/// A line that says something.
pub(super) fn line_hash(line: &str) -> Option<u64> {
    let line = trimmed(line);
    (line.len() > 3).then(|| hash_of(line))
}
