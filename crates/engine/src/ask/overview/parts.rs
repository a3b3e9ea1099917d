//! The directories of a repository, each with its own documentation.

use std::collections::{BTreeMap, BTreeSet};

use foreword_chunk::Kind;

use super::super::explain::{Draft, lines_of};
use super::super::paragraph::{first_paragraph, head_comment};
use super::super::types::{Role, Why};
use super::central::{OwnFilter, definition_at, main_definition, outermost};
use crate::index::{FileId, FileRole, Snapshot};
use crate::map::{Map, MapFile};
use crate::preset::constants::ask::{
    DIRECTORY_NAMES, FEW_DIRECTORIES, FEW_DIRECTORIES_NAMES, MERGE_SHARE, OVERVIEW_DIRECTORIES,
    ROOT_SHARE, SIZE_WEIGHT, SPLIT_SHARE,
};
use crate::search::name_of;
use crate::sorting::sort_by;

/// Files that describe their directory, best first.
const GUIDES: [&str; 12] = [
    "readme.md",
    "readme.rst",
    "readme.txt",
    "readme",
    "mod.rs",
    "lib.rs",
    "__init__.py",
    "doc.go",
    "package-info.java",
    "index.ts",
    "index.js",
    "main.go",
];

/// Returns the directories with most of the weight, each with its description.
pub(super) fn parts(snapshot: &Snapshot, map: &Map, is_own: OwnFilter<'_>) -> Vec<Draft> {
    let weights = directories(&weighed_files(snapshot, map, is_own));
    let mut ranked: Vec<(&String, &f64)> = weights.iter().collect();
    sort_by(&mut ranked, |a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
    ranked.truncate(OVERVIEW_DIRECTORIES);
    let of =
        PartBuilder { snapshot, map, is_own, all: ranked.iter().map(|it| it.0.as_str()).collect() };
    ranked.iter().filter_map(|it| of.part(it.0)).collect()
}

/// The project's own files with their weights.
fn weighed_files<'s>(
    snapshot: &'s Snapshot,
    map: &Map,
    is_own: OwnFilter<'_>,
) -> BTreeMap<&'s str, f64> {
    let ranks: BTreeMap<&str, f64> =
        map.entries.iter().map(|it| (it.path.as_str(), it.rank)).collect();
    let files: Vec<FileId> = snapshot.files().filter(|it| is_own(*it)).collect();
    let lines = |it: FileId| f64::from(snapshot.size(it).1);
    let whole: f64 = files.iter().map(|it| lines(*it)).sum();
    let weight = |it: FileId| {
        let rank = ranks.get(snapshot.path(it)).copied().unwrap_or(0.0);
        rank + SIZE_WEIGHT * lines(it) / whole.max(1.0)
    };
    files.into_iter().map(|it| (snapshot.path(it), weight(it))).collect()
}

/// The directories to list, with the weight of their files. The largest is split as long as it has much of the whole.
fn directories(files: &BTreeMap<&str, f64>) -> BTreeMap<String, f64> {
    let whole: f64 = files.values().sum();
    let mut res = BTreeMap::from([(String::new(), whole)]);
    let mut divided: BTreeSet<String> = BTreeSet::new();
    while res.len() < OVERVIEW_DIRECTORIES {
        let share = if res.len() < FEW_DIRECTORIES { 0.0 } else { SPLIT_SHARE };
        let left = res.iter().filter(|it| !divided.contains(it.0) && *it.1 > share * whole);
        let Some((largest, _)) = left.max_by(|a, b| a.1.total_cmp(b.1)) else { break };
        let largest = largest.clone();
        res.remove(&largest);
        for (path, weight) in under(files, &largest) {
            let inner = path[largest.len()..].split_once('/').map(|it| it.0);
            let directory = inner.map_or(largest.clone(), |it| format!("{largest}{it}/"));
            *res.entry(directory).or_insert(0.0) += weight;
        }
        divided.insert(largest);
    }
    joined(res, whole)
}

/// The files below a directory.
fn under<'f>(
    files: &'f BTreeMap<&str, f64>,
    directory: &'f str,
) -> impl Iterator<Item = (&'f str, f64)> {
    let all = files.range(directory..).map(|it| (*it.0, *it.1));
    all.take_while(move |it| it.0.starts_with(directory))
}

/// Merges directories of little weight into their parents.
fn joined(all: BTreeMap<String, f64>, whole: f64) -> BTreeMap<String, f64> {
    let mut res: BTreeMap<String, f64> = BTreeMap::new();
    for (directory, weight) in all {
        let parent = directory.trim_end_matches('/').rsplit_once('/').map(|it| it.0);
        let parent = parent.filter(|_| weight < MERGE_SHARE * whole);
        *res.entry(parent.map_or(directory.clone(), |it| format!("{it}/"))).or_insert(0.0) +=
            weight;
    }
    let is_much = |it: f64| it >= ROOT_SHARE * whole;
    res.retain(|directory, weight| !directory.is_empty() || is_much(*weight));
    res
}

/// Describes a directory.
struct PartBuilder<'p> {
    snapshot: &'p Snapshot,
    map: &'p Map,
    is_own: OwnFilter<'p>,
    /// All listed directories.
    all: Vec<&'p str>,
}

impl PartBuilder<'_> {
    /// The description of a directory.
    fn part(&self, directory: &str) -> Option<Draft> {
        // The README of the root describes the whole.
        let said = if directory.is_empty() { None } else { described(self.snapshot, directory) };
        let mut draft = said.or_else(|| self.by_definitions(directory))?;
        draft.item.role = Role::Part;
        let name = if directory.is_empty() { "./" } else { directory };
        (draft.item.symbol, draft.item.kind) = (name.to_owned(), None);
        Some(draft)
    }

    /// Whether a file belongs to this directory rather than to a listed one below it.
    fn has(&self, directory: &str, path: &str) -> bool {
        let deepest = self.all.iter().filter(|it| path.starts_with(**it)).max_by_key(|it| it.len());
        let is_direct = !directory.is_empty() || !path.contains('/');
        deepest == Some(&directory) && is_direct
    }

    /// Describes the directory by its best definitions.
    fn by_definitions(&self, directory: &str) -> Option<Draft> {
        let Self { snapshot, map, is_own, .. } = *self;
        let is_shown = |it: &&MapFile| {
            self.has(directory, &it.path) && snapshot.file(&it.path).is_some_and(is_own)
        };
        let inside: Vec<_> = map.entries.iter().filter(is_shown).collect();
        let first = inside.first().and_then(|it| snapshot.file(&it.path));
        let is_inside = |it: &FileId| is_own(*it) && self.has(directory, snapshot.path(*it));
        let file = first.or_else(|| snapshot.files_under(directory).find(is_inside))?;
        let line = inside.first().and_then(|it| main_definition(it)).map_or(1, |it| it.start_line);
        let mut draft = lines_of(snapshot, file, (line, line), Role::Part, vec![Why::Central]);
        let names = self.names(&inside);
        draft.item.signature =
            if names.is_empty() { self.counted(directory) } else { names.join(", ") };
        Some(draft)
    }

    /// Number of code files in a directory, and their most frequent language.
    fn counted(&self, directory: &str) -> String {
        let snapshot = self.snapshot;
        let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
        let files =
            snapshot.files_under(directory).filter(|it| self.has(directory, snapshot.path(*it)));
        for language in files.filter_map(|it| snapshot.language(it)) {
            *languages.entry(language.name()).or_insert(0) += usize::from(language.is_code());
        }
        let most = languages.iter().max_by_key(|it| (*it.1, std::cmp::Reverse(*it.0)));
        let files: usize = languages.values().sum();
        let of = most.map_or("code", |it| *it.0);
        format!("{files} {} of {of}", if files == 1 { "file" } else { "files" })
    }

    /// Names of the files' main definitions, then of their other outermost ones.
    fn names(&self, files: &[&MapFile]) -> Vec<String> {
        let most =
            if self.all.len() < FEW_DIRECTORIES { FEW_DIRECTORIES_NAMES } else { DIRECTORY_NAMES };
        let main = files.iter().filter_map(|it| Some((*it, main_definition(it)?)));
        let others = files.iter().flat_map(|it| outermost(it).map(move |outer| (*it, outer)));
        let mut res: Vec<String> = Vec::new();
        for (file, it) in main.chain(others) {
            let name = self.snapshot.file(&file.path).and_then(|file| {
                let idx = definition_at(self.snapshot, file, it.start_line)?;
                Some(short_name(self.snapshot, file, idx))
            });
            let is_new = |it: &String| !it.starts_with('_') && !res.contains(it);
            let name = name.filter(is_new);
            res.extend(name);
            if res.len() == most {
                break;
            }
        }
        res
    }
}

/// Describes the directory by its README or the comment of its main file.
fn described(snapshot: &Snapshot, directory: &str) -> Option<Draft> {
    let mut files: Vec<(usize, usize, FileId)> = Vec::new();
    let own = directory.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    for file in snapshot.files_under(directory) {
        let rest = &snapshot.path(file)[directory.len()..];
        let (depth, name) = (rest.matches('/').count(), rest.rsplit('/').next().unwrap_or(rest));
        // A crate's own module documentation is one directory further down.
        let is_near = depth == 0 || depth == 1 && rest.starts_with("src/");
        let rank = GUIDES.iter().position(|it| name.eq_ignore_ascii_case(it));
        let is_named_alike = depth == 0 && name.split('.').next() == Some(own);
        let rank = rank.or(is_named_alike.then_some(GUIDES.len()));
        if let Some(rank) = rank.filter(|_| is_near) {
            files.push((rank, depth, file));
        }
    }
    files.sort();
    files.into_iter().find_map(|it| {
        let text = snapshot.text(it.2);
        let is_prose = snapshot.role(it.2) == FileRole::Prose;
        let (lines, words) = if is_prose {
            let (first, words) = first_paragraph(&text, "");
            ((first, first + 2), words)
        } else {
            head_comment(&text)?
        };
        let mut draft = lines_of(snapshot, it.2, lines, Role::Part, vec![Why::Describes]);
        draft.item.signature.clear();
        draft.item.summary = words;
        (!draft.item.summary.is_empty()).then_some(draft)
    })
}

/// The name of a definition without its namespace.
fn short_name(snapshot: &Snapshot, file: FileId, idx: u32) -> String {
    let name = name_of(snapshot, file, idx).0;
    let record = snapshot.record(file);
    let all = &record.symbols.definitions;
    let parent = all.get(idx as usize).and_then(|it| it.parent);
    let in_namespace =
        parent.and_then(|it| all.get(it as usize)).is_some_and(|it| it.kind == Kind::Module);
    let last = name.rsplit('.').next().map(str::to_owned);
    last.filter(|_| in_namespace).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, f64)], expect: &[&str]) {
        let files: BTreeMap<&str, f64> = files.iter().copied().collect();
        let found: Vec<String> = directories(&files).into_keys().collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn a_directory_that_is_most_of_the_whole_is_shown_as_what_it_consists_of() {
        let files = [
            ("build/release.go", 0.02),
            ("cmd/shop/main.go", 0.1),
            ("docker/run.go", 0.01),
            ("internal/cart/cart.go", 0.3),
            ("internal/stock/stock.go", 0.3),
            ("internal/version.go", 0.1),
            ("tools/gen.go", 0.1),
        ];
        let expect = [
            "build/",
            "cmd/",
            "docker/",
            "internal/",
            "internal/cart/",
            "internal/stock/",
            "tools/",
        ];
        check(&files, &expect);
    }

    #[test]
    fn code_at_the_root_is_a_part_and_a_file_that_builds_is_none() {
        check(
            &[("action.c", 0.5), ("linux/cpu.c", 0.3), ("bsd/cpu.c", 0.2)],
            &["", "bsd/", "linux/"],
        );
        check(&[("setup.py", 0.01), ("shop/cart.py", 0.9)], &["shop/"]);
    }
}
