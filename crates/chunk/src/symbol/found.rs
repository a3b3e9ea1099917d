//! What a pass of the patterns captured, in the order of its walk, each with the node where its pattern begins: so the
//! pass over the next version of the text takes over what stands in nodes that are still the same.

use super::Reference;
use super::collect::Candidate;
use super::import::Statement;
use crate::Span;

/// What one pass found.
#[derive(Clone, Default)]
pub(crate) struct Found {
    pub(super) definitions: Log<Candidate>,
    pub(super) references: Log<Reference>,
    pub(super) statements: Log<Statement>,
    /// Inner spans with their outer ones.
    pub(super) widenings: Log<(Span, Span)>,
    /// Comments, and leads with `true`.
    pub(super) leads: Log<(Span, bool)>,
}

impl Found {
    /// Takes over what another pass found at and below the node that was at `root`, and is `shift` bytes later now.
    pub(super) fn take_over(&mut self, other: &Self, root: Span, shift: i64) {
        let by = |it: Span| it.moved(shift);
        self.definitions.take_over(&other.definitions, root, shift, |it| it.moved(shift));
        self.references
            .take_over(&other.references, root, shift, |it| Reference { name: by(it.name), ..*it });
        self.statements.take_over(&other.statements, root, shift, |it| it.moved(shift));
        self.widenings.take_over(&other.widenings, root, shift, |it| (by(it.0), by(it.1)));
        self.leads.take_over(&other.leads, root, shift, |it| (by(it.0), it.1));
    }
}

/// Things found, in the order of a walk that meets each node before what is in it.
#[derive(Clone)]
pub(super) struct Log<T> {
    pub(super) items: Vec<T>,
    /// For each item the node at which its pattern begins; none is empty.
    roots: Vec<Span>,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { items: Vec::new(), roots: Vec::new() }
    }
}

impl<T> Log<T> {
    pub(super) fn push(&mut self, root: Span, item: T) {
        self.items.push(item);
        self.roots.push(root);
    }

    fn take_over(&mut self, other: &Self, root: Span, shift: i64, moved: impl Fn(&T) -> T) {
        // What begins together with the node and ends behind it stands around it.
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
    fn what_stands_in_a_node_is_taken_over_and_what_stands_around_it_is_not() {
        let mut before = Log::default();
        for (start, end) in [(0, 30), (10, 25), (10, 20), (12, 14), (20, 25), (26, 28)] {
            before.push(Span::new(start, end), end);
        }
        let mut after = Log::default();
        after.take_over(&before, Span::new(10, 20), 5, |it| it + 5);
        assert_eq!(after.items, [25, 19]);
        assert_eq!(after.roots, [Span::new(15, 25), Span::new(17, 19)]);
    }
}
