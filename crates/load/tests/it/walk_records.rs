//! The record of the last walk lies beside the index. It saves time, and never changes what is found.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use foreword_engine::index::{IndexConfig, Store};
use foreword_load::{Analyzer, Reuse, Walk, sync};

use crate::{Tree, sync_options};

struct Indexed {
    tree: Tree,
    _index: tempfile::TempDir,
    store: Store,
}

impl Indexed {
    fn of(paths: &[&str]) -> Self {
        let (tree, index) = (Tree::of(paths), tempfile::tempdir().unwrap());
        let store = Store::new(index.path().to_owned(), IndexConfig::default());
        Self { tree, _index: index, store }
    }

    /// Brings the index up to date; the walk is that of a full walk.
    fn sync(&self) -> Walk {
        let analyzer = Analyzer::in_process();
        let options = sync_options(&analyzer, 2, Reuse::Stored);
        let synced = sync(&self.tree.workspace(), &self.store, &options).unwrap();
        assert_eq!(synced.report.unwritten, None);
        assert_eq!(synced.walk, self.tree.walk_with(&options.walk));
        synced.walk
    }

    fn record(&self) -> PathBuf {
        let view = self.tree.workspace().view_key();
        self.store.dir().join("walks").join(format!("{view}.walk"))
    }
}

/// Old enough that stamps prove something.
fn settle() {
    std::thread::sleep(Duration::from_millis(250));
}

#[test]
fn a_record_is_written_once_and_read_while_nothing_changes() {
    let it = Indexed::of(&["a.py", "src/b.py", "src/deep/c.py"]);
    settle();
    it.sync();
    let written = fs::read(it.record()).unwrap();
    let inode = |path: PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    let before = inode(it.record());
    it.sync();
    assert_eq!(inode(it.record()), before);
    it.tree.write("src/deep/d.py", "");
    settle();
    assert_eq!(it.sync().files.len(), 4);
    assert_ne!(fs::read(it.record()).unwrap(), written);
}

#[test]
fn a_missing_or_damaged_record_costs_a_full_walk_and_is_written_again() {
    let it = Indexed::of(&["a.py", "src/b.py", "src/deep/c.py"]);
    settle();
    it.sync();
    let whole = fs::read(it.record()).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for bytes in [&[][..], &whole[..7], &whole[..whole.len() / 2], &flipped] {
        fs::write(it.record(), bytes).unwrap();
        assert_eq!(it.sync().files.len(), 3);
        assert_eq!(
            it.store.walk_record(&it.tree.workspace().view_key()).map(|it| it.len() + 8),
            Some(whole.len())
        );
    }
    fs::remove_dir_all(it.record().parent().unwrap()).unwrap();
    assert_eq!(it.sync().files.len(), 3);
    assert!(it.record().exists());
}

#[test]
fn files_made_in_the_moment_of_a_walk_are_found_by_the_next() {
    let it = Indexed::of(&["a.py", "src/b.py"]);
    for number in 0..12 {
        it.tree.write(&format!("src/new{number}.py"), "");
        assert_eq!(it.sync().files.len(), 3 + number);
    }
}
