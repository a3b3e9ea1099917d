//! One pass of the patterns over a tree: what it captured, as spans.

use tree_sitter::{Node, Tree};

use super::capture::Role;
use super::found::Found;
use super::import::Statement;
use super::matcher::{Capture, Visit};
use super::query::Compiled;
use super::{Kind, Reference, ReferenceKind};
use crate::kept::Same;
use crate::{Language, Span};

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

/// Runs the patterns over the tree, but for the nodes that are the same as before.
pub(super) fn collect(
    text: &[u8],
    language: Language,
    compiled: &Compiled,
    tree: &Tree,
    same: Option<&Same<'_>>,
) -> Found {
    let root = Span::default();
    let mut pass = Pass { text, language, compiled, same, found: Found::default(), root };
    compiled.matcher.run(text, tree, &mut pass);
    pass.found
}

struct Pass<'a> {
    text: &'a [u8],
    language: Language,
    compiled: &'a Compiled,
    same: Option<&'a Same<'a>>,
    found: Found,
    /// The node at which the pattern begins whose match is looked at.
    root: Span,
}

impl<'t> Visit<'t> for Pass<'_> {
    fn passes_over(&mut self, node: Node<'t>) -> bool {
        let Some(same) = self.same else { return false };
        let Some((was, shift)) = same.was(node.byte_range()) else { return false };
        self.found.take_over(same.found, was, shift);
        true
    }

    fn matched(&mut self, root: Node<'t>, pattern: usize, captures: &[Capture<'t>]) {
        self.root = Span::new(root.start_byte(), root.end_byte());
        // A node that the parser made up has no text, and says nothing.
        if !self.root.is_empty() {
            self.add(pattern, captures);
        }
    }
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
            let widening = (span(self.text, inner), span(self.text, outer));
            self.found.widenings.push(self.root, widening);
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
            Role::Local => {
                let local = Candidate::local(span(self.text, node));
                self.found.definitions.push(self.root, local);
            }
            Role::Comment => self.found.leads.push(self.root, (span(self.text, node), false)),
            Role::Lead => {
                let span = span(self.text, node);
                // Elixir documents with an attribute.
                let is_lead = !self.text[span.range()].starts_with(b"@doc");
                self.found.leads.push(self.root, (span, is_lead));
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
            self.found.references.push(self.root, Reference { name, kind });
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
        let candidate = Candidate { kind: Some(kind), core, span: core, name, body, doc, pattern };
        self.found.definitions.push(self.root, candidate);
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
            let (root, statements) = (self.root, &mut self.found.statements);
            Statement::of_path(at, &path, settings, &mut |it| statements.push(root, it));
        } else if let Some(module) = module {
            let statement = Statement::new(at, &module, name, alias, settings);
            self.found.statements.push(self.root, statement);
        }
    }
}

impl Candidate {
    /// The same, `by` bytes later.
    pub(super) fn moved(&self, by: i64) -> Self {
        Self {
            core: self.core.moved(by),
            span: self.span.moved(by),
            name: self.name.moved(by),
            body: self.body.map(|it| it.moved(by)),
            doc: self.doc.map(|it| it.moved(by)),
            ..*self
        }
    }

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
