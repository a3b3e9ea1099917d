//! The names under which other repositories import the package of a file.

use std::collections::BTreeSet;

use foreword_chunk::Import;
use serde_json::Value;

use super::manifests::{cargo, go_modules, json, psr4};
use super::relative::upwards;
use crate::index::Snapshot;

/// Folders of the JVM's languages below which folders are packages.
const JVM_SOURCES: [&str; 3] = ["/java/", "/kotlin/", "/scala/"];

/// The package of a file, by its nearest build file of each kind and its folders: the module of `go.mod`, the package of
/// `package.json`, the library of `Cargo.toml`, namespaces of `composer.json`, the outermost folder with `__init__.py`, and the
/// folders of the JVM's languages. With dots between the parts of a name, sorted.
pub fn package_names(snapshot: &Snapshot, path: &str) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or("", |it| it.0);
    let at = |folder: &str, name: &str| match folder {
        "" => name.to_owned(),
        _ => format!("{folder}/{name}"),
    };
    let nearest = |name: &str| {
        let found = upwards(folder).find_map(|it| Some((it, snapshot.file(&at(it, name))?)));
        found.map(|(folder, file)| (folder.to_owned(), snapshot.text(file).to_string()))
    };
    let mut res: BTreeSet<String> = BTreeSet::new();
    if let Some((folder, text)) = nearest("go.mod") {
        // The first is the module itself; the others are replacements.
        res.extend(go_modules(&folder, &text).first().map(|it| module_name(&it.0)));
    }
    if let Some((folder, text)) = nearest("Cargo.toml") {
        res.extend(cargo(folder, &text).map(|it| module_name(&it.name)));
    }
    for (_, package) in json(nearest("package.json").into_iter().collect()) {
        res.extend(package.get("name").and_then(Value::as_str).map(module_name));
    }
    for manifest in &json(nearest("composer.json").into_iter().collect()) {
        res.extend(psr4(manifest).iter().map(|it| module_name(&it.0)));
    }
    let has_init = |it: &&str| snapshot.file(&at(it, "__init__.py")).is_some();
    let package = upwards(folder).filter(|it| !it.is_empty()).take_while(has_init).last();
    res.extend(package.and_then(|it| it.rsplit('/').next()).map(str::to_owned));
    let below = JVM_SOURCES.iter().find_map(|it| Some(folder.find(it)? + it.len()));
    res.extend(below.map(|it| module_name(&folder[it..])));
    res.remove("");
    res.into_iter().collect()
}

/// Whether an import is of one of these packages, as [`package_names`] names them, or of something in it.
pub fn imports_package(import: &Import, packages: &[String]) -> bool {
    let module = module_name(&import.module);
    packages.iter().any(|it| {
        module.strip_prefix(it.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('.'))
    })
}

/// The name of a module with dots between its parts: `a.b` for `a::b`, `a/b` and `a\b`.
fn module_name(written: &str) -> String {
    let parts = written.split(['.', '/', '\\', ':']).filter(|it| !it.is_empty());
    let name = parts.collect::<Vec<_>>().join(".");
    // A relative import is of the own package.
    if written.starts_with('.') { format!(".{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    fn names(path: &str, files: &[(&str, &str)]) -> Vec<String> {
        let source = |it: &(&str, &str)| Source { path: it.0.to_owned(), text: it.1.to_owned() };
        let sources = files.iter().map(source).collect();
        package_names(&Snapshot::of_sources(sources, IndexConfig::default()).unwrap(), path)
    }

    #[test]
    fn a_package_is_named_by_build_files_and_folders() {
        let check = |path: &str, files: &[(&str, &str)], expect: &str| {
            assert_eq!(names(path, files), [expect], "{path}");
        };
        let go = "module github.com/acme/shop\n";
        check("store/a.go", &[("go.mod", go)], "github.com.acme.shop");
        let [inner, outer] = ["{\"name\": \"@acme/shop\"}", "{\"name\": \"all\"}"];
        let both = [("packages/a/package.json", inner), ("package.json", outer)];
        check("packages/a/src/a.ts", &both, "@acme.shop");
        check("packages/b/src/a.ts", &both, "all");
        check("src/lib.rs", &[("Cargo.toml", "[package]\nname = \"acme-shop\"\n")], "acme_shop");
        let python = [("src/shop/__init__.py", ""), ("src/shop/store/__init__.py", "")];
        check("src/shop/store/open.py", &python, "shop");
        check("a/src/main/java/com/acme/Shop.java", &[], "com.acme");
        assert!(names("src/shop.py", &[]).is_empty());
    }

    #[test]
    fn an_import_is_of_a_package_or_of_something_in_it() {
        let imports = |module: &str, package: &str| {
            let import = Import {
                span: foreword_chunk::Span::new(0, 0),
                module: module.to_owned(),
                names: Vec::new(),
                alias: None,
            };
            imports_package(&import, &[package.to_owned()])
        };
        assert!(imports("shop", "shop") && imports("shop.store", "shop"));
        assert!(imports("@acme/shop/store", "@acme.shop") && imports("acme_shop::a", "acme_shop"));
        assert!(imports("github.com/acme/shop/v2", "github.com.acme.shop"));
        assert!(!imports("shopping", "shop") && !imports("./shop", "shop"));
        assert!(!imports("my.shop", "shop"));
    }
}
