//! What pushes send, replace and remove.

use std::collections::HashSet;

use foreword_cluster::{Access, Cluster, ClusterError, ClusterKey, PushRequest};
use foreword_engine::index::{Change, IndexConfig, Snapshot};
use foreword_engine::source::Source;

use crate::{again, cluster, everything, push, snapshot};

fn source(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned() }
}

fn shop() -> Vec<Source> {
    let mut res = vec![source("store.py", "def open_store(name):\n    return name\n")];
    let text = |it| format!("def handler_{it}():\n    return open_store('{it}')\n");
    res.extend((0..20).map(|it| source(&format!("handlers/h{it}.py"), &text(it))));
    res
}

#[test]
fn a_push_sends_what_is_new_and_another_nothing() {
    let Some(cluster) = cluster("new") else { return };
    let before = snapshot(shop());
    assert_eq!(push(&cluster, "main", &before).sent_files, 21);
    let again = push(&cluster, "main", &before);
    assert_eq!((again.sent_files, again.sent_pages, again.bytes), (0, 0, 0));
    assert!(again.unchanged);
    let change = Change::Write(source("store.py", "def open_store(path):\n    return path\n"));
    let after = before.with_changes(vec![change]).unwrap();
    let changed = push(&cluster, "main", &after);
    assert_eq!(changed.sent_files, 1);
    assert!(changed.removed >= 2, "the file, a page and the root: {changed:?}");
    assert_eq!(cluster.branches("shop").unwrap()["main"].snapshot, after.id());
}

#[test]
fn a_branch_costs_its_difference_and_leaves_nothing() {
    let Some(cluster) = cluster("branches") else { return };
    let main = snapshot(shop());
    push(&cluster, "main", &main);
    let alone = cluster.count("shop").unwrap();
    let change = Change::Write(source("handlers/h3.py", "def handler_of_the_branch(): pass\n"));
    let other = main.with_changes(vec![change]).unwrap();
    assert_eq!(push(&cluster, "topic", &other).sent_files, 1);
    let has = |branch: &str, name: &str| {
        let mut branch = cluster.open("shop", Some(branch), IndexConfig::default()).unwrap();
        branch.answer(|it| !it.definitions(name).is_empty()).unwrap()
    };
    assert!(has("topic", "handler_of_the_branch") && !has("topic", "handler_3"));
    assert!(has("main", "handler_3") && !has("main", "handler_of_the_branch"));
    cluster.remove_branch("shop", "topic").unwrap();
    assert_eq!(cluster.count("shop").unwrap(), alone);
    assert!(has("main", "handler_3"));
    let gone = cluster.remove_branch("shop", "topic").unwrap_err();
    assert!(matches!(gone, ClusterError::NoBranch { .. }), "{gone}");
    cluster.remove_branch("shop", "main").unwrap();
    assert_eq!(cluster.count("shop").unwrap(), 0);
    let gone = cluster.open("shop", None, IndexConfig::default()).err().unwrap();
    assert!(matches!(gone, ClusterError::NoRepository { .. }), "{gone}");
}

#[test]
fn an_older_push_replaces_nothing_unless_forced() {
    let Some(cluster) = cluster("older") else { return };
    let (new, old) = (snapshot(shop()), snapshot(shop().split_off(3)));
    let mut request = PushRequest {
        repository: "shop",
        branch: "main",
        snapshot: &new,
        version: 2,
        force: false,
    };
    cluster.push(&request, &|_| {}).unwrap();
    (request.snapshot, request.version) = (&old, 1);
    let error = cluster.push(&request, &|_| {}).unwrap_err();
    assert!(matches!(error, ClusterError::Older { .. }), "{error}");
    assert_eq!(cluster.branches("shop").unwrap()["main"].snapshot, new.id());
    request.force = true;
    cluster.push(&request, &|_| {}).unwrap();
    assert_eq!(cluster.branches("shop").unwrap()["main"].snapshot, old.id());
}

#[test]
fn repositories_do_not_see_each_other() {
    let Some(cluster) = cluster("apart") else { return };
    let (one, two) = (snapshot(shop()), snapshot(shop().split_off(1)));
    for (repository, snapshot) in [("one", &one), ("two", &two)] {
        let request =
            PushRequest { repository, branch: "main", snapshot, version: 1, force: false };
        cluster.push(&request, &|_| {}).unwrap();
    }
    let defines = |repository: &str| {
        let mut branch = cluster.open(repository, None, IndexConfig::default()).unwrap();
        branch.answer(|it| it.definitions("open_store").len()).unwrap()
    };
    assert_eq!((defines("one"), defines("two")), (1, 0));
    cluster.remove_repository("one").unwrap();
    assert_eq!((cluster.count("one").unwrap(), defines("two")), (0, 0));
}

#[test]
fn a_server_keeps_what_it_read_until_the_branch_changes() {
    let Some(cluster) = cluster("kept") else { return };
    let cluster = cluster.keeping(1 << 20);
    let before = snapshot(shop());
    push(&cluster, "main", &before);
    let defined_in = |name: &str| {
        let mut branch = cluster.open("shop", None, IndexConfig::default()).unwrap();
        let found = branch.answer(|it| it.definitions(name).len()).unwrap();
        let cost = branch.cost();
        branch.release();
        (found, cost.pages + cost.files)
    };
    let (found, read) = defined_in("open_store");
    assert!(found == 1 && read > 0);
    assert_eq!(defined_in("open_store"), (1, 0));
    // Two at the same time: each has its own.
    let open = || cluster.open("shop", None, IndexConfig::default()).unwrap();
    let (mut one, mut two) = (open(), open());
    assert_eq!(one.answer(|it| it.definitions("handler_3").len()).unwrap(), 1);
    assert_eq!(two.answer(|it| it.definitions("handler_4").len()).unwrap(), 1);
    one.release();
    two.release();
    let change = Change::Write(source("store.py", "def close_store(path):\n    return path\n"));
    push(&cluster, "main", &before.with_changes(vec![change]).unwrap());
    assert_eq!(defined_in("open_store").0, 0);
    assert_eq!(defined_in("close_store").0, 1);
    cluster.remove_repository("shop").unwrap();
    assert!(cluster.open("shop", None, IndexConfig::default()).is_err());
}

/// The same index, with a key.
fn keyed(cluster: &Cluster, secret: &str) -> Cluster {
    again(cluster).with_key(ClusterKey::of_secret(secret.repeat(64).as_bytes()).unwrap())
}

/// Pushes the shop, and a branch with another handler.
fn push_both(cluster: &Cluster) -> Snapshot {
    let main = snapshot(shop());
    push(cluster, "main", &main);
    let change = Change::Write(source("handlers/h3.py", "def handler_of_the_branch(): pass\n"));
    let topic = main.with_changes(vec![change]).unwrap();
    assert_eq!(push(cluster, "topic", &topic).sent_files, 1);
    assert!(push(cluster, "topic", &topic).unchanged, "encrypted again, the bytes are the same");
    main
}

#[test]
fn with_a_key_nothing_is_sent_in_the_clear() {
    let Some(clear) = cluster("keyed") else { return };
    let ours = keyed(&clear, "1");
    push_both(&ours);
    let documents = everything(clear.index_name());
    let contents: Vec<&str> =
        documents.iter().filter_map(|it| it["fields"]["contents"][0].as_str()).collect();
    assert!(contents.len() > 22, "{}", contents.len());
    let beginnings: HashSet<&str> = contents.iter().map(|it| &it[..12]).collect();
    assert_eq!(beginnings.len(), contents.len(), "headers are encrypted, too");
    let all = serde_json::to_string(&documents).unwrap();
    assert!(all.contains("shop") && all.contains("topic"), "these are visible");
    for hidden in ["open_store", "handler", "store.py"] {
        assert!(!all.contains(hidden), "{hidden}");
    }
    let mut branch = ours.open("shop", Some("topic"), IndexConfig::default()).unwrap();
    let found = branch.answer(|it| it.definitions("handler_of_the_branch").len()).unwrap();
    assert_eq!(found, 1);
    let before = ours.count("shop").unwrap();
    assert!(ours.remove_branch("shop", "topic").unwrap() > 0);
    assert!(ours.count("shop").unwrap() < before);
}

#[test]
fn a_repository_has_one_key() {
    let Some(clear) = cluster("other-key") else { return };
    let (ours, other) = (keyed(&clear, "1"), keyed(&clear, "2"));
    let main = push_both(&ours);
    let names =
        |it: &Cluster| it.holders("open_store", &Access::all(), 9).unwrap().repositories.len();
    assert_eq!((names(&ours), names(&other), names(&clear)), (1, 0, 0));
    let request = PushRequest {
        repository: "shop",
        branch: "main",
        snapshot: &main,
        version: i64::MAX,
        force: true,
    };
    for it in [&other, &clear] {
        let errors = [
            it.open("shop", None, IndexConfig::default()).err().unwrap(),
            it.remove_branch("shop", "topic").unwrap_err(),
            it.push(&request, &|_| {}).unwrap_err(),
        ];
        assert!(errors.iter().all(|it| matches!(it, ClusterError::OtherKey { .. })), "{errors:?}");
        assert!(it.diagnose().iter().any(|it| !it.ok && it.mend.contains("--cluster-key")));
    }
    assert!(ours.diagnose().iter().all(|it| !it.mend.contains("--cluster-key")));
    clear.remove_repository("shop").unwrap();
    push(&clear, "main", &main);
    assert_eq!(names(&clear), 1);
}

#[test]
fn a_file_of_data_has_more_words_than_can_be_indexed_and_is_pushed() {
    let Some(cluster) = cluster("data") else { return };
    let words: String = (0..70_000).map(|n| format!("x{n:x}\n")).collect();
    let table = snapshot(vec![
        source("table.txt", &words),
        source("load.py", "def load_table():\n    return open('table.txt')\n"),
    ]);
    let report = push(&cluster, "main", &table);
    assert_eq!((report.sent_files, report.cut_files), (2, 1));
    let mut branch = cluster.open("shop", None, IndexConfig::default()).unwrap();
    assert_eq!(branch.answer(|it| it.definitions("load_table").len()).unwrap(), 1);
}
