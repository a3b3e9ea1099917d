//! Customisation by a team: numbers of shown lines, and factors on scores.

/// Lines shown of a page, an issue or a commit. First guess.
pub(crate) const PAGE_LINES: u32 = 14;

/// Search results considered among answers and pages. First guess.
pub(crate) const STATEMENT_RESULTS: usize = 12;

/// Factor on the score of a pinned path. First guess: that of the strongest feature of a path.
pub(crate) const PINNED: f32 = 1.5;

/// Factor on the score of a demoted path. First guess.
pub(crate) const DEMOTED: f32 = 0.5;
