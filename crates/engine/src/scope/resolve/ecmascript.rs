//! JavaScript and TypeScript: relative files, paths of `tsconfig.json`, and packages of the workspace.

use serde_json::Value;

use super::paths::Query;
use super::relative::{join, upwards};
use crate::index::FileId;

/// Extensions in search order.
const EXTENSIONS: [&str; 10] =
    ["ts", "tsx", "d.ts", "mts", "cts", "js", "jsx", "mjs", "cjs", "d.mts"];
/// Extensions in imports, and those of possible sources.
const COMPILED: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".jsx", ".d.ts"]),
    (".jsx", &[".tsx"]),
    (".mjs", &[".mts", ".ts"]),
    (".cjs", &[".cts", ".ts"]),
];
/// Directories of files built from `src`.
const BUILT: [&str; 7] = ["dist", "build", "lib", "out", "esm", "cjs", "es"];

/// The imported file; empty for packages outside the repository.
pub(super) fn files(query: &Query<'_>, module: &str) -> Vec<FileId> {
    let module = module.split(['?', '!']).next().unwrap_or(module);
    let is_relative =
        module.starts_with("./") || module.starts_with("../") || module == "." || module == "..";
    let found = if is_relative {
        join(query.directory(), module).and_then(|it| file_at(query, &it))
    } else {
        by_paths(query, module)
            .or_else(|| by_package(query, module))
            .or_else(|| by_alias(query, module))
    };
    found.into_iter().collect()
}

/// The file for a path with or without extension: `a`, `a.ts`, `a/index.ts`; `a.js` may be `a.ts`.
fn file_at(query: &Query<'_>, path: &str) -> Option<FileId> {
    let exact = || query.snapshot.file(path);
    let source = || {
        COMPILED.iter().find_map(|(end, sources)| {
            let stem = path.strip_suffix(end)?;
            sources.iter().find_map(|it| query.at(&format!("{stem}{it}")))
        })
    };
    let extended = || EXTENSIONS.iter().find_map(|it| query.at(&format!("{path}.{it}")));
    let index = || {
        EXTENSIONS
            .iter()
            .find_map(|it| query.at(format!("{path}/index.{it}").trim_start_matches('/')))
    };
    exact().or_else(source).or_else(extended).or_else(index)
}

/// By `paths` and `baseUrl` of the configuration files around the importing file.
fn by_paths(query: &Query<'_>, module: &str) -> Option<FileId> {
    let configurations = query.manifests.typescript(query.snapshot, query.names);
    for (directory, it) in configurations.iter().filter(|it| is_under(query.path, &it.0)) {
        let Some(options) = it.get("compilerOptions") else { continue };
        let written = options.get("baseUrl").and_then(Value::as_str);
        let Some(base) = join(directory, written.unwrap_or(".")) else { continue };
        if let Some(Value::Object(paths)) = options.get("paths") {
            for (pattern, targets) in paths {
                let Some(rest) = matched(pattern, module) else { continue };
                let targets = targets.as_array().into_iter().flatten().filter_map(Value::as_str);
                let mut files =
                    targets.filter_map(|it| file_at(query, &join(&base, &it.replace('*', rest))?));
                if let Some(file) = files.next() {
                    return Some(file);
                }
            }
        }
        let from_base = written.and_then(|_| file_at(query, &join(&base, module)?));
        if from_base.is_some() {
            return from_base;
        }
    }
    None
}

/// By the `package.json` with the package's name; `#name` by the nearest one.
fn by_package(query: &Query<'_>, module: &str) -> Option<FileId> {
    let packages = query.manifests.packages(query.snapshot, query.names);
    if module.starts_with('#') {
        let (directory, own) = packages.iter().find(|it| is_under(query.path, &it.0))?;
        return exported(query, directory, own.get("imports")?, module);
    }
    let parts = if module.starts_with('@') { 2 } else { 1 };
    let end = module.match_indices('/').nth(parts - 1).map_or(module.len(), |it| it.0);
    let (name, rest) = module.split_at(end);
    let is_named = |it: &&(String, Value)| it.1.get("name").and_then(Value::as_str) == Some(name);
    let Some((directory, package)) = packages.iter().find(is_named) else {
        return by_workspace(query, name, rest);
    };
    let by_exports =
        package.get("exports").and_then(|it| exported(query, directory, it, &format!(".{rest}")));
    let entry = || {
        let fields = ["source", "types", "typings", "module", "main"];
        let fields = fields.iter().filter(|_| rest.is_empty());
        let mut targets = fields.filter_map(|it| package.get(*it)?.as_str());
        targets.find_map(|it| built_from(query, directory, it))
    };
    let inside = || {
        let places = [format!("src{rest}"), rest.trim_start_matches('/').to_owned()];
        places.iter().find_map(|it| file_at(query, &join(directory, it)?))
    };
    by_exports.or_else(entry).or_else(inside)
}

/// By the directory of a workspace's package whose `package.json` is not in the index.
fn by_workspace(query: &Query<'_>, name: &str, rest: &str) -> Option<FileId> {
    let directory = name.rsplit('/').next()?;
    let places = ["/src", ""].map(|it| format!("packages/{directory}{it}{rest}"));
    places.iter().find_map(|it| file_at(query, it))
}

/// The file of a path in `exports` or `imports`, under any condition.
fn exported(query: &Query<'_>, directory: &str, exports: &Value, path: &str) -> Option<FileId> {
    let is_map = |key: &String| key.starts_with('.') || key.starts_with('#');
    let Some(map) = exports.as_object().filter(|it| it.keys().any(is_map)) else {
        let targets = targets(exports);
        return targets
            .iter()
            .filter(|_| path == ".")
            .find_map(|it| built_from(query, directory, it));
    };
    map.iter().find_map(|(pattern, value)| {
        let rest = matched(pattern, path)?;
        let targets = targets(value);
        targets.iter().find_map(|it| built_from(query, directory, &it.replace('*', rest)))
    })
}

/// All targets of a value: a string, or one per condition.
fn targets(value: &Value) -> Vec<&str> {
    match value {
        Value::String(it) => vec![it],
        Value::Object(it) => it.values().flat_map(targets).collect(),
        Value::Array(it) => it.iter().flat_map(targets).collect(),
        _ => Vec::new(),
    }
}

/// The file at `target`, or its source: `src/a.ts` for `dist/a.mjs`.
fn built_from(query: &Query<'_>, directory: &str, target: &str) -> Option<FileId> {
    let path = join(directory, target)?;
    if let Some(file) = file_at(query, &path) {
        return Some(file);
    }
    let inner = join("", target)?;
    let (file, dirs) = inner.rsplit_once('/').map_or((inner.as_str(), ""), |it| (it.1, it.0));
    let stem = file.split('.').next().unwrap_or(file);
    let rest: Vec<&str> = dirs.split('/').skip_while(|it| BUILT.contains(it)).collect();
    let below = rest.join("/");
    let sources = [format!("src/{below}/{stem}"), format!("{below}/{stem}")];
    sources.iter().find_map(|it| file_at(query, &join(directory, it)?))
}

/// Aliases that frameworks define without configuration, and the directory below the sources that they mean.
const ALIASES: [(&str, &str); 5] =
    [("@/", ""), ("~/", ""), ("@@/", ""), ("~~/", ""), ("$lib/", "lib/")];
/// Directories of sources.
const SOURCES: [&str; 3] = ["", "src", "app"];

/// By an alias: from the root, `src` or `app` of the nearest package.
fn by_alias(query: &Query<'_>, module: &str) -> Option<FileId> {
    let inner = ALIASES
        .iter()
        .find_map(|(alias, directory)| Some(format!("{directory}{}", module.strip_prefix(alias)?)));
    let inner = inner.or_else(|| (module == "$lib").then(|| "lib".to_owned()))?;
    let places = |it| SOURCES.iter().map(move |source| join(it, source));
    let mut places = upwards(query.directory()).flat_map(places).flatten();
    places.find_map(|it| file_at(query, &join(&it, &inner)?))
}

fn is_under(path: &str, directory: &str) -> bool {
    directory.is_empty() || path.strip_prefix(directory).is_some_and(|it| it.starts_with('/'))
}

/// The text that matches the star of a pattern; empty for a pattern without a star that equals the module.
fn matched<'m>(pattern: &str, module: &'m str) -> Option<&'m str> {
    match pattern.split_once('*') {
        Some((before, after)) => module.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == module).then_some(""),
    }
}
