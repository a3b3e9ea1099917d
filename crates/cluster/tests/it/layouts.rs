//! An index that another version of foreword made, and repositories that one pushed.

use foreword_cluster::{Access, Cluster, ClusterError};
use foreword_engine::index::{Change, IndexConfig, Snapshot};
use foreword_engine::source::Source;
use serde_json::{Value, json};

use crate::proxy::{Verdict, proxy};
use crate::{again, cluster, everything, nanoseconds, push, push_as, request, snapshot};

const FIRST: &str = include_str!("../../src/mapping/v1.json");

fn source(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned() }
}

fn shop() -> Vec<Source> {
    let text = |it| format!("def handler_{it}():\n    return open_store('{it}')\n");
    let mut res = vec![source("store.py", "def open_store(name):\n    return name\n")];
    res.extend((0..20).map(|it| source(&format!("handlers/h{it}.py"), &text(it))));
    res
}

/// The mapping of an index, as the cluster has it.
fn mapping(index: &str) -> Value {
    request("GET", &format!("/{index}/_mapping"), "")[index]["mappings"].clone()
}

fn defined(cluster: &Cluster, name: &str) -> usize {
    let mut branch = cluster.open("shop", None, IndexConfig::default()).unwrap();
    branch.answer(|it| it.definitions(name).len()).unwrap()
}

fn candidates(cluster: &Cluster, question: &str) -> Vec<String> {
    let found = cluster.candidates(question, &Access::all(), 10).unwrap().candidates;
    found.into_iter().map(|it| it.repository).collect()
}

/// The number of files that say by which analysis they were pushed.
fn with_analysis(index: &str) -> usize {
    let all = everything(index);
    all.iter().filter(|it| it["_source"].get("analysis").is_some()).count()
}

#[test]
fn an_index_of_the_first_version_is_read_as_it_is_and_brought_up_to_date_by_a_push() {
    let Some(new) = cluster("layouts") else { return };
    let index = new.index_name();
    request("PUT", &format!("/{index}"), FIRST);
    // Who may not change the index pushes what it takes, as the first version did.
    let forbids = proxy(|asked| match asked.starts_with("PUT") && asked.ends_with("/_mapping") {
        true => Verdict::Answer(403, r#"{"error": {"reason": "no permissions"}}"#),
        false => Verdict::Pass,
    });
    let old = Cluster::connect(&forbids, index, None).unwrap();
    let before = snapshot(shop());
    assert_eq!(push(&old, "main", &before).sent_files, 21);
    assert_eq!(mapping(index)["_meta"], json!({ "foreword": 1 }));
    assert_eq!(with_analysis(index), 0);
    // Nobody has to push again for a new version to read it.
    assert_eq!((defined(&new, "handler_3"), defined(&new, "open_store")), (1, 1));
    assert_eq!(candidates(&new, "open store"), ["shop"]);
    assert!(new.diagnose().iter().filter(|it| it.check == "cluster index").all(|it| it.ok));
    let change = Change::Write(source("store.py", "def close_store(path):\n    return path\n"));
    let after = before.with_changes(vec![change]).unwrap();
    assert_eq!(push(&new, "main", &after).sent_files, 1);
    // The index is now like one that the second version made. One that is made today has contents beside its documents.
    let second: Value = serde_json::from_str(include_str!("../../src/mapping/v2.json")).unwrap();
    assert_eq!(mapping(index), second["mappings"]);
    let Some(fresh) = cluster("layouts-fresh") else { return };
    push(&fresh, "main", &after);
    assert_eq!(mapping(fresh.index_name())["_meta"]["foreword"], 3);
    assert_eq!((with_analysis(index), with_analysis(fresh.index_name())), (1, 21));
    let has_data = |it: &Cluster| {
        everything(it.index_name()).iter().any(|it| it["_source"].get("data").is_some())
    };
    assert_eq!((has_data(&new), has_data(&fresh)), (true, false));
    for it in [&new, &again(&new), &fresh, &old] {
        let found = ["handler_3", "open_store", "close_store"].map(|name| defined(it, name));
        assert_eq!(found, [1, 0, 1]);
        assert_eq!(candidates(it, "close store"), ["shop"]);
    }
    assert!(push(&new, "main", &after).unchanged);
    new.remove_repository("shop").unwrap();
    assert_eq!(everything(index).len(), 0);
}

#[test]
fn an_index_of_a_later_version_is_used_as_long_as_it_allows() {
    let Some(cluster) = cluster("layouts-later") else { return };
    let index = cluster.index_name();
    let shop = snapshot(shop());
    push(&cluster, "main", &shop);
    let meta = |it: Value| {
        request("PUT", &format!("/{index}/_mapping"), &json!({ "_meta": it }).to_string());
    };
    meta(json!({ "foreword": 9, "compatible": 2 }));
    assert_eq!(defined(&cluster, "handler_3"), 1);
    assert!(push(&cluster, "main", &shop).unchanged);
    assert_eq!(mapping(index)["_meta"]["foreword"], 9, "it stays what it is");
    meta(json!({ "foreword": 9, "compatible": 9 }));
    let refused = again(&cluster).branches("shop").unwrap_err();
    assert!(matches!(refused, ClusterError::Mapping { .. }), "{refused}");
    assert!(refused.to_string().contains("(9, this version writes 3)"), "{refused}");
    let refused = push_as(&cluster, "shop", &shop).unwrap_err();
    assert!(matches!(refused, ClusterError::Mapping { .. }), "{refused}");
}

/// A snapshot as another version of foreword analyses it.
fn of_another_version(sources: Vec<Source>) -> Snapshot {
    let mut config = IndexConfig::default();
    config.chunk.max_size += 1;
    assert_ne!(config.exported_version(), IndexConfig::default().exported_version());
    Snapshot::of_sources(sources, config).unwrap()
}

#[test]
fn repositories_that_another_version_pushed_take_no_place_of_those_that_can_be_read() {
    let Some(cluster) = cluster("layouts-analysis") else { return };
    push_as(&cluster, "old", &of_another_version(shop())).unwrap();
    push_as(&cluster, "new", &snapshot(shop())).unwrap();
    assert_eq!(candidates(&cluster, "open store"), ["new"]);
    let refused = cluster.open("old", None, IndexConfig::default()).err().unwrap();
    assert!(matches!(refused, ClusterError::OtherAnalysis { .. }), "{refused}");
    let told = |cluster: &Cluster| {
        let all = cluster.diagnose().into_iter();
        all.filter(|it| it.check == "cluster index")
            .map(|it| it.found + "; " + &it.mend)
            .collect::<String>()
    };
    let found = told(&cluster);
    assert!(found.contains("2 repositories, 1 of them pushed by another version"), "{found}");
    assert!(found.contains("push them again"), "{found}");
    // A push of this version replaces all documents of that one.
    push_as(&cluster, "old", &snapshot(shop())).unwrap();
    assert_eq!(cluster.count("old").unwrap(), cluster.count("new").unwrap());
    assert_eq!(candidates(&cluster, "open store").len(), 2);
    assert!(told(&cluster).ends_with("2 repositories; "), "{}", told(&cluster));
    // Branches of two versions live beside each other, and each is removed alone.
    let alone = cluster.count("old").unwrap();
    let other = of_another_version(shop());
    let of_other = foreword_cluster::PushRequest {
        repository: "old",
        branch: "topic",
        snapshot: &other,
        version: nanoseconds(),
        force: false,
    };
    assert_eq!(cluster.push(&of_other, &|_| {}).unwrap().sent_files, 21);
    assert!(cluster.open("old", Some("main"), IndexConfig::default()).is_ok());
    cluster.remove_branch("old", "topic").unwrap();
    assert_eq!(cluster.count("old").unwrap(), alone);
}
