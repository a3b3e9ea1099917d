//! Questions about the repository that several forecasters ask.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use foreword_chunk::{Import, Kind, Language, Span};

use super::view::{FileView, is_type, last_part};
use crate::index::{DefinitionSite, FileId, Snapshot};
use crate::retrieve::is_builtin;
use crate::scope::Resolver;
use crate::sorting::sort_by_key;

/// A name with more definitions says nothing about which one is meant.
const MANY_DEFINITIONS: usize = 64;
/// No more files are looked at for the types with one base.
const MANY_FILES: usize = 48;
/// As many files are kept in memory.
const MOST_VIEWS: usize = 64;

/// A repository, with the files that were read last.
pub(super) struct Facts<'s> {
    pub(super) snapshot: &'s Snapshot,
    resolver: &'s Resolver,
    views: RefCell<BTreeMap<FileId, Rc<FileView<'s>>>>,
}

/// A definition in a file.
#[derive(Clone)]
pub(super) struct Place<'s> {
    pub(super) view: Rc<FileView<'s>>,
    pub(super) idx: u32,
}

impl Place<'_> {
    pub(super) fn name(&self) -> &str {
        self.view.name(self.idx)
    }

    pub(super) fn line(&self) -> u32 {
        self.view.definition(self.idx).map_or(1, |it| self.view.line_of(it.name.start))
    }
}

impl<'s> Facts<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, resolver: &'s Resolver) -> Self {
        Self { snapshot, resolver, views: RefCell::default() }
    }

    pub(super) fn view(&self, file: FileId) -> Rc<FileView<'s>> {
        if let Some(known) = self.views.borrow().get(&file) {
            return Rc::clone(known);
        }
        let made = Rc::new(FileView::new(self.snapshot, file));
        let mut views = self.views.borrow_mut();
        if views.len() >= MOST_VIEWS {
            views.clear();
        }
        views.insert(file, Rc::clone(&made));
        made
    }

    /// The definitions of a name in files whose language can use those of `language`.
    pub(super) fn sites(&self, name: &str, language: Option<Language>) -> Vec<DefinitionSite> {
        let mut sites = self.snapshot.definitions_up_to(name, MANY_DEFINITIONS).unwrap_or_default();
        sites.retain(|it| {
            family(self.snapshot.language(it.file)) == family(language)
                && self.snapshot.third_party_root(self.snapshot.path(it.file)).is_none()
        });
        sites
    }

    /// Whether anything in the repository has this name, in the language or not.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.snapshot.definitions_up_to(name, 0).is_none_or(|it| !it.is_empty())
    }

    /// The type that a name, which is used at `at`, means in a file: its own, one that it imports, the only one of its
    /// directory or repository.
    pub(super) fn type_named(
        &self,
        view: &FileView<'_>,
        name: &str,
        at: Span,
    ) -> Option<Place<'s>> {
        let mut sites = self.sites(name, view.language);
        sites.retain(|it| is_type(it.kind) && it.kind != Kind::Implementation);
        if let Some(module) = module_before(view, at) {
            sites.retain(|it| names_module(self.snapshot.path(it.file), module));
        }
        let imports = &view.record.symbols.imports;
        let is_foreign = |it: &Import| {
            it.names.iter().any(|it| it.alias.as_deref().unwrap_or(&it.name) == name)
                && !self.resolves(view, it)
        };
        if imports.iter().any(is_foreign) {
            return None;
        }
        let directory = directory(view.path);
        let near = |of: &dyn Fn(&DefinitionSite) -> bool| {
            let mut near = sites.iter().filter(|it| of(it));
            near.next().filter(|_| near.next().is_none()).copied()
        };
        let site = near(&|it| it.file == view.file)
            .or_else(|| {
                let imported = self.imported_by(view);
                near(&|it| imported.contains(&it.file))
            })
            .or_else(|| near(&|it| self::directory(self.snapshot.path(it.file)) == directory))
            .or_else(|| {
                let is_own = view.language.is_some_and(|it| is_builtin(it, name));
                near(&|_| true).filter(|_| !is_own)
            })?;
        Some(Place { view: self.view(site.file), idx: site.definition })
    }

    /// The files that a file imports.
    pub(super) fn imported_by(&self, view: &FileView<'_>) -> Vec<FileId> {
        let all = self.resolver.resolve_all(self.snapshot, view.path, &view.record);
        all.into_iter().flat_map(|it| it.files).collect()
    }

    /// Whether an import of a file leads into the repository.
    pub(super) fn resolves(&self, view: &FileView<'_>, import: &Import) -> bool {
        !self.resolver.resolve(self.snapshot, view.path, view.record.language, import).is_empty()
    }

    /// The types that name `base` as a base, those of `near` and its directory first.
    pub(super) fn subtypes(&self, base: &str, near: &FileView<'_>) -> Vec<Place<'s>> {
        let mut files: Vec<FileId> =
            self.snapshot.references(base).into_iter().map(|it| it.0).collect();
        files.retain(|it| family(self.snapshot.language(*it)) == family(near.language));
        let directory = directory(near.path);
        sort_by_key(&mut files, |it| {
            (*it != near.file, self::directory(self.snapshot.path(*it)) != directory, *it)
        });
        files.truncate(MANY_FILES);
        let in_file = |file: FileId| {
            let view = self.view(file);
            let types = view.definitions().filter(|it| is_type(it.1.kind)).map(|it| it.0);
            let named = types.filter(|it| view.bases(*it).iter().any(|it| it.1 == base));
            let places = named.map(|idx| Place { view: Rc::clone(&view), idx });
            places.collect::<Vec<_>>()
        };
        files.into_iter().flat_map(in_file).collect()
    }

    /// Whether a name has so many definitions that not all are looked at.
    pub(super) fn is_common(&self, name: &str) -> bool {
        self.snapshot.definitions_up_to(name, MANY_DEFINITIONS).is_none()
    }

    /// Whether a type has a member of this name, in any of the places where its members may be.
    pub(super) fn has_member(&self, view: &FileView<'_>, owner: &str, member: &str) -> bool {
        self.sites(member, view.language).iter().any(|it| {
            let other = self.view(it.file);
            other.owner(it.definition).is_some_and(|it| last_part(it) == owner)
        })
    }
}

/// The word before the dot or colons before a name.
fn module_before<'v>(view: &'v FileView<'_>, at: Span) -> Option<&'v str> {
    let before = view.text.get(..at.start as usize)?;
    let path = before.strip_suffix("::").or_else(|| before.strip_suffix('.'))?;
    let start = path.rfind(|it: char| !(it.is_alphanumeric() || it == '_')).map_or(0, |it| it + 1);
    path.get(start..).filter(|it| !matches!(*it, "" | "crate" | "self" | "super"))
}

/// Whether a file may be the module, or in it.
fn names_module(path: &str, module: &str) -> bool {
    path.split(['/', '.']).any(|it| it.replace('-', "_") == module)
}

/// The directory of a path; empty for the root.
pub(super) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |it| it.0)
}

/// The name of a file without its directory and what follows the first dot.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// What follows the last dot of a path.
pub(super) fn extension(path: &str) -> &str {
    path.rsplit('/').next().and_then(|it| it.rsplit_once('.')).map_or("", |it| it.1)
}

/// Languages that use each other's names.
pub(super) fn family(language: Option<Language>) -> Option<Language> {
    language.map(Language::of_code).map(|it| match it {
        Language::TypeScript | Language::Tsx => Language::JavaScript,
        Language::Kotlin | Language::Scala => Language::Java,
        Language::Cpp => Language::C,
        it => it,
    })
}
