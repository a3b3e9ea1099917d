//! Lossless syntax chunks, symbols, imports and skeletons of source code.
//!
//! [`analyze`] parses the text of a file and returns its [`Chunk`]s (byte ranges that, concatenated in order, are the
//! file), its [`Definition`]s, [`Reference`]s and [`Import`]s. Nothing here fails: broken code, unknown languages and
//! bytes that are not text cost quality, but never an error and never a byte.
//!
//! ```
//! use foreword_chunk::{Config, Kind, Language, analyze};
//!
//! let text = "import json\n\n\nclass Store:\n    def load(self, path):\n        return json.load(open(path))\n";
//! let analysis = analyze(text.as_bytes(), Some(Language::Python), &Config::default());
//!
//! let chunks: String = analysis.chunks.iter().map(|it| it.span.of(text)).collect();
//! assert_eq!(chunks, text);
//!
//! let names = analysis.symbols.definitions.iter().map(|it| (it.kind, it.name.of(text)));
//! assert_eq!(names.collect::<Vec<_>>(), [(Kind::Class, "Store"), (Kind::Method, "load")]);
//! assert_eq!(analysis.symbols.imports[0].module, "json");
//! ```
//!
//! # Overview
//!
//! * [`Language`] is an entry in a table: grammar, queries, comment syntax. [`Language::of_path`] finds it.
//! * [`Parse`] is a text with its syntax tree, if one could be made within a budget of work. [`PreviousParse`] is what
//!   the next version of the text can be parsed from.
//! * [`Config`] sets how chunks are cut; [`Config::default`] is cAST with 2000 non-whitespace characters.
//! * [`Symbols`] are the definitions, references and imports that the queries of the language found.
//! * [`Outline`] says where statements begin; [`outline::fold`](outline::fold()) shows some lines of a file as valid code.
//! * [`skeleton`] folds the bodies of a definition until it fits a size.
#![deny(missing_docs)]
#![warn(clippy::disallowed_methods, reason = "the chunker does no IO; see ARCHITECTURE.md")]

mod chunk;
mod config;
mod language;
mod line;
mod listed;
mod mixed;
pub mod outline;
mod parse;
mod size;
pub mod skeleton;
mod span;
mod split;
mod symbol;

pub use chunk::Chunk;
pub use config::{Config, Granularity};
pub use language::Language;
pub use mixed::notebook_text;
pub use outline::Outline;
pub use parse::{Parse, ParseOutcome, PreviousParse, Script};
pub use span::{LineIndex, Span};
pub use symbol::{Definition, Import, ImportedName, Kind, Reference, ReferenceKind, Symbols};

/// Version of the results. It changes whenever the same text may give other chunks or symbols.
///
/// 1: first. 2: no symbols at tokens inserted by error recovery; no parts of a neighbour at the beginning or in the
/// signature of a definition; Swift's subscripts and deinitialisers, C#'s indexers; comments do not count against a
/// tree. 3: no unterminated here-documents in Ruby; no tree for hazardous texts or for more than 6 steps a byte;
/// qualifiers of names; signatures without attributes and values; macros before types in C and C++; namespaces that
/// reach to the end of a file; structs of Elixir, givens, associated types, operators, type families; symbols of files
/// without a tree; context parameters of Kotlin; a scope for chunks that span two definitions. 4: outlines. 5: spans of
/// prose, and local names. 6: embedded languages in pages, components, templates and notebooks; twelve more grammars; a
/// module of Elixir with a struct is a class. 7: items in macros of Rust; macros in declarations of C and C++; types of
/// Terraform's resources. 8: outlines of scripts and styles in components and pages.
pub const CONTENT_VERSION: u32 = 8;

/// The results for one file, computed from its text alone.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// Chunks, in order; concatenated they are the text.
    pub chunks: Vec<Chunk>,
    /// Definitions, references and imports.
    pub symbols: Symbols,
    /// Levels of lines and starts of statements.
    pub outline: Outline,
    /// Outcome of parsing: a syntax tree, or the reason why there is none. Without a tree, chunks ignore structure and
    /// symbols come from patterns of lines.
    pub outcome: ParseOutcome,
}

impl Analysis {
    /// Analyses a text without its syntax tree: chunks at blank lines and indentation, symbols by patterns of lines.
    /// Used when a separate parser process failed.
    pub fn without_tree(
        text: &[u8],
        language: Option<Language>,
        outcome: ParseOutcome,
        config: &Config,
    ) -> Self {
        let symbols = language.map_or_else(Symbols::default, |it| symbol::by_lines(text, it));
        let chunks = split::chunks(text, &[], &symbols, config);
        Self { chunks, symbols, outline: Outline::default(), outcome }
    }

    /// Whether it can be an analysis of `text`: chunks cover the text, and spans lie inside, between characters. Checks
    /// results from another process.
    pub fn fits(&self, text: &str) -> bool {
        let covers = |end: u32, it: &Chunk| (it.span.start == end).then_some(it.span.end);
        let end = self.chunks.iter().try_fold(0, covers);
        let chunks = self.chunks.iter();
        end == Some(text.len() as u32)
            && chunks.map(|it| it.span).all(|it| it.lies_in(text))
            && self.chunks.iter().all(|it| text.is_char_boundary(it.overlap as usize))
            && self.chunks.iter().all(|it| it.scope.is_none_or(|it| self.symbols.has(it)))
            && self.symbols.fit(text)
            && self.outline.fits(LineIndex::new(text.as_bytes()).count())
    }
}

/// Returns the chunks and symbols of one file.
///
/// `text` may be any bytes. Without a `language` chunks ignore structure.
pub fn analyze(text: &[u8], language: Option<Language>, config: &Config) -> Analysis {
    let parsed = Parse::new(text, language);
    let symbols = parsed.symbols();
    let chunks = parsed.chunks(&symbols, config);
    Analysis { chunks, outcome: parsed.outcome(), outline: parsed.outline(), symbols }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
