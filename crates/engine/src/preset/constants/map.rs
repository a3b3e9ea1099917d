//! The repository map: the weights of files, names and definitions.
//!
//! Unless stated otherwise they were chosen on the five `dev` repositories of `benchmarks/maps/truth.txt`: 0.78 of the
//! definitions within 1,000 tokens, 0.68 of those of the five `test` repositories.

/// Default budget, in tokens. First guess.
pub(crate) const DEFAULT_TOKENS: usize = 1024;

/// Share of a file's rank that follows its references; the rest restarts. The value of PageRank.
pub(crate) const DAMPING: f64 = 0.85;

/// Share of the restarting rank that restarts in the focus.
pub(crate) const FOCUS_SHARE: f64 = 0.8;

/// Factor on a name of the focus.
pub(crate) const FOCUS_NAME: f64 = 10.0;

/// Factor on a long name of several words, which is specific.
pub(crate) const COMPOUND_NAME: f64 = 10.0;

/// Factor on a private name (`_x`).
pub(crate) const PRIVATE_NAME: f64 = 0.1;

/// Factor on fields and constants, and on names that only they have.
pub(crate) const DATA: f64 = 0.1;

/// Factor on a reference in a file that imports no definition of the name.
pub(crate) const UNSURE_REFERENCE: f64 = 0.1;

/// Weight, in each file, of references out of the repository.
pub(crate) const OUTSIDE_REFERENCES: f64 = 2.0;

/// Weight of a use in a file that imports no definition of the name, relative to one that does.
pub(crate) const UNSURE_USE: f64 = 0.3;

/// Weight of an unused definition, relative to one use.
pub(crate) const UNUSED: f64 = 0.05;

/// Weight of a function or enumeration, relative to a type.
pub(crate) const FUNCTION: f64 = 0.4;

/// Weight of a method or constructor.
pub(crate) const METHOD: f64 = 0.1;

/// Weight of a type alias or module.
pub(crate) const ALIAS: f64 = 0.7;

/// Weight of a macro.
pub(crate) const MACRO: f64 = 0.15;

/// Factor for each enclosing definition other than a module.
pub(crate) const NESTED: f64 = 0.4;

/// Exponent of a definition's lines.
pub(crate) const SIZE_EXPONENT: f64 = 0.2;

/// Exponent of its file's rank, without a focus.
pub(crate) const RANK_EXPONENT: f64 = 0.3;

/// Factor on definitions private to their file or package.
pub(crate) const HIDDEN: f64 = 0.2;

/// Factor on files in a directory called `internal` or the like.
pub(crate) const INTERNAL: f64 = 0.4;

/// Factor on a second definition with the same signature in a directory.
pub(crate) const TWIN: f64 = 0.1;

/// Factor for each definition already picked from the file.
pub(crate) const SAME_FILE: f64 = 0.8;

/// Factor for each definition already picked from the directory.
pub(crate) const SAME_DIRECTORY: f64 = 0.99;

/// Weight of a use by the role of its file: code, re-exporting files, examples, tests, third-party code. Tests and examples
/// use public definitions.
pub(crate) const USE_BY_ROLE: [f64; 5] = [1.0, 0.7, 0.4, 0.3, 0.02];

/// Weight of a definition by the role of its file, in the same order.
pub(crate) const DEFINITION_BY_ROLE: [f64; 5] = [1.0, 0.8, 0.1, 0.02, 0.01];

/// Weight of a file's rank by its role, in the same order.
pub(crate) const RANK_BY_ROLE: [f64; 5] = [1.0, 0.8, 0.3, 0.2, 0.02];

/// Bytes of an average line. First guess.
pub(crate) const LINE_BYTES: f64 = 40.0;

/// In a repository with at most this many files, a name that all of them use is still specific. First guess.
pub(crate) const FEW_FILES: usize = 8;

/// Shorter names, in characters, are not specific even if they have several words. First guess.
pub(crate) const COMPOUND_CHARS: usize = 8;

/// A use with more visible definitions than this is ambiguous. First guess.
pub(crate) const VISIBLE_DEFINITIONS: usize = 8;
