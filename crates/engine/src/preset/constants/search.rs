//! The lines of a search result that are shown first.

/// A definition with fewer lines is shown with lines around it. First guess.
pub(crate) const SHORT_FOCUS_LINES: usize = 3;

/// Lines shown of such a definition and its surroundings. First guess.
pub(crate) const WIDE_FOCUS_LINES: usize = 8;

/// Lines inside a definition are shown instead of its beginning if their weight exceeds that of the beginning by this
/// factor. `benchmarks/results/search.md`: of the functions that answer questions, 1.5 showed fewer beginnings, and no more
/// of their lines.
pub(crate) const BEGINNING_ADVANTAGE: f32 = 3.0;

/// Parts of a half-remembered name, at least: `get_project_root` may mean `project_root`, `ParseNetAddr` may mean
/// `ParseNetworkAddress`. First guess.
pub(crate) const REMEMBERED_PARTS: usize = 3;

/// Letters of a part of such a name that stands for a longer one. First guess.
pub(crate) const SHORTEST_PART: usize = 3;
