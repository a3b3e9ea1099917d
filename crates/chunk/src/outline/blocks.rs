//! Which nodes hold statements, members or elements that can be left out, and the role of each of their children.
//!
//! In most languages these are the nodes with braces, whatever their kind. The others are listed here. Grammars share
//! many names, so all languages share one list. Any other node is a part of its statement, which is shown in full or
//! omitted.

use tree_sitter::{Node, TreeCursor};

use crate::language::Language;

/// The role of a child in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A part of its parent, such as a bracket or a clause.
    Part,
    /// Statements without brackets around them.
    List,
    /// A statement.
    Statement,
    /// A part of the statement before it.
    Continuation,
    /// A comment.
    Comment,
    /// An attribute of the statement after it.
    Lead,
}

/// Nodes that consist of a sequence of statements.
const LIST_KINDS: &[&str] = &[
    // Languages with braces: the list inside the braces.
    "statement_list",
    "statements",
    "enum_body_declarations",
    // Languages with indentation or keywords.
    "body",
    "body_statement",
    "block_body",
    "class_declarations",
    "declarations",
    "imports",
    "indented_block",
    "indented_cases",
    "instance_declarations",
    "local_binds",
    "alternatives",
    "then",
];

/// Nodes that hold statements between brackets or keywords other than braces.
const HOLDER_KINDS: &[&str] = &[
    // Go: `const (`, `import (`.
    "const_declaration",
    "import_spec_list",
    "type_declaration",
    "var_spec_list",
    // Branches, whose statements are their children.
    "switch_case",
    "switch_default",
    "case_statement",
    "default_statement",
    "switch_block_statement_group",
    "switch_section",
    "case_item",
    "when",
    "else",
    "elsif",
    "ensure",
    "rescue",
    "do_group",
    "subshell",
    // Ruby, Lua, Elixir, Haskell.
    "begin",
    "case",
    "do",
    "do_block",
    "after_block",
    "catch_block",
    "else_block",
    "rescue_block",
    // Elements, each followed by a comma.
    "array",
    "array_creation_expression",
    "array_expression",
    "array_literal",
    "collection_literal",
    "dictionary_literal",
    // Preprocessors.
    "preproc_if",
    "preproc_ifdef",
    "preproc_elif",
    "preproc_elifdef",
    "preproc_else",
    // A colon begins the block.
    "colon_block",
    "template_body",
    "with_template_body",
    "enum_body",
];

/// Nodes with braces that do not hold a sequence of statements.
const NON_HOLDER_KINDS: &[&str] = &[
    "interpolation",
    "string_interpolation",
    "template_substitution",
    "jsx_expression",
    "import_clause",
    "expansion",
    "brace_expression",
    "token_tree",
    "map",
    "tuple",
    "record",
    "namespace_selectors",
    "object_pattern",
];

/// Children of holders that are clauses, not statements.
const CLAUSE_KINDS: &[&str] = &[
    "preproc_else",
    "preproc_elif",
    "preproc_elifdef",
    "else_clause",
    "elif_clause",
    "else",
    "elsif",
    "ensure",
    "rescue",
    "exceptions",
    "after_block",
    "catch_block",
    "else_block",
    "rescue_block",
    "switch_label",
    "case_switch_label",
    "case_pattern_switch_label",
    "default_switch_label",
    "lambda_parameters",
    "block_parameters",
    "catch_clause",
    "finally_clause",
];

/// Whether the node at the cursor holds statements that can be left out. The cursor does not move.
pub(super) fn holds_statements(
    language: Language,
    text: &[u8],
    cursor: &mut TreeCursor<'_>,
) -> bool {
    let node = cursor.node();
    let kind = node.kind();
    if node.is_error() || is_list(language, kind) {
        return true;
    }
    // Most nodes are identified by their last byte; braces inserted by error recovery are zero-width.
    let last = || text.get(node.byte_range()).is_some_and(|it| it.ends_with(b"}"));
    let may_have_braces = || last() || node.has_error();
    match language {
        Language::Bash if matches!(kind, "if_statement" | "else_clause" | "elif_clause") => true,
        Language::Python if kind == "list" => true,
        _ if NON_HOLDER_KINDS.contains(&kind) => false,
        _ => HOLDER_KINDS.contains(&kind) || may_have_braces() && has_braces(cursor),
    }
}

fn is_list(language: Language, kind: &str) -> bool {
    let is_suite = kind == "block" && matches!(language, Language::Python | Language::Lua);
    is_suite || LIST_KINDS.contains(&kind)
}

/// Whether one of the first eight children is an opening brace, and the last one closes it.
fn has_braces(cursor: &mut TreeCursor<'_>) -> bool {
    let node = cursor.node();
    if !cursor.goto_first_child() {
        return false;
    }
    let mut more = 7;
    while cursor.node().kind() != "{" && more > 0 && cursor.goto_next_sibling() {
        more -= 1;
    }
    let opens = cursor.node().kind() == "{";
    cursor.goto_parent();
    // Fetched last: finding the last child takes time proportional to the number of children.
    let last = || node.child_count().checked_sub(1).and_then(|it| node.child(it));
    opens && last().is_some_and(|it| it.kind() == "}")
}

/// The role of a child of a node of kind `parent`; `held` says whether that node holds statements.
pub(super) fn role(language: Language, node: Node<'_>, (parent, held): (&str, bool)) -> Role {
    let kind = node.kind();
    if !node.is_named() {
        // In an enum a semicolon ends the constants. Without it, what follows is not a member.
        let ends = matches!(parent, "enum_body_declarations" | "enum_class_body") && kind == ";";
        let separates = held && matches!(kind, "," | ";") && !ends;
        return if separates { Role::Continuation } else { Role::Part };
    }
    if is_list(language, kind) || held && node.is_error() {
        return Role::List;
    }
    if language.comment_kinds().contains(&kind) {
        return Role::Comment;
    }
    if kind == "heredoc_body" {
        return Role::Continuation;
    }
    if !held || CLAUSE_KINDS.contains(&kind) {
        return Role::Part;
    }
    if language.lead_kinds().contains(&kind) { Role::Lead } else { Role::Statement }
}
