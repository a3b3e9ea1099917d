//! Directory entries that are not plain files with plain names.

use foreword_load::{LoadError, Root, walk};

use crate::{Tree, everything};

#[test]
fn an_empty_directory_is_an_empty_walk() {
    let tree = Tree::new();
    let walk = tree.walk();
    assert!(walk.files.is_empty() && walk.skipped.is_empty());
    assert_eq!(walk.directories, [""]);
}

#[test]
fn a_missing_root_is_an_error_and_not_an_empty_tree() {
    let tree = Tree::of(&["file"]);
    assert!(matches!(walk(&tree.path("none"), &everything()), Err(LoadError::NotFound { .. })));
    assert!(matches!(
        walk(&tree.path("file"), &everything()),
        Err(LoadError::NotADirectory { .. })
    ));
}

#[test]
fn a_cancelled_walk_is_an_error() {
    let tree = Tree::of(&["a", "sub/b"]);
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let cancelled =
        foreword_load::walk_until(&Root::open(&tree.root).unwrap(), &everything(), &cancel);
    assert!(matches!(cancelled, Err(LoadError::Cancelled { .. })));
}

#[test]
fn names_with_quotes_and_spaces_are_names() {
    let tree = Tree::of(&["it's \"quoted\".rs", "\u{e9}\u{1f600}.rs", " lead.rs"]);
    assert_eq!(tree.files(), [" lead.rs", "it's \"quoted\".rs", "\u{e9}\u{1f600}.rs"]);
}

#[test]
fn paths_are_sorted_by_their_bytes() {
    let tree = Tree::of(&["a/b", "a.rs", "a-b", "A", "a/a/z", "\u{fc}"]);
    assert_eq!(tree.files(), ["A", "a-b", "a.rs", "a/a/z", "a/b", "\u{fc}"]);
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;
    use std::process::Command;

    use crate::Tree;

    #[test]
    fn links_are_recorded_and_not_followed() {
        let outside = Tree::of(&["secret.txt"]);
        let tree = Tree::of(&["src/a.rs", "src/deep/b.rs"]);
        symlink("src/a.rs", tree.path("file")).unwrap();
        symlink("src/deep", tree.path("directory")).unwrap();
        symlink("..", tree.path("src/up")).unwrap();
        symlink("self", tree.path("self")).unwrap();
        symlink("nowhere", tree.path("dangling")).unwrap();
        symlink(outside.path("secret.txt"), tree.path("out")).unwrap();
        assert_eq!(tree.files(), ["src/a.rs", "src/deep/b.rs"]);
        assert_eq!(tree.reason("file"), "symlink inside: src/a.rs");
        assert_eq!(tree.reason("directory"), "symlink inside: src/deep");
        assert_eq!(tree.reason("src/up"), "symlink loop");
        assert_eq!(tree.reason("self"), "symlink loop");
        assert_eq!(tree.reason("dangling"), "dangling symlink: nowhere");
        assert_eq!(
            tree.reason("out"),
            format!("symlink outside: {}", outside.path("secret.txt").display())
        );
    }

    #[test]
    fn pipes_and_sockets_are_never_opened() {
        let tree = Tree::of(&["a.rs"]);
        let made =
            Command::new("mkfifo").arg(tree.path("pipe")).arg(tree.path(".gitignore")).status();
        assert!(made.unwrap().success());
        let _socket = UnixListener::bind(tree.path("socket")).unwrap();
        assert_eq!(tree.files(), ["a.rs"]);
        for name in ["pipe", "socket", ".gitignore"] {
            assert_eq!(tree.reason(name), "pipe, socket or device");
        }
    }

    #[test]
    fn a_name_with_a_line_break_is_a_name() {
        let tree = Tree::of(&["a\nb.rs", "back\\slash.rs"]);
        assert_eq!(tree.files(), ["a\nb.rs", "back\\slash.rs"]);
    }

    #[test]
    #[cfg(not(target_os = "macos"))]
    fn a_name_that_is_not_unicode_is_recorded() {
        let tree = Tree::of(&["a.rs"]);
        fs::write(tree.root.join(OsStr::from_bytes(b"caf\xe9.rs")), "x").unwrap();
        fs::create_dir(tree.root.join(OsStr::from_bytes(b"dir\xff"))).unwrap();
        assert_eq!(tree.files(), ["a.rs"]);
        assert_eq!(tree.reason("caf\u{fffd}.rs"), "the name is not valid Unicode");
        assert_eq!(tree.reason("dir\u{fffd}"), "the name is not valid Unicode");
    }

    #[test]
    fn a_directory_that_may_not_be_read_is_recorded() {
        let tree = Tree::of(&["a.rs", "closed/b.rs"]);
        let closed = tree.path("closed");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        // The superuser may read everything; then there is nothing to test.
        let refused = fs::read_dir(&closed).is_err();
        let reason = tree.reason("closed");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        assert!(!refused || reason.starts_with("cannot be read"), "{reason}");
    }

    #[test]
    fn a_path_longer_than_the_system_takes_is_recorded() {
        let tree = Tree::of(&["a.rs"]);
        // No call accepts such a path, so join two shorter ones.
        let chain = |levels| std::iter::repeat_n("d".repeat(200), levels).collect::<PathBuf>();
        fs::create_dir_all(tree.root.join("head").join(chain(15))).unwrap();
        fs::create_dir_all(tree.root.join("tail").join(chain(15))).unwrap();
        fs::rename(tree.path("tail"), tree.root.join("head").join(chain(15)).join("tail")).unwrap();
        let walk = tree.walk();
        assert_eq!(walk.files.len(), 1);
        assert_eq!(walk.skipped.len(), 1);
        assert_eq!(walk.skipped[0].reason.code(), "unreadable");
    }
}
