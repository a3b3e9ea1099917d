//! Classifies nodes by kind: prose, bindings, names.

use std::num::NonZeroU16;

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

const IS_PROSE: u16 = 1;
const IS_BINDING: u16 = 2;
const IS_NAME: u16 = 4;
const IS_SHELL_COMMAND: u16 = 8;
/// Its name says that it is a pattern, which binds its value and alias.
const IS_PATTERN: u16 = 16;
/// It binds children without a field.
const BINDS_FIELDLESS: u16 = 32;
/// It binds no more than one name.
const BINDS_ONE: u16 = 64;
/// Its children may be names.
const IS_LIST: u16 = 128;

/// What the kind of a node says about the words in it.
#[derive(Clone, Copy)]
pub(in crate::symbol) struct NodeClass(u16);

impl NodeClass {
    /// Whether the node has no words to note.
    pub(in crate::symbol) fn is_plain(self) -> bool {
        self.0 & (IS_PROSE | IS_BINDING | IS_SHELL_COMMAND) == 0
    }

    /// Whether the node is a comment or a part of a string.
    pub(in crate::symbol) fn is_prose(self) -> bool {
        self.0 & IS_PROSE != 0
    }

    /// Whether the node binds names among its children.
    pub(in crate::symbol) fn is_binding(self) -> bool {
        self.0 & IS_BINDING != 0
    }

    /// Whether the node is a call whose arguments are words.
    pub(in crate::symbol) fn is_shell_command(self) -> bool {
        self.0 & IS_SHELL_COMMAND != 0
    }

    pub(super) fn binds_one(self) -> bool {
        self.0 & BINDS_ONE != 0
    }

    pub(super) fn is_list(self) -> bool {
        self.0 & IS_LIST != 0
    }
}

/// What a field says about the child in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FieldClass {
    /// `value`, `alias`: bound by patterns.
    Value,
    /// One of [`BOUND_FIELDS`].
    Bound,
    /// `target`: of an assignment to something that exists.
    Target,
    Other,
}

/// The class of each node kind and each field of a grammar.
pub(in crate::symbol) struct NodeClasses {
    by_kind: Vec<u16>,
    /// By the number of the field.
    fields: Vec<FieldClass>,
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
        let field = |id: u16| match grammar.field_name_for_id(id) {
            Some("value" | "alias") => FieldClass::Value,
            Some("target") => FieldClass::Target,
            Some(field) if BOUND_FIELDS.contains(&field) => FieldClass::Bound,
            _ => FieldClass::Other,
        };
        // Fields are numbered from 1.
        let fields = (0..=grammar.field_count() as u16).map(field).collect();
        Self { by_kind: (0..count).map(class).collect(), fields, language }
    }

    /// The class of a node of this kind.
    pub(in crate::symbol) fn of_kind(&self, kind: u16) -> NodeClass {
        // Error nodes have a kind beyond those of the grammar.
        NodeClass(self.by_kind.get(kind as usize).copied().unwrap_or(0))
    }

    pub(super) fn is_name(&self, node: Node<'_>) -> bool {
        self.of_kind(node.kind_id()).0 & IS_NAME != 0 && node.named_child_count() == 0
    }

    /// Whether a binding node of this class binds the child in this field.
    pub(super) fn binds_field(&self, class: NodeClass, field: Option<NonZeroU16>) -> bool {
        let field = field.and_then(|it| self.fields.get(it.get() as usize)).copied();
        match field {
            // A name without parentheses is a variable in Elixir.
            _ if self.language == Language::Elixir => field != Some(FieldClass::Target),
            Some(FieldClass::Value) => class.0 & IS_PATTERN != 0,
            Some(field) => field == FieldClass::Bound,
            None => class.0 & BINDS_FIELDLESS != 0,
        }
    }
}

fn class_of(kind: &str, language: Language) -> u16 {
    let has = |parts: &[&str]| parts.iter().any(|it| kind.contains(it));
    let binds = match language {
        Language::Elixir => !matches!(kind, "dot" | "alias" | "identifier"),
        _ => {
            (has(BINDING_PARTS) && !NON_BINDING_PARTS.contains(&kind))
                || BINDING_KINDS.contains(&kind)
        }
    };
    let is_name = NAME_KINDS.contains(&kind);
    let bits = [
        (has(PROSE_PARTS) && !is_name, IS_PROSE),
        (binds, IS_BINDING),
        (is_name, IS_NAME),
        (language == Language::Bash && kind == "command", IS_SHELL_COMMAND),
        (kind.contains("pattern"), IS_PATTERN),
        (has(FIELDLESS_BINDING_PARTS), BINDS_FIELDLESS),
        (kind == "variable_declaration", BINDS_ONE),
        (kind.ends_with("_list"), IS_LIST),
    ];
    bits.iter().filter(|it| it.0).fold(0, |class, it| class | it.1)
}
