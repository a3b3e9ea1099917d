//! Finds directories with copies of other projects: by name, by a licence of another holder, or by build and
//! integration files of their own; and files that `.gitattributes` marks as generated or vendored.
//!
//! Such code is rarely relevant to a question, a map or a prompt, and there can be more of it than of the project's
//! own.

use std::collections::HashMap;

use globset::{Glob, GlobBuilder, GlobSetBuilder, escape};

use crate::index::file_role::is_third_party_name;
use crate::index::segment::{is_attributes, is_licence, origin};
use crate::preset::constants::index::FAMILY_DIRECTORIES;

/// Directories with copies of other projects.
#[derive(Debug, Default)]
pub(crate) struct ThirdParty {
    /// Roots with trailing slash, sorted and disjoint.
    roots: Vec<String>,
    /// Paths of marked files, sorted.
    marked: Vec<String>,
}

/// Build files of a project.
const BUILD_FILES: [&str; 14] = [
    "makefile",
    "cmakelists.txt",
    "configure",
    "configure.ac",
    "meson.build",
    "build.gradle",
    "build.gradle.kts",
    "pom.xml",
    "package.json",
    "cargo.toml",
    "go.mod",
    "setup.py",
    "pyproject.toml",
    "build.zig",
];

/// Files that services read only at the root of a repository; below it they came with a copy.
const ROOT_FILES: [&str; 5] =
    [".travis.yml", "appveyor.yml", ".appveyor.yml", ".gitlab-ci.yml", ".cirrus.yml"];

impl ThirdParty {
    /// Finds the roots among files, sorted by path. `provenance` is what the text of a file says of the origin of files; it
    /// is looked up for few of them.
    pub(super) fn new<'p, F>(
        files: impl Iterator<Item = (&'p str, F)>,
        provenance: impl Fn(F) -> Option<&'p str>,
    ) -> Self {
        let (mut licences, mut builds, mut services) = (Vec::new(), Vec::new(), Vec::new());
        let mut attributes = Vec::new();
        let mut all = Vec::new();
        for (path, file) in files {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            let is_one_of = |names: &[&str]| names.iter().any(|it| name.eq_ignore_ascii_case(it));
            if is_licence(name) {
                licences.push((directory, provenance(file).unwrap_or_default()));
            } else if is_one_of(&BUILD_FILES) {
                builds.push(directory);
            } else if is_one_of(&ROOT_FILES) && !directory.is_empty() {
                services.push(directory);
            } else if is_attributes(name) {
                attributes.extend(marks(directory, provenance(file).unwrap_or_default()));
            }
            all.push(path);
        }
        let marked = marked(&all, &attributes);
        let mut roots: Vec<String> = services
            .into_iter()
            .filter(|it| builds.contains(it))
            .map(|it| format!("{it}/"))
            .collect();
        roots.extend(licensed(&licences));
        // A repository is not a copy of itself, even if its only folder looks like one.
        let n_below = |root: &str| {
            let below = &all[all.partition_point(|it| *it < root)..];
            below.partition_point(|it| it.starts_with(root))
        };
        let mut folders: Vec<&str> =
            all.iter().filter_map(|it| Some(it.split_once('/')?.0)).collect();
        folders.dedup();
        roots.retain(|it| 2 * n_below(it) <= all.len() && !is_of_family(it, &folders));
        roots.sort_unstable();
        roots.dedup_by(|next, kept| next.starts_with(kept.as_str()));
        Self { roots, marked }
    }

    /// Whether `.gitattributes` marks a file as generated or vendored.
    pub(super) fn is_marked(&self, path: &str) -> bool {
        self.marked.binary_search_by(|it| it.as_str().cmp(path)).is_ok()
    }

    /// The root, with trailing slash, of the project that contains a path; `None` for the repository's own code.
    pub(crate) fn root_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        root_by_name(path).or_else(|| {
            let at = self.roots.partition_point(|it| it.as_str() <= path).checked_sub(1)?;
            let root = &self.roots[at];
            path.starts_with(root.as_str()).then(|| &path[..root.len()])
        })
    }
}

/// Whether the name of a directory at the root begins with the word of which several others there have the project's
/// parts: `i3bar/` beside `i3-input/`, `i3-msg/` and `i3-nagbar/`. Parts keep the licences of those who began them.
/// `folders` are all directories at the root.
fn is_of_family(root: &str, folders: &[&str]) -> bool {
    let root = root.trim_end_matches('/');
    if root.contains('/') {
        return false;
    }
    let others = folders.iter().filter(|it| root != **it);
    let words = others.filter_map(|it| Some(it.split_once(['-', '_'])?.0));
    let mut words: Vec<&str> = words.filter(|it| it.len() > 1 && root.starts_with(it)).collect();
    words.sort_unstable();
    words.chunk_by(|a, b| a == b).any(|it| it.len() >= FAMILY_DIRECTORIES)
}

/// The directory below one named for third-party code: `deps/lua/` for `deps/lua/src/lapi.c`.
fn root_by_name(path: &str) -> Option<&str> {
    let mut start = 0;
    while let Some(len) = path[start..].find('/') {
        let rest = &path[start + len + 1..];
        let inner = rest.find('/').map(|at| &rest.as_bytes()[..at]);
        if is_third_party_name(&path.as_bytes()[start..start + len], inner) {
            let project = rest.find('/').map_or(0, |it| it + 1);
            return Some(&path[..start + len + 1 + project]);
        }
        start += len + 1;
    }
    None
}

/// A rule about paths, and whether they are generated or vendored by it.
type Mark = (Glob, bool);

/// The rules of a `.gitattributes` in `directory`, in order.
fn marks(directory: &str, rules: &str) -> Vec<Mark> {
    let base = if directory.is_empty() { String::new() } else { format!("{}/", escape(directory)) };
    let mark = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        let pattern = words.next()?;
        let is_marked = words.filter_map(origin).next_back()?;
        // A pattern without a slash means files at any depth.
        let glob = match pattern.strip_prefix('/').unwrap_or(pattern) {
            it if pattern.contains('/') => format!("{base}{it}"),
            it => format!("{base}**/{it}"),
        };
        let glob = GlobBuilder::new(&glob).literal_separator(true).build().ok()?;
        Some((glob, is_marked))
    };
    rules.lines().filter_map(mark).collect()
}

/// The paths that rules mark, the last rule of a path deciding. None if most are: then the rules are about the
/// repository's languages.
fn marked(paths: &[&str], rules: &[Mark]) -> Vec<String> {
    // One set answers for all rules of a path at once; most of them ask for an ending, a name or a beginning.
    let mut set = GlobSetBuilder::new();
    for (glob, _) in rules {
        set.add(glob.clone());
    }
    let Ok(set) = set.build() else { return Vec::new() };
    let mut matches = Vec::new();
    let is_marked = |path: &&&str| {
        set.matches_into(path, &mut matches);
        matches.last().is_some_and(|it| rules[*it].1)
    };
    let candidates = candidates(paths, rules).into_iter().map(|it| &paths[it]);
    let res: Vec<String> = candidates.filter(is_marked).map(|it| (*it).to_owned()).collect();
    if 2 * res.len() > paths.len() { Vec::new() } else { res }
}

/// The places of those of sorted paths that begin and end as the pattern of a rule does. Comparing is a hundredth of the
/// work of matching.
fn candidates(paths: &[&str], rules: &[Mark]) -> Vec<usize> {
    let mut res = Vec::new();
    for (glob, _) in rules {
        let pattern = glob.glob();
        let start = &pattern[..pattern.find(['*', '?', '[', '{', '\\']).unwrap_or(pattern.len())];
        let end = &pattern[pattern.rfind(['*', '?', ']', '}', '\\']).map_or(0, |it| it + 1)..];
        let from = paths.partition_point(|it| *it < start);
        let to = from + paths[from..].partition_point(|it| it.starts_with(start));
        res.extend((from..to).filter(|it| paths[*it].ends_with(end)));
    }
    res.sort_unstable();
    res.dedup();
    res
}

/// Whether a file has a licence or the notices that one asks for.
pub(crate) fn states_licence(path: &str) -> bool {
    let name = &path[path.rfind('/').map_or(0, |it| it + 1)..];
    let notices = ["notice", "notice.txt", "notice.md", "unlicense"];
    is_licence(name) || notices.iter().any(|it| name.eq_ignore_ascii_case(it))
}

/// Directories with a licence of another holder than the repository's. `licences` are directories with the words that
/// name the holders of their licences.
fn licensed(licences: &[(&str, &str)]) -> Vec<String> {
    let is_of_root = |directory: &str| directory.is_empty() || directory == "LICENSES";
    let own: Vec<&str> =
        licences.iter().filter(|it| is_of_root(it.0)).flat_map(|it| it.1.lines()).collect();
    let has_root = licences.iter().any(|it| is_of_root(it.0));
    let mut n_with: HashMap<&str, usize> = HashMap::new();
    for name in licences.iter().flat_map(|it| it.1.lines()) {
        *n_with.entry(name).or_default() += 1;
    }
    // Without a holder at the root, one named by several licences counts as the owner.
    let is_own =
        |name: &str| own.contains(&name) || (own.is_empty() && n_with.get(name) > Some(&1));
    let foreign = licences.iter().filter(|(directory, names)| {
        has_root && !is_of_root(directory) && !names.is_empty() && !names.lines().any(is_own)
    });
    foreign.map(|it| format!("{}/", it.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::segment::provenance;

    fn third_party(files: &[(&str, &str)]) -> ThirdParty {
        let stated: Vec<_> = files.iter().map(|it| provenance(it.0, it.1)).collect();
        ThirdParty::new(files.iter().map(|it| it.0).zip(&stated), |it| it.as_deref())
    }

    fn roots(files: &[(&str, &str)]) -> Vec<String> {
        let mut files = files.to_vec();
        files.sort_unstable();
        third_party(&files).roots
    }

    const OURS: &str =
        "MIT License\n\nCopyright (c) 2020 Ada Lovelace\n\nPermission is hereby granted";
    const THEIRS: &str =
        "/* Copyright 2009-2014, Grace Hopper <grace at example.com>. All rights reserved.";

    #[test]
    fn a_licence_of_somebody_else_marks_a_copy() {
        let files = [("LICENSE", OURS), ("a.c", ""), ("b.c", ""), ("src/sort/COPYING", THEIRS)];
        assert_eq!(roots(&files), ["src/sort/"]);
    }

    #[test]
    fn packages_of_one_owner_are_no_copies() {
        let newer = "Copyright 2024 Ada Lovelace and contributors";
        assert!(
            roots(&[("LICENSE", OURS), ("a.js", ""), ("b.js", ""), ("p/LICENSE", newer)])
                .is_empty()
        );
        let apache = "Apache License\nVersion 2.0, January 2004";
        let both = [("LICENSE", apache), ("a/LICENSE", OURS), ("b/LICENSE", newer), ("c.js", "")];
        assert!(roots(&both).is_empty());
        assert!(roots(&[("a.js", ""), ("b.js", ""), ("p/LICENSE", THEIRS)]).is_empty());
    }

    #[test]
    fn a_project_with_its_own_service_and_build_is_a_copy() {
        let files = [
            ("a.c", ""),
            ("b.c", ""),
            ("x/Makefile", ""),
            ("x/.travis.yml", ""),
            ("y/Makefile", ""),
        ];
        assert_eq!(roots(&files), ["x/"]);
    }

    #[test]
    fn a_part_with_a_licence_of_its_author_is_no_copy() {
        let files = [
            ("LICENSE", OURS),
            ("mill-core/a.c", ""),
            ("mill-core/deflate/LICENSE", THEIRS),
            ("mill-log/a.c", ""),
            ("mill-ui/a.c", ""),
            ("millbar/LICENSE", THEIRS),
            ("sort/LICENSE", THEIRS),
        ];
        assert_eq!(roots(&files), ["mill-core/deflate/", "sort/"]);
    }

    #[test]
    fn a_repository_is_no_copy_of_itself() {
        let files = [("LICENSE", OURS), ("src/LICENSE", THEIRS), ("src/a.c", ""), ("src/b.c", "")];
        assert!(roots(&files).is_empty());
    }

    #[test]
    fn attributes_mark_files_as_generated_or_vendored() {
        let rules = "# about languages\n*.gen.rs linguist-generated\n/kept.gen.rs -linguist-generated\nlib/** linguist-vendored=true\n*.md text\n";
        let files = [
            (".gitattributes", rules),
            ("a.rs", ""),
            ("b.md", ""),
            ("kept.gen.rs", ""),
            ("lib/x/y.c", ""),
            ("src/.gitattributes", "z.c linguist-generated\n"),
            ("src/a.gen.rs", ""),
            ("src/b.rs", ""),
            ("src/c/z.c", ""),
            ("z.c", ""),
        ];
        let found = third_party(&files);
        assert_eq!(found.marked, ["lib/x/y.c", "src/a.gen.rs", "src/c/z.c"]);
        assert!(found.is_marked("src/a.gen.rs") && !found.is_marked("src/a.gen"));
    }

    #[test]
    fn every_path_that_matches_is_a_candidate() {
        let patterns =
            ["**/*.gen.rs", "a/*/c", "a/b", "{a,d}/[bc]*", "a/b?c", r"a/\*c", "**/b/**", "*"];
        let paths =
            ["a", "a/*c", "a/b", "a/b/c", "a/b/x.gen.rs", "a/bxc", "d/c", "d/cc", "x.gen.rs"];
        for pattern in patterns {
            let glob = GlobBuilder::new(pattern).literal_separator(true).build().unwrap();
            let matcher = glob.compile_matcher();
            let rules = [(glob, true)];
            let found: Vec<&str> = candidates(&paths, &rules).iter().map(|it| paths[*it]).collect();
            let all = paths.iter().filter(|it| matcher.is_match(it));
            assert!(
                all.clone().count() > 0 && all.clone().all(|it| found.contains(it)),
                "{pattern}"
            );
        }
    }

    #[test]
    fn a_directory_named_for_others_code_holds_projects() {
        let third = ThirdParty::default();
        assert_eq!(third.root_of("deps/lua/src/lapi.c"), Some("deps/lua/"));
        assert_eq!(third.root_of("web/node_modules/x/y.js"), Some("web/node_modules/x/"));
        assert_eq!(third.root_of("vendor/a.go"), Some("vendor/"));
        assert_eq!(third.root_of("deps/build.rs"), None);
        assert_eq!(third.root_of("src/external.rs"), None);
    }
}
