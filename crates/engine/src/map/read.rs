//! What the graph needs of each file's record: which definitions a reference can mean, and what the file imports.

use std::collections::BTreeSet;

use foreword_chunk::{Kind, Language};
use rayon::prelude::*;

use crate::index::{FileId, FileRecord, Prior, Snapshot};
use crate::scope::Resolver;

/// What a definition is for the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Shown at most as what others lie in: a block of members, what lies in a function, a test beside the code.
    Inner,
    /// A field, constant or heading: shown, but a call or a type of the same name probably means something else.
    Data,
    /// All others.
    Named,
}

/// One file, read.
#[derive(Default)]
pub(super) struct Read {
    /// By the definitions' numbers.
    pub(super) roles: Vec<Role>,
    /// The files that it imports, and what these in turn pass on; sorted.
    pub(super) imports: Vec<FileId>,
}

/// Reads the records of the files that are in; by the files' numbers.
pub(super) fn read(snapshot: &Snapshot, is_in: &[bool]) -> Vec<Read> {
    let resolver = Resolver::new(snapshot);
    let tests = test_modules(snapshot);
    let files: Vec<FileId> = snapshot.files().collect();
    let one = |file: &FileId| {
        if !is_in[file.0 as usize] {
            return Read::default();
        }
        let record = snapshot.record(*file);
        let imports = resolver.resolve_all(snapshot, snapshot.path(*file), &record);
        let imports: BTreeSet<FileId> = imports.into_iter().flat_map(|it| it.files).collect();
        Read { roles: roles_of(*file, &record, &tests), imports: imports.into_iter().collect() }
    };
    let mut res: Vec<Read> = files.par_iter().map(one).collect();
    let passed_on: Vec<Vec<FileId>> = res
        .par_iter()
        .map(|it| {
            let gathering = it.imports.iter().filter(|it| gathers(snapshot, **it));
            gathering.flat_map(|it| res[it.0 as usize].imports.iter().copied()).collect()
        })
        .collect();
    for (read, more) in res.iter_mut().zip(passed_on) {
        read.imports.extend(more);
        read.imports.sort_unstable();
        read.imports.dedup();
    }
    res
}

/// Whether what a file imports is there for those that import it.
fn gathers(snapshot: &Snapshot, file: FileId) -> bool {
    let path = snapshot.path(file);
    snapshot.prior(file) == Prior::Gathering || path.ends_with("lib.rs")
}

/// Modules of tests inside of files, in order.
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
        // What lies around stands before.
        let is_hidden = it.parent.is_some_and(|parent| hides.get(parent as usize) == Some(&true));
        let is_function = matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor);
        let is_tests = it.kind == Kind::Module && tests.binary_search(&(file, idx as u32)).is_ok();
        hides.push(is_hidden || is_function || is_tests);
        res.push(match it.kind {
            _ if is_hidden || is_tests => Role::Inner,
            Kind::Implementation => Role::Inner,
            Kind::Field | Kind::Constant | Kind::Section => Role::Data,
            _ => Role::Named,
        });
    }
    res
}

/// Whether files of one directory see each other without an import.
pub(super) fn shares_directory(language: Option<Language>) -> bool {
    use Language::{CSharp, Go, Java, Kotlin, Scala, Swift};
    matches!(language, Some(CSharp | Go | Java | Kotlin | Scala | Swift))
}
