//! The object before a member: its type, or the module that it is.

use foreword_chunk::{Kind, Language, Span};

use super::super::names::is_builtin;
use super::super::names::place::{Before, name_that_ends_at, owner_end, what_is_before};
use super::code_file::{CodeFile, is_function};
use super::declaration::{NameKind, Origin, declared, made, returned, returned_by_body, written};
use super::element::{Part, element, subscript};
use super::shape::{call_signature, returned_by_type};
use super::{MAX_EXPORTS, Referent, Resolution, after_dot, is_type};
use crate::index::{DefinitionSite, FileId};
use crate::source::directory_of;

/// What stands before a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Object {
    /// A value of one of these types, or a type itself.
    Types(Vec<DefinitionSite>),
    /// A list with elements of one of these types.
    List(Vec<DefinitionSite>),
    /// A module in these files.
    Files(Vec<FileId>),
    /// A literal, a builtin, or something of a library.
    Foreign,
    /// Not known.
    Unknown,
}

/// The object itself or its type.
const SELF: [&str; 5] = ["self", "this", "cls", "Self", "static"];
/// The object as one of the types that its own extends.
pub(super) const SUPER: [&str; 3] = ["super", "base", "parent"];
/// Bytes of an expression that are read backwards.
const EXPRESSION_BYTES: usize = 1000;

impl Resolution<'_> {
    /// The object before the member at a byte.
    pub(super) fn object_before(&self, file: &CodeFile, at: usize) -> Object {
        let text = &*file.text;
        let Some(end) = owner_end(text, after_dot(text, at)) else { return Object::Unknown };
        if let Some(name) = name_ending_at(text, end) {
            if name.starts_with(|it: char| it.is_ascii_digit()) {
                return Object::Foreign;
            }
            return self.value(file, span_in(text, name));
        }
        let owner = text[..end].trim_end_matches(['?', '!']);
        if owner.ends_with(['"', '\'', '`']) {
            return Object::Foreign;
        }
        let open = owner.ends_with([')', '}', ']']).then(|| opening(owner)).flatten();
        match open.map(|open| (open, name_ending_at(text, open))) {
            Some((open, Some(name))) if text[open..].starts_with('(') => {
                self.result(file, span_in(text, name))
            }
            Some((open, Some(name))) if text[open..].starts_with('[') => {
                match subscript(&text[open..end]) {
                    Some(Part::List) => self.value(file, span_in(text, name)),
                    _ => self.of_declared(file, Origin::ElementOfValue(span_in(text, name))),
                }
            }
            Some((_, Some(name))) => self.of_declared(file, Origin::Type(span_in(text, name))),
            Some((open, None)) if text[open..].starts_with('(') => {
                let found = made(text, &text[open + 1..owner.len() - 1]);
                found.map_or(Object::Unknown, |found| self.of_declared(file, found))
            }
            _ => Object::Unknown,
        }
    }

    /// The object that a name stands for.
    pub(super) fn value(&self, file: &CodeFile, name: Span) -> Object {
        if !self.may_go_on() {
            return Object::Unknown;
        }
        let (word, at) = (name.of(&file.text), name.start as usize);
        if SELF.contains(&word) {
            return types(self.enclosing_types(file, at));
        }
        match what_is_before(&file.text, after_dot(&file.text, at)) {
            _ if SUPER.contains(&word) => self.bases_around(file, at),
            Before::Nothing => self.variable(file, word, at),
            Before::Member(_) => match self.object_before(file, at) {
                Object::Types(owners) => self.attribute(&owners, word),
                Object::Files(files) => self.in_modules(&files, word),
                other => other,
            },
        }
    }

    /// An unqualified name: a variable, a type or a module.
    fn variable(&self, file: &CodeFile, word: &str, at: usize) -> Object {
        // Functions without names are no definitions, so their variables are outermost ones.
        // A name in the comment before a function is before its variables.
        let start = file.function_around(at).map_or(0, |it| it.range().start.min(at));
        if let Some(found) = declared(&file.text, start..at, word, NameKind::Variable) {
            return self.of_declared(file, found);
        }
        if file.is_local(word, at) {
            return self.fixture(file, word);
        }
        if let Some((import, name)) = file.imports.get(word) {
            let files = file.files_of(&self.resolver, self.snapshot, *import);
            if files.is_empty() {
                return Object::Foreign;
            }
            if let Referent::Known(sites) = self.imported(file, *import, word, name.as_deref()) {
                return self.of_sites(&sites);
            }
            return match name {
                None => Object::Files(files),
                Some(name) => self.in_modules(&files, name),
            };
        }
        match self.bare(file, word, at) {
            Referent::Known(sites) => self.of_sites(&sites),
            _ if file.language.is_some_and(|it| is_builtin(it, word)) => Object::Foreign,
            _ if word.starts_with(char::is_uppercase) => self.named_type(word),
            _ => Object::Unknown,
        }
    }

    /// What the fixture of pytest returns after which a parameter is called: one of the file, or of a `conftest.py` around it.
    fn fixture(&self, file: &CodeFile, word: &str) -> Object {
        if file.language != Some(Language::Python) {
            return Object::Unknown;
        }
        let path = self.snapshot.path(file.id);
        let is_one = |it: &&DefinitionSite| {
            let theirs = self.snapshot.path(it.file);
            let directory = theirs.strip_suffix("conftest.py");
            if it.file != file.id && !directory.is_some_and(|it| path.starts_with(it)) {
                return false;
            }
            let theirs = self.file(it.file);
            let definition = theirs.definition(it.definition);
            let before = definition.span.range().start..definition.signature.range().start;
            theirs.text.get(before).is_some_and(|it| it.contains("fixture"))
        };
        let all = self.definitions(word);
        all.iter().rfind(is_one).map_or(Object::Unknown, |it| self.returned(*it))
    }

    /// Types of this name anywhere, for a name that is not bound in sight; another library's if there are none.
    fn named_type(&self, word: &str) -> Object {
        let all = self.definitions(word);
        let found: Vec<DefinitionSite> =
            all.iter().copied().filter(|it| is_type(it.kind)).collect();
        if found.is_empty() && all.is_empty() { Object::Foreign } else { types(found) }
    }

    /// A name of modules: a definition in them, or a module below or beside them.
    fn in_modules(&self, files: &[FileId], word: &str) -> Object {
        let found = self.exported(files, word, MAX_EXPORTS);
        if !found.is_empty() {
            return self.of_sites(&found);
        }
        let is_called = |it: &FileId| {
            let path = self.snapshot.path(*it);
            let stem = path.rsplit('/').next().and_then(|it| it.split('.').next());
            stem == Some(word)
                || matches!(stem, Some("__init__" | "index" | "mod"))
                    && directory_of(path).rsplit('/').next() == Some(word)
        };
        let modules: Vec<FileId> = files.iter().copied().filter(is_called).collect();
        if !modules.is_empty() {
            return Object::Files(modules);
        }
        let below = files.iter().filter_map(|it| {
            let path = self.snapshot.path(*it);
            let (stem, kind) = path.rsplit_once('.')?;
            let directory = if stem.ends_with("/__init__") { directory_of(path) } else { stem };
            let inner = |end: &str| self.snapshot.file(&format!("{directory}/{word}{end}.{kind}"));
            inner("").or_else(|| inner("/__init__"))
        });
        let below: Vec<FileId> = below.collect();
        if below.is_empty() { Object::Unknown } else { Object::Files(below) }
    }

    /// The object that definitions of one name stand for.
    pub(super) fn of_sites(&self, sites: &[DefinitionSite]) -> Object {
        let found: Vec<DefinitionSite> =
            sites.iter().copied().filter(|it| is_type(it.kind)).collect();
        let (true, Some(first)) = (found.is_empty(), sites.first()) else { return types(found) };
        if is_function(first.kind) {
            // A property is named as an attribute is.
            return self.returned(*first);
        }
        let file = self.file(first.file);
        let it = file.definition(first.definition);
        let end = (it.name.range().end + 400).min(it.span.range().end);
        let region = it.span.range().start..end;
        let found = declared(&file.text, region, it.name.of(&file.text), NameKind::Variable);
        found.map_or(Object::Unknown, |found| self.of_declared(&file, found))
    }

    /// An attribute of objects of these types.
    pub(super) fn attribute(&self, owners: &[DefinitionSite], word: &str) -> Object {
        if let Referent::Known(found) = self.member_of(owners, word) {
            let object = self.of_sites(&found);
            if matches!(object, Object::Types(_) | Object::List(_) | Object::Files(_)) {
                return object;
            }
        }
        let (all, _) = self.with_bases(owners);
        // Of the types that an alias joins, one may say that it has no such member: `error?: never`.
        for it in all.iter().filter(|_| all.len() > owners.len() && self.may_go_on()) {
            if let Referent::Known(found) = self.member_of(&[*it], word)
                && let object @ Object::Types(_) = self.of_sites(&found)
            {
                return object;
            }
        }
        for it in all.iter().filter(|_| self.may_go_on()) {
            let file = self.file(it.file);
            let region = file.definition(it.definition).span.range();
            if let Some(found) = declared(&file.text, region, word, NameKind::Attribute) {
                return self.of_declared(&file, found);
            }
        }
        Object::Unknown
    }

    pub(super) fn of_declared(&self, file: &CodeFile, found: Origin) -> Object {
        match found {
            Origin::Type(name) if SELF.contains(&name.of(&file.text)) => {
                types(self.enclosing_types(file, name.start as usize))
            }
            Origin::Type(name) => self.of_type(file, name),
            Origin::Call(name) => self.result(file, name),
            Origin::Value(name) => self.value(file, name),
            Origin::List { container, element } => self.of_list(file, container, element),
            Origin::ElementOfValue(name) => element(self.value(file, name)),
            Origin::ElementOfCall(name) => element(self.result(file, name)),
        }
    }

    /// A value of a type as it is written.
    fn of_type(&self, file: &CodeFile, name: Span) -> Object {
        match self.refer(file, name) {
            Referent::Known(sites) => {
                let mut found: Vec<_> = sites.into_iter().filter(|it| is_type(it.kind)).collect();
                if found.iter().any(|it| it.kind == Kind::Type) {
                    found.extend(self.arguments(file, name));
                }
                types(found)
            }
            other => match self.constraint(file, name) {
                Some(found) => self.of_declared(file, found),
                None if other == Referent::Other => Object::Foreign,
                None => Object::Unknown,
            },
        }
    }

    /// What a call of a name returns.
    fn result(&self, file: &CodeFile, name: Span) -> Object {
        let (word, at) = (name.of(&file.text), name.start as usize);
        if word == "new" && file.language == Some(Language::Go) {
            return self.of_new(file, name);
        }
        if SUPER.contains(&word) {
            return self.bases_around(file, at);
        }
        if SELF.contains(&word) {
            return types(self.enclosing_types(file, at));
        }
        match self.refer(file, name) {
            Referent::Known(sites) => {
                let made: Vec<_> = sites.iter().copied().filter(|it| is_type(it.kind)).collect();
                match sites.first() {
                    Some(first) if made.is_empty() => self.returned(*first),
                    _ => types(made),
                }
            }
            Referent::Unknown => match self.definitions(word).as_slice() {
                [only] if only.kind == Kind::Method => self.returned(*only),
                _ => Object::Unknown,
            },
            Referent::Other => match self.of_list_call(file, name) {
                Some(found) => found,
                None => self.called_value(file, name),
            },
            Referent::Undefined => Object::Unknown,
        }
    }

    /// What a call of a variable returns whose type can be called, as Python's `__call__`.
    fn called_value(&self, file: &CodeFile, name: Span) -> Object {
        let (word, at) = (name.of(&file.text), name.start as usize);
        if file.language != Some(Language::Python) || !file.is_local(word, at) {
            return Object::Foreign;
        }
        let Object::Types(types) = self.variable(file, word, at) else { return Object::Unknown };
        match self.member_of(&types, "__call__") {
            Referent::Known(sites) => {
                sites.first().map_or(Object::Unknown, |it| self.returned(*it))
            }
            _ => Object::Unknown,
        }
    }

    /// What the builtin function `new` of Go makes: its argument is the type.
    fn of_new(&self, file: &CodeFile, name: Span) -> Object {
        let argument = file.text[name.range().end..].strip_prefix('(');
        let found = argument.and_then(|it| written(&file.text, it));
        found.map_or(Object::Unknown, |found| self.of_declared(file, found))
    }

    /// What a function returns.
    fn returned(&self, site: DefinitionSite) -> Object {
        if !self.may_go_on() {
            return Object::Unknown;
        }
        let file = self.file(site.file);
        let it = file.definition(site.definition);
        let found = if is_function(site.kind) {
            let found = returned(&file.text, it.signature, it.name);
            found.or_else(|| returned_by_body(&file.text, it.signature, it.body?))
        } else {
            let after = &file.text[it.name.range().end..it.span.range().end];
            let Some(found) = returned_by_type(&file.text, after) else {
                let declared = after.trim_start_matches(['?', '!']).strip_prefix(':');
                let found = declared.and_then(|it| written(&file.text, it));
                return found.map_or(Object::Unknown, |it| self.called(&file, it));
            };
            Some(found)
        };
        found.map_or(Object::Unknown, |found| self.of_declared(&file, found))
    }

    /// What a value of a type returns that declares how it is called: `interface Route { (path: string): Shop }`.
    fn called(&self, file: &CodeFile, found: Origin) -> Object {
        let Object::Types(types) = self.of_declared(file, found) else { return Object::Unknown };
        let Some(first) = types.first().filter(|_| self.may_go_on()) else {
            return Object::Unknown;
        };
        let theirs = self.file(first.file);
        let span = theirs.definition(first.definition).span;
        let found = call_signature(&theirs.text, span);
        found.map_or(Object::Unknown, |it| self.of_declared(&theirs, it))
    }

    fn bases_around(&self, file: &CodeFile, at: usize) -> Object {
        let (bases, foreign) = self.bases(&self.enclosing_types(file, at));
        if bases.is_empty() && foreign { Object::Foreign } else { types(bases) }
    }
}

/// The name that ends at a byte, with the mark of JavaScript's private members: `#open` in `this.#open`.
fn name_ending_at(text: &str, end: usize) -> Option<&str> {
    let name = name_that_ends_at(text, end)?;
    let span = span_in(text, name).range();
    let is_private = text[..span.start].ends_with(".#");
    Some(if is_private { &text[span.start - 1..span.end] } else { name })
}

pub(super) fn types(found: Vec<DefinitionSite>) -> Object {
    if found.is_empty() { Object::Unknown } else { Object::Types(found) }
}

/// The place of a name that is a part of the text.
pub(super) fn span_in(text: &str, name: &str) -> Span {
    let start = name.as_ptr() as usize - text.as_ptr() as usize;
    Span::new(start, start + name.len())
}

/// Where the bracket at the end of a text is opened.
pub(super) fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (back, it) in text.bytes().rev().take(EXPRESSION_BYTES).enumerate() {
        depth += i32::from(b")]}".contains(&it)) - i32::from(b"([{".contains(&it));
        if depth == 0 {
            return Some(text.len() - back - 1);
        }
    }
    None
}
