//! Locations of modules by build files. Each kind is read when an import first needs it.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::Value;

use super::relative::join;
use crate::index::{PathNames, Snapshot};
use crate::sorting::{sort_by, sort_by_key};

/// Build files of a snapshot with their directories, deepest first.
#[derive(Debug, Default)]
pub(super) struct Manifests {
    go: OnceLock<Vec<(String, String)>>,
    packages: OnceLock<Vec<(String, Value)>>,
    typescript: OnceLock<Vec<(String, Value)>>,
    crates: OnceLock<Vec<Crate>>,
    composer: OnceLock<Vec<(String, String)>>,
}

/// A library of a Cargo workspace.
#[derive(Debug)]
pub(super) struct Crate {
    /// Its name in code, with underscores.
    pub(super) name: String,
    /// The directory of `Cargo.toml`.
    pub(super) directory: String,
    /// The directory of its root module.
    pub(super) source: String,
}

impl Manifests {
    /// Modules of `go.mod` files with path and directory; local replacements are included.
    pub(super) fn go(&self, snapshot: &Snapshot, names: &PathNames) -> &[(String, String)] {
        self.go.get_or_init(|| {
            let files = read(snapshot, names, "go", |it| it == "go.mod");
            let mut modules: Vec<(String, String)> =
                files.iter().flat_map(|(directory, text)| go_modules(directory, text)).collect();
            sort_by_key(&mut modules, |it| std::cmp::Reverse(it.0.len()));
            modules
        })
    }

    /// The `package.json` files.
    pub(super) fn packages(&self, snapshot: &Snapshot, names: &PathNames) -> &[(String, Value)] {
        self.packages
            .get_or_init(|| json(read(snapshot, names, "package", |it| it == "package.json")))
    }

    /// The `tsconfig*.json` and `jsconfig.json` files.
    pub(super) fn typescript(&self, snapshot: &Snapshot, names: &PathNames) -> &[(String, Value)] {
        self.typescript.get_or_init(|| {
            let mut files = read(snapshot, names, "tsconfig", |it| {
                Path::new(it).extension().is_some_and(|it| it == "json")
            });
            files.extend(read(snapshot, names, "jsconfig", |it| it == "jsconfig.json"));
            json(files)
        })
    }

    /// The libraries of `Cargo.toml` files.
    pub(super) fn crates(&self, snapshot: &Snapshot, names: &PathNames) -> &[Crate] {
        self.crates.get_or_init(|| {
            let files = read(snapshot, names, "Cargo", |it| it == "Cargo.toml");
            files.into_iter().filter_map(|(directory, text)| cargo(directory, &text)).collect()
        })
    }

    /// Namespaces of `composer.json` files with their class directories, longest first (PSR-4).
    pub(super) fn composer(&self, snapshot: &Snapshot, names: &PathNames) -> &[(String, String)] {
        self.composer.get_or_init(|| {
            let files = json(read(snapshot, names, "composer", |it| it == "composer.json"));
            let mut namespaces: Vec<(String, String)> = files.iter().flat_map(psr4).collect();
            sort_by(&mut namespaces, |a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
            namespaces
        })
    }
}

/// Directories and texts of files with this stem and a name that `is_one` accepts, deepest directory first.
fn read(
    snapshot: &Snapshot,
    names: &PathNames,
    stem: &str,
    is_one: impl Fn(&str) -> bool,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for &file in names.of_stem(stem) {
        let path = snapshot.path(file);
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        if is_one(name) && !directory.split('/').any(|it| it == "node_modules") {
            found.push((directory.to_owned(), snapshot.text(file).to_string()));
        }
    }
    let depth = |it: &str| it.split('/').filter(|it| !it.is_empty()).count();
    sort_by(&mut found, |a, b| depth(&b.0).cmp(&depth(&a.0)).then_with(|| a.0.cmp(&b.0)));
    found
}

pub(super) fn go_modules(directory: &str, text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    // Most lines are requirements. They have no `=`, and the files are read at every request.
    let may_matter = |it: &&str| it.contains('=') || it.trim_start().starts_with("module");
    let lines = text.lines().filter(may_matter);
    for line in lines.map(|it| it.split("//").next().unwrap_or(it).trim()) {
        if let Some(module) = line.strip_prefix("module ") {
            found.push((module.trim().trim_matches('"').to_owned(), directory.to_owned()));
        } else if let Some((old, new)) = line.split_once("=>") {
            let old = old.trim().trim_start_matches("replace ").split(' ').next().unwrap_or("");
            let local = join(directory, new.trim()).filter(|_| new.trim().starts_with('.'));
            found.extend(local.map(|it| (old.to_owned(), it)));
        }
    }
    found
}

pub(super) fn cargo(directory: String, text: &str) -> Option<Crate> {
    let (mut section, mut package, mut library, mut path) = ("", None, None, None);
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let value = value.trim().split('#').next().unwrap_or("").trim().trim_matches('"');
        match (section, key.trim()) {
            ("[package]", "name") => package = Some(value),
            ("[lib]", "name") => library = Some(value),
            ("[lib]", "path") => path = Some(value),
            _ => {}
        }
    }
    let root = join(&directory, path.unwrap_or("src/lib.rs"))?;
    let source = root.rsplit_once('/').map_or("", |it| it.0).to_owned();
    Some(Crate { name: library.or(package)?.replace('-', "_"), directory, source })
}

pub(super) fn psr4((directory, manifest): &(String, Value)) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for section in ["autoload", "autoload-dev"] {
        let Some(Value::Object(map)) = manifest.pointer(&format!("/{section}/psr-4")) else {
            continue;
        };
        for (namespace, places) in map {
            let places = places.as_array().map_or_else(|| vec![places], |it| it.iter().collect());
            let places = places.into_iter().filter_map(|it| join(directory, it.as_str()?));
            found.extend(places.map(|it| (namespace.trim_end_matches('\\').to_owned(), it)));
        }
    }
    found
}

/// Parses JSON, with the comments and trailing commas that TypeScript allows; skips invalid files.
pub(super) fn json(files: Vec<(String, String)>) -> Vec<(String, Value)> {
    let parse = |(directory, text): (String, String)| {
        let value = serde_json::from_str(&text);
        let value = value.or_else(|_| serde_json::from_str(&without_comments(&text)));
        Some((directory, value.ok()?))
    };
    files.into_iter().filter_map(parse).collect()
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/', '}', ']']) {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let len = if rest.starts_with('"') {
            string_len(rest)
        } else if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |it| &rest[it..]);
            continue;
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |it| &rest[it + 2..]);
            continue;
        } else {
            if rest.starts_with(['}', ']']) {
                let end = kept.trim_end().len();
                kept.truncate(kept[..end].trim_end_matches(',').len());
            }
            1
        };
        kept.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    kept + rest
}

/// Length of the string literal at the start of `text`, including quotes.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    for (at, it) in text.bytes().enumerate().skip(1) {
        match it {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn comments_and_trailing_commas_are_left_out_of_json() {
        let text = "{ // a\n \"u\": \"http://x\", /* b */ \"l\": [1, 2,],\n}";
        let value: serde_json::Value = serde_json::from_str(&without_comments(text)).unwrap();
        assert_eq!(value, serde_json::json!({ "u": "http://x", "l": [1, 2] }));
    }
}
