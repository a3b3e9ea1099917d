//! Where an import leads: from a module as written to files of the snapshot.
//!
//! No build system is asked. A relative import is followed; for all others the module's parts are looked for at the
//! end of paths, the most parts first, and of several files the nearest to the importing one is taken.

use std::sync::Arc;

use foreword_chunk::{Import, Language};

use crate::index::{FileId, FileRecord, INDEX_STEMS, PathNames, Snapshot};

/// How many files an import of a whole directory (Go, Java's `.*`) leads to at the most.
const MAX_FILES: usize = 12;

/// An import of the cursor's file, and the files of the snapshot that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedImport {
    /// Its number among the file's imports.
    pub import: usize,
    /// The files, the likeliest first.
    pub files: Vec<FileId>,
}

/// Looks files up by the names of their paths.
#[derive(Clone, Debug)]
pub struct Resolver {
    names: Arc<PathNames>,
}

impl Resolver {
    /// For the files of `snapshot`.
    pub fn new(snapshot: &Snapshot) -> Self {
        Self { names: snapshot.path_names() }
    }

    /// The imports of a file that lead somewhere.
    pub fn resolve_all(
        &self,
        snapshot: &Snapshot,
        path: &str,
        record: &FileRecord,
    ) -> Vec<ResolvedImport> {
        let imports = record.symbols.imports.iter().enumerate();
        let resolved = imports.map(|(import, it)| ResolvedImport {
            import,
            files: self.resolve(snapshot, path, record.language, it),
        });
        resolved.filter(|it| !it.files.is_empty()).collect()
    }

    /// The files that `import`, written in the file at `path`, leads to; the likeliest first, never the file itself.
    pub fn resolve(
        &self,
        snapshot: &Snapshot,
        path: &str,
        language: Option<Language>,
        import: &Import,
    ) -> Vec<FileId> {
        let query = Query { resolver: self, snapshot, path, language };
        let mut found = query.module(&import.module);
        // `from package import module` and `use a::b::{c, d}`: the names may be files of their own.
        // `from . import form`: the dots stand for a directory already.
        let between = if import.module.ends_with('.') { "" } else { separator(language) };
        for name in import.names.iter().filter(|it| it.name != "*") {
            let joined = format!("{}{between}{}", import.module, name.name);
            found.extend(query.exactly(&joined));
        }
        let own = snapshot.file(path);
        let mut seen = Vec::new();
        found.retain(|it| {
            Some(*it) != own && !seen.contains(it) && {
                seen.push(*it);
                true
            }
        });
        found.truncate(MAX_FILES);
        found
    }
}

fn separator(language: Option<Language>) -> &'static str {
    match language {
        Some(Language::Rust) => "::",
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => "/",
        _ => ".",
    }
}

/// Whether all parts of a module are looked for, or only its first ones.
#[derive(Clone, Copy)]
enum Module {
    Whole,
    Part,
}

struct Query<'a> {
    resolver: &'a Resolver,
    snapshot: &'a Snapshot,
    path: &'a str,
    language: Option<Language>,
}

impl Query<'_> {
    /// Files for a module; its last parts may name things inside a file, so fewer and fewer parts are tried.
    fn module(&self, module: &str) -> Vec<FileId> {
        let parts = self.parts(module);
        let least = parts.len().saturating_sub(2).max(1);
        for end in (least..=parts.len()).rev() {
            let module = if end == parts.len() { Module::Whole } else { Module::Part };
            let found = self.by_parts(&parts[..end], module);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Files for a module with all of its parts.
    fn exactly(&self, module: &str) -> Vec<FileId> {
        let parts = self.parts(module);
        self.by_parts(&parts, Module::Whole)
    }

    /// The module as parts of a path: absolute from the root where it was relative (then led by an empty part).
    fn parts(&self, module: &str) -> Vec<String> {
        let dir = self.path.rsplit_once('/').map_or("", |it| it.0);
        let written = module;
        let module = module.trim_end_matches(['*', '.', '/', ':', '\\']);
        match self.language {
            Some(Language::Python) if written.starts_with('.') => {
                let module = written;
                let dots = module.len() - module.trim_start_matches('.').len();
                from_dir(dir, dots - 1, module[dots..].split('.'))
            }
            Some(Language::Rust) => self.rust_parts(dir, module),
            _ if module.starts_with("./") || module.starts_with("../") => {
                relative_parts(dir, module)
            }
            Some(Language::C | Language::Cpp | Language::Go | Language::Html | Language::Css) => {
                slashed(module)
            }
            Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => {
                slashed(module.trim_start_matches(['@', '~', '#']))
            }
            Some(Language::Ruby | Language::Bash | Language::Zig) => slashed(module),
            _ => module
                .split(['.', '\\', '/', ':'])
                .filter(|it| !it.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    }

    fn rust_parts(&self, dir: &str, module: &str) -> Vec<String> {
        let mut parts: Vec<&str> = module.split("::").filter(|it| !it.is_empty()).collect();
        let stem = self.path.rsplit('/').next().and_then(|it| it.split('.').next()).unwrap_or("");
        let is_index = INDEX_STEMS.contains(&stem);
        match parts.first().copied() {
            Some("crate") => {
                let root = dir.find("src").map_or(dir, |at| &dir[..at + 3]);
                from_dir(root, 0, parts.drain(1..))
            }
            Some("self") if is_index => from_dir(dir, 0, parts.drain(1..)),
            Some("self") => from_dir(&format!("{dir}/{stem}"), 0, parts.drain(1..)),
            Some("super") => {
                let ups = parts.iter().take_while(|it| **it == "super").count();
                from_dir(dir, ups - usize::from(!is_index), parts.drain(ups..))
            }
            _ => parts.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Files whose paths end in these parts: as many of them as possible, dropping from the front (a host, a source
    /// root); at least two of several, unless the module is one part only.
    fn by_parts(&self, parts: &[String], module: Module) -> Vec<FileId> {
        let Some(last) = parts.last() else { return Vec::new() };
        let rooted = parts.first().is_some_and(String::is_empty);
        let stem = last.split('.').next().unwrap_or(last);
        let mut best = (0, Vec::new());
        let candidates = self.resolver.names.of_stem(stem).iter().copied();
        for file in candidates.filter(|it| self.fits(*it)) {
            let path = module_path(self.snapshot.path(file));
            let n = common_tail(&path, parts, stem);
            if !rooted && self.is_inside_package(&path[..path.len().saturating_sub(n)]) {
                continue;
            }
            match n.cmp(&best.0) {
                std::cmp::Ordering::Greater => best = (n, vec![file]),
                std::cmp::Ordering::Equal if n > 0 => best.1.push(file),
                _ => {}
            }
        }
        let needed = if rooted { parts.len() } else { parts.len().min(2) };
        if best.0 < needed {
            return match module {
                Module::Whole => self.by_directory(parts),
                Module::Part => Vec::new(),
            };
        }
        self.nearest(best.1, last, 1)
    }

    /// Python: whether this directory is a package. An absolute import does not begin inside of one: `import typing`
    /// in `flask` is not `flask/typing.py`.
    fn is_inside_package(&self, dir: &[&str]) -> bool {
        self.language == Some(Language::Python)
            && dir.len() > 1
            && self.snapshot.file(&format!("{}/__init__.py", dir[1..].join("/"))).is_some()
    }

    /// All files of a directory, for languages whose modules are directories.
    fn by_directory(&self, parts: &[String]) -> Vec<FileId> {
        let is_directory = matches!(
            self.language,
            Some(
                Language::Go
                    | Language::Java
                    | Language::Kotlin
                    | Language::Scala
                    | Language::CSharp
            )
        );
        let (true, Some(last)) = (is_directory, parts.last()) else { return Vec::new() };
        let files = self.resolver.names.in_directory(last).iter().copied();
        let tail = |file: &FileId| {
            let path = self.snapshot.path(*file);
            let dir = path.rsplit_once('/').map_or("", |it| it.0);
            let dir: Vec<&str> = dir.split('/').collect();
            dir.iter().rev().zip(parts.iter().rev()).take_while(|(a, b)| *a == b).count()
        };
        let files: Vec<FileId> = files.filter(|it| self.fits(*it)).collect();
        let most = files.iter().map(tail).max().unwrap_or(0);
        if most < parts.len().min(2) {
            return Vec::new();
        }
        self.nearest(files.into_iter().filter(|it| tail(it) == most).collect(), last, MAX_FILES)
    }

    /// Languages that can import each other.
    fn fits(&self, file: FileId) -> bool {
        let group = |language: Option<Language>| match language {
            Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => 1,
            Some(Language::C | Language::Cpp) => 2,
            Some(Language::Java | Language::Kotlin | Language::Scala) => 3,
            other => 100 + other.map_or(99, |it| it as u32),
        };
        let other = self.snapshot.language(file);
        group(self.language) == group(other)
            || matches!(self.language, Some(Language::Html | Language::Css))
    }

    /// The `n` files that are called `name` (a header beside its source), then those with the longest path in common
    /// with the importing file; ties by path.
    fn nearest(&self, mut files: Vec<FileId>, name: &str, n: usize) -> Vec<FileId> {
        let common = |file: &FileId| {
            let pairs = self.snapshot.path(*file).split('/').zip(self.path.split('/'));
            pairs.take_while(|(a, b)| a == b).count()
        };
        let other_name = |it: &FileId| !self.snapshot.path(*it).ends_with(name);
        files.sort_by_key(|it| (other_name(it), std::cmp::Reverse(common(it)), *it));
        files.truncate(n);
        files
    }
}

fn slashed(module: &str) -> Vec<String> {
    module.split('/').filter(|it| !it.is_empty() && *it != ".").map(str::to_owned).collect()
}

fn relative_parts(dir: &str, module: &str) -> Vec<String> {
    let ups = module.split('/').filter(|it| *it == "..").count();
    from_dir(dir, ups, module.split('/').filter(|it| !matches!(*it, "." | "..")))
}

/// `dir`, `ups` levels up, then `parts`; led by an empty part, which says that it is counted from the root.
fn from_dir<'a>(dir: &'a str, ups: usize, parts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let dir: Vec<&str> = dir.split('/').filter(|it| !it.is_empty()).collect();
    let kept = dir.len().saturating_sub(ups);
    let parts = parts.filter(|it| !it.is_empty());
    std::iter::once("").chain(dir[..kept].iter().copied()).chain(parts).map(str::to_owned).collect()
}

/// `a/b/__init__.py` → `["", "a", "b"]`; `a/b.py` → `["", "a", "b"]`.
fn module_path(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = std::iter::once("").chain(path.split('/')).collect();
    if let Some(last) = parts.last_mut() {
        *last = last.split('.').next().unwrap_or(last);
    }
    if parts.last().is_some_and(|it| INDEX_STEMS.contains(it)) && parts.len() > 2 {
        parts.pop();
    }
    parts
}

/// How many parts two module paths share, counted from the end; the last is compared by its stem. Hyphens and
/// underscores are the same (crates).
fn common_tail(path: &[&str], parts: &[String], stem: &str) -> usize {
    let same = |a: &str, b: &str| {
        a == b || (a.len() == b.len() && a.replace('-', "_") == b.replace('-', "_"))
    };
    let matches_stem = |path: &[&str]| path.last().is_some_and(|it| same(it, stem));
    // `crate_name` stands for `crate-name/src/lib.rs`.
    let path = match path {
        [crate_dir @ .., "src"] if !matches_stem(path) => crate_dir,
        _ => path,
    };
    if !matches_stem(path) {
        return 0;
    }
    let mut above = path.iter().rev().skip(1).peekable();
    let mut n = 1;
    for part in parts.iter().rev().skip(1) {
        // A source root between a crate's name and its modules is no part of any module's name.
        if above.peek().is_some_and(|it| **it == "src" && part != "src") {
            above.next();
        }
        match above.next() {
            Some(it) if same(it, part) => n += 1,
            _ => break,
        }
    }
    n
}
