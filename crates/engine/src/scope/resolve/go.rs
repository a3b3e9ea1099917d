//! Go: an import names the directory of a package, by the module path that `go.mod` states.

use super::MAX_FILES;
use super::paths::{Query, join, upwards};
use crate::index::FileId;

/// The files of the package. A path of no module of the repository (the standard library, a dependency that is not
/// vendored) leads nowhere.
pub(super) fn files(query: &Query<'_>, package: &str) -> Vec<FileId> {
    let modules = query.manifests.go(query.snapshot, query.names);
    for (module, directory) in modules {
        let Some(rest) = package.strip_prefix(module.as_str()) else { continue };
        if rest.is_empty() || rest.starts_with('/') {
            return join(directory, rest).map_or_else(Vec::new, |it| sources(query, &it));
        }
    }
    let vendored =
        upwards(query.directory()).filter_map(|it| join(it, &format!("vendor/{package}")));
    let found = vendored.map(|it| sources(query, &it)).find(|it| !it.is_empty());
    found.unwrap_or_else(
        || if modules.is_empty() { by_directory(query, package) } else { Vec::new() },
    )
}

/// The files of a directory without its tests, which no other package can use.
fn sources(query: &Query<'_>, directory: &str) -> Vec<FileId> {
    let mut files = query.in_directory(directory, usize::MAX);
    files.retain(|it| !query.snapshot.path(*it).ends_with("_test.go"));
    files.truncate(MAX_FILES);
    files
}

/// Without a `go.mod`: the directory at the end of the path, after its host and as many names as are not there.
fn by_directory(query: &Query<'_>, package: &str) -> Vec<FileId> {
    let parts: Vec<&str> = package.split('/').collect();
    let has_host = parts[0].contains('.');
    let from = usize::from(has_host);
    // The standard library has no host; without one only the whole path is taken.
    let last = if has_host { parts.len().saturating_sub(2) } else { 0 };
    for start in from..=last.max(from) {
        let parts = parts.get(start..).unwrap_or_default();
        if let Some(directory) = query.directory_ending_in(parts).filter(|_| parts.len() > 1) {
            return sources(query, &directory);
        }
    }
    Vec::new()
}
