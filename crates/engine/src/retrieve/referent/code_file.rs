//! A file whose names are resolved: its text, definitions, and what its names are bound to.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use foreword_chunk::{Definition, Kind, Language, Span};
use rustc_hash::FxHashMap;

use super::super::names::imports::names_of_module;
use super::super::names::place::is_name;
use super::is_member;
use crate::index::{DefinitionSite, FileId, FileRecord, Mentions, Snapshot};
use crate::scope::Resolver;

/// Bytes of a file in which constants are looked for.
const MAX_SEARCHED: usize = 1 << 16;

/// A file whose names are resolved.
pub(super) struct CodeFile {
    pub(super) id: FileId,
    pub(super) text: Arc<str>,
    pub(super) record: Arc<FileRecord>,
    pub(super) language: Option<Language>,
    pub(super) mentions: Arc<Mentions>,
    /// By local name: the number of the import, and the name there; `None` for a module.
    pub(super) imports: FxHashMap<String, (usize, Option<String>)>,
    /// Imports of all names.
    pub(super) stars: Vec<usize>,
    /// By local name, one place that binds it; read when first asked for.
    locals: OnceCell<FxHashMap<String, usize>>,
    /// By name, where the value of the first `const` of JavaScript begins; read when first asked for.
    constants: OnceCell<FxHashMap<String, usize>>,
    path: String,
    /// The files to which imports lead, as far as they were asked for.
    resolved: RefCell<FxHashMap<usize, Vec<FileId>>>,
}

impl CodeFile {
    pub(super) fn new(snapshot: &Snapshot, id: FileId) -> Self {
        let (text, record) = snapshot.contents(id);
        let mentions = snapshot.mentions_in(id);
        let mut imports = FxHashMap::default();
        let mut stars = Vec::new();
        for (number, import) in record.symbols.imports.iter().enumerate() {
            for it in &import.names {
                let here = it.alias.as_ref().unwrap_or(&it.name);
                match it.name.as_str() {
                    "*" => stars.push(number),
                    // The module's own name for it is unknown; mostly it is the same.
                    "default" => drop(imports.insert(here.clone(), (number, Some(here.clone())))),
                    name => drop(imports.insert(here.clone(), (number, Some(name.to_owned())))),
                }
            }
            let modules =
                if import.names.is_empty() { names_of_module(import) } else { Vec::new() };
            for it in modules {
                imports.entry(it.to_owned()).or_insert((number, None));
            }
        }
        let (language, path) = (record.language, snapshot.path(id).to_owned());
        Self {
            id,
            text,
            record,
            language,
            mentions,
            imports,
            stars,
            locals: OnceCell::new(),
            constants: OnceCell::new(),
            path,
            resolved: RefCell::default(),
        }
    }

    /// The files to which an import leads.
    pub(super) fn files_of(
        &self,
        resolver: &Resolver,
        snapshot: &Snapshot,
        import: usize,
    ) -> Vec<FileId> {
        let mut resolved = self.resolved.borrow_mut();
        let files = resolved.entry(import).or_insert_with(|| {
            let Some(import) = self.record.symbols.imports.get(import) else { return Vec::new() };
            resolver.resolve(snapshot, &self.path, self.language, import)
        });
        files.clone()
    }

    pub(super) fn definition(&self, idx: u32) -> &Definition {
        &self.record.symbols.definitions[idx as usize]
    }

    pub(super) fn site(&self, idx: u32) -> DefinitionSite {
        let it = self.definition(idx);
        let chunk = self.record.chunk_at(it.name.start as usize).unwrap_or_default();
        DefinitionSite { file: self.id, definition: idx, chunk, kind: it.kind }
    }

    /// The definitions around a byte, innermost first.
    pub(super) fn around(&self, at: usize) -> impl Iterator<Item = &Definition> {
        let symbols = &self.record.symbols;
        symbols.ancestors(symbols.enclosing(at))
    }

    /// The outermost function around a byte, in which its local variables are bound.
    pub(super) fn function_around(&self, at: usize) -> Option<Span> {
        let functions = self.around(at).filter(|it| is_function(it.kind));
        functions.last().map(|it| it.span)
    }

    /// Where the value of a constant of JavaScript begins, for those in the first 64 kB.
    pub(super) fn constant_at(&self, name: &str) -> Option<usize> {
        let read = || {
            let text = &self.text[..self.text.floor_char_boundary(MAX_SEARCHED)];
            let mut found = FxHashMap::default();
            for (at, it) in text.match_indices("const ") {
                let start = at + it.len();
                let len = text[start..].find(|it| !is_name(it)).unwrap_or_default();
                let name = &text[start..start + len];
                if text[start + len..].starts_with(" = ") && !found.contains_key(name) {
                    found.insert(name.to_owned(), start + len + " = ".len());
                }
            }
            found
        };
        self.constants.get_or_init(read).get(name).copied()
    }

    /// A place that binds a local variable.
    pub(super) fn bound_at(&self, name: &str) -> Option<usize> {
        let local = |it: &Span| (it.of(&self.text).to_owned(), it.start as usize);
        let locals = || self.mentions.locals.iter().map(local).collect();
        self.locals.get_or_init(locals).get(name).copied()
    }

    /// Whether a name is bound by a parameter or variable of the functions around a byte.
    pub(super) fn is_local(&self, name: &str, at: usize) -> bool {
        let Some(bound) = self.bound_at(name) else { return false };
        self.around(bound)
            .find(|it| is_function(it.kind))
            .is_some_and(|it| it.span.contains_byte(at))
    }

    /// The place that binds a local variable which is seen at a byte.
    pub(super) fn local_at(&self, name: &str, at: usize) -> Option<Span> {
        let bound = self.bound_at(name)?;
        self.is_local(name, at).then(|| Span::new(bound, bound + name.len()))
    }

    /// Of the definitions of one name, those of this file that can be named without a qualifier at a byte.
    pub(super) fn visible(&self, all: &[DefinitionSite], at: usize) -> Vec<DefinitionSite> {
        let mut best = (0, Vec::new());
        for it in all.iter().filter(|it| it.file == self.id && !is_member(it.kind)) {
            let parent = self.definition(it.definition).parent;
            let around: Vec<&Definition> = self.record.symbols.ancestors(parent).collect();
            let sees = |it: &&Definition| it.kind == Kind::Module || it.span.contains_byte(at);
            if !around.iter().all(sees) || around.len() < best.0 {
                continue;
            }
            if around.len() > best.0 {
                best = (around.len(), Vec::new());
            }
            best.1.push(*it);
        }
        best.1
    }
}

pub(super) fn is_function(kind: Kind) -> bool {
    matches!(kind, Kind::Function | Kind::Method | Kind::Constructor)
}
