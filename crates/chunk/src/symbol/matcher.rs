//! Matches patterns in one walk over the tree. It tries a pattern only at nodes of its root kinds.

use std::num::NonZeroU16;

use tree_sitter::{Node, Tree, TreeCursor};

use super::pattern::{Child, NodePattern, Pattern, Predicate};

/// Patterns by the kind of their root.
pub(super) struct Matcher {
    pub(super) patterns: Vec<Pattern>,
    /// For each node kind, the indices of the patterns that begin with it.
    by_kind: Vec<Vec<u16>>,
    /// For each node kind, whether one of them names fields.
    with_fields: Vec<bool>,
}

/// A captured node, with the index of its capture.
pub(super) type Capture<'t> = (u16, Node<'t>);

/// Receives the matches of a walk.
pub(super) trait Visit<'t> {
    /// Looks at a node; returns whether to match patterns there and visit its children.
    fn enters(&mut self, node: Node<'t>) -> bool;

    /// Receives one match: the root node, the index of the pattern, and the captures.
    fn matched(&mut self, root: Node<'t>, pattern: usize, captures: &[Capture<'t>]);
}

impl Matcher {
    pub(super) fn new(patterns: Vec<Pattern>, n_kinds: usize) -> Self {
        let (mut by_kind, mut with_fields) = (vec![Vec::new(); n_kinds], vec![false; n_kinds]);
        for (idx, pattern) in patterns.iter().enumerate() {
            for &kind in &pattern.root.kinds {
                by_kind[kind as usize].push(idx as u16);
                with_fields[kind as usize] |= pattern.root.names_fields();
            }
        }
        Self { patterns, by_kind, with_fields }
    }

    /// Matches every pattern at every node, parents before children.
    pub(super) fn run<'t>(&self, text: &[u8], tree: &'t Tree, visit: &mut dyn Visit<'t>) {
        let mut cursor = tree.walk();
        let mut attempt = MatchAttempt {
            text,
            cursor: tree.walk(),
            children: Vec::new(),
            captures: Vec::new(),
            root: tree.root_node(),
            pattern: 0,
            has_fields: true,
            visit,
        };
        loop {
            let node = cursor.node();
            if attempt.visit.enters(node) {
                // Error nodes have a kind beyond those of the grammar.
                let kind = node.kind_id() as usize;
                let patterns = self.by_kind.get(kind).map_or(&[][..], Vec::as_slice);
                if !patterns.is_empty() {
                    attempt.has_fields = self.with_fields[kind];
                    attempt.all(&self.patterns, patterns, node);
                }
                if cursor.goto_first_child() {
                    continue;
                }
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }
}

/// Matches patterns at one node.
struct MatchAttempt<'a, 't> {
    text: &'a [u8],
    cursor: TreeCursor<'t>,
    /// Children of the nodes being matched, one node after the other.
    children: Vec<(Node<'t>, Option<NonZeroU16>)>,
    /// Captures of the match so far.
    captures: Vec<Capture<'t>>,
    /// The node at which the pattern begins.
    root: Node<'t>,
    /// The index of the pattern.
    pattern: usize,
    /// Children need their fields, as the pattern names some. To find a field takes time in the depth of hidden nodes.
    has_fields: bool,
    visit: &'a mut dyn Visit<'t>,
}

/// The part of a pattern still to match after a node: the other children of its ancestors.
struct Remainder<'r> {
    parent: &'r NodePattern,
    /// Children of the parent, in [`MatchAttempt::children`].
    range: (usize, usize),
    /// The next child of the pattern, and the first child of the node to try.
    next: (usize, usize),
    around: Option<&'r Remainder<'r>>,
}

impl<'t> MatchAttempt<'_, 't> {
    fn all(&mut self, patterns: &[Pattern], indices: &[u16], node: Node<'t>) {
        let mut range = None;
        self.root = node;
        for &idx in indices {
            self.pattern = idx as usize;
            let pattern = &patterns[idx as usize];
            let root = &pattern.root;
            if root.children.is_empty() && root.absent.is_empty() {
                self.captures.extend(root.captures.iter().map(|&it| (it, node)));
                self.finish(pattern);
            } else {
                // Computed once, for all patterns.
                let range = *range.get_or_insert_with(|| self.children_of(node));
                self.node(pattern, root, node, range, None);
            }
            self.captures.clear();
        }
        self.children.clear();
    }

    fn children_of(&mut self, node: Node<'t>) -> (usize, usize) {
        let begin = self.children.len();
        self.cursor.reset(node);
        let mut more = self.cursor.goto_first_child();
        while more {
            let field = self.has_fields.then(|| self.cursor.field_id()).flatten();
            self.children.push((self.cursor.node(), field));
            more = self.cursor.goto_next_sibling();
        }
        (begin, self.children.len())
    }

    /// Matches `it`, whose children are in `range`, against `wanted`, and then the remainder.
    fn node(
        &mut self,
        pattern: &Pattern,
        wanted: &NodePattern,
        it: Node<'t>,
        range: (usize, usize),
        around: Option<&Remainder<'_>>,
    ) {
        let has = |field: &NonZeroU16| {
            self.children[range.0..range.1].iter().any(|it| it.1 == Some(*field))
        };
        if wanted.absent.iter().any(has) {
            return;
        }
        let n_captures = self.captures.len();
        self.captures.extend(wanted.captures.iter().map(|&capture| (capture, it)));
        self.rest(pattern, &Remainder { parent: wanted, range, next: (0, range.0), around });
        self.captures.truncate(n_captures);
    }

    /// Matches the remainder in every possible way.
    fn rest(&mut self, pattern: &Pattern, rest: &Remainder<'_>) {
        let Some(wanted) = rest.parent.children.get(rest.next.0) else {
            let after = &self.children[rest.next.1..rest.range.1];
            if rest.parent.ends && after.iter().any(|it| it.0.is_named()) {
                return;
            }
            return match rest.around {
                Some(around) => self.rest(pattern, around),
                None => self.finish(pattern),
            };
        };
        for idx in rest.next.1..rest.range.1 {
            let (node, field) = self.children[idx];
            if wanted.field.is_none() || wanted.field == field {
                self.child(
                    pattern,
                    wanted,
                    node,
                    &Remainder { next: (rest.next.0 + 1, idx + 1), ..*rest },
                );
            }
            if wanted.follows && node.is_named() {
                break;
            }
        }
    }

    fn child(&mut self, pattern: &Pattern, wanted: &Child, node: Node<'t>, rest: &Remainder<'_>) {
        let kind = node.kind_id();
        for wanted in &wanted.alternatives {
            if !(wanted.kinds.contains(&kind) || wanted.kinds.is_empty() && node.is_named()) {
                continue;
            }
            if wanted.children.is_empty() && wanted.absent.is_empty() {
                let n_captures = self.captures.len();
                self.captures.extend(wanted.captures.iter().map(|&capture| (capture, node)));
                self.rest(pattern, rest);
                self.captures.truncate(n_captures);
                continue;
            }
            let range = self.children_of(node);
            self.node(pattern, wanted, node, range, Some(rest));
            self.children.truncate(range.0);
        }
    }

    /// Reports the match if its predicates hold.
    fn finish(&mut self, pattern: &Pattern) {
        let holds = |(predicate, capture, words): &(Predicate, u16, Vec<Box<str>>)| {
            let captured = self.captures.iter().filter(|it| it.0 == *capture);
            captured.into_iter().all(|it| predicate.holds(text_of(self.text, it.1), words))
        };
        if pattern.predicates.iter().all(holds) {
            self.visit.matched(self.root, self.pattern, &self.captures);
        }
    }
}

impl Predicate {
    fn holds(self, text: &[u8], words: &[Box<str>]) -> bool {
        match self {
            Self::AnyOf => words.iter().any(|it| it.as_bytes() == text),
            Self::NotAnyOf => words.iter().all(|it| it.as_bytes() != text),
            Self::NotContains => {
                words.iter().all(|it| memchr::memmem::find(text, it.as_bytes()).is_none())
            }
            Self::NotLowercase => text.iter().any(u8::is_ascii_uppercase),
        }
    }
}

fn text_of<'a>(text: &'a [u8], node: Node<'_>) -> &'a [u8] {
    text.get(node.byte_range()).unwrap_or_default()
}
