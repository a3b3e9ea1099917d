//! Lossless syntax chunks, symbols, imports and skeletons of source code.
//!
//! Text goes in, values come out: [`analyze`] parses a file and returns its [`Chunk`]s (byte ranges that,
//! concatenated in order, are the file), its [`Definition`]s, [`Reference`]s and [`Import`]s. Nothing here fails:
//! broken code, unknown languages and bytes that are no text cost quality, never an error and never a byte.
//!
//! # Overview
//!
//! * [`Language`] is a row in a table: grammar, queries, comment syntax. `Language::of_path` finds it.
//! * [`Parsed`] is a syntax tree made within a budget of work (or the absence of one).
//! * [`Config`] says how chunks are cut; [`Config::default`] is cAST with 2000 non-whitespace characters.
//! * [`Symbols`] are what the queries of the language found.
//! * [`skeleton`] folds the bodies of a definition until it fits a size.
#![deny(missing_docs)]
#![warn(clippy::disallowed_methods, reason = "the chunker does no IO; see ARCHITECTURE.md")]

mod boundary;
mod chunks;
mod config;
mod cuts;
mod dedent;
mod fence;
mod finish;
mod fold;
mod guard;
mod kept;
mod language;
mod line;
mod members;
mod nodes;
mod pack;
mod parse;
mod plain;
mod size;
pub mod skeleton;
mod span;
mod split;
mod symbol;

pub use config::{Config, Granularity};
pub use kept::Kept;
pub use language::Language;
pub use parse::Parsed;
pub use span::{LineIndex, Span};
pub use split::Chunk;
pub use symbol::{Definition, Import, ImportedName, Kind, Reference, ReferenceKind, Symbols};

/// The version of what this crate computes: it changes whenever the same text may give other chunks or symbols.
///
/// 1: first. 2: no symbols at tokens that the parser made up to mend an error; nothing of a neighbour in a definition's
/// beginning or signature; Swift's subscripts and deinitialisers, C#'s indexers; comments say nothing against a tree.
pub const CONTENT_VERSION: u32 = 2;

/// All that is known of one file from its text alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The chunks, in order; concatenated they are the text.
    pub chunks: Vec<Chunk>,
    /// Definitions, references and imports.
    pub symbols: Symbols,
    /// Whether a syntax tree was there; without one the chunks are structure-free and the symbols empty.
    pub parsed: bool,
}

/// Chunks and symbols of one file.
///
/// `text` may be any bytes; `language` of `None` gives structure-free chunks.
pub fn analyze(text: &[u8], language: Option<Language>, config: &Config) -> Analysis {
    let parsed = Parsed::new(text, language);
    let symbols = parsed.symbols();
    let chunks = parsed.chunks(&symbols, config);
    Analysis { chunks, parsed: parsed.has_tree(), symbols }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
