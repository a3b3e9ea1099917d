//! Components that are whole files: the imports, tags and conventions that lead to them.

use foreword_chunk::{Language, Span};

use super::super::at::DefinitionPlace;
use super::super::code_file::CodeFile;
use super::super::declaration::path_of;
use super::super::shape::exported_as;
use super::super::users::family_of;
use super::super::{MAX_EXPORTS, Resolution};
use crate::index::{FileId, Snapshot};
use crate::retrieve::names::place::{Before, is_name, what_is_before};

/// Bytes of the name of an element.
pub(super) const MAX_TAG: usize = 100;
/// Bytes of a declaration in which a component is loaded.
pub(super) const MAX_LOADED: usize = 300;

/// Whether files of this language are components.
pub(in super::super) fn is_component(language: Option<Language>) -> bool {
    matches!(language, Some(Language::Vue | Language::Svelte | Language::Astro))
}

impl Resolution<'_> {
    /// The files whose default export, or whole content, a name in code or in a tag refers to.
    pub(in super::super) fn component_places(
        &self,
        file: &CodeFile,
        name: Span,
    ) -> Vec<DefinitionPlace> {
        let language = file.language.map(|it| family_of(it.of_code()));
        if language != Some(Language::JavaScript) {
            return Vec::new();
        }
        let (word, at) = (name.of(&file.text), name.range().start);
        if let Before::Member(owner) = what_is_before(&file.text, at) {
            let module = owner.and_then(|it| file.imports.get(it)).filter(|it| it.1.is_none());
            let files = module.map(|it| file.files_of(&self.resolver, self.snapshot, it.0));
            let found = files.and_then(|it| self.component_of(&it, word, MAX_EXPORTS));
            return found.into_iter().map(DefinitionPlace::File).collect();
        }
        if file.is_local(word, at) {
            return Vec::new();
        }
        let pascal = pascal_case(word);
        let bound = [word, &pascal].into_iter().find(|it| file.imports.contains_key(*it));
        let found = match bound {
            Some(bound) => self.component_bound(file, bound, MAX_EXPORTS).into_iter().collect(),
            None if is_in_tag(&file.text, at) => self.component_without_import(file, &pascal),
            None => Vec::new(),
        };
        found.into_iter().map(DefinitionPlace::File).collect()
    }

    /// The component of a tag that no import binds: one that is loaded when it is needed, as in
    /// `const Shop = defineAsyncComponent(() => import('./Shop.vue'))`, or one that is registered by its name.
    fn component_without_import(&self, file: &CodeFile, word: &str) -> Vec<FileId> {
        let text = &*file.text;
        if let Some(at) = file.constant_at(word) {
            let rest = &text[at..];
            let rest = &rest[..rest.floor_char_boundary(rest.len().min(MAX_LOADED))];
            let rest = rest.split("const ").next().unwrap_or(rest);
            let Some(call) = rest.find("import(") else { return Vec::new() };
            let name = at + call + "import(".len() + 1;
            return self.module_at(file, name).into_iter().collect();
        }
        let is_bound = file.bound_at(word).is_some()
            || self.definitions(word).iter().any(|it| it.file == file.id);
        match file.language {
            Some(Language::Vue) if !is_bound => components_called(self.snapshot, word),
            _ => Vec::new(),
        }
    }

    /// The component to which a file binds a name by an import.
    fn component_bound(&self, file: &CodeFile, word: &str, depth: usize) -> Option<FileId> {
        let (import, _) = file.imports.get(word)?;
        let mut names = file.record.symbols.imports[*import].names.iter();
        let original = names.find(|it| it.alias.as_ref().unwrap_or(&it.name) == word)?;
        let files = file.files_of(&self.resolver, self.snapshot, *import);
        self.component_of(&files, &original.name, depth)
    }

    /// The component that files export under a name, or that they pass on.
    fn component_of(&self, files: &[FileId], name: &str, depth: usize) -> Option<FileId> {
        let files = files.iter().filter(|_| depth > 0 && self.may_go_on());
        files.copied().find_map(|id| {
            let language = self.snapshot.language(id);
            if is_component(language) {
                return (name == "default").then_some(id);
            }
            if language.map(family_of) != Some(Language::JavaScript) {
                return None;
            }
            let file = self.file(id);
            if file.imports.contains_key(name) {
                return self.component_bound(&file, name, depth - 1);
            }
            let local = exported_as(&file.text, name).map(|it| it.of(&file.text));
            if let Some(local) = local.filter(|it| file.imports.contains_key(*it)) {
                return self.component_bound(&file, local, depth - 1);
            }
            let is_anonymous = name == "default"
                && default_value(&file.text)
                    .is_some_and(|it| is_made(it) || self.exported(&[id], name, 1).is_empty());
            if is_anonymous {
                return Some(id);
            }
            let passed = |it: &usize| {
                let files = file.files_of(&self.resolver, self.snapshot, *it);
                self.component_of(&files, name, depth - 1)
            };
            file.stars.iter().find_map(passed)
        })
    }
}

/// What a file exports as its default.
fn default_value(text: &str) -> Option<&str> {
    text.split_once("export default ").map(|it| it.1)
}

/// Whether a value is what a call makes, and no function, class or name.
fn is_made(value: &str) -> bool {
    let path = path_of(value);
    !matches!(path, "async" | "function" | "class" | "abstract")
        && value[path.len()..].starts_with(['(', '<'])
}

/// The components of Vue that a tag without an import can mean, where files are registered by their names (Nuxt,
/// `unplugin-vue-components`, VitePress): `CommonTabs` is `CommonTabs.vue` or `components/common/Tabs.vue`. Without one
/// below a directory `components`, a file of the name elsewhere is meant, which an application registers itself.
pub(super) fn components_called(snapshot: &Snapshot, name: &str) -> Vec<FileId> {
    let mut starts: Vec<usize> =
        name.char_indices().filter(|it| it.1.is_uppercase()).map(|it| it.0).collect();
    starts.truncate(8);
    if starts.first() != Some(&0) {
        return Vec::new();
    }
    let of_stem = |name: &str| {
        let stems = [name.to_owned(), kebab_case(name)];
        let files = stems.iter().flat_map(|it| snapshot.files_of_stem(it));
        let is_vue = |it: &FileId| snapshot.language(*it) == Some(Language::Vue);
        files.filter(is_vue).collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    for start in starts {
        let is_it = |it: &FileId| {
            let path = snapshot.path(*it);
            path.contains("components/")
                && (start == 0 || registered_name(path) == name.to_lowercase())
        };
        found.extend(of_stem(&name[start..]).into_iter().filter(is_it));
    }
    if found.is_empty() {
        found = of_stem(name);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The name with which Nuxt registers a file, in lower case: the words of its path below `components`, without those of a
/// directory that the next part repeats.
fn registered_name(path: &str) -> String {
    let Some((_, inner)) = path.split_once("components/") else { return String::new() };
    let mut words: Vec<String> = Vec::new();
    for part in inner.split('/') {
        let part = kebab_case(part.split('.').next().unwrap_or(part));
        let part: Vec<String> = part.split('-').map(str::to_owned).collect();
        let part = if part == ["index"] { &[][..] } else { &part[..] };
        let most = part.len().min(words.len());
        let shared = (1..=most).rev().find(|it| words.ends_with(&part[..*it]));
        words.extend_from_slice(&part[shared.unwrap_or(0)..]);
    }
    words.concat()
}

/// `UserCard` of `user-card`.
fn pascal_case(name: &str) -> String {
    let part = |it: &str| {
        let mut chars = it.chars();
        let first = chars.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
        first + chars.as_str()
    };
    if name.contains('-') { name.split('-').map(part).collect() } else { name.to_owned() }
}

/// `user-card` of `UserCard`.
pub(super) fn kebab_case(name: &str) -> String {
    let mut res = String::with_capacity(name.len() + 4);
    for it in name.chars() {
        if it.is_uppercase() && !res.is_empty() && !res.ends_with('-') {
            res.push('-');
        }
        res.extend(it.to_lowercase());
    }
    res
}

/// The name of a tag with a hyphen around a byte: `user-card` of `<user-card`.
pub(super) fn tag_around(file: &CodeFile, at: usize) -> Option<Span> {
    if file.language != Some(Language::Vue) {
        return None;
    }
    let text = &*file.text;
    let is_part = |it: char| is_name(it) || it == '-';
    let from = text.ceil_char_boundary(at.saturating_sub(MAX_TAG));
    let start = from + text[from..at].trim_end_matches(is_part).len();
    let len = text[start..].find(|it| !is_part(it)).unwrap_or(text.len() - start);
    let name = Span::new(start, start + len);
    (name.of(text).contains('-') && is_in_tag(text, start)).then_some(name)
}

/// Whether the name at a byte is that of an element.
fn is_in_tag(text: &str, at: usize) -> bool {
    let before = &text[..at];
    before.strip_suffix('/').unwrap_or(before).ends_with('<')
}
