//! The source tree keeps the promises of ARCHITECTURE.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

mod circles;
mod languages;
mod numbers;
mod pages;
mod sources;
mod stages;
mod type_names;

use sources::{crates, rust_files};

#[test]
fn every_file_begins_with_what_it_holds() {
    let crates = crates();
    let bare: Vec<PathBuf> = rust_files(&crates)
        .into_iter()
        .filter(|it| !it.components().any(|part| part.as_os_str() == "target"))
        .filter(|it| !it.to_string_lossy().contains("tests/languages/"))
        .filter(|it| !it.to_string_lossy().contains("evaluate/truth/"))
        .filter(|it| !fs::read_to_string(it).unwrap().starts_with("//!"))
        .collect();
    assert!(bare.is_empty(), "missing module docs: {bare:?}");
}

#[test]
fn files_and_folders_stay_small() {
    let crates = crates();
    let mut folders: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    // Below the crates alone: a clone may lie in a folder that is called `src`.
    let is_source =
        |it: &&PathBuf| it.strip_prefix(&crates).unwrap().iter().any(|part| part == "src");
    for path in rust_files(&crates).iter().filter(is_source) {
        let lines = fs::read_to_string(path).unwrap().lines().count();
        if lines > MAX_LINES {
            wrong.push(format!("{}: {lines} lines", path.display()));
        }
        *folders.entry(path.parent().unwrap().to_owned()).or_default() += 1;
    }
    let crowded = folders.iter().filter(|it| *it.1 > MAX_FILES);
    wrong.extend(crowded.map(|(folder, files)| format!("{}: {files} files", folder.display())));
    assert!(wrong.is_empty(), "split what has more than one idea:\n{}", wrong.join("\n"));
}

/// Lines of a file.
const MAX_LINES: usize = 500;

/// Files of a folder, not counting those below it.
const MAX_FILES: usize = 15;

#[test]
fn every_path_that_architecture_md_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let quoted = text.split('`').skip(1).step_by(2);
    let paths =
        quoted.filter(|it| it.contains('/') && !it.contains([' ', '<', '*', '$', '{', ':']));
    let gone: Vec<&str> = paths.filter(|it| !root.join(it).exists()).collect();
    assert!(gone.is_empty(), "ARCHITECTURE.md names what is not there: {gone:?}");
}

/// A file without a parser keeps what a merge left in it.
#[test]
fn no_page_has_marks_of_a_merge() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["", "docs", "benchmarks/results"].map(|it| root.join(it));
    let files = folders.iter().flat_map(|it| fs::read_dir(it).unwrap());
    let pages =
        files.map(|it| it.unwrap().path()).filter(|it| it.extension() == Some("md".as_ref()));
    let is_marked = |it: &PathBuf| {
        let text = fs::read_to_string(it).unwrap();
        text.lines().any(|it| it.starts_with("<<<<<<< ") || it.starts_with(">>>>>>> "))
    };
    let marked: Vec<PathBuf> = pages.filter(is_marked).collect();
    assert!(marked.is_empty(), "{marked:?}");
}
