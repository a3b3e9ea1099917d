//! Which file of the repository a path means that somebody wrote: an absolute path of another machine, one relative to a
//! directory inside, a file's name alone.

use rustc_hash::FxHashMap;

use crate::index::{FileId, FileRole, Snapshot};

/// The files that paths mean. Looked up together, since a name alone needs a pass over all paths.
pub(super) struct Resolver<'s> {
    snapshot: &'s Snapshot,
    by_name: FxHashMap<String, Vec<FileId>>,
}

impl<'s> Resolver<'s> {
    /// For these paths.
    pub(super) fn new<'p>(snapshot: &'s Snapshot, paths: impl Iterator<Item = &'p str>) -> Self {
        let mut by_name: FxHashMap<String, Vec<FileId>> =
            paths.map(|it| (name_of(&slashes(it)).to_owned(), Vec::new())).collect();
        if !by_name.is_empty() {
            for file in snapshot.files() {
                if let Some(files) = by_name.get_mut(name_of(snapshot.path(file))) {
                    files.push(file);
                }
            }
        }
        Self { snapshot, by_name }
    }

    /// The file that `path` means: the one that shares most of its last directories, own code first. A name alone, with
    /// several files of that name, means the one whose path has most words of `hint`.
    pub(super) fn file(&self, path: &str, hint: &str) -> Option<FileId> {
        let path = slashes(path);
        if let Some(file) = self.snapshot.file(path.trim_start_matches("./")) {
            return Some(file);
        }
        let files = self.by_name.get(name_of(&path))?;
        let key = |file: &FileId| {
            let own = self.snapshot.path(*file);
            let is_own = self.snapshot.role(*file) != FileRole::ThirdParty;
            (common_end(own, &path), is_own, hinted(own, hint), std::cmp::Reverse(own.len()))
        };
        let best = files.iter().copied().max_by_key(|it| (key(it), std::cmp::Reverse(*it)))?;
        // A path with directories that has none of them in common is a file of something else: of a library, say.
        let shares = common_end(self.snapshot.path(best), &path);
        let n_parts = path.split('/').filter(|it| !it.is_empty()).count();
        (shares > 1
            || n_parts == 1
            || !self.snapshot.path(best).contains('/') && !is_library(&path))
        .then_some(best)
    }
}

/// Whether a path lies where libraries are installed.
fn is_library(path: &str) -> bool {
    let places =
        ["site-packages/", "node_modules/", "/usr/lib/", "/lib/python", "/rustc/", "/go/pkg/"];
    places.iter().any(|it| path.contains(it))
}

fn slashes(path: &str) -> String {
    path.replace('\\', "/")
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// How many of the last parts two paths have in common.
fn common_end(a: &str, b: &str) -> usize {
    a.rsplit('/').zip(b.rsplit('/')).take_while(|(a, b)| a == b).count()
}

/// How many parts of a path are words of the hint (`com.a.B.run`).
fn hinted(path: &str, hint: &str) -> usize {
    let words: Vec<&str> = hint.split(['.', ':', '/', '$']).filter(|it| !it.is_empty()).collect();
    path.split(['/', '.']).filter(|it| words.contains(it)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    fn check(written: &str, hint: &str, expect: Option<&str>) {
        let paths =
            ["src/app/stock.py", "src/web/stock.py", "src/app/only.py", "a/Some.java", "main.py"];
        let source = |path: &&str| Source { path: (*path).to_owned(), text: "x = 1\n".to_owned() };
        let snapshot =
            Snapshot::of_sources(paths.iter().map(source).collect(), IndexConfig::default())
                .unwrap();
        let resolver = Resolver::new(&snapshot, std::iter::once(written));
        let found = resolver.file(written, hint).map(|it| snapshot.path(it));
        assert_eq!(found, expect, "{written}");
    }

    #[test]
    fn a_path_of_another_machine_means_the_file_with_the_same_end() {
        check("src/app/stock.py", "", Some("src/app/stock.py"));
        check("/home/me/x/src/web/stock.py", "", Some("src/web/stock.py"));
        check("C:\\work\\src\\app\\only.py", "", Some("src/app/only.py"));
        check("./app/stock.py", "", Some("src/app/stock.py"));
        check("Some.java", "a.Some.run", Some("a/Some.java"));
        check("stock.py", "src.web.take", Some("src/web/stock.py"));
        check("/srv/main.py", "", Some("main.py"));
    }

    #[test]
    fn a_file_of_a_library_is_none_of_ours() {
        check("/usr/lib/python3/site-packages/x/stock.py", "", None);
        check("/usr/lib/python3.12/main.py", "", None);
        check("gone.py", "", None);
    }
}
