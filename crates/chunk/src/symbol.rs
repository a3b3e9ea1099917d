//! Definitions, references and imports, found by the queries of a language.

mod arrange;
mod capture;
mod collect;
mod found;
mod import;
mod lead;
mod matcher;
mod pattern;
mod query;

use tree_sitter::Tree;

pub(crate) use found::Found;

use crate::kept::Same;
use crate::{Language, Span};

/// What a definition is.
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
    /// A heading of a document with what stands under it, or a top-level key of a data file.
    Section,
}

impl Kind {
    /// Every kind, in the order of their numbers.
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
    /// What it is.
    pub kind: Kind,
    /// The definition with its decorators, attributes and annotations; its leading doc comment is outside, in `doc`.
    pub span: Span,
    /// Its name.
    pub name: Span,
    /// From the first byte of `span` to where the body begins (all of `span` when there is no body), right-trimmed.
    pub signature: Span,
    /// What a skeleton folds: the block with its braces, or the indented suite; `None` when there is none.
    pub body: Option<Span>,
    /// The doc comment before it or the docstring inside it.
    pub doc: Option<Span>,
    /// The index, in [`Symbols::definitions`], of the innermost definition that encloses it.
    pub parent: Option<u32>,
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

/// One use of a name that is defined somewhere else, as far as the file alone can tell.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name (of `a.b.c()` it is `c`).
    pub name: Span,
    /// How it is used.
    pub kind: ReferenceKind,
}

/// A name that an import brings in.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedName {
    /// The name as it is called where it comes from; `*` for all names.
    pub name: String,
    /// The name it gets here, where that differs.
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
    /// The names it brings in; empty when it brings in the module itself.
    pub names: Vec<ImportedName>,
    /// The name that the module itself gets here (`import numpy as np`), where it gets one other than its own.
    pub alias: Option<String>,
}

/// What the queries of a language found in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// In order of `span` (outer before inner).
    pub definitions: Vec<Definition>,
    /// In order of `name`.
    pub references: Vec<Reference>,
    /// In order of `span`.
    pub imports: Vec<Import>,
}

impl Symbols {
    /// The innermost definition whose span (doc comment before it included) holds byte `at`.
    pub fn enclosing(&self, at: usize) -> Option<u32> {
        let holds = |it: &Definition| {
            let start = it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start));
            start as usize <= at && at < it.span.end as usize
        };
        let ends = self.definitions.partition_point(|it| {
            it.span.start as usize <= at || it.doc.is_some_and(|doc| (doc.start as usize) <= at)
        });
        (0..ends).rev().find(|&idx| holds(&self.definitions[idx])).map(|idx| idx as u32)
    }

    /// The definition at `idx` and all that enclose it, innermost first.
    pub fn ancestors(&self, idx: Option<u32>) -> impl Iterator<Item = &Definition> {
        let mut next = idx;
        std::iter::from_fn(move || {
            let it = self.definitions.get(next? as usize)?;
            next = it.parent;
            Some(it)
        })
    }
}

/// What the queries of `language` find in `tree`; in the nodes that are the `same` as before nothing is looked for.
pub(crate) fn find(text: &[u8], language: Language, tree: &Tree, same: Option<&Same<'_>>) -> Found {
    let compiled = query::compiled(language);
    compiled.map_or_else(Found::default, |it| collect::collect(text, language, it, tree, same))
}

impl Symbols {
    /// What was found, put together.
    pub(crate) fn new(text: &[u8], language: Language, found: &Found) -> Self {
        let definitions = arrange::arrange(text, language, found);
        let references = uses(found.references.items.clone(), &definitions);
        let imports = import::imports(found.statements.items.clone());
        Self { definitions, references, imports }
    }
}

/// The references without those that are the name of a definition, each name once, as the strongest kind found.
fn uses(mut references: Vec<Reference>, definitions: &[Definition]) -> Vec<Reference> {
    // An implementation block names a type that is defined elsewhere.
    let defining = definitions.iter().filter(|it| it.kind != Kind::Implementation);
    let mut names: Vec<Span> = defining.map(|it| it.name).collect();
    names.sort_unstable();
    let strength = |kind| match kind {
        ReferenceKind::Base => 0,
        ReferenceKind::Call => 1,
        ReferenceKind::Type => 2,
    };
    references.sort_unstable_by_key(|it| (it.name, strength(it.kind)));
    references.dedup_by_key(|it| it.name);
    references.retain(|it| names.binary_search(&it.name).is_err());
    references
}
