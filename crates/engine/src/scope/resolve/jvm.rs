//! Java, Kotlin, Scala: an import names a class in a package, and the package a directory.

use foreword_chunk::{Import, Language};

use super::MAX_FILES;
use super::paths::Query;
use crate::index::FileId;
use crate::preset::constants::index::CLASSES_OF_A_NAME;

/// Files of the imported classes, or of the whole package.
pub(super) fn files(query: &Query<'_>, import: &Import) -> Vec<FileId> {
    let package: Vec<&str> = import.module.split('.').filter(|it| !it.is_empty()).collect();
    let mut found = Vec::new();
    for name in &import.names {
        if name.name == "*" {
            // `import a.b.Type.*` imports the members of a type.
            match query.ending_in(&package) {
                Some(file) => found.push(file),
                None => found.extend(directory(query, &package)),
            }
        } else {
            found.extend(class(query, &package, &name.name));
        }
    }
    if import.names.is_empty() && package.len() > 1 {
        found.extend(query.ending_in(&package));
    }
    found
}

/// The file of a class, or of the class around an imported member.
fn class(query: &Query<'_>, package: &[&str], name: &str) -> Option<FileId> {
    let path: Vec<&str> = package.iter().copied().chain([name]).collect();
    let found = query.ending_in(&path).or_else(|| around(query, package));
    found.or_else(|| defining(query, package, name))
}

/// The file of the innermost class or object on a path that has one: `a.Outer` for `a.Outer.Companion`.
fn around(query: &Query<'_>, path: &[&str]) -> Option<FileId> {
    // Scala objects may be lower case: `cats.laws.discipline.arbitrary`.
    let is_object = query.language == Some(Language::Scala) && path.len() > 2;
    let innermost = is_object.then(|| query.ending_in(path)).flatten();
    let starts_upper = |it: &&str| it.starts_with(char::is_uppercase);
    let n_classes = path.iter().rev().take_while(|it| starts_upper(it)).count();
    innermost
        .or_else(|| (0..n_classes).find_map(|inner| query.ending_in(&path[..path.len() - inner])))
}

/// The nearest file of the package that defines the name. Kotlin and Scala may define several classes and functions in
/// a file, and omit the common directories of all packages.
fn defining(query: &Query<'_>, package: &[&str], name: &str) -> Option<FileId> {
    let sites = query.snapshot.definitions_up_to(name, CLASSES_OF_A_NAME)?;
    let tail = |file: &FileId| {
        let directory = query.snapshot.path(*file).rsplit_once('/').map_or("", |it| it.0);
        let pairs = directory.rsplit('/').zip(package.iter().rev());
        pairs.take_while(|(a, b)| a == *b).count()
    };
    let needed = package.len().min(2);
    let files: Vec<FileId> = sites.iter().map(|it| it.file).filter(|it| query.fits(*it)).collect();
    let most = files.iter().map(tail).max().filter(|it| *it >= needed)?;
    query.nearest(files.into_iter().filter(|it| tail(it) == most).collect(), 1).into_iter().next()
}

fn directory(query: &Query<'_>, package: &[&str]) -> Vec<FileId> {
    let directory = query.directory_ending_in(package);
    directory.map_or_else(Vec::new, |it| query.in_directory(&it).take(MAX_FILES).collect())
}
