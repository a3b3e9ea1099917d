//! Facts about each file for the graph: which definitions a reference can mean, and which files it imports.

use std::collections::BTreeSet;

use foreword_chunk::{Kind, Language};
use rayon::prelude::*;

use crate::index::{FileId, FileRecord, FileRole, Snapshot};
use crate::scope::Resolver;

/// The role of a definition in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Shown only as the parent of others: an implementation block, anything inside a function, a test module.
    Inner,
    /// A field, constant or heading: shown, but a call or a type of the same name probably means something else.
    Data,
    /// All others.
    Primary,
}

/// Facts about one file.
#[derive(Default)]
pub(super) struct FileFacts {
    /// By the numbers of the definitions; the last is that of the file's component, if it is one.
    pub(super) roles: Vec<Role>,
    /// The files that it imports, and those that these re-export; sorted.
    pub(super) imports: Vec<FileId>,
}

/// Most re-exported files that count as imported by one file; otherwise a file that imports all, imported by all, would
/// take a multiple of the square of their number.
const MAX_RE_EXPORTED: usize = 4096;

/// Reads the records of the included files; by the numbers of the files.
pub(super) fn read(snapshot: &Snapshot, is_in: &[bool]) -> Vec<FileFacts> {
    let resolver = Resolver::new(snapshot);
    let tests = test_modules(snapshot);
    let files: Vec<FileId> = snapshot.files().collect();
    let one = |file: &FileId| {
        if !is_in[file.0 as usize] {
            return FileFacts::default();
        }
        let record = snapshot.record(*file);
        let imports = resolver.resolve_all(snapshot, snapshot.path(*file), &record);
        let imports: BTreeSet<FileId> = imports.into_iter().flat_map(|it| it.files).collect();
        let mut roles = roles_of(*file, &record, &tests);
        roles.extend(component_name(snapshot, *file).map(|_| Role::Primary));
        FileFacts { roles, imports: imports.into_iter().collect() }
    };
    let mut res: Vec<FileFacts> = files.par_iter().map(one).collect();
    let re_exported: Vec<Vec<FileId>> = res
        .par_iter()
        .map(|it| {
            let re_exporting = it.imports.iter().filter(|it| re_exports(snapshot, **it));
            let more = re_exporting.flat_map(|it| res[it.0 as usize].imports.iter().copied());
            more.take(MAX_RE_EXPORTED).collect()
        })
        .collect();
    for (read, more) in res.iter_mut().zip(re_exported) {
        read.imports.extend(more);
        read.imports.sort_unstable();
        read.imports.dedup();
    }
    res
}

/// The name of the component that a file is: its own, or that of its directory (`Button/index.vue`). Pages have none.
pub(super) fn component_name(snapshot: &Snapshot, file: FileId) -> Option<&str> {
    use Language::{Astro, Svelte, Vue};
    let is_component = matches!(snapshot.language(file), Some(Vue | Svelte | Astro));
    let path = snapshot.path(file);
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next()?;
    let name = if stem == "index" { directory.rsplit('/').next()? } else { stem };
    (is_component && name.starts_with(|it: char| it.is_ascii_uppercase())).then_some(name)
}

/// Whether a file re-exports its imports.
fn re_exports(snapshot: &Snapshot, file: FileId) -> bool {
    let path = snapshot.path(file);
    snapshot.role(file) == FileRole::Gathering || path.ends_with("lib.rs")
}

/// Test modules inside of files, sorted.
fn test_modules(snapshot: &Snapshot) -> Vec<(FileId, u32)> {
    let found = ["tests", "test"].into_iter().flat_map(|name| snapshot.definitions(name));
    let mut res: Vec<(FileId, u32)> = found.map(|it| (it.file, it.definition)).collect();
    res.sort_unstable();
    res
}

fn roles_of(file: FileId, record: &FileRecord, tests: &[(FileId, u32)]) -> Vec<Role> {
    let definitions = &record.symbols.definitions;
    let mut hides: Vec<bool> = Vec::with_capacity(definitions.len());
    let mut res = Vec::with_capacity(definitions.len());
    for (idx, it) in definitions.iter().enumerate() {
        // Parents come before their children.
        let is_hidden = it.parent.is_some_and(|parent| hides.get(parent as usize) == Some(&true));
        let is_function = matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor);
        let is_tests = it.kind == Kind::Module && tests.binary_search(&(file, idx as u32)).is_ok();
        hides.push(is_hidden || is_function || is_tests);
        res.push(match it.kind {
            _ if is_hidden || is_tests => Role::Inner,
            Kind::Implementation => Role::Inner,
            Kind::Field | Kind::Constant | Kind::Section => Role::Data,
            _ => Role::Primary,
        });
    }
    res
}

/// Whether files in one directory see each other without an import.
pub(super) fn shares_directory(language: Option<Language>) -> bool {
    use Language::{CSharp, Go, Java, Kotlin, Scala, Swift};
    matches!(language, Some(CSharp | Go | Java | Kotlin | Scala | Swift))
}
