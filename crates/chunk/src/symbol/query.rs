//! The query of each language, parsed on first use, and the rules that find names in nodes.

use std::num::NonZeroU16;
use std::sync::OnceLock;

use tree_sitter::Node;

use super::capture::{Role, role};
use super::matcher::Matcher;
use super::pattern;
use super::position::NodeClasses;
use crate::language::Language;

/// Fields that lead to a name in wrapping nodes: declarators, paths, member accesses, generic types.
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

/// Nodes without such a field whose first child contains the name.
const NAME_IN_FIRST_CHILD: &[&str] = &[
    "generic_name",
    "generic_type",
    "parenthesized_declarator",
    "parenthesized_expression",
    "parenthesized_type",
];

/// Nodes without such a field whose last child, apart from arguments, contains the name.
const NAME_IN_LAST_CHILD: &[&str] = &[
    "dependent_name",
    "navigation_expression",
    "qualified_name",
    "reference_declarator",
    "scoped_type_identifier",
    "user_type",
];

/// Nodes that hold a name after its owner: `a::b`, `a.b`, `a:b`.
const QUALIFIED_KINDS: &[&str] = &[
    "dot_index_expression",
    "member_expression",
    "method_index_expression",
    "nested_identifier",
    "nested_namespace_specifier",
    "qualified_identifier",
    "qualified_name",
    "scope_resolution",
];

/// Wrapper types of receivers: `*T`, `T?`.
const WRAPPED_TYPES: &[&str] = &["nullable_type", "pointer_type"];

/// Nodes that are a whole name although they have fields.
const WHOLE_NAMES: &[&str] = &["operator_cast"];

/// Maximum number of wrapping nodes around a name.
const MAX_DEPTH: usize = 32;

/// The parsed query files of a language.
pub(super) struct LanguageQuery {
    /// The patterns of the files, and one for each kind of comment and lead.
    pub(super) matcher: Matcher,
    /// Role of each capture, by index.
    pub(super) roles: Vec<Role>,
    /// Settings of each pattern, by index.
    pub(super) settings: Vec<Settings>,
    /// Roles of nodes that follow from their kind alone.
    pub(super) classes: NodeClasses,
    name: Option<NonZeroU16>,
    body: Option<NonZeroU16>,
    name_fields: Vec<NonZeroU16>,
}

/// The `#set!` properties of a pattern.
#[derive(Default)]
pub(super) struct Settings {
    /// `import.prefix`: prepended to the module.
    pub(super) prefix: Option<Box<str>>,
    /// `import.name`: the name if the code has none (`default`, `*`).
    pub(super) name: Option<Box<str>>,
    /// `body.opener`: the body begins where this text first occurs in its node.
    pub(super) opener: Option<Box<str>>,
    /// `reference.before`: text that must directly follow a reference.
    pub(super) before: Option<Box<str>>,
    /// `import.words`: keywords to remove from the beginning of a path.
    pub(super) words: Option<Box<str>>,
    /// `definition.reach`: with `next`, the definition extends to the next match of its pattern or the end of the file.
    pub(super) reaches: bool,
    /// `import.separator`: separator of path segments; a dot by default.
    pub(super) separator: Option<Box<str>>,
}

/// The query of `language`; `None` if its feature is off.
pub(super) fn of_language(language: Language) -> Option<&'static LanguageQuery> {
    static QUERIES: [OnceLock<Option<LanguageQuery>>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    // A test below reports mistakes in query files; here they only cost symbols.
    QUERIES[language as usize].get_or_init(|| LanguageQuery::new(language)?.ok()).as_ref()
}

impl LanguageQuery {
    fn new(language: Language) -> Option<Result<Self, String>> {
        let grammar = language.grammar()?;
        Some(
            Self::read(language, &grammar).map_err(|error| format!("{}: {error}", language.name())),
        )
    }

    fn read(language: Language, grammar: &tree_sitter::Language) -> Result<Self, String> {
        let (patterns, captures) = pattern::parse(grammar, &source(language))?;
        let classes = NodeClasses::new(language, grammar);
        Ok(Self {
            roles: captures.iter().map(|it| role(it)).collect::<Result<_, _>>()?,
            settings: patterns.iter().map(|it| Settings::new(&it.properties)).collect(),
            matcher: Matcher::new(patterns, &classes, grammar.node_kind_count()),
            classes,
            name: grammar.field_id_for_name("name"),
            body: grammar.field_id_for_name("body"),
            name_fields: NAME_FIELDS
                .iter()
                .filter_map(|it| grammar.field_id_for_name(it))
                .collect(),
        })
    }

    /// The node's field `name`.
    pub(super) fn name<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        node.child_by_field_id(self.name?.get())
    }

    /// The node's field `body`; in grammars without it, the last child if that is a body.
    pub(super) fn body<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let by_field = self.body.and_then(|it| node.child_by_field_id(it.get()));
        let last = || node.named_child(node.named_child_count().checked_sub(1)? as u32);
        let is_body = |it: &Node<'_>| it.kind().ends_with("_body") || it.kind() == "block";
        // The parenthesised types of a Rust tuple struct are not a body.
        by_field
            .filter(|it| it.kind() != "ordered_field_declaration_list")
            .or_else(|| last().filter(is_body))
    }

    /// The name wrapped by `node`, or `node` itself: `bar` for `*Foo::bar<T>(int)`.
    pub(super) fn unwrapped<'t>(&self, node: Node<'t>) -> Node<'t> {
        self.unwrapped_path(node).0
    }

    /// The name wrapped by `node`, and the outermost node that qualifies it: `bar` and `Foo::bar<T>` for
    /// `*Foo::bar<T>(int)`.
    pub(super) fn unwrapped_path<'t>(&self, mut node: Node<'t>) -> (Node<'t>, Option<Node<'t>>) {
        let mut qualified = None;
        for _ in 0..MAX_DEPTH {
            if node.child_count() == 0 {
                break;
            }
            if WHOLE_NAMES.contains(&node.kind()) {
                break;
            }
            if qualified.is_none() && QUALIFIED_KINDS.contains(&node.kind()) {
                qualified = Some(node);
            }
            let by_field = self.name_fields.iter().find_map(|it| node.child_by_field_id(it.get()));
            let Some(inner) = by_field.or_else(|| wrapped(node)) else { break };
            node = inner;
        }
        (node, qualified)
    }
}

/// The name in a node without a field for it.
fn wrapped(node: Node<'_>) -> Option<Node<'_>> {
    if NAME_IN_FIRST_CHILD.contains(&node.kind()) || WRAPPED_TYPES.contains(&node.kind()) {
        return node.named_child(0);
    }
    if !NAME_IN_LAST_CHILD.contains(&node.kind()) {
        return None;
    }
    let children = (0..node.named_child_count() as u32).rev().filter_map(|it| node.named_child(it));
    let mut names = children.filter(|it| !it.kind().starts_with("type_argument"));
    names.next()
}

impl Settings {
    fn new(properties: &[(Box<str>, Box<str>)]) -> Self {
        let mut settings = Self::default();
        for (key, value) in properties {
            let value = Some(value.clone());
            match key.as_ref() {
                "import.prefix" => settings.prefix = value,
                "import.name" => settings.name = value,
                "import.separator" => settings.separator = value,
                "import.words" => settings.words = value,
                "definition.reach" => settings.reaches = true,
                "body.opener" => settings.opener = value,
                "reference.before" => settings.before = value,
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
            source.extend(["(", kind, ") @", capture, "\n"]);
        }
    }
    source
}

#[cfg(test)]
mod tests {
    use tree_sitter::{Node, Parser, Query, QueryCursor, StreamingIterator};

    use super::super::matcher::{Capture, Visit};
    use super::{LanguageQuery, source};
    use crate::language::Language;
    use crate::listed::ListedNode;

    #[test]
    fn every_query_is_valid_and_uses_known_captures() {
        let errors: Vec<String> =
            Language::ALL.iter().filter_map(|&it| LanguageQuery::new(it)?.err()).collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }

    /// A pattern and the captured bytes.
    type Match = (usize, Vec<(usize, usize)>);

    /// Records every match.
    struct RecordAll<'m>(&'m mut Vec<Match>);

    impl<'t> Visit<'t> for RecordAll<'_> {
        fn enters(&mut self, _: Node<'t>) -> bool {
            true
        }

        fn entered(&mut self, _: ListedNode<'t>, _: &[ListedNode<'t>]) {}

        fn matched(&mut self, _: Node<'t>, pattern: usize, captures: &[Capture<'t>]) {
            let span = |it: &Capture<'t>| (it.1.start_byte(), it.1.end_byte());
            self.0.push((pattern, captures.iter().map(span).collect()));
        }
    }

    /// The matches of both engines, sorted.
    fn matches(language: Language, text: &[u8]) -> [Vec<Match>; 2] {
        let grammar = language.grammar().unwrap();
        let mut parser = Parser::new();
        parser.set_language(&grammar).unwrap();
        let tree = parser.parse(text, None).unwrap();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let query = super::of_language(language).unwrap();
        // tree-sitter does not know the predicates of this crate.
        let is_own = |idx: usize| {
            use super::pattern::Predicate::{NotContains, NotLowercase};
            query.matcher.patterns[idx]
                .predicates
                .iter()
                .any(|it| matches!(it.0, NotContains | NotLowercase))
        };
        query.matcher.run(text, &tree, &mut RecordAll(&mut ours));
        let their_query = Query::new(&grammar, &source(language))
            .unwrap_or_else(|it| panic!("{}: {it}", language.name()));
        let mut cursor = QueryCursor::new();
        let mut found = cursor.matches(&their_query, tree.root_node(), text);
        while let Some(it) = found.next() {
            let spans = it.captures().iter().map(|it| (it.node.start_byte(), it.node.end_byte()));
            theirs.push((it.pattern_index, spans.collect::<Vec<_>>()));
        }
        [ours, theirs].map(|mut list| {
            list.retain(|it| !is_own(it.0));
            list.iter_mut().for_each(|it| it.1.sort_unstable());
            list.sort_unstable();
            list.dedup();
            list
        })
    }

    #[test]
    fn patterns_match_what_the_query_engine_of_tree_sitter_matches() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/languages");
        #[expect(clippy::disallowed_methods, reason = "a test reads its files")]
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read(&path).unwrap();
            let language = Language::of_path(path.to_str().unwrap(), "").unwrap();
            let [ours, theirs] = matches(language, &text);
            // For languages with embedded parts the grammar reads less than the file.
            let embeds = crate::mixed::split_languages(b"", language).is_some();
            assert!(embeds || !ours.is_empty() && !theirs.is_empty());
            let differ: Vec<_> = ours.iter().filter(|it| !theirs.contains(it)).collect();
            let missing: Vec<_> = theirs.iter().filter(|it| !ours.contains(it)).collect();
            assert!(
                differ.is_empty() && missing.is_empty(),
                "{language:?} ours {differ:?} theirs {missing:?}"
            );
        }
    }
}
