//! Go: an import names a package's directory, by the module path in `go.mod`.

use super::MAX_FILES;
use super::paths::Query;
use super::relative::{join, upwards};
use crate::index::FileId;

/// Files of the package; none for the standard library or dependencies that are not vendored.
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

/// Files of a directory without tests, which other packages cannot import.
fn sources(query: &Query<'_>, directory: &str) -> Vec<FileId> {
    let is_test = |it: &FileId| query.snapshot.path(*it).ends_with("_test.go");
    query.in_directory(directory).filter(|it| !is_test(it)).take(MAX_FILES).collect()
}

/// Without `go.mod`: the directory at the end of the path, without its host and leading names that do not exist.
fn by_directory(query: &Query<'_>, package: &str) -> Vec<FileId> {
    let parts: Vec<&str> = package.split('/').collect();
    let has_host = parts[0].contains('.');
    let from = usize::from(has_host);
    // The standard library has no host; then the whole path must match.
    let last = if has_host { parts.len().saturating_sub(2) } else { 0 };
    for start in from..=last.max(from) {
        let parts = parts.get(start..).unwrap_or_default();
        if let Some(directory) = query.directory_ending_in(parts).filter(|_| parts.len() > 1) {
            return sources(query, &directory);
        }
    }
    Vec::new()
}
