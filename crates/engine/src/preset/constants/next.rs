//! The next edit: which places are listed, and how likely each reason is right.

/// Weights of the features of a place (`crates/engine/src/next/features.rs`), fitted listwise by `train/next_edit.py` on both
/// halves: 736 states in 92 repositories, with the penalty 1 and without features on fewer than 30 places. Weights of either
/// half alone were confirmed on the other (`benchmarks/results/next-edit.md`).
pub(crate) const WEIGHTS: [(&str, &str, f32); 90] = [
    ("above", "165", -1.51),
    ("above", "25", -1.15),
    ("above", "45", -0.77),
    ("above", "85", -2.11),
    ("above", "far", -1.50),
    ("alike", "", 2.91),
    ("alike", "prose", 0.25),
    ("alike", "rivals", -1.11),
    ("below", "165", 1.07),
    ("below", "25", 1.92),
    ("below", "45", 1.39),
    ("below", "85", 1.52),
    ("below", "far", 1.19),
    ("beside", "", 0.89),
    ("beside", "prose", 0.37),
    ("beside", "rivals", -0.26),
    ("beside", "three", 1.42),
    ("beside", "two", -0.63),
    ("body", "", 1.09),
    ("body", "prose", -0.22),
    ("body", "rivals", -0.25),
    ("co-change", "", -0.11),
    ("co-change", "rivals", -0.12),
    ("co-change", "weight", 2.36),
    ("edited", "already", -1.36),
    ("edits", "beside", 0.25),
    ("edits", "edited", -1.09),
    ("edits", "elsewhere", -0.45),
    ("edits", "last", 0.36),
    ("end", "", 0.44),
    ("end", "rivals", 0.34),
    ("end", "weight", 2.15),
    ("file", "age", -0.71),
    ("file", "beside", -0.85),
    ("file", "edited", -0.73),
    ("file", "edits", 0.14),
    ("file", "elsewhere", -0.50),
    ("file", "last", 0.80),
    ("file", "reasons", 0.19),
    ("from", "165", -0.04),
    ("from", "25", -0.46),
    ("from", "45", -0.09),
    ("from", "85", -0.06),
    ("from", "far", -0.04),
    ("gone", "", 1.64),
    ("gone", "prose", 1.12),
    ("gone", "rivals", 1.38),
    ("imports", "beside", 0.02),
    ("imports", "edited", -0.04),
    ("imports", "elsewhere", -0.85),
    ("imports", "last", 1.77),
    ("named", "definition", 0.66),
    ("named", "file", 1.52),
    ("near", "", -0.13),
    ("near", "rivals", -0.14),
    ("new", "", 1.59),
    ("new", "prose", -0.12),
    ("new", "rivals", -0.19),
    ("reasons", "", 1.58),
    ("removed", "", 2.13),
    ("removed", "prose", 0.23),
    ("removed", "rivals", -0.44),
    ("renamed", "", 2.97),
    ("renamed", "prose", -0.11),
    ("renamed", "rivals", 0.62),
    ("replaced", "", 2.99),
    ("replaced", "prose", 0.31),
    ("replaced", "rivals", -0.38),
    ("role", "aside", -0.33),
    ("role", "code", -0.12),
    ("role", "data", -0.88),
    ("role", "prose", -1.65),
    ("role", "same", 0.82),
    ("role", "test", 1.70),
    ("signature", "", 1.55),
    ("signature", "broken", 0.97),
    ("signature", "possible", -0.46),
    ("signature", "prose", -0.79),
    ("signature", "rivals", -0.08),
    ("signature", "sure", 0.48),
    ("similar", "beside", 1.36),
    ("similar", "edited", -0.25),
    ("similar", "elsewhere", 0.84),
    ("similar", "last", 0.82),
    ("test", "", 0.16),
    ("test", "rivals", 0.10),
    ("test", "weight", 0.04),
    ("used", "", 1.22),
    ("used", "prose", -0.21),
    ("used", "rivals", -0.41),
];

/// From scores to chances: a constant, the weight of the score, and that of the logarithm of the place's share among all
/// of its state.
pub(crate) const CALIBRATION: [f32; 3] = [-1.588, 0.211, 0.528];

/// Places with less confidence are guesses: by weights of the other half, of those above 77 % are right on half A, 82 % on
/// half B.
pub(crate) const LEAST_CONFIDENCE: f32 = 0.5;

/// Least confidence of a certain place: 48 of 80 were right, 29 of 58 on half A, most wrong ones in one repository, and 19
/// of 22 on half B.
pub(crate) const CERTAIN_CONFIDENCE: f32 = 0.6;

/// A replacement that more lines could repeat is not proposed.
pub(crate) const MOST_AGAIN: usize = 4;

/// Lines around the last edit in which nothing is suggested.
pub(crate) const HERE_LINES: u32 = 10;

/// A guess at most this many lines from a listed place comes after all others.
pub(crate) const REPEATED: u32 = 10;

/// Lines of a step through an edited file, the steps in each direction, and the files.
pub(crate) const NEAR_LINES: u32 = 20;
/// See `NEAR_LINES`.
pub(crate) const NEAR_STEPS: u32 = 8;
/// See `NEAR_LINES`.
pub(crate) const NEAR_FILES: usize = 4;

/// Longer files are not compared with their state before the edits, in bytes.
pub(crate) const OLD_BYTES: usize = 200_000;

/// Files that are compared with their state before the edits, those of the latest edits.
pub(crate) const OLD_FILES: usize = 16;

/// Changed definitions whose uses are resolved.
pub(crate) const OLD_DEFINITIONS: usize = 8;

/// Bytes of a call that are read.
pub(crate) const CALL_BYTES: usize = 2_000;

/// Uses of one changed definition that are read.
pub(crate) const USES: usize = 100;

/// Lines on each side of an addition whose names count as beside it.
pub(crate) const BESIDE_AROUND: usize = 6;

/// Edits whose replaced lines are searched for. First guess, as the other `REPEAT_` limits.
pub(crate) const REPEAT_EDITS: usize = 4;
/// Replaced lines of one edit.
pub(crate) const REPEAT_LINES: usize = 8;
/// Files that are read.
pub(crate) const REPEAT_FILES: usize = 80;
/// A line with fewer words is like too many others.
pub(crate) const REPEAT_WORDS: usize = 3;
/// What more lines repeat says nothing.
pub(crate) const REPEAT_MOST: usize = 40;

/// Shorter names of files and definitions, in letters, are in too many others. First guess.
pub(crate) const SHORTEST_SHARED: usize = 4;

/// Weight of a file that tests an edited one, as a share of common commits. First guess.
pub(crate) const TEST_WEIGHT: f32 = 0.3;

/// Shorter names are on too many lines. First guess.
pub(crate) const SHORTEST_NAME: usize = 3;

/// Names of each kind that one edit gives. First guess.
pub(crate) const NAMES_PER_KIND: usize = 8;

/// A change in the body of a definition with at least this many lines says little about its callers. First guess.
pub(crate) const LONG_DEFINITION_LINES: usize = 400;

/// A name in more files than this is searched for only in edited files, their companions and their directories. First
/// guess.
pub(crate) const COMMON_NAME_FILES: usize = 40;

/// Lines of one file listed for one name. First guess.
pub(crate) const LINES_PER_NAME: usize = 12;

/// Share of common words from which two lines are alike. First guess.
pub(crate) const LIKE_LINE_SHARE: f32 = 0.6;

/// A shorter line, in bytes, is like too many others. First guess.
pub(crate) const SHORTEST_LIKE_LINE: usize = 12;

/// Least weight of a file that changed together with an edited one. First guess.
pub(crate) const COMPANION_SHARE: f32 = 0.04;

/// Least number of commits with both files, unless the weight is `SURE_COMPANION_SHARE`. First guess.
pub(crate) const COMPANION_COMMITS: u32 = 2;

/// Hits at most this many lines apart form one place. First guess.
pub(crate) const JOINED_LINES: u32 = 10;

/// A companion of at least this weight needs no second common commit. First guess.
pub(crate) const SURE_COMPANION_SHARE: f32 = 0.3;

/// Edited files whose companions are looked up. First guess.
pub(crate) const COMPANION_EDITS: usize = 8;

/// Tests listed for an edited file. First guess.
pub(crate) const TESTS: usize = 3;

/// Weight of a changed name, relative to another name of the edits, when the line of a companion is chosen. First guess.
pub(crate) const CHANGED_NAME_WEIGHT: usize = 3;

/// An edit that adds more lines than this gives no names beside it. First guess.
pub(crate) const BESIDE_LINES: usize = 12;

/// Names beside an edit. First guess.
pub(crate) const BESIDE_NAMES: usize = 8;

/// Edits whose missing imports are listed. First guess.
pub(crate) const IMPORT_EDITS: usize = 4;

/// Shortest name, in bytes, that may lack an import: with a capital, and without. First guess.
pub(crate) const SHORTEST_IMPORT: (usize, usize) = (4, 7);

/// A model's text may have this many lines less than the lines that it replaces, so that an answer which ends early is no
/// deletion. First guess.
pub(crate) const MOST_DELETED_LINES: usize = 5;

/// A model's text may have this many lines more. First guess.
pub(crate) const MOST_WRITTEN_LINES: usize = 40;

/// Of the names that a model's text adds, one, or one in this many, may occur nowhere in the repository: new local names
/// are usual, many of them are made up. First guess.
pub(crate) const MOST_INVENTED_PART: usize = 3;
