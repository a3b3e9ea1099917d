//! The ranked map of a repository: its most referred-to definitions within a budget of tokens.
//!
//! Files are ranked by PageRank over "refers to a name that is defined there" (`read`, `graph`, `rank`), as aider's
//! repository map does; the rank of a file flows on to the definitions it refers to. The best definitions are shown
//! under their files, as signatures (`shelf`, `page`). The graph comes from the index and the records; only the texts
//! of files that may be shown are read.

mod edges;
mod graph;
mod page;
mod rank;
mod read;
mod shelf;

use foreword_chunk::Kind;

use crate::index::{FileId, Snapshot};
use crate::trim::Count;

pub use edges::MapEdge;
use graph::{Files, Graph};

/// How a map is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapConfig {
    /// The budget for those who name none.
    pub tokens: usize,
    /// The share of a file's rank that follows its references; the rest starts anew.
    pub damping: f64,
    /// How often ranks flow at the most.
    pub max_iterations: usize,
    /// Ranks that change less than this in sum are done.
    pub tolerance: f64,
    /// The share of what starts anew that starts in the focus.
    pub focus: f64,
    /// What a name of the focus weighs more than others.
    pub focus_name: f64,
    /// What a long name of several words weighs more than others: it says what it means.
    pub compound: f64,
    /// What a private name (`_x`) weighs less.
    pub private: f64,
    /// What a name weighs less that only fields and constants have: a call or a type of that name is another's.
    pub data: f64,
    /// What a use weighs less when the using file does not import a file that defines the name.
    pub unsure: f64,
    /// The weight, in each file, of what is not in the repository. Of a file that uses little, little flows on.
    pub doubt: f64,
    /// What a use of a name in its own file weighs less than one from elsewhere.
    pub own_use: f64,
    /// The share of its file's rank that the first definition has even if nothing refers to it.
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

/// What a map is to show.
#[derive(Clone, Copy, Default)]
pub struct MapRequest<'r> {
    /// Paths of files or directories, or names, near which the map looks first. May be empty.
    pub focus: &'r [String],
    /// How many tokens [`Map::text`] may have.
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
    /// What it is.
    pub kind: Kind,
    /// Its signature in one line.
    pub signature: String,
    /// How many definitions it lies in.
    pub depth: usize,
}

/// A file of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFile {
    /// The file.
    pub path: String,
    /// Its rank; all files' ranks add up to one before tests and leftovers are ranked down.
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
    /// Whether there is something to show, and the budget is too small for the first definition.
    pub too_small: bool,
}

/// The map of a snapshot. It never has more than the requested tokens.
pub fn map(snapshot: &Snapshot, request: &MapRequest<'_>, count: Count<'_>) -> Map {
    map_with(snapshot, request, &MapConfig::baseline(), count)
}

/// The map of a snapshot by settings of one's own.
pub fn map_with(
    snapshot: &Snapshot,
    request: &MapRequest<'_>,
    config: &MapConfig,
    count: Count<'_>,
) -> Map {
    let files = Files::new(snapshot, request);
    let graph = Graph::new(snapshot, &files, config);
    let ranks = rank::ranks(&graph, &files, config);
    let shelves = shelf::shelves(snapshot, &files, &graph, &ranks, request.tokens, config);
    let picks = shelf::picks(&shelves);
    let shown = page::fill(&shelves, &picks, request.tokens, count);
    Map {
        files_total: files.total,
        files_shown: shown.entries.len(),
        definitions_total: graph.n_definitions,
        definitions_shown: shown.entries.iter().map(|it| it.definitions.len()).sum(),
        too_small: shown.entries.is_empty() && !picks.is_empty(),
        tokens: shown.tokens,
        text: shown.text,
        edges: edges::edges(snapshot, &graph, &shown.entries),
        entries: shown.entries,
    }
}

#[cfg(test)]
mod tests;
