//! The next edit: which places are listed, and how likely each reason is right.

/// Chance that a reason is right, by its code and by distance: in the same definition, the same file, the same
/// directory, elsewhere. Like the five numbers below, set by eye after the share of right places by first reason on 13
/// training repositories; `benchmarks/results/next-edit.md` has what they are worth on others.
pub(crate) const CHANCES: [(&str, [f32; 4]); 12] = [
    ("gone", [0.5, 0.5, 0.4, 0.35]),
    ("renamed", [0.5, 0.5, 0.4, 0.35]),
    ("replaced", [0.3, 0.2, 0.15, 0.1]),
    ("alike", [0.4, 0.35, 0.25, 0.2]),
    ("removed", [0.3, 0.2, 0.1, 0.06]),
    ("signature", [0.2, 0.15, 0.12, 0.1]),
    ("new", [0.15, 0.12, 0.1, 0.06]),
    ("body", [0.12, 0.1, 0.06, 0.04]),
    ("beside", [0.2, 0.2, 0.16, 0.08]),
    ("import", [0.3, 0.3, 0.3, 0.3]),
    ("following", [0.4, 0.12, 0.06, 0.04]),
    ("neighbour", [0.08, 0.05, 0.05, 0.05]),
];

/// Factor on a reason for each edit made after its own.
pub(crate) const OLDER_EDIT: f32 = 0.8;

/// Factor on places in examples, documents and data.
pub(crate) const ASIDE: f32 = 0.6;

/// Lines with the same reason at which its chance is halved.
pub(crate) const RIVALS: f32 = 8.0;

/// Factor on the share of common commits.
pub(crate) const CO_CHANGE: f32 = 0.12;

/// Places with less confidence are omitted.
pub(crate) const LEAST_CONFIDENCE: f32 = 0.1;

/// Factor on the second reason of a kind at one place, and again on the third. First guess.
pub(crate) const SAME_KIND_REASON: f32 = 0.5;

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

/// Rivals that another definition of an old name adds: as many as `RIVALS`, so that with one such definition half of
/// the uses count as its own. Set with `renamed`, `benchmarks/results/next-edit.md`, "Renames".
pub(crate) const RIVALS_PER_DEFINITION: usize = 8;

/// A shorter line, in bytes, is like too many others. First guess.
pub(crate) const SHORTEST_LIKE_LINE: usize = 12;

/// Definitions listed on each side of the last edit. First guess.
pub(crate) const NEIGHBOURS: usize = 2;

/// Edits whose ends are listed as places. First guess.
pub(crate) const FOLLOWED_EDITS: usize = 6;

/// Least weight of a file that changed together with an edited one. First guess.
pub(crate) const COMPANION_SHARE: f32 = 0.04;

/// Least number of commits with both files, unless the weight is `SURE_COMPANION_SHARE`. First guess.
pub(crate) const COMPANION_COMMITS: u32 = 2;

/// Hits in one definition at most this many lines apart form one place. First guess.
pub(crate) const JOINED_LINES: u32 = 6;

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

/// Names taken from each line beside an edit. First guess.
pub(crate) const BESIDE_NAMES: usize = 3;

/// Lines at most this many bytes from an edit are as near as those in the same definition. First guess.
pub(crate) const NEAR_BYTES: usize = 600;

/// In a definition of at least this many bytes, nearness is measured by bytes alone. First guess.
pub(crate) const LARGE_DEFINITION_BYTES: usize = 6_000;

/// Edits whose missing imports are listed. First guess.
pub(crate) const IMPORT_EDITS: usize = 4;

/// Shortest name, in bytes, that may lack an import: with a capital, and without. First guess.
pub(crate) const SHORTEST_IMPORT: (usize, usize) = (4, 7);
