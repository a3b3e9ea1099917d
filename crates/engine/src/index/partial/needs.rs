//! Questions that a partial snapshot cannot answer yet.

use std::collections::BTreeSet;

use crate::index::ids::FileId;

/// The terms of a query, heaviest first, with the bits of their weights: idf times weight in the query.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LexicalQuery(pub Vec<(String, u32)>);

impl LexicalQuery {
    /// The query of weighted terms.
    pub(in crate::index) fn new<'t>(weights: impl Iterator<Item = (&'t str, f32)>) -> Self {
        Self(weights.map(|(term, weight)| (term.to_owned(), weight.to_bits())).collect())
    }

    /// The terms with their weights.
    pub fn weights(&self) -> impl Iterator<Item = (&str, f32)> {
        self.0.iter().map(|(term, bits)| (term.as_str(), f32::from_bits(*bits)))
    }
}

/// Precise facts that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactsOf<'f> {
    /// Those of a file, by its path.
    File(&'f str),
    /// Those of the files that define a name.
    Name(&'f str),
    /// Those of the files that have a symbol.
    Symbol(&'f str),
}

/// Precise facts that were asked for in vain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactsNeeds {
    /// Paths of files.
    pub files: BTreeSet<String>,
    /// Names whose definitions are asked for.
    pub names: BTreeSet<String>,
    /// Symbols.
    pub symbols: BTreeSet<String>,
}

/// Questions that were asked in vain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Files without contents.
    pub files: BTreeSet<FileId>,
    /// Terms of unknown frequency.
    pub terms: BTreeSet<String>,
    /// Names of unknown definitions and uses.
    pub names: BTreeSet<String>,
    /// Terms of which it is unknown what files have them.
    pub words: BTreeSet<String>,
    /// Queries whose best files are unknown, or known to too small a depth.
    pub queries: Vec<LexicalQuery>,
    /// Whether all terms and names were enumerated.
    pub dictionary: bool,
    /// Precise facts.
    pub facts: FactsNeeds,
}

impl Needs {
    /// Whether everything was answered.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
