//! Languages whose imports are paths with dots or slashes.

use std::path::Path;

use foreword_chunk::{Import, Language};

use super::MAX_FILES;
use super::paths::Query;
use super::relative::{join, upwards};
use crate::index::FileId;

/// Lua and Haskell: `a.b.c` is the end of a path; a single name is a file beside or above the importing file.
pub(super) fn dotted(query: &Query<'_>, module: &str) -> Vec<FileId> {
    let parts: Vec<&str> = module.split(['.', '/']).filter(|it| !it.is_empty()).collect();
    if parts.len() > 1 {
        return query.ending_in(&parts).into_iter().collect();
    }
    let is_near = |it: &FileId| {
        let directory = query.snapshot.path(*it).rsplit_once('/').map_or("", |it| it.0);
        let root = directory.rsplit('/').next().unwrap_or("");
        let is_root = matches!(root, "" | "src" | "lib" | "lua" | "app") || root == module;
        is_root || upwards(query.directory()).any(|it| it == directory)
    };
    let found = query.all_ending_in(&parts).into_iter().filter(is_near).collect();
    query.nearest(found, 1)
}

/// Swift: a module is a directory of sources, and an import does not say which file is meant; a small library has one
/// file with the module's name.
pub(super) fn swift(query: &Query<'_>, module: &str) -> Vec<FileId> {
    if let Some(directory) = query.directory_ending_in(&["Sources", module]) {
        return query.in_directory(&directory).take(MAX_FILES).collect();
    }
    let mut names =
        ["Source", "Sources", module].into_iter().map(|it| format!("{it}/{module}.swift"));
    names.find_map(|it| query.at(&it)).into_iter().collect()
}

/// Ruby, Bash, Zig, HTML, CSS: a relative path, or one from a source directory.
pub(super) fn slashed(query: &Query<'_>, module: &str) -> Vec<FileId> {
    let extension = match query.language.map(Language::of_code) {
        Some(Language::Ruby) => ".rb",
        // By convention, the root file has the module's name; the build script decides.
        Some(Language::Zig) => ".zig",
        Some(Language::Nix) => "/default.nix",
        _ => "",
    };
    let with = |path: String| -> Option<FileId> {
        query.snapshot.file(&path).or_else(|| query.snapshot.file(&format!("{path}{extension}")))
    };
    if let Some(file) = join(query.directory(), module).and_then(with) {
        return vec![file];
    }
    if module.starts_with("./") || module.starts_with("../") {
        return Vec::new();
    }
    // In Godot, paths start at the project's root.
    let plain = module.trim_start_matches("res://").trim_start_matches(['/', '~']);
    let is_long = plain.contains('/');
    let sources = ["", "lib", "src", "test", "spec", "app"];
    let mut roots = sources.iter().filter_map(|it| join(it, plain));
    if let Some(file) = roots.find_map(with) {
        return vec![file];
    }
    let tails = [plain.to_owned(), format!("{plain}{extension}")];
    let found = tails.iter().filter(|_| is_long).find_map(|it| query.with_tail(it));
    found.into_iter().collect()
}

/// Dart: a path, or a path below the package's `lib`: `package:shop/src/cart.dart`.
pub(super) fn dart(query: &Query<'_>, module: &str) -> Vec<FileId> {
    let Some(path) = module.strip_prefix("package:") else { return slashed(query, module) };
    let Some((package, path)) = path.split_once('/') else { return Vec::new() };
    let in_package = query.with_tail(&format!("{package}/lib/{path}"));
    let own = || query.snapshot.file(&format!("lib/{path}"));
    in_package.or_else(own).into_iter().collect()
}

/// Jinja and similar: a path from one of the template directories.
pub(super) fn template(query: &Query<'_>, module: &str) -> Vec<FileId> {
    let found = slashed(query, module);
    if !found.is_empty() {
        return found;
    }
    let mut tails = ["templates", "_includes", "_layouts", "views"].into_iter();
    tails.find_map(|it| query.with_tail(&format!("{it}/{module}"))).into_iter().collect()
}

/// Blade: the dotted name of a view is its path below `views`.
pub(super) fn blade(query: &Query<'_>, module: &str) -> Vec<FileId> {
    let path = module.replace('.', "/");
    query.with_tail(&format!("views/{path}.blade.php")).into_iter().collect()
}

/// PHP: a class by `composer.json` or the end of a path; an included file by its path.
pub(super) fn php(query: &Query<'_>, import: &Import) -> Vec<FileId> {
    let module = import.module.trim_start_matches('\\');
    let is_file = Path::new(module).extension().is_some_and(|it| it == "php");
    if module.contains('/') || is_file {
        return slashed(query, module);
    }
    if import.names.is_empty() {
        return class(query, module).into_iter().collect();
    }
    let names = import.names.iter();
    names.filter_map(|it| class(query, &format!("{module}\\{}", it.name))).collect()
}

fn class(query: &Query<'_>, class: &str) -> Option<FileId> {
    let namespaces = query.manifests.composer(query.snapshot, query.names);
    for (namespace, directory) in namespaces {
        let Some(rest) = class.strip_prefix(namespace.as_str()) else { continue };
        let Some(rest) = rest.strip_prefix('\\') else { continue };
        let path = join(directory, &format!("{}.php", rest.replace('\\', "/")));
        if let Some(file) = path.and_then(|it| query.at(&it)) {
            return Some(file);
        }
    }
    // Without a matching `composer.json`, the first part is the name of the library.
    let parts: Vec<&str> = class.split('\\').filter(|it| !it.is_empty()).collect();
    let below = parts.get(1..).filter(|it| it.len() > 1 && namespaces.is_empty());
    let whole = (parts.len() > 1).then(|| query.ending_in(&parts)).flatten();
    whole.or_else(|| query.ending_in(below?))
}
