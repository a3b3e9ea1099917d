//! What leads to a file that is a definition as a whole.

use std::collections::BTreeSet;

use foreword_chunk::{Import, Language, ReferenceKind, Span};
use rustc_hash::FxHashMap;

use super::super::Resolution;
use super::super::at::DefinitionPlace;
use super::super::code_file::CodeFile;
use super::super::users::{Certainty, family_of};
use super::component::{MAX_LOADED, MAX_TAG, components_called, kebab_case};
use super::is_component;
use super::template::{is_tag_of_blade, is_template};
use crate::index::terms::term_of;
use crate::index::{FileId, INDEX_STEMS, Snapshot};
use crate::retrieve::names::place::is_name;

/// Files with the name that are read.
const MAX_FILES: usize = 2000;
/// Places with the name that are resolved.
const MAX_PLACES: usize = 4000;
/// Other names, given by imports and exports, that are looked for.
const MAX_NAMES: usize = 8;

/// A place that leads to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileUser {
    /// The file with the place.
    pub file: FileId,
    /// The name there, in code, a tag or a string.
    pub name: Span,
    /// How the name is used; `None` for a string and for what is passed on.
    pub kind: Option<ReferenceKind>,
    /// Sure, or possible where several files may be meant.
    pub certainty: Certainty,
}

/// The files that are definitions of a name as a whole: components, and partial templates of Rails (`form` for
/// `_form.html.erb`).
pub fn files_called(snapshot: &Snapshot, name: &str) -> Vec<FileId> {
    let stems = [name.to_owned(), format!("_{name}")];
    let mut found: Vec<FileId> = stems.iter().flat_map(|it| snapshot.files_of_stem(it)).collect();
    found.retain(|it| {
        let is_partial =
            snapshot.path(*it).rsplit('/').next().is_some_and(|it| it.starts_with('_'));
        let language = snapshot.language(*it);
        is_component(language) || language == Some(Language::Erb) && is_partial
    });
    found.extend(components_called(snapshot, name));
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether other files can mean a file as a whole: a component or a template.
pub fn is_whole(snapshot: &Snapshot, file: FileId) -> bool {
    is_template(snapshot.language(file), snapshot.path(file))
}

/// The places that lead to a component or template, sure ones first, then by path and position: in the first 2000 files
/// with its name, of which 4000 places are resolved. Lines of imports are left out.
pub fn users_of_file(
    snapshot: &Snapshot,
    target: FileId,
    keep: &dyn Fn(FileId) -> bool,
) -> Vec<FileUser> {
    let resolution = Resolution::new(snapshot);
    let mut names = BTreeSet::from([name_of(snapshot.path(target)).to_owned()]);
    let language = snapshot.language(target);
    if is_tag_of_blade(language, snapshot.path(target)) {
        names = names.iter().map(|it| kebab_case(it)).collect();
    } else if is_component(language) {
        names.extend(names.first().map(|it| kebab_case(it)));
        let more = resolution.names_given(target, &names);
        names.extend(more);
    } else {
        names.extend(names.first().map(|it| format!("_{it}")));
    }
    let mut found = Vec::new();
    let mut left = MAX_PLACES;
    for id in files_with(snapshot, &names).take(MAX_FILES).filter(|it| keep(*it)) {
        let text = snapshot.text(id);
        let places: BTreeSet<usize> = names.iter().flat_map(|it| places_of(&text, it)).collect();
        let places: Vec<usize> = places.into_iter().take(left).collect();
        left -= places.len();
        if !places.is_empty() {
            resolution.add_users(&resolution.file(id), &places, target, &mut found);
        }
        if left == 0 {
            break;
        }
    }
    let action = resolution.action_of(target).filter(|it| keep(it.0));
    found.extend(action.map(|(file, name)| FileUser {
        file,
        name,
        kind: None,
        certainty: Certainty::Sure,
    }));
    crate::sorting::sort_by_key(&mut found, |it| (it.certainty, it.file, it.name.start));
    found.dedup();
    found
}

impl Resolution<'_> {
    fn add_users(
        &self,
        file: &CodeFile,
        places: &[usize],
        target: FileId,
        found: &mut Vec<FileUser>,
    ) {
        let is_script =
            file.language.map(|it| family_of(it.of_code())) == Some(Language::JavaScript);
        // A line of `import('./Shop.vue')` is a use.
        let imports = file.record.symbols.imports.iter().filter(|it| !it.names.is_empty());
        let imports = Coverage::new(imports.map(|it| it.span).collect());
        let mut outside = file.mentions.prose.clone();
        if is_component(file.language) {
            outside.extend(without_code(&file.text));
        }
        let outside = Coverage::new(outside);
        // Of several kinds at one place the first counts.
        let references = file.mentions.references.iter().rev();
        let kinds: FxHashMap<Span, ReferenceKind> =
            references.map(|it| (it.name, it.kind)).collect();
        for at in places.iter().copied() {
            if is_script && imports.covers(Span::new(at, at + 1)) {
                continue;
            }
            self.steps.set(0);
            let (name, files) = self.name_at(file, at);
            let kind = kinds.get(&name).copied();
            let is_hidden = || kind.is_none() && outside.covers(name);
            let is_hidden = || is_hidden() || closes(&file.text[..name.range().start]);
            let files = match files.is_empty() {
                true if is_hidden() => continue,
                true => self.component_places(file, name),
                false => files,
            };
            let Some(certainty) = certainty_of(&files, target) else { continue };
            found.push(FileUser { file: file.id, name, kind, certainty });
        }
    }

    /// The names that imports and exports give to a component, where they name its file.
    fn names_given(&self, target: FileId, names: &BTreeSet<String>) -> BTreeSet<String> {
        let mut given = BTreeSet::new();
        for id in files_with(self.snapshot, names).take(MAX_FILES) {
            let language = self.snapshot.language(id).map(|it| family_of(it.of_code()));
            if language != Some(Language::JavaScript) {
                continue;
            }
            let record = self.snapshot.record(id);
            let is_near = |module: &str| names.iter().any(|it| module.contains(it.as_str()));
            if !record.symbols.imports.iter().any(|it| is_near(&it.module)) {
                continue;
            }
            let file = self.file(id);
            for (number, import) in record.symbols.imports.iter().enumerate() {
                let leads = is_near(&import.module)
                    && file.files_of(&self.resolver, self.snapshot, number).contains(&target);
                let default = import.names.iter().filter(|it| leads && it.name == "default");
                given.extend(
                    loaded_name(&file.text, import).filter(|_| leads && import.names.is_empty()),
                );
                for it in default.filter_map(|it| it.alias.as_deref()) {
                    given.insert(it.to_owned());
                    given.extend(exported_names(&file.text, it));
                }
            }
        }
        given.into_iter().take(MAX_NAMES).collect()
    }
}

/// Spans of a text, asked whether one of them contains another span.
struct Coverage {
    /// Ascending by start; each with the greatest end up to there.
    spans: Vec<Span>,
}

impl Coverage {
    fn new(mut spans: Vec<Span>) -> Self {
        spans.sort_unstable_by_key(|it| it.start);
        let mut end = 0;
        for it in &mut spans {
            end = it.end.max(end);
            it.end = end;
        }
        Self { spans }
    }

    fn covers(&self, it: Span) -> bool {
        let before = self.spans.partition_point(|known| known.start <= it.start);
        before.checked_sub(1).is_some_and(|at| self.spans[at].end >= it.end)
    }
}

/// The name of a component that is loaded when it is needed: `const Door = lazy(() => import('./Shop.vue'))`.
fn loaded_name(text: &str, import: &Import) -> Option<String> {
    let end = import.span.range().start;
    let before = &text[text.ceil_char_boundary(end.saturating_sub(MAX_LOADED))..end];
    let (_, declaration) = before.rsplit_once("const ")?;
    let (name, _) = declaration.split_once(" = ").filter(|it| it.0.chars().all(is_name))?;
    Some(name.to_owned())
}

/// Whether a text ends with the beginning of a closing tag.
fn closes(before: &str) -> bool {
    let before = &before[before.ceil_char_boundary(before.len().saturating_sub(MAX_TAG))..];
    before.trim_end_matches(|it: char| is_name(it) || it == '.').ends_with("</")
}

/// The other names with which a file exports a local one: `export { Root as Dialog }`.
fn exported_names(text: &str, local: &str) -> Vec<String> {
    let pattern = format!("{local} as ");
    let is_whole = |it: &(usize, &str)| !text[..it.0].ends_with(is_name);
    let found = text.match_indices(&pattern).filter(is_whole).take(MAX_NAMES);
    let names = found.map(|(at, it)| &text[at + it.len()..]);
    names.map(|it| it[..it.find(|it| !is_name(it)).unwrap_or(it.len())].to_owned()).collect()
}

/// The comments and styles of markup.
fn without_code(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    for (open, close) in [("<!--", "-->"), ("<style", "</style")] {
        let mut at = 0;
        while let Some(start) = text[at..].find(open).map(|it| it + at) {
            let end = text[start..].find(close).map_or(text.len(), |it| start + it + close.len());
            found.push(Span::new(start, end));
            at = end;
        }
    }
    found
}

fn certainty_of(files: &[DefinitionPlace], target: FileId) -> Option<Certainty> {
    let is_it = files.contains(&DefinitionPlace::File(target));
    is_it.then_some(if files.len() == 1 { Certainty::Sure } else { Certainty::Possible })
}

/// The name by which a file is meant: `form` of `_form.html.erb`, `card` of `card/index.vue`.
fn name_of(path: &str) -> &str {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let is_component = [".vue", ".svelte", ".astro"].iter().any(|it| name.ends_with(it));
    let parent = directory.rsplit('/').next().unwrap_or(directory);
    let stem = if is_component && INDEX_STEMS.contains(&stem) { parent } else { stem };
    stem.trim_start_matches('_')
}

/// The files with one of the names, in order.
pub(super) fn files_with(
    snapshot: &Snapshot,
    names: &BTreeSet<String>,
) -> impl Iterator<Item = FileId> {
    let longest = |it: &String| {
        let parts = it.split(|it: char| !is_name(it));
        term_of(parts.max_by_key(|it| it.len()).unwrap_or_default())
    };
    let terms: Vec<String> = names.iter().map(longest).filter(|it| !it.is_empty()).collect();
    let has = snapshot.files_with(&terms);
    snapshot.files().zip(has).filter(|it| it.1).map(|it| it.0)
}

/// Where a text has a name as a whole word.
pub(super) fn places_of(text: &str, name: &str) -> Vec<usize> {
    let is_whole = |at: &usize| {
        !text[..*at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name)
    };
    let places = text.match_indices(name).map(|it| it.0);
    places.filter(|_| !name.is_empty()).filter(is_whole).collect()
}
