//! Resolves imports to files of the snapshot.
//!
//! No build system is run, but build files with plain data are read (`go.mod`, `package.json`, `tsconfig.json`,
//! `Cargo.toml`, `composer.json`). Relative imports are followed exactly; for others, every part of the module must
//! occur at the end of a path, and the nearest such file is chosen. Imports of libraries outside the repository resolve
//! to nothing, whatever its files are called.

mod by_name;
mod by_path;
mod ecmascript;
mod go;
mod include;
mod jvm;
mod manifests;
mod packages;
mod paths;
mod python;
mod relative;
mod rust;

use std::sync::Arc;

use foreword_chunk::{Import, Language};

use self::manifests::Manifests;
pub use self::packages::{imports_package, package_names};
use self::paths::Query;
use crate::index::{FileId, FileRecord, PathNames, Snapshot};

/// Files per import of a whole directory or namespace (Go, Java's `.*`, C#).
const MAX_FILES: usize = 12;

/// An import of the cursor's file and the files it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedImport {
    /// Index among the file's imports.
    pub import: usize,
    /// The files, likeliest first.
    pub files: Vec<FileId>,
}

/// Resolves imports by the names in paths and by build files.
#[derive(Clone, Debug)]
pub struct Resolver {
    names: Arc<PathNames>,
    manifests: Arc<Manifests>,
}

impl Resolver {
    /// A resolver for `snapshot`. Build files are read when an import first needs them.
    pub fn new(snapshot: &Snapshot) -> Self {
        Self { names: snapshot.path_names(), manifests: Arc::default() }
    }

    /// The resolvable imports of a file.
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

    /// The files that `import`, written in the file at `path`, leads to, likeliest first; never the file itself.
    pub fn resolve(
        &self,
        snapshot: &Snapshot,
        path: &str,
        language: Option<Language>,
        import: &Import,
    ) -> Vec<FileId> {
        let (names, manifests) = (&*self.names, &*self.manifests);
        let query = Query { names, manifests, snapshot, path, language };
        let found = files(&query, import);
        let own = snapshot.file(path);
        let mut res = Vec::new();
        for it in found.into_iter().filter(|it| Some(*it) != own) {
            if res.len() < MAX_FILES && !res.contains(&it) {
                res.push(it);
            }
        }
        res
    }
}

/// Resolves by the rules of the importing file's language.
fn files(query: &Query<'_>, import: &Import) -> Vec<FileId> {
    match query.language.map(Language::of_code) {
        Some(Language::Go) => go::files(query, &import.module),
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => {
            ecmascript::files(query, &import.module)
        }
        Some(Language::Java | Language::Kotlin | Language::Scala) => jvm::files(query, import),
        Some(Language::Python) => python::files(query, import),
        Some(Language::Rust) => rust::files(query, import),
        Some(Language::CSharp | Language::Elixir) => by_name::files(query, import),
        Some(Language::C | Language::Cpp) => include::files(query, &import.module),
        Some(Language::Php) => by_path::php(query, import),
        Some(Language::Blade) => by_path::blade(query, &import.module),
        Some(Language::Jinja) => by_path::template(query, &import.module),
        Some(Language::Dart) => by_path::dart(query, &import.module),
        Some(Language::Swift) => by_path::swift(query, &import.module),
        Some(Language::Lua | Language::Haskell) => by_path::dotted(query, &import.module),
        _ => by_path::slashed(query, &import.module),
    }
}
