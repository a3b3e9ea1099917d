//! Why one file is not in the index.

use std::path::Path;

use foreword_load::{Limits, LoadError, Root, explain};

use crate::{Tree, everything};

/// The reason as shown to users, or `in`.
fn check(tree: &Tree, path: &str, expect: &str) {
    let reason =
        explain(&Root::open(&tree.root).unwrap(), path, &everything(), &Limits::default()).unwrap();
    assert_eq!(
        reason.map_or_else(|| "in".to_string(), |reason| reason.to_string()),
        expect,
        "{path}"
    );
}

#[test]
fn a_path_that_is_in_has_no_reason() {
    let tree = Tree::of(&["src/a.rs"]);
    check(&tree, "src/a.rs", "in");
    check(&tree, "src", "in");
    check(&tree, "", "in");
}

#[test]
fn a_path_below_a_skipped_directory_has_the_reason_of_the_directory() {
    let tree = Tree::of(&["out/deep/a.rs", "env/pyvenv.cfg", "env/lib/a.py", ".git/config"]);
    tree.write(".gitignore", "/out\n");
    check(&tree, "out/deep/a.rs", "ignored by .gitignore:1: /out");
    check(&tree, "out/deep", "ignored by .gitignore:1: /out");
    check(
        &tree,
        "env/lib/a.py",
        "vendored or built (pyvenv.cfg inside); .forewordignore can include it",
    );
    check(&tree, ".git/config", "version control storage");
}

#[test]
fn the_content_of_a_file_may_be_the_reason() {
    let tree = Tree::of(&["a.png"]);
    tree.write("b.rs", b"a\0b")
        .write("c.rs", "// @generated\n")
        .write("d.txt", vec![b'\n'; 2 << 20]);
    check(&tree, "a.png", "binary");
    check(&tree, "b.rs", "binary");
    check(&tree, "c.rs", "generated: // @generated");
    check(&tree, "d.txt", "too large: 2097152 bytes, the limit is 1048576");
}

#[test]
fn explanations_agree_with_the_walk() {
    let tree = Tree::of(&[
        "a.rs",
        "b.log",
        ".env",
        "node_modules/x.js",
        "sub/c.rs",
        "sub/d.rs",
        ".idea/x",
        "Cargo.lock",
    ]);
    tree.write(".gitignore", "*.log\n").write("sub/.cursorignore", "d.rs\n");
    let walk = tree.walk();
    for found in &walk.files {
        check(&tree, &found.path, "in");
    }
    assert_eq!(walk.skipped.len(), 6);
    for skipped in &walk.skipped {
        check(&tree, &skipped.path, &skipped.reason.to_string());
    }
}

#[test]
fn a_path_that_is_not_there_or_not_below_is_an_error() {
    let tree = Tree::of(&["a.rs"]);
    let ask = |path: &str| {
        explain(&Root::open(&tree.root).unwrap(), path, &everything(), &Limits::default())
    };
    assert!(matches!(ask("none.rs"), Err(LoadError::NotFound { .. })));
    assert!(matches!(ask("../x"), Err(LoadError::OutsideRoot { .. })));
    assert!(matches!(ask(Path::new("/").to_str().unwrap()), Err(LoadError::OutsideRoot { .. })));
}
