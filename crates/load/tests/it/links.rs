//! No answer contains files outside of the tree, whatever happens to the tree during reading, and unreadable paths are
//! reported.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use foreword_engine::index::{IndexConfig, Store};
use foreword_load::{Analyzer, Options, Reuse, SyncOutcome, Workspace, sync};

use crate::{Tree, sync_options};

const SENTINEL: &str = "content_from_outside";

/// Duration of the swapping.
const TIME: Duration = Duration::from_secs(3);

fn synced(root: &Path, index: &Path) -> SyncOutcome {
    let workspace =
        Workspace::discover(root, &Options { root_is_path: true, ..Options::default() }).unwrap();
    let analyzer = Analyzer::in_process();
    let options = sync_options(&analyzer, 2, Reuse::Stored);
    sync(&workspace, &Store::new(index.to_owned(), IndexConfig::default()), &options).unwrap()
}

/// A tree whose directory `a/deep` is replaced by a link to `outside`, and back, until `stop`.
fn swap(inside: &Path, aside: &Path, outside: &Path, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        fs::rename(inside, aside).unwrap();
        symlink(outside, inside).unwrap();
        std::thread::sleep(Duration::from_micros(300));
        fs::remove_file(inside).unwrap();
        fs::rename(aside, inside).unwrap();
        std::thread::sleep(Duration::from_micros(300));
    }
}

#[test]
fn a_directory_that_is_swapped_for_a_link_shows_nothing_from_outside() {
    let (tree, outside, index) = (Tree::new(), Tree::new(), Tree::new());
    for file in 0..60 {
        let path = format!("a/deep/f{file}.py");
        tree.write(&path, format!("def inside_{file}():\n    pass\n"));
        outside.write(&format!("f{file}.py"), format!("def {SENTINEL}_{file}():\n    pass\n"));
        outside.write(&format!("sub/g{file}.py"), format!("{SENTINEL} = {file}\n"));
    }
    let stop = AtomicBool::new(false);
    let (inside, aside) = (tree.path("a/deep"), index.path("aside"));
    std::thread::scope(|scope| {
        scope.spawn(|| swap(&inside, &aside, &outside.root, &stop));
        let start = Instant::now();
        let (mut runs, mut complete) = (0, 0);
        while start.elapsed() < TIME {
            let outcome = synced(&tree.root, &index.path("index"));
            for file in outcome.snapshot.files() {
                let text = outcome.snapshot.text(file);
                let path = outcome.snapshot.path(file);
                if text.contains(SENTINEL) || path.contains("sub/") {
                    stop.store(true, Ordering::Relaxed);
                    panic!("{path} in run {runs}: {text}");
                }
            }
            runs += 1;
            complete += usize::from(outcome.snapshot.is_complete());
        }
        stop.store(true, Ordering::Relaxed);
        assert!(runs > 5, "{runs} runs are no test");
        assert!(complete < runs, "what was a link for a moment could not be read then");
    });
    let outcome = synced(&tree.root, &index.path("index"));
    assert_eq!((outcome.snapshot.totals().files, outcome.unreadable()), (60, None));
    assert!(outcome.snapshot.is_complete(), "nothing of it lasts");
}

#[test]
fn a_link_inside_the_tree_is_its_target() {
    let (tree, index) = (Tree::of(&["src/a.rs"]), Tree::new());
    symlink("src", tree.path("alias")).unwrap();
    symlink("src/a.rs", tree.path("b.rs")).unwrap();
    let outcome = synced(&tree.root, &index.root);
    assert_eq!(outcome.snapshot.totals().files, 1);
    assert!(outcome.snapshot.is_complete());
    assert_eq!(tree.reason("alias"), "symlink inside: src");
    assert_eq!(tree.reason("b.rs"), "symlink inside: src/a.rs");
}

#[test]
fn a_linked_ignore_file_counts_and_one_from_outside_is_not_quoted() {
    let (tree, outside) = (Tree::of(&["a.log", "b/c.txt", "b/d.rs"]), Tree::new());
    tree.write("shared/rules", "*.log\n");
    symlink("shared/rules", tree.path(".gitignore")).unwrap();
    outside.write("netrc", "machine example.org\nc.txt\n");
    symlink(outside.path("netrc"), tree.path("b/.cursorignore")).unwrap();
    assert_eq!(tree.files(), ["b/d.rs", "shared/rules"]);
    assert_eq!(tree.reason("a.log"), "ignored by .gitignore:1: *.log");
    assert_eq!(
        tree.reason("b/c.txt"),
        "ignored by b/.cursorignore: (a line of the file outside to which it links)"
    );
}

#[test]
fn an_answer_without_a_directory_that_cannot_be_read_is_not_complete() {
    let (tree, index) = (Tree::of(&["a.rs", "closed/b.rs"]), Tree::new());
    assert!(synced(&tree.root, &index.root).snapshot.is_complete());
    fs::set_permissions(tree.path("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    let refused = fs::read_dir(tree.path("closed")).is_err();
    let outcomes = [synced(&tree.root, &index.root), synced(&tree.root, &index.root)];
    fs::set_permissions(tree.path("closed"), fs::Permissions::from_mode(0o700)).unwrap();
    // The superuser may read everything; then there is nothing to test.
    if refused {
        for outcome in outcomes {
            assert!(!outcome.snapshot.is_complete());
            let unreadable = outcome.unreadable().unwrap();
            assert_eq!((&*unreadable.first, unreadable.paths), ("closed", 1));
            assert!(unreadable.reason.starts_with("cannot be read"), "{}", unreadable.reason);
        }
    }
    assert!(synced(&tree.root, &index.root).snapshot.is_complete());
}
