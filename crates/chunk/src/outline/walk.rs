//! Computes the levels of lines from a syntax tree, in one walk over multi-line nodes and their children.

use tree_sitter::{Node, Tree, TreeCursor};

use super::blocks::{NodeKinds, Properties, Role, holds_statements, role};
use super::{Line, MAX_LEVEL, Outline};
use crate::language::Language;
use crate::span::LineIndex;

/// Deeper nodes are not visited: their lines belong to the last statement outside.
const MAX_DEPTH: u32 = 500;

/// The outline of a text; empty for documents and data.
pub(crate) fn outline(text: &[u8], language: Language, tree: &Tree) -> Outline {
    if !language.is_code() && language != Language::Css {
        return Outline::default();
    }
    let index = LineIndex::new(text);
    let lines = vec![Line { level: 0, begins: true }; index.count() as usize];
    let mut walk = Walk { text, kinds: NodeKinds::of(language), index, lines, touched: -1 };
    let mut cursor = tree.walk();
    let root = walk.kinds.properties(cursor.node());
    walk.children(&mut cursor, root, Around { level: -1, depth: 0, before: None });
    Outline::new(&walk.lines)
}

struct Walk<'a> {
    text: &'a [u8],
    kinds: &'static NodeKinds,
    index: LineIndex,
    lines: Vec<Line>,
    /// The last line on which a visited node begins or ends.
    touched: i64,
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
    depth: u32,
}

/// What surrounds a node.
#[derive(Clone, Copy)]
struct Around {
    /// Level of the statement that contains it.
    level: i16,
    depth: u32,
    /// The sibling that it follows.
    before: Option<Sibling>,
}

/// The last visited child.
#[derive(Clone, Copy)]
struct Sibling {
    first: usize,
    last: usize,
    level: i16,
    role: Role,
}

impl Walk<'_> {
    /// Visits the children of the node at the cursor.
    fn children(&mut self, cursor: &mut TreeCursor<'_>, properties: Properties, around: Around) {
        let Around { level, depth, mut before } = around;
        let holds_statements = level < MAX_LEVEL
            && (depth == 0 || holds_statements(self.kinds, self.text, cursor, properties));
        let inside = if holds_statements { level + 1 } else { level };
        let parent = Parent { properties, level, inside, holds_statements, depth };
        if depth > MAX_DEPTH || !cursor.goto_first_child() {
            return;
        }
        loop {
            before = self.child(cursor, parent, before).or(before);
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }

    /// Visits a child; `None` if it has no text.
    fn child(
        &mut self,
        cursor: &mut TreeCursor<'_>,
        parent: Parent,
        before: Option<Sibling>,
    ) -> Option<Sibling> {
        let node = cursor.node();
        let (first, last) = self.lines_of(node)?;
        let properties = self.kinds.properties(node);
        let role = role(properties, (parent.properties, parent.holds_statements));
        let depth = parent.depth + 1;
        if role == Role::List {
            self.children(cursor, properties, Around { level: parent.level, depth, before });
            return Some(Sibling { first, last, level: parent.level + 1, role });
        }
        self.touch(first, parent, role, before);
        let level = self.lines[first].level.min(level_of(parent, role).max(0));
        if let Some(before) = before.filter(|it| it.last == first && it.first < first) {
            self.join(before, level);
        }
        if last > first {
            self.lines[first + 1..=last].fill(Line { level, begins: false });
            self.children(cursor, properties, Around { level, depth, before: None });
            self.touched = self.touched.max(last as i64);
        }
        // A comment between an attribute and its item belongs to both.
        let is_led = role == Role::Comment && before.is_some_and(|it| it.role == Role::Lead);
        let role = if is_led { Role::Lead } else { role };
        match before.filter(|it| it.last == last && it.first < first) {
            // Text that follows on this line also ends the earlier sibling.
            Some(before) => Some(Sibling { role, ..before }),
            None => Some(Sibling { first, last, level, role }),
        }
    }

    /// Records that a child begins on a line, and sets the levels of the blank lines before it.
    fn touch(&mut self, line: usize, parent: Parent, role: Role, before: Option<Sibling>) {
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
        let goes_on = before.is_some_and(|it| {
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
