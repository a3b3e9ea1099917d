//! The text around the cursor prepared for comparison: its lines, and its names weighted by distance.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lines::{trimmed, with_endings};
use super::window::Window;
use crate::index::terms::{each_name, hash_of};
use crate::preset::constants::trim::{COMPARED_LINES, NAME_WEIGHT_BY_LINE};

/// Hashes of non-trivial lines.
pub(super) type LineHashes = FxHashSet<u64>;

/// The text around the cursor.
pub(super) struct Surroundings<'w> {
    before: Names<'w>,
    after: Names<'w>,
    known: LineHashes,
}

/// Names with weights: 1 on the nearest line, less on lines farther away.
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

    /// For readers that do not compare names.
    pub(super) fn without_names(window: &'w Window) -> Self {
        let mut known = line_hashes(&window.prefix);
        known.extend(line_hashes(&window.suffix));
        Self { before: Names::default(), after: Names::default(), known }
    }

    /// The non-trivial lines of the window.
    pub(super) fn known(&self) -> &LineHashes {
        &self.known
    }

    /// Whether the window shows a line; `None` for a trivial line.
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
        for line in lines.filter(|it| !trimmed(it).is_empty()).take(COMPARED_LINES) {
            each_name(line, |name| {
                weights.entry(name).or_insert(weight);
            });
            weight *= NAME_WEIGHT_BY_LINE;
        }
        let mut all: Vec<f32> = weights.values().copied().collect();
        // The sum must not depend on the order of the map.
        all.sort_unstable_by(f32::total_cmp);
        Self { sum: all.iter().sum(), weights }
    }

    /// Weight of a name.
    pub(super) fn weight(&self, name: &str) -> f32 {
        self.weights.get(name).copied().unwrap_or_default()
    }

    /// Sum over all names.
    pub(super) fn sum(&self) -> f32 {
        self.sum
    }
}

/// Hashes of the non-trivial lines.
pub(super) fn line_hashes(text: &str) -> LineHashes {
    with_endings(text).filter_map(line_hash).collect()
}

/// Hash of a line; `None` for a trivial line (a bracket, a blank).
pub(super) fn line_hash(line: &str) -> Option<u64> {
    let line = trimmed(line);
    (line.len() > 3).then(|| hash_of(line))
}
