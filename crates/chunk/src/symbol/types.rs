//! The symbols of a file: definitions, references, imports.

use crate::span::Span;

/// The kind of a definition.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A module, namespace or package with a body.
    Module,
    /// A class, struct, record or object.
    Class,
    /// An interface, trait or protocol.
    Interface,
    /// An enumeration.
    Enum,
    /// A block that adds members to a type defined elsewhere (Rust `impl`, Swift and Scala `extension`, Haskell `instance`).
    Implementation,
    /// A free function.
    Function,
    /// A function inside a class, interface or implementation.
    Method,
    /// A constructor or initialiser.
    Constructor,
    /// A field or property.
    Field,
    /// A constant or variable at module or class level.
    Constant,
    /// A type alias.
    Type,
    /// A macro.
    Macro,
    /// A heading of a document with the text below it, or a top-level key of a data file.
    Section,
}

impl Kind {
    /// Every kind, at the index of its number.
    pub const ALL: [Self; 13] = [
        Self::Module,
        Self::Class,
        Self::Interface,
        Self::Enum,
        Self::Implementation,
        Self::Function,
        Self::Method,
        Self::Constructor,
        Self::Field,
        Self::Constant,
        Self::Type,
        Self::Macro,
        Self::Section,
    ];

    /// The kind in one lower-case word: `function`, `class`, `section`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Enum => "enum",
            Self::Implementation => "implementation",
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Field => "field",
            Self::Constant => "constant",
            Self::Type => "type",
            Self::Macro => "macro",
            Self::Section => "section",
        }
    }
}

/// One definition.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The kind.
    pub kind: Kind,
    /// The definition with its decorators, attributes and annotations, but without the doc comment before it (`doc`).
    pub span: Span,
    /// Its name: the last part of a path (`Recover` of `void DBImpl::Recover()`, `Router` of `defmodule Phoenix.Router`).
    pub name: Span,
    /// The owner as written: `leveldb::DBImpl<T>` in `leveldb::DBImpl<T>::Recover`, the receiver `Engine` in Go's `func
    /// (e *Engine) Copy()`, `Phoenix` in `defmodule Phoenix.Router`. It need not be directly before the name.
    pub qualifier: Option<Span>,
    /// From the keywords of the definition (after its attributes) to the start of the body, without trailing
    /// whitespace. Without a body it is the whole definition; for a value, type or field, its first line. Empty only if
    /// `span` is.
    pub signature: Span,
    /// The part that a skeleton folds: the block with its braces, or the indented suite.
    pub body: Option<Span>,
    /// The doc comment before it, or the docstring inside it.
    pub doc: Option<Span>,
    /// The index, in [`Symbols::definitions`], of the innermost definition that encloses it.
    pub parent: Option<u32>,
}

impl Definition {
    /// The definition with the doc comment before it.
    pub(crate) fn span_with_doc(&self) -> Span {
        let start = self.doc.map_or(self.span.start, |doc| doc.start.min(self.span.start));
        Span { start, end: self.span.end }
    }
}

/// How a name is used.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ReferenceKind {
    /// A call of a function, method, constructor or macro.
    Call,
    /// A mention of a type (annotation, parameter, `new`, cast).
    Type,
    /// A base class, implemented interface or trait.
    Base,
}

impl ReferenceKind {
    /// The kind in one lower-case word: `call`, `type`, `base`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Type => "type",
            Self::Base => "base",
        }
    }
}

/// A use of a name that is defined elsewhere, judged from this file alone.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name (`c` in `a.b.c()`).
    pub name: Span,
    /// The kind of use.
    pub kind: ReferenceKind,
}

/// A name that an import introduces.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedName {
    /// The name in its module; `*` for all names.
    pub name: String,
    /// The name in this file, if it differs.
    pub alias: Option<String>,
}

/// One import, include, use or require statement (a statement that names several modules gives several).
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The whole statement.
    pub span: Span,
    /// The module as written, without quotes or angle brackets: `a.b`, `..pkg.mod`, `./util`, `crate::x`, `fmt`, `stdio.h`.
    pub module: String,
    /// The imported names; empty for an import of the module itself.
    pub names: Vec<ImportedName>,
    /// The local name of the module (`import numpy as np`), if it differs.
    pub alias: Option<String>,
}

/// The definitions, references and imports of one file.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// In order of `span` (outer before inner).
    pub definitions: Vec<Definition>,
    /// In order of `name`.
    pub references: Vec<Reference>,
    /// In order of `span`.
    pub imports: Vec<Import>,
    /// Comments and string contents, in order and disjoint. Interpolated code is excluded.
    pub prose: Vec<Span>,
    /// One binding occurrence of each name that a parameter, local variable or loop binds, in order.
    pub locals: Vec<Span>,
}

impl Symbols {
    /// The innermost definition whose span, with the doc comment before it, contains byte `at`.
    pub fn enclosing(&self, at: usize) -> Option<u32> {
        let holds = |it: &Definition| it.span_with_doc().contains_byte(at);
        let ends = self.definitions.partition_point(|it| {
            it.span.start as usize <= at || it.doc.is_some_and(|doc| (doc.start as usize) <= at)
        });
        (0..ends).rev().find(|&idx| holds(&self.definitions[idx])).map(|idx| idx as u32)
    }

    /// Like [`Self::enclosing`], for ascending positions: all together take time linear in their number and that of the
    /// definitions.
    pub fn enclosing_in_order(&self) -> impl FnMut(usize) -> Option<u32> {
        let (mut next, mut open) = (0, Vec::new());
        move |at| {
            let begins = |it: &Definition| it.span_with_doc().start as usize <= at;
            while self.definitions.get(next).is_some_and(begins) {
                open.push(next as u32);
                next += 1;
            }
            let ends = |it: u32| self.definitions[it as usize].span.end as usize <= at;
            while open.pop_if(|it| ends(*it)).is_some() {}
            open.last().copied()
        }
    }

    pub(crate) fn has(&self, idx: u32) -> bool {
        (idx as usize) < self.definitions.len()
    }

    /// Whether these can be the symbols of `text`: spans lie inside, between characters, and parents come first.
    pub(crate) fn fit(&self, text: &str) -> bool {
        let definition = |(idx, it): (usize, &Definition)| {
            let own = [Some(it.span), Some(it.name), Some(it.signature)];
            let spans = own.into_iter().chain([it.qualifier, it.body, it.doc]);
            it.parent.is_none_or(|parent| (parent as usize) < idx)
                && spans.flatten().all(|it| it.lies_in(text))
        };
        self.definitions.iter().enumerate().all(definition)
            && self.references.iter().all(|it| it.name.lies_in(text))
            && self.imports.iter().all(|it| it.span.lies_in(text))
            && self.prose.iter().chain(&self.locals).all(|it| it.lies_in(text))
    }

    /// The definition at `idx` and its ancestors, innermost first.
    pub fn ancestors(&self, idx: Option<u32>) -> impl Iterator<Item = &Definition> {
        let mut next = idx;
        std::iter::from_fn(move || {
            let it = self.definitions.get(next? as usize)?;
            next = it.parent;
            Some(it)
        })
    }
}
