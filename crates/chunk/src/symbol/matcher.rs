//! Matches patterns in one walk over the tree. It tries a pattern only at nodes of its root kinds.
//!
//! The children of a node are listed once, for all patterns, for the visitor, and for the walk itself. The outline is made
//! in the same walk, as most of its time is in the calls that list children.

use std::num::NonZeroU16;

use tree_sitter::{Node, Tree, TreeCursor};

use super::pattern::{Child, NodePattern, Pattern, Predicate};
use super::position::NodeClasses;
use crate::listed::ListedNode;

/// Patterns by the kind of their root.
pub(super) struct Matcher {
    pub(super) patterns: Vec<Pattern>,
    by_kind: Vec<KindRules>,
    /// Error nodes have a kind beyond those of the grammar.
    of_error: KindRules,
}

/// The work at nodes of one kind.
#[derive(Clone, Default)]
struct KindRules {
    /// The indices of the patterns that begin with it.
    patterns: Vec<u16>,
    /// One of them, or the visitor, asks for the fields of the children.
    fields: bool,
    /// The visitor receives the node and its children.
    visited: bool,
}

/// A captured node, with the index of its capture.
pub(super) type Capture<'t> = (u16, Node<'t>);

/// Receives the matches of a walk.
pub(super) trait Visit<'t> {
    /// Looks at a node; returns whether to match patterns there and visit its children.
    fn enters(&mut self, node: Node<'t>) -> bool;

    /// Receives a node that is entered and its children, before its matches, if its class says that there are words to
    /// note.
    fn entered(&mut self, node: ListedNode<'t>, children: &[ListedNode<'t>]);

    /// Receives one match: the root node, the index of the pattern, and the captures.
    fn matched(&mut self, root: Node<'t>, pattern: usize, captures: &[Capture<'t>]);

    /// Looks at the root or at a child of an outlined node; returns whether it is outlined, too: then
    /// [`Self::outlined`] receives its children, and [`Self::left`] is called after them. Also below nodes that are not
    /// entered.
    fn outlines(&mut self, _: &ListedNode<'t>) -> bool {
        false
    }

    fn outlined(&mut self, _: Node<'t>, _: &[ListedNode<'t>]) {}

    fn left(&mut self) {}
}

/// The readers of a node's children.
#[derive(Clone, Copy)]
struct Readers {
    patterns: bool,
    outline: bool,
}

/// A node on the path: its first child and the next one to visit, in the list of children.
struct OpenNode {
    first: usize,
    next: usize,
    readers: Readers,
}

/// Most files have a path whose nodes have no more children together.
const CHILDREN: usize = 1 << 9;

impl Matcher {
    pub(super) fn new(patterns: Vec<Pattern>, classes: &NodeClasses, n_kinds: usize) -> Self {
        let rules = |kind| {
            let class = classes.of_kind(kind);
            let (fields, visited) = (class.is_binding(), !class.is_plain());
            KindRules { patterns: Vec::new(), fields, visited }
        };
        let mut by_kind: Vec<KindRules> = (0..n_kinds as u16).map(rules).collect();
        for (idx, pattern) in patterns.iter().enumerate() {
            for &kind in &pattern.root.kinds {
                let rules = &mut by_kind[kind as usize];
                rules.patterns.push(idx as u16);
                rules.fields |= pattern.root.names_fields();
            }
        }
        Self { patterns, by_kind, of_error: KindRules::default() }
    }

    fn rules(&self, kind: u16) -> &KindRules {
        self.by_kind.get(kind as usize).unwrap_or(&self.of_error)
    }

    /// Whether nothing is to be done at a node: most are tokens.
    fn is_idle(&self, node: &ListedNode<'_>, around: Readers) -> bool {
        let rules = self.rules(node.kind);
        node.count == 0 && !around.outline && !rules.visited && rules.patterns.is_empty()
    }

    /// Matches every pattern at every node, parents before children.
    pub(super) fn run<'t>(&self, text: &[u8], tree: &'t Tree, visit: &mut impl Visit<'t>) {
        let mut attempt = MatchAttempt {
            text,
            cursor: tree.walk(),
            children: Vec::with_capacity(CHILDREN),
            captures: Vec::new(),
            root: tree.root_node(),
            pattern: 0,
            has_fields: true,
            visit,
        };
        let mut open: Vec<OpenNode> = Vec::new();
        let mut node = ListedNode::new(tree.root_node(), None);
        let mut around = Readers { patterns: true, outline: true };
        loop {
            let first = attempt.children.len();
            let readers = self.enter(&mut attempt, node, around);
            if attempt.children.len() > first {
                open.push(OpenNode { first, next: first, readers });
            } else if readers.outline {
                attempt.visit.left();
            }
            (node, around) = loop {
                let Some(parent) = open.last_mut() else { return };
                if let Some(child) = attempt.children.get(parent.next) {
                    parent.next += 1;
                    if self.is_idle(child, parent.readers) {
                        continue;
                    }
                    break (*child, parent.readers);
                }
                attempt.children.truncate(parent.first);
                if parent.readers.outline {
                    attempt.visit.left();
                }
                open.pop();
            };
        }
    }

    /// Lists the children of a node for its readers, and matches patterns there.
    fn enter<'t, V: Visit<'t>>(
        &self,
        attempt: &mut MatchAttempt<'_, 't, V>,
        it: ListedNode<'t>,
        around: Readers,
    ) -> Readers {
        let ListedNode { node, kind, .. } = it;
        let rules = self.rules(kind);
        let readers = Readers {
            patterns: around.patterns && attempt.visit.enters(node),
            outline: around.outline && attempt.visit.outlines(&it),
        };
        attempt.has_fields = readers.patterns && rules.fields;
        let at = attempt.children.len();
        let range = match readers.patterns || readers.outline {
            true => attempt.children_of(&it),
            false => (at, at),
        };
        let children = &attempt.children[range.0..range.1];
        if readers.outline {
            attempt.visit.outlined(node, children);
        }
        if readers.patterns {
            if rules.visited {
                attempt.visit.entered(it, children);
            }
            if !rules.patterns.is_empty() {
                attempt.all(&self.patterns, &rules.patterns, node, range);
            }
        }
        readers
    }
}

/// Matches patterns at one node.
struct MatchAttempt<'a, 't, V> {
    text: &'a [u8],
    cursor: TreeCursor<'t>,
    /// Children of the nodes on the path and of those being matched, one node after the other.
    children: Vec<ListedNode<'t>>,
    /// Captures of the match so far.
    captures: Vec<Capture<'t>>,
    /// The node at which the pattern begins.
    root: Node<'t>,
    /// The index of the pattern.
    pattern: usize,
    /// Children need their fields, as the pattern names some. To find a field takes time in the depth of hidden nodes.
    has_fields: bool,
    visit: &'a mut V,
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

impl<'t, V: Visit<'t>> MatchAttempt<'_, 't, V> {
    /// Matches patterns at a node, whose children are in `range`.
    fn all(
        &mut self,
        patterns: &[Pattern],
        indices: &[u16],
        node: Node<'t>,
        range: (usize, usize),
    ) {
        self.root = node;
        for &idx in indices {
            self.pattern = idx as usize;
            let pattern = &patterns[idx as usize];
            let root = &pattern.root;
            if root.children.is_empty() && root.absent.is_empty() {
                self.captures.extend(root.captures.iter().map(|&it| (it, node)));
                self.finish(pattern);
            } else {
                self.node(pattern, root, node, range, None);
            }
            self.captures.clear();
        }
    }

    fn children_of(&mut self, it: &ListedNode<'t>) -> (usize, usize) {
        let begin = self.children.len();
        // To ask for a sibling behind the last child takes as long as for another one.
        let mut more = it.count;
        if more == 0 {
            return (begin, begin);
        }
        self.cursor.reset(it.node);
        let mut is_there = self.cursor.goto_first_child();
        while is_there {
            let field = self.has_fields.then(|| self.cursor.field_id()).flatten();
            self.children.push(ListedNode::new(self.cursor.node(), field));
            more -= 1;
            is_there = more > 0 && self.cursor.goto_next_sibling();
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
            self.children[range.0..range.1].iter().any(|it| it.field == Some(*field))
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
            if rest.parent.ends && after.iter().any(|it| it.node.is_named()) {
                return;
            }
            return match rest.around {
                Some(around) => self.rest(pattern, around),
                None => self.finish(pattern),
            };
        };
        for idx in rest.next.1..rest.range.1 {
            let it = self.children[idx];
            if wanted.field.is_none() || wanted.field == it.field {
                self.child(
                    pattern,
                    wanted,
                    it,
                    &Remainder { next: (rest.next.0 + 1, idx + 1), ..*rest },
                );
            }
            if wanted.follows && it.node.is_named() {
                break;
            }
        }
    }

    fn child(
        &mut self,
        pattern: &Pattern,
        wanted: &Child,
        it: ListedNode<'t>,
        rest: &Remainder<'_>,
    ) {
        let ListedNode { node, kind, .. } = it;
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
            let range = self.children_of(&it);
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
