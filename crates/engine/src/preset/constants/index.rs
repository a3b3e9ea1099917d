//! Numbers of the index that decide scores, of vectors, and of resolving imports.

/// Added to both counts in the inverse document frequency, as in BM25 (Robertson and Zaragoza 2009).
pub(crate) const IDF_SMOOTHING: f32 = 0.5;

/// Names with fewer letters are not compared. First guess.
pub(crate) const SHORTEST_NAME: usize = 2;

/// Up to this many vectors are compared completely, in less than a millisecond. Of more, signs are compared first (an
/// eighth of the bytes). First guess.
pub(crate) const EXACT_VECTORS: usize = 16 << 10;

/// Vectors with the most common signs that are compared completely, per wanted hit; of 64,000 vectors that keeps the
/// nearest 150 (a test counts them).
pub(crate) const CANDIDATES_A_HIT: usize = 16;

/// Minimum of such vectors. First guess.
pub(crate) const FEWEST_CANDIDATES: usize = 4096;

/// Similarity from which two vectors of the probe text come from the same embedder: hardware only changes rounding,
/// another model everything. First guess.
pub(crate) const SAME_EMBEDDER: f32 = 0.98;

/// Namespaces with more declarations (`System` in its own repository) are not resolved by name. First guess.
pub(crate) const NAMESPACE_DECLARATIONS: usize = 400;

/// Classes with more definitions of their name are not resolved by name. First guess.
pub(crate) const CLASSES_OF_A_NAME: usize = 40;

/// Lines at the start of a file that are searched for the marks of a bundler or generator: enough to pass a licence.
/// Read on 61 repositories. First guess.
pub(crate) const GENERATED_LINES: usize = 40;

/// Least number of other directories that begin with one word for it to be the project's own. First guess.
pub(crate) const FAMILY_DIRECTORIES: usize = 3;

/// Files whose contents a partial snapshot asks for at once, best bounds first; later as many again as are there. The
/// best of them decide which others can matter; so few are read for a pattern without a look at the terms. It changes the time of an answer, not the answer; a first guess.
pub(crate) const FIRST_FILES: usize = 64;
