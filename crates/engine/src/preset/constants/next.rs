//! The next edit: which places are listed, and how likely each reason is right.

/// Weights of the features of a place (`crates/engine/src/next/features.rs`), fitted by `train/next_edit.py` on half A: 169
/// states of 83 commits in 30 repositories, with the penalty 3 and without features on fewer than 30 places; checked on
/// half B (`benchmarks/results/next-edit.md`). `renamed` was too rare there; its weight gives about the share of right
/// places that was measured before, 20 of 23.
pub(crate) const WEIGHTS: [(&str, &str, f32); 77] = [
    ("above", "165", -1.02),
    ("above", "25", -0.72),
    ("above", "45", -0.14),
    ("above", "85", -0.75),
    ("above", "far", -1.66),
    ("alike", "", 1.60),
    ("alike", "prose", -0.43),
    ("alike", "rivals", -0.16),
    ("always", "", -3.30),
    ("below", "165", 0.33),
    ("below", "25", 1.58),
    ("below", "45", 1.39),
    ("below", "85", 0.83),
    ("below", "far", 0.16),
    ("beside", "", 1.75),
    ("beside", "prose", 0.31),
    ("beside", "rivals", -0.57),
    ("beside", "three", 0.09),
    ("beside", "two", -0.22),
    ("body", "", 0.33),
    ("body", "prose", -0.26),
    ("body", "rivals", -0.10),
    ("co-change", "", -0.09),
    ("co-change", "rivals", -0.06),
    ("co-change", "weight", 1.37),
    ("edited", "already", -0.78),
    ("edits", "beside", -0.30),
    ("edits", "edited", -1.05),
    ("edits", "elsewhere", -1.58),
    ("edits", "last", -0.23),
    ("file", "age", -0.62),
    ("file", "beside", -1.99),
    ("file", "edited", -0.64),
    ("file", "edits", -0.34),
    ("file", "elsewhere", -0.67),
    ("file", "reasons", -0.18),
    ("from", "165", -0.08),
    ("from", "25", -0.30),
    ("from", "45", -0.04),
    ("from", "85", -0.08),
    ("from", "far", -0.14),
    ("imports", "beside", -0.11),
    ("imports", "edited", -0.02),
    ("imports", "elsewhere", 0.10),
    ("imports", "last", 0.32),
    ("near", "", -0.33),
    ("near", "rivals", -0.23),
    ("new", "", -0.69),
    ("new", "prose", -0.22),
    ("new", "rivals", -0.05),
    ("reasons", "", 1.21),
    ("removed", "", 1.73),
    ("removed", "prose", -0.89),
    ("removed", "rivals", -0.63),
    ("renamed", "", 2.50),
    ("replaced", "", -0.14),
    ("replaced", "prose", -0.11),
    ("replaced", "rivals", -0.12),
    ("role", "aside", -0.68),
    ("role", "code", -0.05),
    ("role", "data", -0.97),
    ("role", "prose", -2.09),
    ("role", "same", 0.68),
    ("role", "test", 0.50),
    ("signature", "", 1.64),
    ("signature", "prose", -0.34),
    ("signature", "rivals", -0.28),
    ("similar", "beside", 2.09),
    ("similar", "edited", -0.18),
    ("similar", "elsewhere", 3.10),
    ("similar", "last", 0.96),
    ("test", "", 0.20),
    ("test", "rivals", 0.14),
    ("test", "weight", 0.06),
    ("used", "", 1.03),
    ("used", "prose", 0.31),
    ("used", "rivals", -0.41),
];

/// From scores to chances: a constant, the weight of the score, and that of the logarithm of the place's share among all
/// of its state.
pub(crate) const CALIBRATION: [f32; 3] = [0.0, 1.0, 0.0];

/// Places with less confidence are guesses: on half A 65 % of those above are right, on half B 70 %.
pub(crate) const LEAST_CONFIDENCE: f32 = 0.5;

/// Least confidence of a certain place: 13 of 13 were right on half A, 14 of 17 on half B.
pub(crate) const CERTAIN_CONFIDENCE: f32 = 0.85;

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

/// Edits whose replaced lines and values are searched for. First guess, as the other `REPEAT_` limits.
pub(crate) const REPEAT_EDITS: usize = 4;
/// Replaced lines of one edit.
pub(crate) const REPEAT_LINES: usize = 8;
/// Files that are read.
pub(crate) const REPEAT_FILES: usize = 80;
/// What more lines repeat says nothing.
pub(crate) const REPEAT_MOST: usize = 40;

/// The line of prose that stands for its beginning: with ten lines on each side, the first twenty. First guess.
pub(crate) const TOP_LINES: usize = 9;

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
