//! One pass of the patterns over a tree: what it captured, as spans.

use tree_sitter::{Node, Tree};

use super::capture::Role;
use super::import::Statement;
use super::matcher::Capture;
use super::query::Compiled;
use super::{Kind, Reference, ReferenceKind};
use crate::{Language, Span};

/// What one pass found, in no particular order.
#[derive(Default)]
pub(super) struct Found {
    pub(super) definitions: Vec<Candidate>,
    pub(super) references: Vec<Reference>,
    pub(super) statements: Vec<Statement>,
    /// Inner spans with their outer ones.
    pub(super) widenings: Vec<(Span, Span)>,
    /// Comments, and leads with `true`.
    pub(super) leads: Vec<(Span, bool)>,
}

/// A definition before it is known what stands around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// What the query says; `None` for a place whose variables are local.
    pub(super) kind: Option<Kind>,
    /// The captured node.
    pub(super) core: Span,
    /// The captured node with what was found to belong to it.
    pub(super) span: Span,
    pub(super) name: Span,
    pub(super) body: Option<Span>,
    pub(super) doc: Option<Span>,
    /// The pattern that found it.
    pub(super) pattern: usize,
}

/// The span of a node without the whitespace at its end (some grammars let a comment or block reach into the next line).
pub(super) fn span(text: &[u8], node: Node<'_>) -> Span {
    let range = node.start_byte()..node.end_byte().min(text.len());
    let len = text.get(range).unwrap_or_default().trim_ascii_end().len();
    Span::new(node.start_byte(), node.start_byte() + len)
}

/// Runs the patterns over the tree.
pub(super) fn collect(text: &[u8], language: Language, compiled: &Compiled, tree: &Tree) -> Found {
    let mut pass = Pass { text, language, compiled, found: Found::default() };
    compiled.matcher.run(text, tree, &mut |pattern, captures| pass.add(pattern, captures));
    pass.found
}

struct Pass<'a> {
    text: &'a [u8],
    language: Language,
    compiled: &'a Compiled,
    found: Found,
}

/// The nodes of one match by what they are.
#[derive(Default)]
struct Parts<'t> {
    definition: Option<(Kind, Node<'t>)>,
    name: Option<Node<'t>>,
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
    fn add(&mut self, pattern: usize, captures: &[Capture<'_>]) {
        let mut parts = Parts::default();
        for &(capture, node) in captures {
            let role = self.compiled.roles[capture as usize];
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
            self.found.widenings.push((span(self.text, inner), span(self.text, outer)));
        }
        if let Some(import) = parts.import {
            self.import(import, parts.imported, pattern);
        }
    }

    fn sort<'t>(&mut self, role: Role, node: Node<'t>, parts: &mut Parts<'t>) {
        match role {
            Role::Definition(kind) => parts.definition = Some((kind, node)),
            Role::Name => parts.name = Some(node),
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
            Role::Local => self.found.definitions.push(Candidate::local(span(self.text, node))),
            Role::Comment => self.found.leads.push((span(self.text, node), false)),
            Role::Lead => {
                let span = span(self.text, node);
                // Elixir documents with an attribute.
                self.found.leads.push((span, !self.text[span.range()].starts_with(b"@doc")));
            }
            Role::Helper | Role::Reference(_) => {}
        }
    }

    fn refer(&mut self, kind: ReferenceKind, node: Node<'_>, pattern: usize) {
        let node = self.compiled.unwrapped(node);
        // What is no plain name after unwrapping (`f()()`, `a[0]()`) refers to nothing by name.
        if node.named_child_count() > 0 {
            return;
        }
        let name = span(self.text, node);
        let before = self.compiled.settings[pattern].before.as_deref().unwrap_or("");
        if self.text[name.end as usize..].starts_with(before.as_bytes()) {
            self.found.references.push(Reference { name, kind });
        }
    }

    fn define(&mut self, kind: Kind, node: Node<'_>, parts: &Parts<'_>, pattern: usize) {
        let Some(name) = parts.name.or_else(|| self.compiled.name(node)) else { return };
        // A module is called by its whole path.
        let name = if kind == Kind::Module { name } else { self.compiled.unwrapped(name) };
        let name = unquoted(self.text, span(self.text, name));
        if name.is_empty() {
            return;
        }
        let body = parts.body.or_else(|| self.compiled.body(node));
        let docstring = || body.filter(|_| self.language.has_docstrings()).and_then(docstring);
        let doc = parts.doc.or_else(docstring).map(|it| span(self.text, it));
        let body = body.map(|it| self.opened(span(self.text, it), pattern));
        let core = span(self.text, node);
        let rest = || parts.head.map(|it| self.rest(core, it.end_byte()));
        let body = body.or_else(rest).filter(|it| !it.is_empty());
        self.found.definitions.push(Candidate {
            kind: Some(kind),
            core,
            span: core,
            name,
            body,
            doc,
            pattern,
        });
    }

    /// What follows the head of a definition.
    fn rest(&self, core: Span, head_end: usize) -> Span {
        let rest = &self.text[head_end.min(core.end as usize)..core.end as usize];
        Span { start: core.end - rest.trim_ascii_start().len() as u32, end: core.end }
    }

    /// The body without what stands before its opener.
    fn opened(&self, body: Span, pattern: usize) -> Span {
        let Some(opener) = &self.compiled.settings[pattern].opener else { return body };
        let at = memchr::memmem::find(&self.text[body.range()], opener.as_bytes());
        Span { start: body.start + at.unwrap_or(0) as u32, end: body.end }
    }

    fn import(&mut self, import: Node<'_>, parts: [Option<Node<'_>>; 4], pattern: usize) {
        let settings = &self.compiled.settings[pattern];
        let text = |it: Option<Node<'_>>| {
            it.map(|it| String::from_utf8_lossy(&self.text[span(self.text, it).range()]))
        };
        let [module, name, alias, path] = parts.map(text);
        let at = span(self.text, import);
        if let Some(path) = path {
            Statement::of_path(at, &path, settings, &mut self.found.statements);
        } else if let Some(module) = module {
            self.found.statements.push(Statement::new(at, &module, name, alias, settings));
        }
    }
}

impl Candidate {
    fn local(span: Span) -> Self {
        Self {
            kind: None,
            core: span,
            span,
            name: span,
            body: None,
            doc: None,
            pattern: usize::MAX,
        }
    }
}

/// A name without quotes around it or the colon of a symbol before it.
fn unquoted(text: &[u8], name: Span) -> Span {
    match &text[name.range()] {
        [b'"', .., b'"'] | [b'\'', .., b'\''] | [b'`', .., b'`'] => {
            Span { start: name.start + 1, end: name.end - 1 }
        }
        [b':', _, ..] => Span { start: name.start + 1, end: name.end },
        _ => name,
    }
}

/// The string that stands first in a body.
fn docstring(body: Node<'_>) -> Option<Node<'_>> {
    let first = body.children(&mut body.walk()).find(|it| it.is_named() && !it.is_extra())?;
    let string = if first.kind() == "expression_statement" { first.named_child(0)? } else { first };
    (string.kind() == "string").then_some(string)
}
