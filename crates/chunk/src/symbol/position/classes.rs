//! Classifies nodes by kind: prose, bindings, names.

use tree_sitter::Node;

use crate::language::Language;

/// Parts of the kinds of nodes whose text is prose.
const PROSE_PARTS: &[&str] = &[
    "comment",
    "string",
    "heredoc",
    "nowdoc",
    "char",
    "escape",
    "regex",
    "quoted",
    "str_text",
    "str_part",
    "jsx_text",
    "haddock",
    "sigil",
    "rune_literal",
    "quasiquote_body",
    "hash_bang_line",
    "shebang",
];

/// Parts of the kinds of nodes that bind names.
const BINDING_PARTS: &[&str] = &[
    "parameter",
    "pattern",
    "lambda",
    "closure",
    "arrow_function",
    "for_",
    "foreach",
    "catch",
    "exception_variable",
    "range_clause",
    "declarator",
    "short_var_declaration",
    "let_",
    "named_expression",
    "variable_declaration",
    "property_declaration",
    "variable_list",
    "left_assignment_list",
    "payload",
];

/// Whole kinds of nodes that bind names.
const BINDING_KINDS: &[&str] = &[
    "assignment",
    "assignment_statement",
    "assignment_expression",
    "bind",
    "declaration",
    "declaration_expression",
    "resource",
    "val_definition",
    "var_definition",
    "var_spec",
    "variable_assignment",
    "variable_name",
];

/// Kinds containing these parts bind nothing themselves.
const NON_BINDING_PARTS: &[&str] = &["as_pattern", "function_declarator", "parameterized_type"];

/// Fields of a binding node that contain the bound names.
const BOUND_FIELDS: &[&str] = &[
    "name",
    "left",
    "pattern",
    "declarator",
    "parameter",
    "parameters",
    "variable",
    "bound_identifier",
];

/// Parts of the kinds of nodes that bind children without a field.
const FIELDLESS_BINDING_PARTS: &[&str] = &[
    "parameter",
    "pattern",
    "variable_declaration",
    "exception_variable",
    "reference_declarator",
    "left_assignment_list",
    "payload",
    "variable_name",
];

/// Kinds of nodes that are variable names.
const NAME_KINDS: &[&str] = &[
    "identifier",
    "simple_identifier",
    "shorthand_property_identifier_pattern",
    "shorthand_field_identifier",
    "variable",
    "variable_name",
    "name",
    "implicit_parameter",
    "instance_variable",
    "class_variable",
    "global_variable",
];

const IS_PROSE: u8 = 1;
const IS_BINDING: u8 = 2;
const IS_NAME: u8 = 4;

/// The class of each node kind of a grammar.
pub(in crate::symbol) struct NodeClasses {
    by_kind: Vec<u8>,
    language: Language,
}

impl NodeClasses {
    pub(in crate::symbol) fn new(language: Language, grammar: &tree_sitter::Language) -> Self {
        let count = grammar.node_kind_count() as u16;
        let class = |id: u16| match grammar.node_kind_for_id(id) {
            Some(kind) if language.is_code() && grammar.node_kind_is_named(id) => {
                class_of(kind, language)
            }
            _ => 0,
        };
        Self { by_kind: (0..count).map(class).collect(), language }
    }

    fn of(&self, node: Node<'_>) -> u8 {
        // Error nodes have a kind beyond those of the grammar.
        self.by_kind.get(node.kind_id() as usize).copied().unwrap_or(0)
    }

    /// Whether the node is a comment or a part of a string.
    pub(in crate::symbol) fn is_prose(&self, node: Node<'_>) -> bool {
        self.of(node) & IS_PROSE != 0
    }

    /// Whether the node binds names among its children.
    pub(in crate::symbol) fn is_binding(&self, node: Node<'_>) -> bool {
        self.of(node) & IS_BINDING != 0
    }

    /// Whether the node is a call whose arguments are words.
    pub(in crate::symbol) fn is_shell_command(&self, node: Node<'_>) -> bool {
        self.language == Language::Bash && node.kind() == "command"
    }

    pub(super) fn is_name(&self, node: Node<'_>) -> bool {
        self.of(node) & IS_NAME != 0 && node.named_child_count() == 0
    }

    /// Whether a binding node of this kind binds the child in this field.
    pub(super) fn binds_field(&self, kind: &str, field: Option<&str>) -> bool {
        match field {
            // A name without parentheses is a variable in Elixir.
            _ if self.language == Language::Elixir => field != Some("target"),
            Some("value" | "alias") => kind.contains("pattern"),
            Some(field) => BOUND_FIELDS.contains(&field),
            None => FIELDLESS_BINDING_PARTS.iter().any(|it| kind.contains(it)),
        }
    }
}

fn class_of(kind: &str, language: Language) -> u8 {
    let has = |parts: &[&str]| parts.iter().any(|it| kind.contains(it));
    let binds = match language {
        Language::Elixir => !matches!(kind, "dot" | "alias" | "identifier"),
        _ => {
            (has(BINDING_PARTS) && !NON_BINDING_PARTS.contains(&kind))
                || BINDING_KINDS.contains(&kind)
        }
    };
    let is_name = NAME_KINDS.contains(&kind);
    let is_prose = has(PROSE_PARTS) && !is_name;
    u8::from(is_prose) * IS_PROSE + u8::from(binds) * IS_BINDING + u8::from(is_name) * IS_NAME
}
