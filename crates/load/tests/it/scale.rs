//! Large and deep trees; the number of threads does not change the result.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use foreword_load::WalkConfig;

use crate::{Tree, everything};

/// `directories` times `files` files, some of them ignored.
fn wide(directories: usize, files: usize) -> Tree {
    let tree = Tree::new();
    tree.write(".gitignore", "*.log\nout/\n");
    for directory in 0..directories {
        let path = tree.path(&format!("d{directory}/sub"));
        fs::create_dir_all(&path).unwrap();
        for file in 0..files {
            fs::write(
                path.join(format!("f{file}.{}", if file % 10 == 0 { "log" } else { "rs" })),
                "x\n",
            )
            .unwrap();
        }
    }
    tree
}

#[test]
fn any_number_of_threads_gives_the_same_walk() {
    let tree = wide(40, 20);
    let walk = |threads| tree.walk_with(&WalkConfig { threads, ..everything() });
    let one = walk(1);
    assert_eq!(
        (one.files.len(), one.skipped.len(), one.directories.len()),
        (40 * 18 + 1, 40 * 2, 81)
    );
    for threads in [0, 2, 3, 8] {
        assert_eq!(walk(threads), one, "{threads} threads");
    }
}

#[test]
fn twenty_thousand_files_are_walked() {
    let tree = wide(200, 100);
    let start = Instant::now();
    let walk = tree.walk_with(&WalkConfig::default());
    assert_eq!(walk.files.len(), 200 * 90 + 1);
    assert!(walk.files.is_sorted_by(|a, b| a.path < b.path));
    // Generous: a release build takes some 50 ms.
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn a_thousand_levels_are_walked() {
    let tree = Tree::new();
    let deep: PathBuf = std::iter::repeat_n("d", 1_000).collect();
    let path = tree.root.join(&deep);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("end.rs"), "x").unwrap();
    // An ignore file at every level would be the worst case; one in ten suffices.
    for level in (0..1_000).step_by(10) {
        let path: PathBuf = std::iter::repeat_n("d", level).collect();
        fs::write(tree.root.join(path).join(".gitignore"), "*.log\n").unwrap();
    }
    let walk = tree.walk();
    assert_eq!((walk.files.len(), walk.directories.len()), (101, 1_001));
    assert!(walk.files.iter().any(|found| found.path.ends_with("/end.rs")));
}
