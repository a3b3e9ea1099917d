//! Files that name each other, directly or over others: a reader can begin with none of them.
//!
//! A file names another by `use`, by a path of `crate`, `super` or `self`, or through a re-export. That a file names its
//! own parent is left out: the parent's items are in reach anyway.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::sources::{code, crates, rust_files};

/// The circles there may be in all crates together. Only to be lowered.
const MOST: usize = 2;

type Module = Vec<String>;

#[test]
fn files_do_not_name_each_other_in_circles() {
    let mut circles = Vec::new();
    for krate in std::fs::read_dir(crates()).unwrap() {
        let krate = krate.unwrap().path();
        let src = krate.join("src");
        if src.is_dir() {
            let name = krate.file_name().unwrap().to_string_lossy().into_owned();
            circles.extend(of_crate(&src).into_iter().map(|it| format!("{name}: {it}")));
        }
    }
    circles.sort();
    assert!(circles.len() <= MOST, "{} circles:\n{}", circles.len(), circles.join("\n"));
}

fn of_crate(src: &Path) -> Vec<String> {
    let files = rust_files(src);
    let texts: BTreeMap<Module, String> =
        files.iter().map(|it| (module(src, it), without_tests(&code(it)))).collect();
    let exports: BTreeMap<Module, BTreeMap<String, Module>> =
        texts.iter().map(|(module, text)| (module.clone(), re_exports(module, text))).collect();
    let edges: BTreeMap<&Module, BTreeSet<Module>> = texts
        .iter()
        .map(|(module, text)| {
            let names = paths(module, text, &texts);
            let targets = names.into_iter().map(|it| resolve(&it, &texts, &exports, 0));
            (module, targets.filter(|it| !module.starts_with(it)).collect())
        })
        .collect();
    components(&edges)
}

/// The path of the module that a file holds.
fn module(src: &Path, file: &Path) -> Module {
    let relative = file.strip_prefix(src).unwrap().with_extension("");
    let mut parts: Module =
        relative.components().map(|it| it.as_os_str().to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|it| ["mod", "lib", "main"].contains(&it.as_str())) {
        parts.pop();
    }
    parts
}

fn without_tests(code: &str) -> String {
    code.lines().map(|it| it.split("//").next().unwrap_or(it)).flat_map(|it| [it, "\n"]).collect()
}

/// The trees after `use`, with whether each is public.
fn uses(text: &str) -> Vec<(bool, String)> {
    let mut res = Vec::new();
    for (at, _) in text.match_indices("use ") {
        let line = text[..at].rsplit('\n').next().unwrap_or("").trim();
        if line.is_empty() || line == "pub" || (line.starts_with("pub(") && line.ends_with(')')) {
            let tree = text[at + 4..].split(';').next().unwrap_or("");
            let tree: String = tree.split_whitespace().collect::<Vec<_>>().join(" ");
            res.push((!line.is_empty(), tree));
        }
    }
    res
}

/// The paths of a tree of `use`.
fn expand(tree: &str) -> Vec<String> {
    let Some((before, rest)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or(tree).trim().to_owned()];
    };
    let body = rest.rsplit_once('}').map_or(rest, |it| it.0);
    let (mut depth, mut start, mut parts) = (0_i32, 0, Vec::new());
    for (at, c) in body.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&body[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&body[start..]);
    let parts = parts.into_iter().map(str::trim).filter(|it| !it.is_empty());
    parts.flat_map(expand).map(|it| format!("{}{it}", before.trim())).collect()
}

/// The path from the root of the crate that a path in a module means, if it is one of the crate.
fn absolute(module: &Module, path: &str, children: &BTreeSet<&str>) -> Option<Module> {
    let mut parts: Vec<&str> =
        path.split("::").map(str::trim).filter(|it| !it.is_empty()).collect();
    let mut base = match *parts.first()? {
        "crate" => Vec::new(),
        "super" | "self" => module.clone(),
        child if children.contains(child) => module.clone(),
        _ => return None,
    };
    while let Some(first) = parts.first() {
        match *first {
            "super" => base.truncate(base.len().saturating_sub(1)),
            "crate" | "self" => {}
            _ => break,
        }
        parts.remove(0);
    }
    base.extend(parts.into_iter().map(str::to_owned));
    Some(base)
}

fn re_exports(module: &Module, text: &str) -> BTreeMap<String, Module> {
    let public = uses(text).into_iter().filter(|it| it.0);
    let paths: Vec<String> = public.flat_map(|it| expand(&it.1)).collect();
    let entry = |path: &String| {
        let known = ["crate", "super", "self"].iter().any(|it| path.starts_with(it));
        let path = if known { path.clone() } else { format!("self::{path}") };
        let full = absolute(module, &path, &BTreeSet::new())?;
        Some((full.last()?.clone(), full))
    };
    paths.iter().filter_map(entry).collect()
}

/// The paths that the code of a module names, re-exports aside.
fn paths(module: &Module, text: &str, all: &BTreeMap<Module, String>) -> Vec<Module> {
    let children: BTreeSet<&str> = all
        .keys()
        .filter(|it| it.len() == module.len() + 1 && it.starts_with(module))
        .filter_map(|it| it.last().map(String::as_str))
        .collect();
    let private = uses(text).into_iter().filter(|it| !it.0);
    let mut names: Vec<String> = private.flat_map(|it| expand(&it.1)).collect();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let outside_of_uses = outside_of_uses(text);
    names.extend(
        outside_of_uses.split(|c| !is_part(c)).filter(|it| it.contains("::")).map(str::to_owned),
    );
    names.iter().filter_map(|it| absolute(module, it, &children)).collect()
}

/// The lines that belong to no `use`.
fn outside_of_uses(text: &str) -> String {
    let mut in_use = false;
    let mut res = String::new();
    for line in text.lines() {
        let start = line.trim_start();
        let is_public = start.starts_with("pub") && start.contains(" use ");
        in_use |= start.starts_with("use ") || is_public;
        if !in_use {
            res.extend([line, "\n"]);
        }
        in_use &= !line.contains(';');
    }
    res
}

/// The module that defines what a path names.
fn resolve(
    path: &[String],
    all: &BTreeMap<Module, String>,
    exports: &BTreeMap<Module, BTreeMap<String, Module>>,
    depth: usize,
) -> Module {
    let known = (0..=path.len()).rev().find(|it| all.contains_key(&path[..*it])).unwrap_or(0);
    let (module, rest) = path.split_at(known);
    let further = rest.first().and_then(|it| exports.get(module)?.get(it));
    match further {
        Some(target) if depth < 6 => {
            resolve(&[target, &rest[1..]].concat(), all, exports, depth + 1)
        }
        _ => module.to_vec(),
    }
}

/// The sets of more than one module that all reach each other, written as text.
fn components(edges: &BTreeMap<&Module, BTreeSet<Module>>) -> Vec<String> {
    let reach = |from: &Module| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from.clone()];
        while let Some(next) = open.pop() {
            let targets = edges.get(&next).into_iter().flatten();
            open.extend(targets.filter(|it| seen.insert((*it).clone())).cloned());
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        edges.keys().map(|it| (*it, reach(it))).collect();
    let mut res = BTreeSet::new();
    for (module, far) in reached.iter().filter(|it| it.1.contains(*it.0)) {
        let circle: BTreeSet<String> = far
            .iter()
            .filter(|it| reached.get(it).is_some_and(|it| it.contains(*module)))
            .map(|it| it.join("::"))
            .collect();
        if circle.len() > 1 {
            res.insert(circle.into_iter().collect::<Vec<_>>().join(", "));
        }
    }
    res.into_iter().collect()
}
