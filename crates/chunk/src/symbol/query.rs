//! The query of each language, compiled when it is first needed.

use std::num::NonZeroU16;
use std::sync::OnceLock;

use tree_sitter::{Node, Query};

use super::capture::{Role, role};
use crate::Language;

/// The fields through which a name is looked for in what wraps it: declarators, paths, member accesses, generic types.
const NAME_FIELDS: &[&str] = &[
    "declarator",
    "name",
    "property",
    "field",
    "attribute",
    "function",
    "type",
    "method",
    "member",
    "suffix",
    "bound_identifier",
    "id",
    "target",
];

/// Nodes without such a field whose first child holds the name …
const FIRST: &[&str] = &[
    "generic_name",
    "generic_type",
    "parenthesized_declarator",
    "parenthesized_expression",
    "parenthesized_type",
];

/// … and whose last child does, but for arguments.
const LAST: &[&str] = &[
    "dependent_name",
    "navigation_expression",
    "qualified_name",
    "reference_declarator",
    "scoped_type_identifier",
    "user_type",
];

/// Nodes that are a name as they are, in spite of their fields.
const WHOLE: &[&str] = &["operator_cast"];

/// No name is wrapped deeper than this.
const DEEPEST: usize = 32;

/// The compiled query of a language.
pub(super) struct Compiled {
    /// The query files, and a pattern for each kind of comment and lead.
    pub(super) query: Query,
    /// What each capture stands for, by its index.
    pub(super) roles: Vec<Role>,
    /// What each pattern says beyond its captures, by its index.
    pub(super) settings: Vec<Settings>,
    name: Option<NonZeroU16>,
    body: Option<NonZeroU16>,
    name_fields: Vec<NonZeroU16>,
}

/// What a pattern sets with `#set!`.
#[derive(Default)]
pub(super) struct Settings {
    /// `import.prefix`: goes before the module.
    pub(super) prefix: Option<Box<str>>,
    /// `import.name`: the name, where the code has none (`default`, `*`).
    pub(super) name: Option<Box<str>>,
    /// `body.opener`: the body begins where this text first stands in its node.
    pub(super) opener: Option<Box<str>>,
    /// `reference.before`: what must directly follow a reference.
    pub(super) before: Option<Box<str>>,
    /// `import.words`: begin a path without being part of it.
    pub(super) words: Option<Box<str>>,
    /// `import.separator`: stands between the parts of a path; a dot if nothing is said.
    pub(super) separator: Option<Box<str>>,
}

/// The compiled query of `language`; `None` when its feature is off.
pub(super) fn compiled(language: Language) -> Option<&'static Compiled> {
    static COMPILED: [OnceLock<Option<Compiled>>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    // A query that does not compile is found by the test below; here it only means that nothing is found.
    COMPILED[language as usize].get_or_init(|| Compiled::new(language)?.ok()).as_ref()
}

impl Compiled {
    fn new(language: Language) -> Option<Result<Self, String>> {
        let grammar = language.grammar()?;
        let query = match Query::new(&grammar, &source(language)) {
            Ok(query) => query,
            Err(error) => return Some(Err(format!("{}: {error}", language.name()))),
        };
        let roles = query
            .capture_names()
            .iter()
            .map(|it| role(it).ok_or_else(|| unknown(language, it)))
            .collect();
        let roles: Vec<Role> = match roles {
            Ok(roles) => roles,
            Err(error) => return Some(Err(error)),
        };
        Some(Ok(Self {
            settings: (0..query.pattern_count()).map(|it| Settings::new(&query, it)).collect(),
            query,
            roles,
            name: grammar.field_id_for_name("name"),
            body: grammar.field_id_for_name("body"),
            name_fields: NAME_FIELDS
                .iter()
                .filter_map(|it| grammar.field_id_for_name(it))
                .collect(),
        }))
    }

    /// The node's field `name`.
    pub(super) fn name<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        node.child_by_field_id(self.name?.get())
    }

    /// The node's field `body`, or in grammars without such a field its last child if that is a body.
    pub(super) fn body<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let by_field = self.body.and_then(|it| node.child_by_field_id(it.get()));
        let last = || node.named_child(node.named_child_count().checked_sub(1)? as u32);
        let is_body = |it: &Node<'_>| it.kind().ends_with("_body") || it.kind() == "block";
        // The types in parentheses of a Rust tuple struct are no body.
        by_field
            .filter(|it| it.kind() != "ordered_field_declaration_list")
            .or_else(|| last().filter(is_body))
    }

    /// The name that `node` wraps, or `node` itself: of `*Foo::bar<T>(int)` it is `bar`.
    pub(super) fn unwrapped<'t>(&self, mut node: Node<'t>) -> Node<'t> {
        for _ in 0..DEEPEST {
            if node.child_count() == 0 {
                break;
            }
            if WHOLE.contains(&node.kind()) {
                break;
            }
            let by_field = self.name_fields.iter().find_map(|it| node.child_by_field_id(it.get()));
            let Some(inner) = by_field.or_else(|| wrapped(node)) else { break };
            node = inner;
        }
        node
    }
}

/// The name in a node that has no field for it.
fn wrapped(node: Node<'_>) -> Option<Node<'_>> {
    if FIRST.contains(&node.kind()) {
        return node.named_child(0);
    }
    if !LAST.contains(&node.kind()) {
        return None;
    }
    let children = (0..node.named_child_count() as u32).rev().filter_map(|it| node.named_child(it));
    let mut names = children.filter(|it| !it.kind().starts_with("type_argument"));
    names.next()
}

impl Settings {
    fn new(query: &Query, pattern: usize) -> Self {
        let mut settings = Self::default();
        for property in query.property_settings(pattern) {
            match property.key.as_ref() {
                "import.prefix" => settings.prefix.clone_from(&property.value),
                "import.name" => settings.name.clone_from(&property.value),
                "body.opener" => settings.opener.clone_from(&property.value),
                "reference.before" => settings.before.clone_from(&property.value),
                "import.words" => settings.words.clone_from(&property.value),
                "import.separator" => settings.separator.clone_from(&property.value),
                _ => {}
            }
        }
        settings
    }
}

/// The text of the whole query.
fn source(language: Language) -> String {
    let mut source = language.queries().concat();
    for (kinds, capture) in [(language.comment_kinds(), "comment"), (language.lead_kinds(), "lead")]
    {
        for kind in kinds {
            source.push_str(&format!("({kind}) @{capture}\n"));
        }
    }
    source
}

fn unknown(language: Language, capture: &str) -> String {
    format!(
        "{}: no capture is called @{capture}; symbol/capture.rs lists those that are",
        language.name()
    )
}

#[cfg(test)]
mod tests {
    use super::Compiled;
    use crate::Language;

    #[test]
    fn every_query_compiles_and_uses_known_captures() {
        let errors: Vec<String> =
            Language::ALL.iter().filter_map(|&it| Compiled::new(it)?.err()).collect();
        assert!(errors.is_empty(), "{}", errors.join("\n\n"));
    }
}
