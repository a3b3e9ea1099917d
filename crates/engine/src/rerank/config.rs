//! The weights of the features.

use serde::{Deserialize, Serialize};

/// How much each feature counts. A factor of 1 switches a feature off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RerankConfig {
    /// How many candidates are looked at; the rest keep their order behind them.
    pub depth: usize,
    /// For a chunk whose defined names have all words of the query, in proportion to how many of them they have.
    pub defines_words: f32,
    /// For a chunk that defines a name of the query exactly.
    pub defines_name: f32,
    /// For a file whose stem has all words of the query, likewise in proportion.
    pub stem: f32,
    /// How much of the scores of the file's other hits is added to its best.
    pub coherence: f32,
    /// For each better hit of the same file.
    pub same_file: f32,
    /// Tests, unless they are asked for.
    pub tests: f32,
    /// For a file whose path has all words of the question that paths have, likewise in proportion.
    pub path: f32,
    /// Examples, benchmarks, compatibility layers and generated code.
    pub periphery: f32,
    /// Copies of other projects, unless they are asked for.
    pub third_party: f32,
    /// A few lines that only pass on names of other files.
    pub re_export: f32,
    /// Files that only gather names (`__init__.py`, `mod.rs`, `index.ts`) and declarations (`.d.ts`).
    pub gathering: f32,
    /// Prose.
    pub prose: f32,
    /// Data.
    pub data: f32,
    /// At a cursor: how much of the best score is added for a chunk with lines like those before the cursor, in
    /// proportion to how similar they are.
    pub alike: f32,
    /// The same for a chunk of the cursor's own file.
    pub own_file: f32,
    /// At a cursor: how much the learned combiner counts beside the one made by hand, from 0 (not asked) to 1 (as it was
    /// learned).
    pub learned: f32,
}
