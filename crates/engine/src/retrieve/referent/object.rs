//! The object before a member: its type, or the module that it is.

use foreword_chunk::{Kind, Language, Span};

use super::super::names::is_builtin;
use super::super::names::place::{Before, name_that_ends_at, owner_end, what_is_before};
use super::code_file::{CodeFile, is_function};
use super::declaration::{
    NameKind, Origin, Part, declared, made, opening, span_in, subscript, written,
};
use super::shape::{
    called_as, joins_parameters, result_of, returned, returned_by_body, returned_by_type,
};
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

/// Places of a type parameter at which its bound is looked for.
const MAX_BOUNDS: usize = 4;

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
        if let Some(found) = self.of_expected(file, word, start..at) {
            return found;
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
        if let Some(files) = self.namespace(files, word, MAX_EXPORTS) {
            return Object::Files(files);
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
        let after = file.text[it.name.range().end..].trim_start_matches(['?', '!', ' ']);
        let is_braced = [": {", "= {"].iter().any(|it| after.starts_with(it));
        let mut others = file.record.symbols.definitions.iter();
        if is_braced && others.any(|it| it.parent == Some(first.definition)) {
            // Its members are written in place.
            return types(vec![*first]);
        }
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
                let joins = |it: &DefinitionSite| {
                    let theirs = self.file(it.file);
                    let definition = theirs.definition(it.definition);
                    it.kind == Kind::Type
                        && joins_parameters(&theirs.text, definition.name, definition.span)
                };
                if found.iter().any(joins) {
                    found.extend(self.arguments(file, name));
                }
                types(found)
            }
            other => match constraint(file, name) {
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
            let value = after.trim_start().strip_prefix('=');
            if let Some(value) = value.filter(|it| !it.starts_with(['=', '>'])) {
                // Another name for a function, or a value of a type that can be called.
                return match made(&file.text, value) {
                    Some(Origin::Value(name)) => self.result(&file, name),
                    Some(found @ Origin::Type(_)) => self.called(&file, found),
                    _ => Object::Unknown,
                };
            }
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
        let it = theirs.definition(first.definition);
        let all = called_as(&theirs.text, it.name, it.span);
        let found = all.into_iter().find_map(|it| result_of(&theirs.text, it));
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

/// An element of an object.
fn element(object: Object) -> Object {
    match object {
        Object::List(types) => Object::Types(types),
        Object::Foreign => Object::Foreign,
        _ => Object::Unknown,
    }
}

/// The bound of a type parameter: `Store` for `T` of `<T extends Store>`.
fn constraint(file: &CodeFile, name: Span) -> Option<Origin> {
    let (text, word) = (&*file.text, name.of(&file.text));
    let marked = format!("{word} extends ");
    let found = file.around(name.range().start).find_map(|it| {
        let end = it.signature.range().end.max(it.name.range().end);
        let part = text.get(it.span.range().start..end)?;
        let mut places = part.match_indices(&marked).take(MAX_BOUNDS);
        let at = places.find(|(at, _)| {
            let before = part[..*at].trim_end().trim_end_matches("const").trim_end();
            before.ends_with(['<', ','])
        });
        at.map(|(at, it)| &part[at + it.len()..])
    });
    written(text, found?).filter(|it| *it != Origin::Type(name))
}
