//! Computes the levels of lines from a syntax tree, in a walk over multi-line nodes and their children.

use tree_sitter::Node;

use super::blocks::{NodeKinds, Properties, Role, holds_statements, role};
use super::{Line, MAX_LEVEL, Outline};
use crate::language::Language;
use crate::listed::ListedNode;
use crate::span::LineIndex;

/// Deeper nodes are not visited: their lines belong to the last statement outside.
const MAX_DEPTH: usize = 500;

/// The outline of a text, while another walk lists the children of the nodes that this one asks for: [`Self::visit`] for
/// the root and for each child of an entered node, in the order of the text; if it is to be entered, [`Self::enter`]
/// before its children and [`Self::leave`] after them.
pub(crate) struct OutlineWalk<'a> {
    text: &'a [u8],
    kinds: &'static NodeKinds,
    index: LineIndex,
    lines: Vec<Line>,
    /// The last line on which a visited node begins or ends.
    touched: i64,
    /// The entered nodes on the path.
    open: Vec<Parent>,
}

/// A node whose children are visited.
#[derive(Clone, Copy)]
struct Parent {
    properties: Properties,
    /// Level of the statement that contains it.
    level: i16,
    /// Level of its children that are statements.
    inside: i16,
    holds_statements: bool,
    /// The last visited child; in a list, at first the sibling that the list follows.
    before: Option<Sibling>,
    /// Its last line; `None` for a list, which ends with its last child.
    last: Option<usize>,
}

/// A visited child.
#[derive(Clone, Copy)]
struct Sibling {
    first: usize,
    last: usize,
    level: i16,
    role: Role,
}

impl<'a> OutlineWalk<'a> {
    /// `None` for documents and data.
    pub(crate) fn new(text: &'a [u8], language: Language) -> Option<Self> {
        if !language.is_code() && language != Language::Css {
            return None;
        }
        let index = LineIndex::new(text);
        let lines = vec![Line { level: 0, begins: true }; index.count() as usize];
        let kinds = NodeKinds::of(language);
        Some(Self { text, kinds, index, lines, touched: -1, open: Vec::new() })
    }

    pub(crate) fn finish(self) -> Outline {
        Outline::new(&self.lines)
    }

    /// Looks at a child of the last entered node; returns whether it is to be entered.
    pub(crate) fn visit(&mut self, child: &ListedNode<'_>) -> bool {
        let properties = self.kinds.properties(child.kind);
        let Some(parent) = self.open.last().copied() else {
            return self.open(properties, -1, None, None);
        };
        let Some((first, last)) = self.lines_of(child.node) else { return false };
        let before = parent.before;
        let role = role(properties, (parent.properties, parent.holds_statements));
        if role == Role::List {
            self.follow(Sibling { first, last, level: parent.level + 1, role });
            return self.open(properties, parent.level, before, None);
        }
        self.touch(first, parent, role);
        let level = self.lines[first].level.min(level_of(parent, role).max(0));
        if let Some(before) = before.filter(|it| it.last == first && it.first < first) {
            self.join(before, level);
        }
        // A comment between an attribute and its item belongs to both.
        let is_led = role == Role::Comment && before.is_some_and(|it| it.role == Role::Lead);
        let role = if is_led { Role::Lead } else { role };
        self.follow(match before.filter(|it| it.last == last && it.first < first) {
            // Text that follows on this line also ends the earlier sibling.
            Some(before) => Sibling { role, ..before },
            None => Sibling { first, last, level, role },
        });
        if last == first {
            return false;
        }
        self.lines[first + 1..=last].fill(Line { level, begins: false });
        self.open(properties, level, None, Some(last))
    }

    /// Begins a node. [`Self::enter`] finds out from its children if it holds statements.
    fn open(
        &mut self,
        properties: Properties,
        level: i16,
        before: Option<Sibling>,
        last: Option<usize>,
    ) -> bool {
        let inside = level;
        self.open.push(Parent { properties, level, inside, holds_statements: false, before, last });
        let is_entered = self.open.len() <= MAX_DEPTH + 1;
        if !is_entered {
            self.leave();
        }
        is_entered
    }

    /// Receives the children of a node.
    pub(crate) fn enter(&mut self, node: Node<'_>, children: &[ListedNode<'_>]) {
        let is_root = self.open.len() == 1;
        let Some(parent) = self.open.last_mut() else { return };
        let holds = || holds_statements(self.kinds, self.text, node, parent.properties, children);
        parent.holds_statements = parent.level < MAX_LEVEL && (is_root || holds());
        parent.inside = parent.level + i16::from(parent.holds_statements);
    }

    /// Ends a node after its children.
    pub(crate) fn leave(&mut self) {
        let last = self.open.pop().and_then(|it| it.last);
        self.touched = last.map_or(self.touched, |it| self.touched.max(it as i64));
    }

    /// Makes a child the one that the next follows.
    fn follow(&mut self, child: Sibling) {
        if let Some(parent) = self.open.last_mut() {
            parent.before = Some(child);
        }
    }

    /// Records that a child begins on a line, and sets the levels of the blank lines before it.
    fn touch(&mut self, line: usize, parent: Parent, role: Role) {
        let level = level_of(parent, role).max(0);
        if (line as i64) <= self.touched {
            let known = &mut self.lines[line];
            if level < known.level {
                *known = Line { level, begins: false };
            }
            return;
        }
        let blank = (self.touched + 1) as usize..line;
        let of_blank = Line { level: parent.inside.max(0), begins: parent.holds_statements };
        self.lines[blank].fill(of_blank);
        let goes_on = parent.before.is_some_and(|it| {
            let next = it.last + 1 == line && it.role == Role::Comment && role == Role::Comment;
            next || it.role == Role::Lead
        });
        let begins = matches!(role, Role::Statement | Role::Comment | Role::Lead) && !goes_on;
        self.lines[line] = Line { level, begins };
        self.touched = line as i64;
    }

    /// Joins a multi-line child with outer text on its last line: it cannot be left out alone. The contents of its
    /// blocks can.
    fn join(&mut self, child: Sibling, level: i16) {
        if level >= child.level {
            return;
        }
        for line in &mut self.lines[child.first..=child.last] {
            if line.level == child.level {
                *line = Line { level, begins: false };
            }
        }
    }

    /// First and last line of a node, excluding white space around it.
    fn lines_of(&self, node: Node<'_>) -> Option<(usize, usize)> {
        let (start, end) = (node.start_byte(), node.end_byte().min(self.text.len()));
        let text = self.text.get(start..end)?;
        let trimmed = text.trim_ascii_start();
        let start = end - trimmed.len();
        let end = start + trimmed.trim_ascii_end().len();
        // The parser counted the lines. Beyond white space, and in a text that is being typed, they may be others.
        let line = |at: usize, row: usize| self.index.line_near(at, row) as usize - 1;
        let rows = || (node.start_position().row, node.end_position().row);
        (start < end).then(rows).map(|it| (line(start, it.0), line(end - 1, it.1)))
    }
}

fn level_of(parent: Parent, role: Role) -> i16 {
    match role {
        Role::Part | Role::List => parent.level,
        Role::Statement | Role::Continuation | Role::Lead => parent.inside,
        // A comment between the parts of a statement can be left out, as in a block.
        Role::Comment => parent.level + 1,
    }
}
