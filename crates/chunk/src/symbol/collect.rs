//! One pass of the patterns over a tree; turns matches into candidates.

use tree_sitter::{Node, Tree};

use super::candidates::{DefinitionCandidate, Lead, LeadKind, SymbolCandidates};
use super::capture::Role;
use super::import::Statement;
use super::matcher::{Capture, Visit};
use super::position::{self, NodeClass};
use super::qualifier;
use super::query::LanguageQuery;
use super::types::{Kind, Reference, ReferenceKind};
use super::unchanged::UnchangedNodes;
use crate::language::Language;
use crate::listed::ListedNode;
use crate::outline::{Outline, OutlineWalk};
use crate::span::Span;

/// The span of a node without trailing whitespace (in some grammars a comment or block reaches into the next line).
pub(super) fn span(text: &[u8], node: Node<'_>) -> Span {
    let range = node.start_byte()..node.end_byte().min(text.len());
    let len = text.get(range).unwrap_or_default().trim_ascii_end().len();
    Span::new(node.start_byte(), node.start_byte() + len)
}

/// Runs the patterns over the tree except at unchanged nodes, and makes the outline in the same walk.
pub(super) fn collect(
    text: &[u8],
    language: Language,
    query: &LanguageQuery,
    tree: &Tree,
    unchanged: Option<&UnchangedNodes<'_>>,
    outline: Option<OutlineWalk<'_>>,
) -> (SymbolCandidates, Outline) {
    let (root, candidates) = (Span::default(), SymbolCandidates::default());
    let mut pass = Pass { text, language, query, unchanged, candidates, outline, root };
    query.matcher.run(text, tree, &mut pass);
    (pass.candidates, pass.outline.map(OutlineWalk::finish).unwrap_or_default())
}

struct Pass<'a> {
    text: &'a [u8],
    language: Language,
    query: &'a LanguageQuery,
    unchanged: Option<&'a UnchangedNodes<'a>>,
    candidates: SymbolCandidates,
    outline: Option<OutlineWalk<'a>>,
    /// The node at which the pattern of the current match begins.
    root: Span,
}

impl<'t> Visit<'t> for Pass<'_> {
    fn enters(&mut self, node: Node<'t>) -> bool {
        if let Some(unchanged) = self.unchanged
            && let Some((previous, shift)) = unchanged.previous_span(node.byte_range())
        {
            self.candidates.copy_from(unchanged.candidates, previous, shift);
            return false;
        }
        true
    }

    fn entered(&mut self, it: ListedNode<'t>, children: &[ListedNode<'t>]) {
        self.note_words(it.node, self.query.classes.of_kind(it.kind), children);
    }

    fn outlines(&mut self, it: &ListedNode<'t>) -> bool {
        self.outline.as_mut().is_some_and(|outline| outline.visit(it))
    }

    fn outlined(&mut self, node: Node<'t>, children: &[ListedNode<'t>]) {
        self.outline.iter_mut().for_each(|it| it.enter(node, children));
    }

    fn left(&mut self) {
        self.outline.iter_mut().for_each(OutlineWalk::leave);
    }

    fn matched(&mut self, root: Node<'t>, pattern: usize, captures: &[Capture<'t>]) {
        self.root = Span::new(root.start_byte(), root.end_byte());
        // Tokens inserted by error recovery have no text.
        if !self.root.is_empty() {
            self.add(pattern, captures);
        }
    }
}

/// The nodes of one match, by role.
#[derive(Default)]
struct MatchParts<'t> {
    definition: Option<(Kind, Node<'t>)>,
    name: Option<Node<'t>>,
    qualifier: Option<Node<'t>>,
    body: Option<Node<'t>>,
    head: Option<Node<'t>>,
    doc: Option<Node<'t>>,
    inner: Option<Node<'t>>,
    outer: Option<Node<'t>>,
    import: Option<Node<'t>>,
    /// Module, name, alias, path.
    imported: [Option<Node<'t>>; 4],
}

impl Pass<'_> {
    /// Records prose and bound names.
    fn note_words(&mut self, node: Node<'_>, class: NodeClass, children: &[ListedNode<'_>]) {
        let root = Span::new(node.start_byte(), node.end_byte());
        if root.is_empty() {
            return;
        }
        let SymbolCandidates { prose, bound, .. } = &mut self.candidates;
        if class.is_prose() {
            position::prose(root, children, &mut |it| prose.push(root, it));
        } else if class.is_shell_command() {
            position::arguments(children, &mut |it| prose.push(root, it));
        }
        if class.is_binding() {
            let classes = &self.query.classes;
            position::bound(class, classes, children, &mut |it| bound.push(root, it));
        }
    }

    fn add(&mut self, pattern: usize, captures: &[Capture<'_>]) {
        let mut parts = MatchParts::default();
        for &(capture, node) in captures {
            let role = self.query.roles[capture as usize];
            if let Role::Reference(kind) = role {
                self.refer(kind, node, pattern);
            } else {
                self.sort(role, node, &mut parts);
            }
        }
        if let Some((kind, node)) = parts.definition {
            self.define(kind, node, &parts, pattern);
        }
        if let (Some(inner), Some(outer)) = (parts.inner, parts.outer) {
            let widening = (span(self.text, inner), span(self.text, outer));
            self.candidates.widenings.push(self.root, widening);
        }
        if let Some(import) = parts.import {
            self.import(import, parts.imported, pattern);
        }
    }

    fn sort<'t>(&mut self, role: Role, node: Node<'t>, parts: &mut MatchParts<'t>) {
        match role {
            Role::Definition(kind) => parts.definition = Some((kind, node)),
            Role::Name => parts.name = Some(node),
            Role::Qualifier => parts.qualifier = Some(node),
            Role::Body => parts.body = Some(node),
            Role::Head => parts.head = Some(node),
            Role::Doc => parts.doc = Some(node),
            Role::Inner => parts.inner = Some(node),
            Role::Outer => parts.outer = Some(node),
            Role::Import => parts.import = Some(node),
            Role::ImportModule => parts.imported[0] = Some(node),
            Role::ImportName => parts.imported[1] = Some(node),
            Role::ImportAlias => parts.imported[2] = Some(node),
            Role::ImportPath => parts.imported[3] = Some(node),
            Role::Local => {
                let local = DefinitionCandidate::local(span(self.text, node));
                self.candidates.definitions.push(self.root, local);
            }
            Role::Comment => self.lead(node, LeadKind::Comment),
            Role::Lead => self.lead(node, LeadKind::Attribute),
            Role::Helper | Role::Reference(_) => {}
        }
    }

    fn lead(&mut self, node: Node<'_>, kind: LeadKind) {
        let span = span(self.text, node);
        // In Elixir the documentation is an attribute.
        let is_doc = self.text[span.range()].starts_with(b"@doc");
        let kind = if is_doc { LeadKind::Comment } else { kind };
        self.candidates.leads.push(self.root, Lead { span, kind });
    }

    fn refer(&mut self, kind: ReferenceKind, node: Node<'_>, pattern: usize) {
        let node = self.query.unwrapped(node);
        // A callee that is not a plain name after unwrapping (`f()()`, `a[0]()`) is not a reference.
        if node.named_child_count() > 0 {
            return;
        }
        let name = span(self.text, node);
        // An Elixir alias is one token: `Phoenix.Router` defines the module `Router`.
        let in_leaf = || qualifier::split(self.text, name).map(|it| it.1);
        let is_path = self.language == Language::Elixir;
        let name = is_path.then(in_leaf).flatten().unwrap_or(name);
        let before = self.query.settings[pattern].before.as_deref().unwrap_or("");
        if self.text[name.end as usize..].starts_with(before.as_bytes()) {
            self.candidates.references.push(self.root, Reference { name, kind });
        }
    }

    fn define(&mut self, kind: Kind, node: Node<'_>, parts: &MatchParts<'_>, pattern: usize) {
        let Some(name) = parts.name.or_else(|| self.query.name(node)) else { return };
        let (name, qualifier) = self.named(kind, name, parts.qualifier);
        if name.is_empty() {
            return;
        }
        let body = parts.body.or_else(|| self.query.body(node));
        let docstring = || body.filter(|_| self.language.has_docstrings()).and_then(docstring);
        let doc = parts.doc.or_else(docstring).map(|it| span(self.text, it));
        let body = body.map(|it| self.opened(span(self.text, it), pattern));
        let core = span(self.text, node);
        let rest = || parts.head.map(|it| self.rest(core, it.end_byte()));
        let body = body.or_else(rest).filter(|it| !it.is_empty());
        let candidate = DefinitionCandidate {
            kind: Some(kind),
            core,
            span: core,
            name,
            qualifier,
            body,
            doc,
            pattern,
        };
        self.candidates.definitions.push(self.root, candidate);
    }

    /// The name in `node` and its qualifier: `receiver`, or the text before the name.
    fn named(
        &self,
        kind: Kind,
        node: Node<'_>,
        receiver: Option<Node<'_>>,
    ) -> (Span, Option<Span>) {
        let (inner, outermost) = self.query.unwrapped_path(node);
        let name = unquoted(self.text, span(self.text, inner));
        let receiver =
            receiver.map(|it| unquoted(self.text, span(self.text, self.query.unwrapped(it))));
        let before = outermost.map(|it| Span { start: it.start_byte() as u32, end: name.start });
        let is_path = kind == Kind::Module || self.language == Language::Elixir;
        let in_leaf = || is_path.then(|| qualifier::split(self.text, name)).flatten();
        if let Some((qualifier, name)) = receiver.is_none().then(in_leaf).flatten() {
            return (name, Some(qualifier));
        }
        (name, receiver.or_else(|| qualifier::trimmed(self.text, before?)))
    }

    /// The part of a definition after its head.
    fn rest(&self, core: Span, head_end: usize) -> Span {
        let rest = &self.text[head_end.min(core.end as usize)..core.end as usize];
        Span { start: core.end - rest.trim_ascii_start().len() as u32, end: core.end }
    }

    /// The body from its opener on.
    fn opened(&self, body: Span, pattern: usize) -> Span {
        let Some(opener) = &self.query.settings[pattern].opener else { return body };
        let at = memchr::memmem::find(&self.text[body.range()], opener.as_bytes());
        Span { start: body.start + at.unwrap_or(0) as u32, end: body.end }
    }

    fn import(&mut self, import: Node<'_>, parts: [Option<Node<'_>>; 4], pattern: usize) {
        let settings = &self.query.settings[pattern];
        let text = |it: Option<Node<'_>>| {
            it.map(|it| String::from_utf8_lossy(&self.text[span(self.text, it).range()]))
        };
        let [module, name, alias, path] = parts.map(text);
        let at = span(self.text, import);
        if let Some(path) = path {
            let (root, statements) = (self.root, &mut self.candidates.statements);
            Statement::of_path(at, &path, settings, &mut |it| statements.push(root, it));
        } else if let Some(module) = module {
            let statement = Statement::new(at, &module, name, alias, settings);
            self.candidates.statements.push(self.root, statement);
        }
    }
}

/// A name without its quotes or the colon of a symbol or keyword.
fn unquoted(text: &[u8], name: Span) -> Span {
    match &text[name.range()] {
        [b'"', .., b'"'] | [b'\'', .., b'\''] | [b'`', .., b'`'] => {
            Span { start: name.start + 1, end: name.end - 1 }
        }
        [b':', _, ..] => Span { start: name.start + 1, end: name.end },
        [_, .., b':'] => Span { start: name.start, end: name.end - 1 },
        _ => name,
    }
}

/// The string at the beginning of a body.
fn docstring(body: Node<'_>) -> Option<Node<'_>> {
    let first = body.children(&mut body.walk()).find(|it| it.is_named() && !it.is_extra())?;
    let string = if first.kind() == "expression_statement" { first.named_child(0)? } else { first };
    (string.kind() == "string").then_some(string)
}
