//! Several installed versions of foreword share a machine: none touches the index of another.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Repository;

/// Every file below `dir` with its bytes.
fn contents(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut res = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => res.extend(contents(&path)),
            false => drop(res.insert(path.clone(), fs::read(&path).unwrap())),
        }
    }
    res
}

/// Plants what looks like the store of another version: real segments under a format that this one cannot read.
fn plant(store: &Path, like: &Path) {
    for (path, mut bytes) in contents(like) {
        let path = store.join(path.strip_prefix(like).unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        bytes.reverse();
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn an_index_of_another_version_stays_byte_for_byte_while_ours_is_built_and_collected() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    assert_eq!(repository.run(&["index"]).code, 0);
    let (workspace, ours) = (repository.workspace_index(), repository.store());
    assert_eq!(ours.parent(), Some(workspace.as_path()));
    let other = workspace.join("v4.9.9");
    plant(&other, &ours);
    plant(&workspace, &other);
    let others = || {
        let mut files = contents(&workspace);
        files.retain(|path, _| !path.starts_with(&ours));
        files
    };
    let before = others();
    assert!(before.len() >= 6, "segments, views and locks of two stores: {:?}", before.keys());

    for round in 0..10 {
        repository.write(&format!("{round}.py"), &format!("def f{round}():\n    pass\n"));
        assert_eq!(repository.run(&["index"]).code, 0);
    }
    let rebuilt = repository.run(&["index", "--rebuild"]);
    assert_eq!(rebuilt.code, 0, "{rebuilt:?}");
    let found = repository.json(&["search", "alpha", "--json"]);
    assert_eq!(found["searched"]["files"], 11, "{found}");
    assert_eq!(others(), before);
    let segments = fs::read_dir(ours.join("segments")).unwrap().count();
    assert_eq!(segments, 1, "our own old segments are collected");
}

#[test]
fn the_doctor_names_the_indexes_of_other_versions() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    repository.run(&["index"]);
    let named = |it: &serde_json::Value| it["check"] == "other versions";
    let checks = || repository.json(&["doctor", "--json"])["checks"].as_array().unwrap().clone();
    assert!(!checks().iter().any(named));
    let other = repository.workspace_index().join("v4.9.9");
    plant(&other, &repository.store());
    let checks = checks();
    let check = checks.iter().find(|it| named(it)).unwrap();
    assert_eq!(check["ok"], true);
    assert!(check["found"].as_str().unwrap().contains(other.to_str().unwrap()), "{check}");
}
