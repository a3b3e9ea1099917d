//! The results of one pass of the patterns over a tree, in the order of the walk, each with the node at which its
//! pattern begins. The pass over the next version of the text copies the results for unchanged nodes.

use super::import::Statement;
use super::types::{Kind, Reference};
use crate::span::Span;

/// The results of one pass, before they become symbols.
#[derive(Clone, Default)]
pub(crate) struct SymbolCandidates {
    pub(super) definitions: SpanLog<DefinitionCandidate>,
    pub(super) references: SpanLog<Reference>,
    pub(super) statements: SpanLog<Statement>,
    /// Inner spans with the outer spans that replace them.
    pub(super) widenings: SpanLog<(Span, Span)>,
    /// Comments and attributes before definitions.
    pub(super) leads: SpanLog<Lead>,
    /// Text of comments and strings.
    pub(super) prose: SpanLog<Span>,
    /// Binding occurrences of names.
    pub(super) bound: SpanLog<Span>,
}

impl SymbolCandidates {
    /// Copies the results of another pass at and below the node at `root`, moved by `shift` bytes.
    pub(super) fn copy_from(&mut self, other: &Self, root: Span, shift: i64) {
        let by = |it: Span| it.moved(shift);
        self.definitions.copy_from(&other.definitions, root, shift, |it| it.moved(shift));
        self.references
            .copy_from(&other.references, root, shift, |it| Reference { name: by(it.name), ..*it });
        self.statements.copy_from(&other.statements, root, shift, |it| it.moved(shift));
        self.widenings.copy_from(&other.widenings, root, shift, |it| (by(it.0), by(it.1)));
        self.leads.copy_from(&other.leads, root, shift, |it| Lead { span: by(it.span), ..*it });
        self.prose.copy_from(&other.prose, root, shift, |it| by(*it));
        self.bound.copy_from(&other.bound, root, shift, |it| by(*it));
    }
}

/// A definition before its surroundings are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct DefinitionCandidate {
    /// The kind according to the query; `None` for a node whose variables are local.
    pub(super) kind: Option<Kind>,
    /// The captured node.
    pub(super) core: Span,
    /// The captured node with decorators, export and attributes.
    pub(super) span: Span,
    pub(super) name: Span,
    pub(super) qualifier: Option<Span>,
    pub(super) body: Option<Span>,
    pub(super) doc: Option<Span>,
    /// Index of its pattern.
    pub(super) pattern: usize,
}

impl DefinitionCandidate {
    /// The definition, `by` bytes later.
    pub(super) fn moved(&self, by: i64) -> Self {
        Self {
            core: self.core.moved(by),
            span: self.span.moved(by),
            name: self.name.moved(by),
            qualifier: self.qualifier.map(|it| it.moved(by)),
            body: self.body.map(|it| it.moved(by)),
            doc: self.doc.map(|it| it.moved(by)),
            ..*self
        }
    }

    /// A node whose variables are local.
    pub(super) fn local(span: Span) -> Self {
        Self {
            kind: None,
            core: span,
            span,
            name: span,
            qualifier: None,
            body: None,
            doc: None,
            pattern: usize::MAX,
        }
    }
}

/// A comment or an attribute that may belong to the definition after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lead {
    pub(super) span: Span,
    pub(super) kind: LeadKind,
}

/// The type of a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeadKind {
    Comment,
    Attribute,
}

/// Items in pre-order of the walk.
#[derive(Clone)]
pub(super) struct SpanLog<T> {
    pub(super) items: Vec<T>,
    /// For each item the span of the node at which its pattern begins; never empty.
    roots: Vec<Span>,
}

impl<T> Default for SpanLog<T> {
    fn default() -> Self {
        Self { items: Vec::new(), roots: Vec::new() }
    }
}

impl<T> SpanLog<T> {
    pub(super) fn push(&mut self, root: Span, item: T) {
        self.items.push(item);
        self.roots.push(root);
    }

    fn copy_from(&mut self, other: &Self, root: Span, shift: i64, moved: impl Fn(&T) -> T) {
        // A node with the same start and a later end is an ancestor.
        let begin = other.roots.partition_point(|it| it.start < root.start);
        let inside = other.roots[begin..].iter().take_while(|it| it.start < root.end);
        for (idx, at) in inside.enumerate().filter(|it| it.1.end <= root.end) {
            self.push(at.moved(shift), moved(&other.items[begin + idx]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_inside_a_node_are_copied_and_those_around_it_are_not() {
        let mut before = SpanLog::default();
        for (start, end) in [(0, 30), (10, 25), (10, 20), (12, 14), (20, 25), (26, 28)] {
            before.push(Span::new(start, end), end);
        }
        let mut after = SpanLog::default();
        after.copy_from(&before, Span::new(10, 20), 5, |it| it + 5);
        assert_eq!(after.items, [25, 19]);
        assert_eq!(after.roots, [Span::new(15, 25), Span::new(17, 19)]);
    }
}
