//! `foreword clean`: which indexes it lists and removes, and which it keeps.

use std::time::{Duration, SystemTime};

use crate::Repository;

#[test]
fn the_index_of_a_repository_is_listed_then_removed_and_made_again() {
    let repository = Repository::new("//- a.py\ndef total(): pass\n");
    assert_eq!(repository.run(&["clean"]).code, 1);
    assert_eq!(repository.run(&["search", "total"]).code, 0);
    let index = repository.workspace_index();
    let run = repository.run(&["clean"]);
    assert!(run.code == 1 && run.err.contains("nothing was removed"), "{run:?}");
    assert!(run.out.contains(&*repository.root().canonicalize().unwrap().to_string_lossy()));
    assert!(index.is_dir() && run.out.contains("1 index, "), "{run:?}");
    let run = repository.run(&["clean", "--yes"]);
    assert!(run.code == 0 && !index.exists(), "{run:?}");
    assert_eq!(repository.run(&["search", "total"]).code, 0);
}

#[test]
fn an_age_chooses_among_all_and_foreign_directories_are_kept() {
    let repository = Repository::new("//- a.py\ndef total(): pass\n");
    assert_eq!(repository.run(&["search", "total"]).code, 0);
    let index = repository.workspace_index();
    let foreign = repository.index().join("photos");
    std::fs::create_dir_all(foreign.join("segments")).unwrap();
    assert_eq!(repository.run(&["clean", "--older-than", "2", "--yes"]).code, 1);
    for it in std::fs::read_dir(repository.store().join("views")).unwrap() {
        let old = SystemTime::now() - Duration::from_hours(72);
        let file = std::fs::File::options().write(true).open(it.unwrap().path()).unwrap();
        file.set_modified(old).unwrap();
    }
    let run = repository.run(&["clean", "--older-than", "2", "--yes"]);
    assert!(run.code == 0 && run.out.contains("3 days ago"), "{run:?}");
    assert!(!index.exists(), "{run:?}");
    assert_eq!(repository.run(&["clean", "--all", "--yes"]).code, 1);
    assert!(foreign.join("segments").is_dir());
}

#[test]
fn an_index_that_is_being_written_is_kept() {
    let repository = Repository::new("//- a.py\ndef total(): pass\n");
    assert_eq!(repository.run(&["search", "total"]).code, 0);
    let store = repository.store();
    let lock = std::fs::File::options().write(true).open(store.join("writer.lock")).unwrap();
    lock.lock().unwrap();
    let run = repository.run(&["clean", "--all", "--yes"]);
    assert!(run.code == 1 && run.err.contains("is being written"), "{run:?}");
    assert!(store.join("views").is_dir());
    drop(lock);
    assert_eq!(repository.run(&["clean", "--all", "--yes"]).code, 0);
    assert!(!store.exists());
}
