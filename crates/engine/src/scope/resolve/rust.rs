//! Rust: paths from the crate, from the module, and into other crates of the workspace.

use foreword_chunk::Import;

use super::paths::Query;
use super::relative::{join, upwards};
use crate::index::{FileId, INDEX_STEMS};

/// Start of a path: a directory of modules, the parts below it, and whether the directory itself may be the target.
struct Start<'m> {
    directory: String,
    parts: Vec<&'m str>,
    is_known: bool,
}

/// The file of the module, then imported names that are modules.
pub(super) fn files(query: &Query<'_>, import: &Import) -> Vec<FileId> {
    let mut found = Vec::new();
    if let Some(start) = start(query, &import.module) {
        // The last parts may name items of a file.
        let least = usize::from(!start.is_known);
        let mut ends = (least..=start.parts.len()).rev();
        found.extend(ends.find_map(|end| module(query, &start.directory, &start.parts[..end])));
    }
    for name in import.names.iter().filter(|it| it.name != "*") {
        let path = format!("{}::{}", import.module, name.name);
        let whole = start(query, &path).and_then(|it| module(query, &it.directory, &it.parts));
        found.extend(whole);
    }
    found
}

fn start<'m>(query: &Query<'_>, path: &'m str) -> Option<Start<'m>> {
    let parts: Vec<&str> = path.split("::").filter(|it| !it.is_empty()).collect();
    let rest = |n: usize| parts.get(n..).unwrap_or_default().to_vec();
    let own = own_directory(query);
    let first = *parts.first()?;
    let known = |directory: String, parts| Some(Start { directory, parts, is_known: true });
    match first {
        "crate" => known(crate_root(query), rest(1)),
        "self" => known(own, rest(1)),
        "super" => {
            let ups = parts.iter().take_while(|it| **it == "super").count();
            known(join(&own, &"../".repeat(ups))?, rest(ups))
        }
        "std" | "core" | "alloc" => None,
        name => match other_crate(query, name) {
            Some(directory) => known(directory, rest(1)),
            // A child module of this one, declared by `mod`.
            None => Some(Start { directory: own, parts, is_known: false }),
        },
    }
}

/// The directory of the importing file's child modules.
fn own_directory(query: &Query<'_>) -> String {
    let directory = query.directory();
    let stem = query.path.rsplit('/').next().and_then(|it| it.split('.').next()).unwrap_or("");
    if INDEX_STEMS.contains(&stem) {
        return directory.to_owned();
    }
    join(directory, stem).unwrap_or_default()
}

/// The directory of the root module of the importing file's crate.
fn crate_root(query: &Query<'_>) -> String {
    let is_root = |it: &&str| {
        ["lib.rs", "main.rs"]
            .iter()
            .any(|name| join(it, name).is_some_and(|path| query.snapshot.file(&path).is_some()))
    };
    let root = upwards(query.directory()).find(is_root);
    let named = || {
        let at = query.directory().split('/').position(|it| it == "src")?;
        Some(query.directory().split('/').take(at + 1).collect::<Vec<_>>().join("/"))
    };
    root.map(str::to_owned).or_else(named).unwrap_or_else(|| query.directory().to_owned())
}

/// The directory of the root module of another crate.
fn other_crate(query: &Query<'_>, name: &str) -> Option<String> {
    let crates = query.manifests.crates(query.snapshot, query.names);
    if let Some(it) = crates.iter().find(|it| it.name == name) {
        return Some(it.source.clone());
    }
    // Without a manifest, a crate has the name of its directory.
    let roots = query.names.of_stem(name).iter().map(|it| query.snapshot.path(*it));
    let mut roots = roots.filter_map(|it| it.strip_suffix("/src/lib.rs"));
    let found = roots.find(|it| crates.iter().all(|other| other.directory != **it))?;
    Some(format!("{found}/src"))
}

/// The file of a module: `a/b.rs`, `a/b/mod.rs`, or a crate root.
fn module(query: &Query<'_>, directory: &str, parts: &[&str]) -> Option<FileId> {
    let path = join(directory, &parts.join("/"))?;
    let ends: &[&str] = match parts {
        [] => &["/lib.rs", "/mod.rs", ".rs", "/main.rs"],
        _ => &[".rs", "/mod.rs"],
    };
    ends.iter().find_map(|it| query.at(format!("{path}{it}").trim_start_matches('/')))
}
