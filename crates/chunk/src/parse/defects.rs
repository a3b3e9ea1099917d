//! Syntax errors of a text.

use tree_sitter::Tree;

use crate::span::Span;

/// The spans of the errors in a tree, in order: unparsed text, and empty spans where the parser inserted a token.
pub(super) fn defects(tree: &Tree) -> Vec<Span> {
    let mut cursor = tree.walk();
    let mut found = Vec::new();
    loop {
        let node = cursor.node();
        let is_defect = node.is_error() || node.is_missing();
        if is_defect {
            found.push(Span::new(node.start_byte(), node.end_byte()));
        }
        if !is_defect && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}
