//! The weights of the features.

use serde::{Deserialize, Serialize};

/// Weights of features; a factor of 1 disables a feature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RerankConfig {
    /// Number of candidates to rerank; the others keep their order behind them.
    pub depth: usize,
    /// Factor of a chunk whose defined names have all words of the query, scaled by the share that they have.
    pub defines_words: f32,
    /// Factor of a chunk that defines a name of the query.
    pub defines_name: f32,
    /// Factor of a file that a question names by path or module.
    pub named_file: f32,
    /// Factor of a file whose stem consists of words of the query, scaled by the share of the stem.
    pub stem: f32,
    /// Share of the scores of a file's other hits that is added to its best hit.
    pub coherence: f32,
    /// Factor for each better hit of the same file.
    pub same_file: f32,
    /// Factor of tests, unless they are asked for.
    pub tests: f32,
    /// Factor of a file whose path has all words of the question that occur in paths, scaled by the share that it has.
    pub path: f32,
    /// Factor of examples, benchmarks and compatibility layers.
    pub periphery: f32,
    /// Factor of copies of other projects, unless they are asked for; to the power of
    /// `GENERATED_DEGREE` for generated code and build output.
    pub third_party: f32,
    /// Factor of short files that only re-export names.
    pub re_export: f32,
    /// Factor of files that collect names (`__init__.py`, `mod.rs`, `index.ts`) or declare them (`.d.ts`).
    pub gathering: f32,
    /// Factor of prose.
    pub prose: f32,
    /// Factor of data files, and for questions of files in no known language.
    pub data: f32,
    /// Factor of chunks of code in which no function begins, where a question asks in words.
    pub no_function: f32,
    /// Factor of a chunk with a definition whose name has all words of a question, to the power of the share of their
    /// weight that the best name has.
    pub answers_by_name: f32,
    /// The same for the text of one definition, with its comment.
    pub answers_by_text: f32,
    /// At a cursor: share of the best score added to a chunk with lines like those before the cursor, scaled by their
    /// similarity.
    pub alike: f32,
    /// The same for chunks of the cursor's file.
    pub own_file: f32,
}
