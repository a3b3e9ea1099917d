//! Python: relative imports by their dots, absolute ones from directories that may be on the path.

use foreword_chunk::Import;

use super::paths::{Query, module_path};
use super::relative::{join, upwards};
use crate::index::FileId;

/// Files that mark the root of a distribution.
const PROJECT_FILES: [&str; 4] = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"];
/// Source directories by convention.
const SOURCE_DIRECTORIES: [&str; 5] = ["src", "lib", "python", "tests", "test"];

/// The file of the module, then imported names that are modules.
pub(super) fn files(query: &Query<'_>, import: &Import) -> Vec<FileId> {
    let mut found: Vec<FileId> = module(query, &import.module).into_iter().collect();
    // In `from . import form`, the dots already name a directory.
    let between = if import.module.ends_with('.') { "" } else { "." };
    let names = import.names.iter().filter(|it| it.name != "*");
    found.extend(
        names.filter_map(|it| module(query, &format!("{}{between}{}", import.module, it.name))),
    );
    found
}

fn module(query: &Query<'_>, module: &str) -> Option<FileId> {
    let dots = module.len() - module.trim_start_matches('.').len();
    let parts: Vec<&str> = module[dots..].split('.').filter(|it| !it.is_empty()).collect();
    if dots > 0 {
        let package = join(query.directory(), &"../".repeat(dots - 1))?;
        return file_of(query, &join(&package, &parts.join("/"))?);
    }
    let candidates = query.all_ending_in(&parts).into_iter();
    let found = candidates.filter(|it| {
        let path = module_path(query.snapshot.path(*it));
        is_root(query, &path[..path.len() - parts.len()].join("/"))
    });
    query.nearest(found.collect(), 1).into_iter().next()
}

fn file_of(query: &Query<'_>, path: &str) -> Option<FileId> {
    let names = ["/__init__.py", ".py", "/__init__.pyi", ".pyi"];
    names.iter().find_map(|it| query.at(format!("{path}{it}").trim_start_matches('/')))
}

/// Whether absolute imports may start in a directory: at the root of the repository or of a project, in a source
/// directory, and beside or above the importing file, but not inside a package (`import typing` in flask is not
/// `flask/typing.py`).
fn is_root(query: &Query<'_>, directory: &str) -> bool {
    let has =
        |name: &str| join(directory, name).is_some_and(|it| query.snapshot.file(&it).is_some());
    if has("__init__.py") && !directory.is_empty() {
        return false;
    }
    let name = directory.rsplit('/').next().unwrap_or(directory);
    directory.is_empty()
        || SOURCE_DIRECTORIES.contains(&name)
        || upwards(query.directory()).any(|it| it == directory)
        || PROJECT_FILES.iter().any(|it| has(it))
}
