//! The source files that the tests of the tree look at.

use std::fs;
use std::path::{Path, PathBuf};

/// The directory of the crates.
pub(super) fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The Rust files below `dir`, sorted.
pub(super) fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut dirs = vec![dir.to_owned()];
    let mut res = Vec::new();
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                res.push(path);
            }
        }
    }
    res.sort();
    res
}

/// The text of a file up to its tests, without comments that take a whole line.
pub(super) fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    let lines = text[..end].lines().filter(|it| !it.trim_start().starts_with("//"));
    lines.flat_map(|it| [it, "\n"]).collect()
}
