//! Plausible order in which the hunks of a commit were written.
//!
//! A history does not record it. The order here is a fixed rule, with ties drawn by the seed: hunks of one file are
//! written together; code comes before tests; a file that defines a name comes before the files that use it, and a
//! defining hunk before the other hunks of its file; remaining ties are drawn between files, and go from top to bottom
//! in a file. Half of the files, drawn at random, have their imports written first, the others last, as an editor adds
//! them.

use std::collections::BTreeSet;

use foreword_chunk::{Config, Language, analyze};
use foreword_engine::index::terms::identifiers;
use foreword_engine::index::{FileRole, file_role};

use super::hunks::{ChangedFile, HunkId};
use crate::random::Random;

/// Shorter names do not link hunks.
const SHORTEST_NAME: usize = 4;

/// Position of a file's imports in the order.
#[derive(Clone, Copy)]
enum ImportEnd {
    First,
    Last,
}

/// Names that a hunk defines and uses.
#[derive(Default)]
struct Names {
    defined: BTreeSet<String>,
    used: BTreeSet<String>,
    is_import: bool,
}

/// All hunks in a plausible order of writing.
pub(super) fn order(files: &[ChangedFile], mut random: Random) -> Vec<HunkId> {
    let names: Vec<Vec<Names>> = files.iter().map(of_file).collect();
    let ends = [ImportEnd::First, ImportEnd::Last];
    let ends: Vec<ImportEnd> = files.iter().map(|_| ends[random.below(2)]).collect();
    let mut drawn: Vec<usize> = (0..files.len()).collect();
    random.shuffle(&mut drawn);
    let (tests, code): (Vec<usize>, Vec<usize>) =
        drawn.into_iter().partition(|it| is_test(&files[*it].path));
    let of_files = |it: &usize| Names {
        defined: names[*it].iter().flat_map(|it| it.defined.clone()).collect(),
        used: names[*it].iter().flat_map(|it| it.used.clone()).collect(),
        is_import: false,
    };
    let sorted = |group: Vec<usize>| {
        let all: Vec<Names> = group.iter().map(of_files).collect();
        let places = definitions_first(&all.iter().collect::<Vec<_>>());
        places.into_iter().map(|it| group[it]).collect::<Vec<usize>>()
    };
    let mut res = Vec::new();
    for file in sorted(code).into_iter().chain(sorted(tests)) {
        let hunks = in_file(&names[file], ends[file]);
        res.extend(hunks.into_iter().map(|hunk| HunkId { file, hunk }));
    }
    res
}

fn is_test(path: &str) -> bool {
    file_role(path, Language::of_path(path, "")) == FileRole::Test
}

/// The hunks of a file: imports first or last, definitions before uses, otherwise from top to bottom.
fn in_file(names: &[Names], end: ImportEnd) -> Vec<usize> {
    let (imports, others): (Vec<usize>, Vec<usize>) =
        (0..names.len()).partition(|it| names[*it].is_import);
    let chosen: Vec<&Names> = others.iter().map(|it| &names[*it]).collect();
    let others = definitions_first(&chosen).into_iter().map(|it| others[it]);
    match end {
        ImportEnd::First => imports.iter().copied().chain(others).collect(),
        ImportEnd::Last => others.chain(imports.iter().copied()).collect(),
    }
}

/// Repeatedly takes the first hunk that uses the fewest names defined by hunks not yet taken.
fn definitions_first(all: &[&Names]) -> Vec<usize> {
    let needs = |user: usize, other: usize| {
        user != other && !all[user].used.is_disjoint(&all[other].defined)
    };
    let mut left: Vec<usize> = (0..all.len()).collect();
    let mut res = Vec::new();
    while !left.is_empty() {
        let open = |it: &usize| left.iter().filter(|other| needs(*it, **other)).count();
        let next = (0..left.len()).min_by_key(|at| open(&left[*at])).unwrap_or(0);
        res.push(left.remove(next));
    }
    res
}

fn of_file(file: &ChangedFile) -> Vec<Names> {
    let head = &file.new[..file.new.floor_char_boundary(4096)];
    let language = Language::of_path(&file.path, head);
    let symbols = analyze(file.new.as_bytes(), language, &Config::default()).symbols;
    let mut res: Vec<Names> = Vec::new();
    for (idx, hunk) in file.hunks.iter().enumerate() {
        let inside = |at: u32| hunk.new.contains(&(at as usize));
        let defined = symbols.definitions.iter().filter(|it| inside(it.name.start));
        let defined = defined.map(|it| file.new[it.name.range()].to_owned());
        let defined: BTreeSet<String> = defined.filter(|it| it.len() >= SHORTEST_NAME).collect();
        let mut used = BTreeSet::new();
        identifiers(file.added(idx), |start, end| {
            let name = &file.added(idx)[start..end];
            if !defined.contains(name) {
                used.insert(name.to_owned());
            }
        });
        let imported: usize = symbols
            .imports
            .iter()
            .map(|it| it.span.range())
            .filter(|it| it.start < hunk.new.end && hunk.new.start < it.end)
            .map(|it| it.end.min(hunk.new.end) - it.start.max(hunk.new.start))
            .sum();
        let is_import = imported * 10 >= file.added(idx).trim().len() * 8 && imported > 0;
        res.push(Names { defined, used, is_import });
    }
    res
}

#[cfg(test)]
mod tests {
    use super::super::hunks::headers;
    use super::*;

    fn file(path: &str, old: &str, new: &str, hunks: &str) -> ChangedFile {
        let patch = format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{hunks}");
        let header = headers(&patch).unwrap().remove(0);
        ChangedFile::new(header, Some(old.into()), new.into()).unwrap()
    }

    #[track_caller]
    fn check(files: &[ChangedFile], expect: &[&[(usize, usize)]]) {
        for seed in 0..8 {
            let got = order(files, Random::new(seed));
            let got: Vec<(usize, usize)> = got.iter().map(|it| (it.file, it.hunk)).collect();
            assert!(expect.contains(&&got[..]), "{got:?}");
        }
    }

    #[test]
    fn definitions_come_before_uses_and_tests_last() {
        let test = file("tests/test_a.py", "x\n", "x\nparse_url(1)\n", "@@ -1,0 +2 @@\n");
        let user = file("main.py", "x\n", "x\nparse_url(2)\n", "@@ -1,0 +2 @@\n");
        let definition = "x\ndef parse_url(it):\n    pass\n";
        let definition = file("url.py", "x\n", definition, "@@ -1,0 +2,2 @@\n");
        check(&[test, user, definition], &[&[(2, 0), (1, 0), (0, 0)]]);
    }

    #[test]
    fn in_a_file_too_and_imports_stand_at_one_end() {
        let old = "x = 1\ny = 2\n";
        let new = "import json\nx = 1\nload_it(x)\ny = 2\ndef load_it(x):\n    pass\n";
        let hunks = "@@ -0,0 +1 @@\n@@ -1,0 +3 @@\n@@ -2,0 +5,2 @@\n";
        let first = [(0, 0), (0, 2), (0, 1)];
        let last = [(0, 2), (0, 1), (0, 0)];
        check(&[file("a.py", old, new, hunks)], &[&first, &last]);
    }
}
