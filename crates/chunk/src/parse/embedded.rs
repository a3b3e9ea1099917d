//! The trees of a text's embedded languages.

use tree_sitter::Tree;

use super::{ParseOutcome, parse};
use crate::mixed::{self, Part, PartRole};
use crate::split::SyntaxTree;
use crate::symbol::{self, Symbols};

/// The parts of a text, each with its tree.
pub(super) struct EmbeddedTrees {
    parts: Vec<(Part, Result<Tree, ParseOutcome>)>,
    /// Definitions and imports in tags.
    tags: Symbols,
}

impl EmbeddedTrees {
    /// Parses each of the parts.
    pub(super) fn new(parts: Vec<Part>, tags: Symbols) -> Self {
        let parsed = |part: Part| {
            let tree = parse(&part.shown, part.language, None);
            (part, tree)
        };
        Self { parts: parts.into_iter().map(parsed).collect(), tags }
    }

    /// Whether any part with code has a tree.
    pub(super) fn has_tree(&self) -> bool {
        self.parts.iter().any(|(part, tree)| part.role == PartRole::Code && tree.is_ok())
    }

    /// The reason why the first part without a tree has none.
    pub(super) fn failure(&self) -> Option<ParseOutcome> {
        self.parts.iter().find_map(|it| it.1.as_ref().err().copied())
    }

    /// The symbols of all parts, merged with `own`, those of the host language.
    pub(super) fn symbols(&self, mut own: Symbols) -> Symbols {
        // A quoted attribute value may be code. Inside it, prose comes from the embedded language.
        own.prose.retain(|prose| {
            self.parts.iter().all(|(part, _)| {
                let next = part.regions.partition_point(|it| it.end <= prose.start as usize);
                part.regions.get(next).is_none_or(|it| prose.end as usize <= it.start)
            })
        });
        let mut sources = vec![own, self.tags.clone()];
        for (part, tree) in &self.parts {
            let mut symbols = match tree {
                Ok(tree) => {
                    let (found, _) = symbol::find(&part.shown, part.language, tree, None, None);
                    Symbols::new(&part.shown, part.language, &found)
                }
                Err(_) if part.role == PartRole::Code => {
                    symbol::by_lines(&part.shown, part.language)
                }
                Err(_) => continue,
            };
            if part.role == PartRole::Expressions {
                symbols.definitions.clear();
            }
            sources.push(symbols);
        }
        mixed::merge(sources)
    }

    /// The trees of the parts, each with its regions.
    pub(super) fn trees(&self) -> impl Iterator<Item = SyntaxTree<'_>> {
        self.parts.iter().filter_map(|(part, tree)| {
            let tree = tree.as_ref().ok().filter(|_| part.role == PartRole::Code)?;
            let (text, regions) = (&part.shown[..], Some(&part.regions[..]));
            Some(SyntaxTree { text, language: part.language, tree, regions })
        })
    }
}
