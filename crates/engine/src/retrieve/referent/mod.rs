//! What a use of a name refers to, by the receiver before it, imports, enclosing definitions and builtins.
//!
//! The signal `symbol` answers the same question at a cursor and weighs uncertain matches. Here a definition counts only
//! if the files identify it. `used` asks for the definitions that some code uses, `users` for the code that uses some
//! definitions.

mod arity;
mod at;
mod code_file;
mod declaration;
mod element;
mod framework;
mod key;
mod markup;
mod object;
mod reads;
mod receiver;
mod shape;
mod types;
mod used;
mod users;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use foreword_chunk::{Kind, Language, Span};
use rustc_hash::FxHashMap;

use self::code_file::CodeFile;
use self::object::Object;
use self::shape::exported_as;
use self::users::family_of;
use super::names::place::{Before, what_is_before};
use super::names::{has_bare_members, is_builtin, needs_imports};
use crate::index::{DefinitionSite, FileId, Snapshot};
use crate::scope::Resolver;
use crate::source::directory_of;

pub(crate) use self::arity::{call_fits, parameter_count};
pub use self::at::{DefinitionPlace, DefinitionsAt, definitions_at};
pub use self::framework::{FileUser, files_called, is_whole, users_of_file, uses_of_declaration};
pub use self::reads::uses;
pub(crate) use self::used::{UsedDefinition, used_in};
pub use self::users::{Certainty, NameUser, users};

/// What a use of a name refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Referent {
    /// One of these definitions, never none.
    Known(Vec<DefinitionSite>),
    /// A member of an object whose type is unknown, or one of several definitions in reach.
    Unknown,
    /// A member that the known type of the object does not define.
    Undefined,
    /// A local variable, a builtin, or something of a library.
    Other,
}

impl Referent {
    /// The definitions; `otherwise` if there are none.
    fn of(sites: Vec<DefinitionSite>, otherwise: Self) -> Self {
        if sites.is_empty() { otherwise } else { Self::Known(sites) }
    }
}

/// Definitions of a name that are read; of a name with more, nothing is known.
const MAX_DEFINITIONS: usize = 400;
/// Bytes of the texts of kept files; beyond that, all are dropped and read again where needed.
const MAX_KEPT_BYTES: usize = 32 << 20;
/// Steps for one use: names on the way to its definition.
const MAX_STEPS: u32 = 64;
/// Bytes of a line that are read for the beginning of a chain.
const MAX_LINE_BYTES: usize = 400;
/// Modules that pass a name on.
const MAX_EXPORTS: usize = 4;

/// What a type extends, and whether some of that belongs to a library.
type Bases = (Vec<DefinitionSite>, bool);

/// Resolves uses of names, and keeps the files that it has read.
struct Resolution<'s> {
    snapshot: &'s Snapshot,
    resolver: Resolver,
    files: RefCell<FxHashMap<FileId, Rc<CodeFile>>>,
    /// Bytes of their texts.
    kept_bytes: Cell<usize>,
    definitions: RefCell<FxHashMap<String, Rc<Vec<DefinitionSite>>>>,
    /// By file and number of a type.
    bases: RefCell<FxHashMap<(FileId, u32), Bases>>,
    steps: Cell<u32>,
    /// Of the repository; collected when an address is first asked for.
    routes: OnceCell<Rc<framework::Routes>>,
}

impl<'s> Resolution<'s> {
    fn new(snapshot: &'s Snapshot) -> Self {
        Self {
            snapshot,
            resolver: Resolver::new(snapshot),
            files: RefCell::default(),
            kept_bytes: Cell::default(),
            definitions: RefCell::default(),
            bases: RefCell::default(),
            steps: Cell::new(0),
            routes: OnceCell::new(),
        }
    }

    /// What a name at these bytes of a file refers to.
    fn referent(&self, file: &CodeFile, name: Span) -> Referent {
        self.steps.set(0);
        self.refer(file, name)
    }

    /// Like [`Self::referent`], on the way to another name.
    fn refer(&self, file: &CodeFile, name: Span) -> Referent {
        if !self.may_go_on() {
            return Referent::Unknown;
        }
        let (word, at) = (name.of(&file.text), name.start as usize);
        match what_is_before(&file.text, after_dot(&file.text, at)) {
            Before::Nothing => self.bare(file, word, at),
            Before::Member(_) => self.member(file, word, at),
        }
    }

    fn may_go_on(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() <= MAX_STEPS
    }

    fn file(&self, file: FileId) -> Rc<CodeFile> {
        let known = self.files.borrow().get(&file).cloned();
        known.unwrap_or_else(|| {
            let read = Rc::new(CodeFile::new(self.snapshot, file));
            let mut files = self.files.borrow_mut();
            let mut bytes = self.kept_bytes.get() + read.text.len();
            if bytes > MAX_KEPT_BYTES {
                files.clear();
                bytes = read.text.len();
            }
            self.kept_bytes.set(bytes);
            files.insert(file, Rc::clone(&read));
            read
        })
    }

    /// The definitions of a name in code; none if there are too many.
    fn definitions(&self, name: &str) -> Rc<Vec<DefinitionSite>> {
        if let Some(known) = self.definitions.borrow().get(name) {
            return Rc::clone(known);
        }
        let mut found = self.snapshot.definitions_up_to(name, MAX_DEFINITIONS).unwrap_or_default();
        found.retain(|it| !matches!(it.kind, Kind::Section | Kind::Implementation));
        let found = Rc::new(found);
        self.definitions.borrow_mut().insert(name.to_owned(), Rc::clone(&found));
        found
    }

    /// An unqualified name.
    fn bare(&self, file: &CodeFile, word: &str, at: usize) -> Referent {
        if file.is_local(word, at) {
            return Referent::Other;
        }
        let all = self.definitions(word);
        let own = file.visible(&all, at);
        if !own.is_empty() {
            return Referent::Known(own);
        }
        if let Some((import, name)) = file.imports.get(word) {
            return self.imported(file, *import, word, name.as_deref());
        }
        let language = file.language;
        if language.is_some_and(has_bare_members) {
            let types = self.enclosing_types(file, at);
            if let Referent::Known(found) = self.member_of(&types, word) {
                return Referent::Known(found);
            }
        }
        let stars =
            file.stars.iter().flat_map(|it| file.files_of(&self.resolver, self.snapshot, *it));
        let found = self.exported(&stars.collect::<Vec<_>>(), word, MAX_EXPORTS);
        if !found.is_empty() {
            return Referent::Known(found);
        }
        if language.is_some_and(needs_imports) {
            return Referent::Other;
        }
        self.unbound(file, word)
    }

    /// A name that may be bound in another file without an import.
    fn unbound(&self, file: &CodeFile, word: &str) -> Referent {
        let all = self.definitions(word);
        let outer: Vec<DefinitionSite> =
            all.iter().copied().filter(|it| self.is_outermost(it)).collect();
        let directory = directory_of(self.snapshot.path(file.id));
        let is_beside = |it: &&DefinitionSite| {
            directory_of(self.snapshot.path(it.file)) == directory
                && self.snapshot.language(it.file) == file.language
        };
        let beside: Vec<DefinitionSite> = outer.iter().filter(is_beside).copied().collect();
        if !beside.is_empty() {
            return Referent::Known(beside);
        }
        if all.is_empty() || file.language.is_some_and(|it| is_builtin(it, word)) {
            return Referent::Other;
        }
        // A declaration and its definition are one thing.
        let has_body =
            |it: &&DefinitionSite| self.file(it.file).definition(it.definition).body.is_some();
        match outer.iter().filter(has_body).count() {
            0 | 1 => Referent::of(outer, Referent::Unknown),
            _ => Referent::Unknown,
        }
    }

    /// A name that is imported as `word`; `None` is the module itself, or the type that is called as the module.
    fn imported(&self, file: &CodeFile, import: usize, word: &str, name: Option<&str>) -> Referent {
        let files = file.files_of(&self.resolver, self.snapshot, import);
        if files.is_empty() {
            return Referent::Other;
        }
        let mut found = self.exported(&files, name.unwrap_or(word), MAX_EXPORTS);
        let names = &file.record.symbols.imports[import].names;
        if found.is_empty() && names.iter().any(|it| it.name == "default") {
            found = self.exported(&files, "default", MAX_EXPORTS);
        }
        let Some(name) = name.filter(|_| found.is_empty()) else {
            return Referent::of(found, Referent::Other);
        };
        if self.namespace(&files, name, MAX_EXPORTS).is_some() {
            return Referent::Other;
        }
        let all = self.definitions(name);
        let outer: Vec<_> = all.iter().copied().filter(|it| self.is_outermost(it)).collect();
        if outer.len() == 1 { Referent::Known(outer) } else { Referent::Other }
    }

    /// The outermost definitions of a name in files, or in those from which they import it.
    fn exported(&self, files: &[FileId], name: &str, depth: usize) -> Vec<DefinitionSite> {
        let all = self.definitions(name);
        let is_here = |it: &&DefinitionSite| files.contains(&it.file) && self.is_outermost(it);
        let found: Vec<DefinitionSite> = all.iter().filter(is_here).copied().collect();
        if !found.is_empty() || depth == 0 {
            return found;
        }
        for file in files.iter().filter(|_| self.may_go_on()) {
            let file = self.file(*file);
            let direct = file.imports.get(name).map(|(import, name)| (*import, name.clone()));
            let stars = file.stars.iter().map(|it| (*it, Some(name.to_owned())));
            for (import, original) in direct.into_iter().chain(stars) {
                let files = file.files_of(&self.resolver, self.snapshot, import);
                let original = original.as_deref().unwrap_or(name);
                let found = self.exported(&files, original, depth - 1);
                if !found.is_empty() {
                    return found;
                }
            }
            let local = exported_as(&file.text, name)
                .filter(|_| file.language.map(family_of) == Some(Language::JavaScript));
            if let Some(Referent::Known(found)) = local.map(|it| self.refer(&file, it)) {
                return found;
            }
        }
        Vec::new()
    }

    /// The files of the module that files export under a name: `import * as z from './a'; export { z }`.
    fn namespace(&self, files: &[FileId], name: &str, depth: usize) -> Option<Vec<FileId>> {
        let files = files.iter().filter(|_| depth > 0 && self.may_go_on());
        files.map(|it| self.file(*it)).find_map(|file| {
            if file.language.map(family_of) != Some(Language::JavaScript) {
                return None;
            }
            let there = |import| file.files_of(&self.resolver, self.snapshot, import);
            match file.imports.get(name) {
                Some((import, None)) => Some(there(*import)).filter(|it| !it.is_empty()),
                Some((import, Some(original))) => {
                    self.namespace(&there(*import), original, depth - 1)
                }
                None => {
                    let mut stars = file.stars.iter();
                    stars.find_map(|it| self.namespace(&there(*it), name, depth - 1))
                }
            }
        })
    }

    /// A name behind a receiver or a path.
    fn member(&self, file: &CodeFile, word: &str, at: usize) -> Referent {
        match self.object_before(file, at) {
            Object::Types(types) => self.member_of(&types, word),
            Object::Files(files) => {
                Referent::of(self.exported(&files, word, MAX_EXPORTS), Referent::Other)
            }
            Object::Foreign | Object::List(_) => Referent::Other,
            Object::Unknown => {
                Referent::of(self.in_module_before(file, word, at), Referent::Unknown)
            }
        }
    }

    /// The outermost definitions whose file or directory is called as the path before a name (`module::name`).
    fn in_module_before(&self, file: &CodeFile, word: &str, at: usize) -> Vec<DefinitionSite> {
        let Before::Member(Some(module)) = what_is_before(&file.text, at) else {
            return Vec::new();
        };
        if !file.text[..at].ends_with("::") {
            return Vec::new();
        }
        let is_there = |it: &&DefinitionSite| {
            let path = self.snapshot.path(it.file);
            self.is_outermost(it) && path.rsplit(['/', '.']).skip(1).take(2).any(|it| it == module)
        };
        self.definitions(word).iter().filter(is_there).copied().collect()
    }

    /// Whether a definition is no member and not inside a function.
    fn is_outermost(&self, it: &DefinitionSite) -> bool {
        let file = self.file(it.file);
        let mut around = file.record.symbols.ancestors(file.definition(it.definition).parent);
        !is_member(it.kind) && around.all(|it| it.kind == Kind::Module)
    }
}

/// Where a name begins for what is read before it: of a chain whose line ends with the dot, as in Go, after that dot.
/// After any other line that ends with a dot it is the name itself: the line may be a comment.
fn after_dot(text: &str, at: usize) -> usize {
    let before = text[..at].trim_end_matches([' ', '\t']);
    let Some(line) = before.strip_suffix('\n').map(|it| it.strip_suffix('\r').unwrap_or(it)) else {
        return at;
    };
    let end = line.len();
    let first = text.ceil_char_boundary(end.saturating_sub(MAX_LINE_BYTES));
    let line = line[first..].rsplit('\n').next().unwrap_or_default();
    let is_comment = ["//", "#", "--", "*/", ";;"].iter().any(|it| line.contains(it))
        || line.trim_start().starts_with('*');
    if line.ends_with(").") && !is_comment { end } else { at }
}

fn is_member(kind: Kind) -> bool {
    matches!(kind, Kind::Method | Kind::Field | Kind::Constructor)
}

/// Whether a kind has members.
fn is_type(kind: Kind) -> bool {
    use Kind::{Class, Enum, Implementation, Interface, Module, Type};
    matches!(kind, Class | Interface | Enum | Type | Implementation | Module)
}
