//! Definitions, references and imports, found by the queries of a language.
//!
//! `pattern` parses a query file, `matcher` runs it over a tree, `collect` turns matches into candidates, `arrange` and
//! `import` turn candidates into symbols. `position` finds words that cannot be names of other files.

mod arrange;
mod candidates;
mod capture;
mod collect;
mod import;
mod lead;
mod lines;
mod matcher;
mod pattern;
mod position;
mod qualifier;
mod query;
mod signature;
mod types;
mod unchanged;

use std::ops::Range;

use tree_sitter::Tree;

pub(crate) use self::candidates::SymbolCandidates;
pub(crate) use self::lines::by_lines;
pub use self::types::{Definition, Import, ImportedName, Kind, Reference, ReferenceKind, Symbols};
pub(crate) use self::unchanged::UnchangedNodes;
use crate::language::Language;
use crate::outline::{Outline, OutlineWalk};
use crate::span::Span;

/// Runs the queries of `language` over `tree`, copying earlier results for `unchanged` nodes, and makes the outline in the
/// same walk, if there is to be one.
pub(crate) fn find(
    text: &[u8],
    language: Language,
    tree: &Tree,
    unchanged: Option<&UnchangedNodes<'_>>,
    outline: Option<OutlineWalk<'_>>,
) -> (SymbolCandidates, Outline) {
    let query = query::of_language(language);
    query.map_or_else(Default::default, |it| {
        collect::collect(text, language, it, tree, unchanged, outline)
    })
}

impl Symbols {
    /// Turns candidates into symbols.
    pub(crate) fn new(text: &[u8], language: Language, candidates: &SymbolCandidates) -> Self {
        let definitions = arrange::arrange(text, language, candidates);
        let references = uses(candidates.references.items.clone(), &definitions);
        let imports = import::imports(candidates.statements.items.clone());
        let prose = position::merged(text, candidates.prose.items.clone());
        let mut names: Vec<Span> = definitions.iter().map(|it| it.name).collect();
        names.sort_unstable();
        let locals = position::distinct(text, candidates.bound.items.clone(), &names);
        Self { definitions, references, imports, prose, locals }
    }

    /// Adds references to the macros that the parser did not see.
    pub(crate) fn with_macros(
        mut self,
        text: &[u8],
        language: Language,
        hidden: &[Range<usize>],
    ) -> Self {
        if language == Language::Kotlin {
            return self;
        }
        let is_name = |it: &&u8| it.is_ascii_alphanumeric() || **it == b'_' || **it == b':';
        let words = hidden.iter().filter_map(|it| {
            let range = &text[it.clone()];
            let len = range.iter().take_while(is_name).count();
            let before = memchr::memrchr(b':', &range[..len]).map_or(0, |it| it + 1);
            // Not the condition of an arm: `if #[cfg(unix)]`.
            let is_macro = range.get(len).is_none_or(|it| matches!(it, b'!' | b'('));
            is_macro.then(|| Span::new(it.start + before, it.start + len))
        });
        let calls = words.map(|name| Reference { name, kind: ReferenceKind::Call });
        self.references.extend(calls.filter(|it| !it.name.is_empty()));
        self.references.sort_by_key(|it| it.name);
        self.references.dedup_by_key(|it| it.name);
        self
    }
}

/// Removes references at the name of a definition, and keeps the strongest kind of each name.
fn uses(mut references: Vec<Reference>, definitions: &[Definition]) -> Vec<Reference> {
    // The name of an implementation block refers to a type defined elsewhere.
    let defining = definitions.iter().filter(|it| it.kind != Kind::Implementation);
    let mut names: Vec<Span> = defining.map(|it| it.name).collect();
    names.sort_unstable();
    let strength = |kind| match kind {
        ReferenceKind::Base => 0,
        ReferenceKind::Call => 1,
        ReferenceKind::Type => 2,
    };
    references.sort_unstable_by_key(|it| (it.name, strength(it.kind)));
    references.dedup_by_key(|it| it.name);
    references.retain(|it| names.binary_search(&it.name).is_err());
    references
}
