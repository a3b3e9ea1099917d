//! C# and Elixir: an import names a namespace, class or module that any file may define.

use foreword_chunk::{Import, Kind};

use super::MAX_FILES;
use super::paths::Query;
use crate::index::FileId;
use crate::preset::constants::index::NAMESPACE_DECLARATIONS;

/// Files that define the module, or one of the imported names.
pub(super) fn files(query: &Query<'_>, import: &Import) -> Vec<FileId> {
    if import.names.is_empty() {
        return defining(query, &import.module);
    }
    let names = import.names.iter().map(|it| format!("{}.{}", import.module, it.name));
    names.flat_map(|it| defining(query, &it)).collect()
}

fn defining(query: &Query<'_>, path: &str) -> Vec<FileId> {
    let name = path.rsplit('.').next().unwrap_or(path);
    let Some(sites) = query.snapshot.definitions_up_to(name, NAMESPACE_DECLARATIONS) else {
        return Vec::new();
    };
    let is_type = |kind| {
        matches!(kind, Kind::Module | Kind::Class | Kind::Interface | Kind::Enum | Kind::Type)
    };
    let mut files: Vec<FileId> = Vec::new();
    for it in sites.iter().filter(|it| is_type(it.kind) && query.fits(it.file)) {
        let record = query.snapshot.record(it.file);
        if record.dotted_name(&query.snapshot.text(it.file), it.definition) == path {
            files.push(it.file);
        }
    }
    files.sort_unstable();
    files.dedup();
    query.nearest(files, MAX_FILES)
}
