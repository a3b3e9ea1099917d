//! Which nodes hold statements, members or elements that can be left out, and the role of each of their children.
//!
//! In most languages these are the nodes with braces, whatever their kind. The others are listed here. Grammars share
//! many names, so all languages share one list. Any other node is a part of its statement, which is shown in full or
//! omitted.

use std::sync::OnceLock;

use tree_sitter::Node;

use crate::language::Language;
use crate::listed::ListedNode;

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

/// Properties of a kind of node, as bits.
pub(super) type Properties = u16;

const NAMED: Properties = 1;
/// It consists of a sequence of statements.
const LIST: Properties = 2;
/// It holds statements, without braces.
const HOLDER: Properties = 4;
/// It holds none, even with braces.
const NON_HOLDER: Properties = 8;
/// It is a clause of a holder.
const CLAUSE: Properties = 16;
const COMMENT: Properties = 32;
const LEAD: Properties = 64;
/// It continues the statement before it.
const HEREDOC: Properties = 128;
const COMMA: Properties = 256;
const SEMICOLON: Properties = 512;
const OPENING_BRACE: Properties = 1024;
const CLOSING_BRACE: Properties = 2048;
/// A semicolon in it ends the constants of an enum. Without it, what follows is not a member.
const ENUM_BODY: Properties = 4096;
/// An error: it holds statements, and is a list in a holder.
const ERROR: Properties = 8192;

/// The properties of each kind of node of a grammar.
pub(super) struct NodeKinds {
    by_id: Vec<Properties>,
}

impl NodeKinds {
    /// The kinds of the grammar of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        static KINDS: [OnceLock<NodeKinds>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        KINDS[language as usize].get_or_init(|| Self::new(language))
    }

    fn new(language: Language) -> Self {
        let Some(grammar) = language.grammar() else { return Self { by_id: Vec::new() } };
        let properties = |id: u16| {
            let kind = grammar.node_kind_for_id(id).unwrap_or_default();
            match grammar.node_kind_is_named(id) {
                true => NAMED | of_named(language, kind),
                false => of_anonymous(kind) | of_any(language, kind),
            }
        };
        Self { by_id: (0..grammar.node_kind_count() as u16).map(properties).collect() }
    }

    /// The properties of nodes of a kind.
    pub(super) fn properties(&self, kind: u16) -> Properties {
        // Error nodes have a kind beyond those of the grammar.
        self.by_id.get(kind as usize).copied().unwrap_or(NAMED | ERROR)
    }
}

/// The properties that do not depend on whether a node is named.
fn of_any(language: Language, kind: &str) -> Properties {
    let holds = match language {
        Language::Bash if matches!(kind, "if_statement" | "else_clause" | "elif_clause") => true,
        Language::Python if kind == "list" => true,
        _ => !NON_HOLDER_KINDS.contains(&kind) && HOLDER_KINDS.contains(&kind),
    };
    let bit = |is_set: bool, bit: Properties| if is_set { bit } else { 0 };
    let is_suite = kind == "block" && matches!(language, Language::Python | Language::Lua);
    let is_enum = matches!(kind, "enum_body_declarations" | "enum_class_body");
    bit(is_suite || LIST_KINDS.contains(&kind), LIST)
        | bit(holds, HOLDER)
        | bit(NON_HOLDER_KINDS.contains(&kind) && !holds, NON_HOLDER)
        | bit(is_enum, ENUM_BODY)
        | bit(kind == "{", OPENING_BRACE)
        | bit(kind == "}", CLOSING_BRACE)
}

fn of_named(language: Language, kind: &str) -> Properties {
    let bit = |is_set: bool, bit: Properties| if is_set { bit } else { 0 };
    of_any(language, kind)
        | bit(CLAUSE_KINDS.contains(&kind), CLAUSE)
        | bit(language.comment_kinds().contains(&kind), COMMENT)
        | bit(language.lead_kinds().contains(&kind), LEAD)
        | bit(kind == "heredoc_body", HEREDOC)
}

fn of_anonymous(kind: &str) -> Properties {
    match kind {
        "," => COMMA,
        ";" => SEMICOLON,
        _ => 0,
    }
}

/// True for a node with statements that can be left out, by its properties and children.
pub(super) fn holds_statements(
    kinds: &NodeKinds,
    text: &[u8],
    node: Node<'_>,
    properties: Properties,
    children: &[ListedNode<'_>],
) -> bool {
    if properties & (ERROR | LIST | HOLDER) != 0 {
        return true;
    }
    if properties & NON_HOLDER != 0 {
        return false;
    }
    // Most nodes are identified by their last byte; braces inserted by error recovery are zero-width.
    let last = || text.get(node.byte_range()).is_some_and(|it| it.ends_with(b"}"));
    (last() || node.has_error()) && has_braces(kinds, children)
}

/// Whether one of the first eight children is an opening brace, and the last one closes it.
fn has_braces(kinds: &NodeKinds, children: &[ListedNode<'_>]) -> bool {
    let has = |it: &ListedNode<'_>, brace| kinds.properties(it.kind) & brace != 0;
    children.iter().take(8).any(|it| has(it, OPENING_BRACE))
        && children.last().is_some_and(|it| has(it, CLOSING_BRACE))
}

/// The role of a node with these properties, in a node with those of `parent`; `held` says whether that one holds
/// statements.
pub(super) fn role(properties: Properties, (parent, held): (Properties, bool)) -> Role {
    if properties & NAMED == 0 {
        let ends = parent & ENUM_BODY != 0 && properties & SEMICOLON != 0;
        let separates = held && properties & (COMMA | SEMICOLON) != 0 && !ends;
        return if separates { Role::Continuation } else { Role::Part };
    }
    if properties & LIST != 0 || held && properties & ERROR != 0 {
        return Role::List;
    }
    if properties & COMMENT != 0 {
        return Role::Comment;
    }
    if properties & HEREDOC != 0 {
        return Role::Continuation;
    }
    if !held || properties & CLAUSE != 0 {
        return Role::Part;
    }
    if properties & LEAD != 0 { Role::Lead } else { Role::Statement }
}
