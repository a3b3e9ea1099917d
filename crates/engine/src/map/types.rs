//! The settings, the request and the result of a map.

use foreword_chunk::Kind;

use crate::index::FileId;

/// How a map is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapConfig {
    /// The default budget.
    pub tokens: usize,
    /// The share of a file's rank that follows its references; the rest restarts.
    pub damping: f64,
    /// The maximum number of iterations.
    pub max_iterations: usize,
    /// Iteration ends when the ranks change by less than this in total.
    pub tolerance: f64,
    /// The share of the restarting rank that restarts in the focus.
    pub focus: f64,
    /// The factor for a name of the focus.
    pub focus_name: f64,
    /// The factor for a long name of several words, which is specific.
    pub compound: f64,
    /// The factor for a private name (`_x`).
    pub private: f64,
    /// The factor for a name that only fields and constants have: a call or a type of that name means something else.
    pub data: f64,
    /// The factor for a use in a file that does not import a file that defines the name.
    pub unsure: f64,
    /// The weight, in each file, of references out of the repository. A file with few references passes on little rank.
    pub doubt: f64,
    /// The factor for a use in the defining file itself.
    pub own_use: f64,
    /// The share of its file's rank that the first definition gets even if nothing refers to it.
    pub unused: f64,
    /// The longest signature, in characters.
    pub signature_chars: usize,
}

impl MapConfig {
    /// The settings in use.
    pub fn baseline() -> Self {
        Self {
            tokens: 1024,
            damping: 0.85,
            max_iterations: 50,
            tolerance: 1e-7,
            focus: 0.8,
            focus_name: 10.0,
            compound: 10.0,
            private: 0.1,
            data: 0.1,
            unsure: 0.1,
            doubt: 2.0,
            own_use: 0.1,
            unused: 0.02,
            signature_chars: 160,
        }
    }
}

/// What to show in a map.
#[derive(Clone, Copy, Default)]
pub struct MapRequest<'r> {
    /// Paths of files or directories, or names, on which the map focuses. May be empty.
    pub focus: &'r [String],
    /// The budget of [`Map::text`].
    pub tokens: usize,
    /// Which files may be in it; `None` for all. Documents and data are in it only when the focus names them.
    pub keep: Option<&'r dyn Fn(FileId) -> bool>,
}

/// A definition of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapDefinition {
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Its kind.
    pub kind: Kind,
    /// Its signature in one line.
    pub signature: String,
    /// How many definitions enclose it.
    pub depth: usize,
}

/// A file of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFile {
    /// The file.
    pub path: String,
    /// Its rank; the ranks of all files add up to one before tests and periphery are scaled down.
    pub rank: f64,
    /// Those of its definitions that are shown, in order of place, outer before inner.
    pub definitions: Vec<MapDefinition>,
}

/// A ranked map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// Best first; ties by path.
    pub entries: Vec<MapFile>,
    /// Which of them refer to which, the strongest first.
    pub edges: Vec<MapEdge>,
    /// The map as text: paths, and under each the signatures, indented by nesting.
    pub text: String,
    /// Tokens of `text`.
    pub tokens: usize,
    /// How many files were ranked.
    pub files_total: usize,
    /// How many are shown.
    pub files_shown: usize,
    /// How many definitions they all have.
    pub definitions_total: usize,
    /// How many are shown.
    pub definitions_shown: usize,
    /// Whether the budget is too small for even the first definition.
    pub too_small: bool,
}

/// A file of a map that refers to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapEdge {
    /// The number in [`Map::entries`] of the file that refers.
    pub user: usize,
    /// The number of the file that defines what is referred to.
    pub definer: usize,
    /// The total weight of the references.
    pub weight: f64,
}
