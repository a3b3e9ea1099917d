//! The settings, the request and the result of a map.

use foreword_chunk::Kind;

use crate::index::FileId;
use crate::preset::constants::map as constants;

/// Settings of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapConfig {
    /// Default budget, in tokens.
    pub tokens: usize,
    /// Share of a file's rank that follows its references; the rest restarts.
    pub damping: f64,
    /// Maximum number of iterations.
    pub max_iterations: usize,
    /// Total change of the ranks at which iteration ends.
    pub tolerance: f64,
    /// Share of the restarting rank that restarts in the focus.
    pub focus: f64,
    /// Factor on a name of the focus.
    pub focus_name: f64,
    /// Factor on a long name of several words, which is specific.
    pub compound: f64,
    /// Factor on a private name (`_x`).
    pub private: f64,
    /// Factor on fields and constants, and on names that only they have: a call or a type of that name means something
    /// else.
    pub data: f64,
    /// Factor on a reference in a file that imports no definition of the name.
    pub unsure: f64,
    /// Weight, in each file, of references out of the repository: a file with few references passes on little rank.
    pub doubt: f64,
    /// Weight of a use in a file that imports no definition of the name, relative to one that does.
    pub unsure_use: f64,
    /// Weight of an unused definition, relative to one use.
    pub unused: f64,
    /// Weight of a function or enumeration, relative to a type.
    pub function: f64,
    /// Weight of a method or constructor.
    pub method: f64,
    /// Weight of a type alias or module.
    pub alias: f64,
    /// Weight of a macro.
    pub macros: f64,
    /// Factor for each enclosing definition other than a module.
    pub nested: f64,
    /// Exponent of a definition's lines.
    pub size: f64,
    /// Exponent of its file's rank, without a focus.
    pub rank: f64,
    /// Factor on definitions private to their file or package.
    pub hidden: f64,
    /// Factor on files in a directory called `internal` or the like.
    pub internal: f64,
    /// Factor on a second definition with the same signature in a directory.
    pub twin: f64,
    /// Factor for each definition already picked from the file.
    pub same_file: f64,
    /// Factor for each definition already picked from the directory.
    pub same_directory: f64,
    /// Maximum characters of a signature.
    pub signature_chars: usize,
}

impl MapConfig {
    /// The settings in use.
    pub fn baseline() -> Self {
        Self {
            tokens: constants::DEFAULT_TOKENS,
            damping: constants::DAMPING,
            max_iterations: 50,
            tolerance: 1e-7,
            focus: constants::FOCUS_SHARE,
            focus_name: constants::FOCUS_NAME,
            compound: constants::COMPOUND_NAME,
            private: constants::PRIVATE_NAME,
            data: constants::DATA,
            unsure: constants::UNSURE_REFERENCE,
            doubt: constants::OUTSIDE_REFERENCES,
            unsure_use: constants::UNSURE_USE,
            unused: constants::UNUSED,
            function: constants::FUNCTION,
            method: constants::METHOD,
            alias: constants::ALIAS,
            macros: constants::MACRO,
            nested: constants::NESTED,
            size: constants::SIZE_EXPONENT,
            rank: constants::RANK_EXPONENT,
            hidden: constants::HIDDEN,
            internal: constants::INTERNAL,
            twin: constants::TWIN,
            same_file: constants::SAME_FILE,
            same_directory: constants::SAME_DIRECTORY,
            signature_chars: 100,
        }
    }
}

/// Request for a map.
#[derive(Clone, Copy, Default)]
pub struct MapRequest<'r> {
    /// Paths of files or directories, or names, on which the map focuses. May be empty.
    pub focus: &'r [String],
    /// Token budget of [`Map::text`].
    pub tokens: usize,
    /// Filter of files; `None` for all. Documents and data are included only when the focus names them.
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
    /// Number of enclosing definitions.
    pub depth: usize,
}

/// A file of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFile {
    /// The file.
    pub path: String,
    /// Its rank. The ranks of all files add up to one before tests and periphery are scaled down.
    pub rank: f64,
    /// Its shown definitions, in order of place, outer before inner.
    pub definitions: Vec<MapDefinition>,
}

/// A ranked map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// Files by their best definition; ties by path.
    pub entries: Vec<MapFile>,
    /// References between them, the strongest first.
    pub edges: Vec<MapEdge>,
    /// The map as text: paths, and under each the signatures, indented by nesting.
    pub text: String,
    /// Tokens of `text`.
    pub tokens: usize,
    /// Number of ranked files.
    pub files_total: usize,
    /// Number of shown files.
    pub files_shown: usize,
    /// Number of definitions in all files.
    pub definitions_total: usize,
    /// Number of shown definitions.
    pub definitions_shown: usize,
    /// Whether the budget is too small for even the first definition.
    pub too_small: bool,
}

/// A file of a map that refers to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapEdge {
    /// The number in [`Map::entries`] of the referring file.
    pub user: usize,
    /// The number of the file with the definition.
    pub definer: usize,
    /// The total weight of the references.
    pub weight: f64,
}
