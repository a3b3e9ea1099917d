//! Finds the file of the repository that a written path means: an absolute path of another machine, a relative one, or
//! a file name alone.

use foreword_chunk::LineIndex;
use rustc_hash::FxHashMap;

use crate::index::{DefinitionSite, FileId, FileRole, Snapshot};
use crate::search::name_of as name_of_definition;

/// Resolves paths. All are looked up together, since a name alone needs a pass over all files.
pub(super) struct Resolver<'s> {
    snapshot: &'s Snapshot,
    repository: &'s str,
    by_name: FxHashMap<String, Vec<FileId>>,
}

impl<'s> Resolver<'s> {
    /// For these paths, in the repository of that name.
    pub(super) fn new<'p>(
        snapshot: &'s Snapshot,
        repository: &'s str,
        paths: impl Iterator<Item = &'p str>,
    ) -> Self {
        let names = |it: &str| spellings(name_of(&slashes(it)));
        let mut by_name: FxHashMap<String, Vec<FileId>> =
            paths.flat_map(names).map(|it| (it, Vec::new())).collect();
        if !by_name.is_empty() {
            for file in snapshot.files() {
                if let Some(files) = by_name.get_mut(name_of(snapshot.path(file))) {
                    files.push(file);
                }
            }
        }
        Self { snapshot, repository, by_name }
    }

    /// The file that `path` means: the one that shares most trailing directories, own code first. Among files of one
    /// name, the one whose path has most words of `hint`.
    pub(super) fn file(&self, path: &str, hint: &str) -> Option<FileId> {
        let path = slashes(path);
        if let Some(file) = self.snapshot.file(path.trim_start_matches("./")) {
            return Some(file);
        }
        let names = spellings(name_of(&path));
        let files: Vec<FileId> =
            names.iter().filter_map(|it| self.by_name.get(it)).flatten().copied().collect();
        let key = |file: &FileId| {
            let own = self.snapshot.path(*file);
            let is_own = self.snapshot.role(*file) != FileRole::ThirdParty;
            (common_end(own, &path), is_own, hinted(own, hint), std::cmp::Reverse(own.len()))
        };
        let best = files.into_iter().max_by_key(|it| (key(it), std::cmp::Reverse(*it)))?;
        let own = self.snapshot.path(best);
        if let Some(library) = Library::of(&path) {
            return library.has(own, self.repository, &path).then_some(best);
        }
        // A path whose directories all differ belongs to another project.
        let n_parts = path.split('/').filter(|it| !it.is_empty()).count();
        (common_end(own, &path) > 1 || n_parts == 1 || !own.contains('/')).then_some(best)
    }
}

/// Names that the file may have in the repository: JavaScript may be compiled from TypeScript.
fn spellings(name: &str) -> Vec<String> {
    let stem = |ends: [&str; 4]| ends.iter().find_map(|it| name.strip_suffix(it));
    let typed = stem([".js", ".mjs", ".cjs", ".jsx"]);
    let typed =
        typed.into_iter().flat_map(|it| [".ts", ".tsx", ".mts"].map(|end| format!("{it}{end}")));
    std::iter::once(name.to_owned()).chain(typed).collect()
}

/// A place in an installed library.
struct Library<'p> {
    /// Name of the library; empty where `rest` begins with it.
    name: &'p str,
    /// Path within it.
    rest: &'p str,
}

impl<'p> Library<'p> {
    fn of(path: &'p str) -> Option<Self> {
        let after = |mark: &str| path.rfind(mark).map(|at| &path[at + mark.len()..]);
        if let Some(rest) = after("site-packages/").or_else(|| after("dist-packages/")) {
            return Some(Self { name: "", rest });
        }
        if let Some(rest) = after("/node_modules/").or_else(|| path.strip_prefix("node_modules/")) {
            let rest =
                rest.split_once('/').filter(|_| rest.starts_with('@')).map_or(rest, |it| it.1);
            return rest.split_once('/').map(|(name, rest)| Self { name, rest });
        }
        if let Some((name, rest)) = after("/gems/").and_then(|it| it.split_once('/')) {
            let version = |it: &str| it.starts_with(|it: char| it.is_ascii_digit());
            let name = name.rsplit_once('-').filter(|it| version(it.1)).map_or(name, |it| it.0);
            return Some(Self { name, rest });
        }
        let is_version = |it: &str| {
            let digits = it.strip_prefix('v').unwrap_or_default();
            digits.starts_with(|it: char| it.is_ascii_digit())
        };
        if let Some((module, rest)) = path.split_once('@').filter(|it| is_version(it.1)) {
            // From version 2 on the version is a part of the module's name: `x/shop/v2`, `gopkg.in/shop.v3`.
            let mut parts = module.rsplit('/').filter(|it| !is_version(it));
            let name = parts.next().unwrap_or(module);
            let name = name.rsplit_once('.').filter(|it| is_version(it.1)).map_or(name, |it| it.0);
            return rest.split_once('/').map(|(_, rest)| Self { name, rest });
        }
        let others = ["/usr/lib/", "/lib/python", "/rustc/"];
        others.iter().any(|it| path.contains(it)).then_some(Self { name: "", rest: path })
    }

    /// Whether the library is the repository, or a part of it, and the file is the one in the library.
    fn has(&self, own: &str, repository: &str, path: &str) -> bool {
        if self.name.is_empty() {
            return common_end(own, self.rest) >= self.rest.split('/').count();
        }
        let is_whole = self.name.eq_ignore_ascii_case(repository);
        let is_part = own.split('/').any(|it| it.eq_ignore_ascii_case(self.name));
        // Build output lies in other directories than its source.
        (is_whole || is_part) && (common_end(own, path) > 1 || !self.rest.contains('/'))
    }
}

/// File and lines of a function given by its qualified name alone: `shop.Stock.take`. `None` if the name before the
/// last is not its parent.
pub(super) fn function(snapshot: &Snapshot, name: &str) -> Option<(FileId, (u32, u32))> {
    let mut parts = name.split(['.', '+', '$']).filter(|it| !it.is_empty()).rev();
    let (last, within) = (parts.next()?, parts.next()?);
    // Constructors and properties of .NET.
    let last = if last == "ctor" { within } else { last };
    let last = last.strip_prefix("get_").or_else(|| last.strip_prefix("set_")).unwrap_or(last);
    let is_meant = |it: &DefinitionSite| {
        let symbol = name_of_definition(snapshot, it.file, it.definition).0;
        let is_own = snapshot.role(it.file) != FileRole::ThirdParty;
        is_own && (last == within || symbol.rsplit('.').nth(1) == Some(within))
    };
    let sites = snapshot.definitions_up_to(last, MAX_NAMESAKES)?;
    let site = sites.into_iter().find(is_meant)?;
    let (text, record) = snapshot.contents(site.file);
    let it = record.symbols.definitions.get(site.definition as usize)?;
    let index = LineIndex::new(text.as_bytes());
    Some((site.file, index.lines_of(it.span)))
}

/// Functions whose name has more definitions are not looked up.
const MAX_NAMESAKES: usize = 200;

fn slashes(path: &str) -> String {
    path.replace('\\', "/")
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Number of trailing components that two paths share, extensions aside.
fn common_end(a: &str, b: &str) -> usize {
    let stem = |it: &str| it.rsplit_once('.').map_or(it, |it| it.0).to_owned();
    let (a, b) = (stem(a), stem(b));
    a.rsplit('/').zip(b.rsplit('/')).take_while(|(a, b)| a == b).count()
}

/// Number of path components that are words of the hint (`com.a.B.run`).
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
        let paths = [
            "src/app/stock.py",
            "src/web/stock.py",
            "src/app/only.py",
            "a/Some.java",
            "main.py",
            "src/cart/cart.ts",
            "src/cart/other.js",
            "lib/shop/tasks.rb",
        ];
        let source = |path: &&str| Source { path: (*path).to_owned(), text: "x = 1\n".to_owned() };
        let snapshot =
            Snapshot::of_sources(paths.iter().map(source).collect(), IndexConfig::default())
                .unwrap();
        let resolver = Resolver::new(&snapshot, "Shop", std::iter::once(written));
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
        check("/usr/lib/python3/site-packages/other/app/stock.py", "", None);
        check("/app/node_modules/other/dist/cart/cart.js", "", None);
        check("/gems/other-1.2/lib/shop/tasks.rb", "", None);
        check("/root/go/pkg/mod/github.com/x/other@v1.0/app/stock.py", "", None);
        check("/root/go/pkg/mod/github.com/x/other/v2@v2.1.0/app/stock.py", "", None);
        check("gone.py", "", None);
    }

    #[test]
    fn an_installed_copy_of_the_repository_is_the_repository() {
        let python = "/usr/lib/python3/site-packages/app/stock.py";
        check(python, "", Some("src/app/stock.py"));
        check("/app/node_modules/shop/dist/cart/cart.js", "", Some("src/cart/cart.ts"));
        check("/app/node_modules/@x/shop/dist/cart/other.js", "", Some("src/cart/other.js"));
        check("/usr/local/gems/shop-3.17.0/lib/shop/tasks.rb", "", Some("lib/shop/tasks.rb"));
        let go = "/root/go/pkg/mod/github.com/x/shop@v1.0/src/app/only.py";
        check(go, "", Some("src/app/only.py"));
        let later = "/root/go/pkg/mod/github.com/x/shop/v2@v2.8.4/src/app/only.py";
        check(later, "", Some("src/app/only.py"));
        check("github.com/x/shop/v2@v2.8.4/src/app/only.py", "", Some("src/app/only.py"));
        check("/root/go/pkg/mod/gopkg.in/shop.v3@v3.0.1/main.py", "", Some("main.py"));
    }
}
