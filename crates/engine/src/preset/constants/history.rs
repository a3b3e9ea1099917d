//! Which files change together: first guesses; on their own they find any later file among the first five of 0.47 of the
//! states in `benchmarks/results/next-edit.md`.

/// Commits with more files (formatting, renaming, vendoring) are ignored, as by Zimmermann et al.
pub(crate) const MOST_FILES: u32 = 30;

/// Half-life of a commit's weight, in commits.
pub(crate) const HALF_LIFE_COMMITS: f32 = 500.0;

/// Commits added to each file as if it had changed alone in them.
pub(crate) const PRIOR_COMMITS: f32 = 1.0;
