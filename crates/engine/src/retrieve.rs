//! Ranked lists of chunks, one for each signal, each hit with its reason.

mod lexical;
mod near;
pub mod query;
mod symbol;

use std::fmt;

use crate::index::{ChunkId, Field};

pub use lexical::{explain, lexical};
pub use near::{graph, package, recent};
pub use query::{Query, QueryConfig, hole_query, question_query};
pub use symbol::{named, used_at_hole};

/// Where a hit comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// The words of the query.
    Lexical,
    /// The definition of a name that the query or the hole uses.
    Symbol,
    /// A file that the cursor's file imports, or that imports it.
    Graph,
    /// A file in the same directory.
    Package,
    /// A file that was open or edited lately.
    Recent,
}

impl Signal {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Lexical, Self::Symbol, Self::Graph, Self::Package, Self::Recent];

    /// The name by which configurations and reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::Symbol => "symbol",
            Self::Graph => "graph",
            Self::Package => "package",
            Self::Recent => "recent",
        }
    }
}

/// Why a chunk was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It has these words: the heaviest first, with their share of the score and the field that gave most of it.
    Lexical {
        /// Term, score, field.
        terms: Vec<(String, f32, Field)>,
    },
    /// It defines a name that the query asks for.
    Defines {
        /// The name.
        name: String,
    },
    /// It defines a name that is used at the hole.
    UsedAtHole {
        /// The name.
        name: String,
        /// How many lines from the hole.
        distance: u32,
        /// Whether an import of the cursor's file leads there.
        imported: bool,
    },
    /// The cursor's file imports its file.
    Imported {
        /// The module as written.
        module: String,
    },
    /// Its file imports the cursor's file, and uses it here.
    Importer {
        /// The name that it uses.
        name: String,
    },
    /// Its file lies beside the cursor's file.
    SameDirectory,
    /// Its file has the same name apart from what marks tests, headers and the like.
    Sibling,
    /// Its file was open or edited lately; 0 is the latest.
    Recent {
        /// How many files were touched since.
        age: u32,
    },
    /// A feature moved it up or down.
    Feature {
        /// Which one, in words.
        what: &'static str,
        /// What the score was multiplied by.
        factor: f32,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lexical { terms } => {
                f.write_str("words")?;
                for (idx, (term, score, field)) in terms.iter().take(6).enumerate() {
                    let comma = if idx == 0 { ":" } else { "," };
                    let field = match field {
                        Field::Body => "",
                        Field::Symbols => " in a name",
                        Field::Path => " in the path or scope",
                        Field::Doc => " in docs",
                    };
                    write!(f, "{comma} {term}{field} {score:.1}")?;
                }
                Ok(())
            }
            Self::Defines { name } => write!(f, "defines {name}"),
            Self::UsedAtHole { name, distance, imported } => {
                let imported = if *imported { ", imported" } else { "" };
                write!(f, "defines {name}, used {distance} lines from the hole{imported}")
            }
            Self::Imported { module } => write!(f, "imported as {module}"),
            Self::Importer { name } => write!(f, "uses {name} of this file"),
            Self::SameDirectory => f.write_str("same directory"),
            Self::Sibling => f.write_str("sibling of this file"),
            Self::Recent { age } => write!(f, "recently open (#{})", age + 1),
            Self::Feature { what, factor } => write!(f, "{what} ×{factor:.2}"),
        }
    }
}

/// A chunk on a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The chunk.
    pub chunk: ChunkId,
    /// The definition that was found, by number in its file; `None` when the chunk itself was.
    pub definition: Option<u32>,
    /// The signal's own score; comparable within its list only.
    pub score: f32,
    /// Why.
    pub reason: Reason,
}

/// The hits of one signal, best first; ties by (path, start).
#[derive(Clone, Debug, PartialEq)]
pub struct RankedList {
    /// The signal.
    pub signal: Signal,
    /// Best first.
    pub hits: Vec<Hit>,
}

impl RankedList {
    /// Sorts hits, keeps the best of each chunk and definition, and of those the first `limit`.
    pub(crate) fn new(signal: Signal, mut hits: Vec<Hit>, limit: usize) -> Self {
        hits.sort_by(|a, b| {
            let by_score = b.score.total_cmp(&a.score);
            by_score.then_with(|| (a.chunk, a.definition).cmp(&(b.chunk, b.definition)))
        });
        let mut seen = rustc_hash::FxHashSet::default();
        hits.retain(|it| seen.insert((it.chunk, it.definition)));
        hits.truncate(limit);
        Self { signal, hits }
    }
}
