//! The trees of a text's embedded languages.

use std::cell::OnceCell;

use tree_sitter::Tree;

use super::defects::defects;
use super::{ParseOutcome, Script, parse};
use crate::language::Language;
use crate::mixed::{self, Part, PartRole};
use crate::outline::{ElementLines, Outline, OutlineWalk};
use crate::span::LineIndex;
use crate::split::SyntaxTree;
use crate::symbol::{self, SymbolCandidates, Symbols};

/// The parts of a text, each with its tree.
pub(super) struct EmbeddedTrees {
    parts: Vec<EmbeddedTree>,
    /// Definitions and imports in tags.
    tags: Symbols,
}

/// A part of a text with its tree.
struct EmbeddedTree {
    part: Part,
    tree: Result<Tree, ParseOutcome>,
    /// Whether its code has an outline.
    is_outlined: bool,
    /// Symbol candidates and the outline, which one walk computes on first use.
    walked: OnceCell<(SymbolCandidates, Outline)>,
}

impl EmbeddedTree {
    fn walked(&self) -> Option<&(SymbolCandidates, Outline)> {
        let (part, tree) = (&self.part, self.tree.as_ref().ok()?);
        let outlined = self.is_outlined.then_some(part);
        let outline = || outlined.and_then(|it| OutlineWalk::new(&it.shown, it.language));
        let walk = || symbol::find(&part.shown, part.language, tree, None, outline());
        Some(self.walked.get_or_init(walk))
    }
}

impl EmbeddedTrees {
    /// Parses each of the parts of a file in `host`.
    pub(super) fn new(parts: Vec<Part>, tags: Symbols, host: Option<Language>) -> Self {
        let has_elements = host.is_some_and(mixed::has_raw_elements);
        let parsed = |part: Part| {
            let tree = parse(&part.shown, part.language, None);
            let is_outlined = has_elements && part.role == PartRole::Code;
            EmbeddedTree { part, tree, is_outlined, walked: OnceCell::new() }
        };
        Self { parts: parts.into_iter().map(parsed).collect(), tags }
    }

    /// Whether any part with code has a tree.
    pub(super) fn has_tree(&self) -> bool {
        self.parts.iter().any(|it| it.part.role == PartRole::Code && it.tree.is_ok())
    }

    /// The reason why the first part without a tree has none.
    pub(super) fn failure(&self) -> Option<ParseOutcome> {
        self.parts.iter().find_map(|it| it.tree.as_ref().err().copied())
    }

    /// The symbols of all parts, merged with `own`, those of the host language.
    pub(super) fn symbols(&self, mut own: Symbols) -> Symbols {
        // A quoted attribute value may be code. Inside it, prose comes from the embedded language.
        own.prose.retain(|prose| {
            self.parts.iter().all(|EmbeddedTree { part, .. }| {
                let next = part.regions.partition_point(|it| it.end <= prose.start as usize);
                part.regions.get(next).is_none_or(|it| prose.end as usize <= it.start)
            })
        });
        let mut sources = vec![own, self.tags.clone()];
        for it in &self.parts {
            let part = &it.part;
            let mut symbols = match it.walked() {
                Some((found, _)) => Symbols::new(&part.shown, part.language, found),
                None if part.role == PartRole::Code => symbol::by_lines(&part.shown, part.language),
                None => continue,
            };
            if part.role == PartRole::Expressions {
                symbols.definitions.clear();
            }
            sources.push(symbols);
        }
        mixed::merge(sources)
    }

    /// The outline of `text`: of the lines between the tags of an element with code, those of the code, one level deeper.
    /// Every other line is a statement. Empty for templates and notebooks.
    pub(super) fn outline(&self, text: &[u8]) -> Outline {
        let index = LineIndex::new(text);
        let mut lines = ElementLines::new(&index);
        for it in self.parts.iter().filter(|it| it.is_outlined) {
            let Some((_, code)) = it.walked().filter(|it| !it.1.is_empty()) else { continue };
            it.part.regions.iter().for_each(|region| lines.fill(region, code));
        }
        lines.finish()
    }

    /// The scripts of a page or a component.
    pub(super) fn scripts(&self) -> Vec<Script> {
        let scripts = self.parts.iter().filter(|it| it.is_outlined && it.part.language.is_code());
        let script = |it: &EmbeddedTree| {
            let EmbeddedTree { part, tree, .. } = it;
            let defects = defects(tree.as_ref().ok()?);
            Some(Script { language: part.language, regions: part.regions.clone(), defects })
        };
        scripts.filter_map(script).collect()
    }

    /// The trees of the parts, each with its regions.
    pub(super) fn trees(&self) -> impl Iterator<Item = SyntaxTree<'_>> {
        self.parts.iter().filter_map(|EmbeddedTree { part, tree, .. }| {
            let tree = tree.as_ref().ok().filter(|_| part.role == PartRole::Code)?;
            let (text, regions) = (&part.shown[..], Some(&part.regions[..]));
            Some(SyntaxTree { text, language: part.language, tree, regions })
        })
    }
}
