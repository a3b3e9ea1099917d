//! Several repositories on a real cluster: which may be read, which are likely to answer, and one list of their results.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use foreword_cluster::{
    Access, Branch, Cluster, ClusterError, MergeInput, PushRequest, Rule, merge,
};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::search::SearchResult;
use foreword_engine::source::Source;
use serde_json::{Value, json};

use crate::parity::answer;
use crate::{cluster, nanoseconds, skipped, snapshot};

fn push(cluster: &Cluster, repository: &str, branch: &str, text: &str) {
    let text = text.to_owned();
    let snapshot = snapshot(vec![Source { path: "src/a.py".to_owned(), text }]);
    let version = nanoseconds();
    let request = PushRequest { repository, branch, snapshot: &snapshot, version, force: false };
    cluster.push(&request, &|_| {}).unwrap();
}

fn names(cluster: &Cluster, question: &str, access: &Access) -> Vec<String> {
    let found = cluster.candidates(question, access, 10).unwrap();
    found.candidates.into_iter().map(|it| it.repository).collect()
}

#[test]
fn candidates_are_those_that_may_be_read_with_the_rarest_words_first() {
    let Some(cluster) = cluster("candidates") else { return };
    push(&cluster, "acme/shop", "main", "def cancel_order(): pass\n");
    push(&cluster, "acme/site", "main", "def order_page(): pass\ndef order_list(): pass\n");
    push(&cluster, "evil/vault", "main", "def cancel_order_key(): pass\n");
    push(&cluster, "a.c+d[1]/x", "main", "def cancel(): pass\n");
    let question = "where is the order cancel";
    let all = names(&cluster, question, &Access::all());
    assert_eq!(all.len(), 4, "{all:?}");
    let access = |patterns: &[&str]| {
        Access::of(patterns.iter().map(|it| Rule::new(it, &[]).unwrap()).collect())
    };
    assert_eq!(names(&cluster, question, &access(&["acme/*"])), ["acme/shop", "acme/site"]);
    assert_eq!(names(&cluster, question, &access(&["acme/shop", "none"])), ["acme/shop"]);
    // Characters that are special to the cluster stand for themselves.
    assert_eq!(names(&cluster, question, &access(&["a.c+d[1]/*"])), ["a.c+d[1]/x"]);
    for pattern in ["a?me/*", "acme/sho.", "(acme|evil)/*", "#", "@*", "~x*", "ACME/*", "<1-9>*"] {
        assert!(names(&cluster, question, &access(&[pattern])).is_empty(), "{pattern}");
    }
    assert!(names(&cluster, question, &Access::of(Vec::new())).is_empty());
    assert!(names(&cluster, "", &Access::all()).is_empty());
    // Who asks for a name means repositories with that name, however it is written, if there are any.
    for question in ["cancel_order_key", "cancelOrderKey"] {
        assert_eq!(names(&cluster, question, &Access::all()), ["evil/vault"]);
    }
    assert_eq!(names(&cluster, "cancel_order_kye", &Access::all()).len(), 4);
    assert!(names(&cluster, "cancel", &Access::all()).len() > 1);
    let holders = |access: &Access| -> Vec<String> {
        let all = cluster.holders("cancel_order_key", access, 9).unwrap();
        all.repositories.into_iter().map(|it| it.repository).collect()
    };
    assert_eq!(holders(&Access::all()), ["evil/vault"]);
    assert!(holders(&access(&["acme/*"])).is_empty());
    for it in ["acme/shop", "acme/site", "evil/vault", "a.c+d[1]/x"] {
        cluster.remove_repository(it).unwrap();
    }
}

#[test]
fn of_many_repositories_with_a_name_those_that_define_it_are_kept() {
    let Some(cluster) = cluster("holders") else { return };
    push(&cluster, "uses/often", "main", "from b import till\ntill()\n");
    push(&cluster, "uses/once", "main", "till()\n");
    push(&cluster, "zoo/defines", "main", "def till(): pass\n");
    let holders = |most: usize| {
        let found = cluster.holders("till", &Access::all(), most).unwrap();
        let names = found.repositories.into_iter().map(|it| it.repository);
        (names.collect::<Vec<_>>(), found.is_cut)
    };
    assert_eq!(holders(1), (vec!["zoo/defines".to_owned()], true));
    let (all, is_cut) = holders(3);
    assert_eq!((all.len(), &*all[0], is_cut), (3, "zoo/defines", false));
    for it in all {
        cluster.remove_repository(&it).unwrap();
    }
}

#[test]
fn the_branch_that_is_opened_is_one_that_may_be_read() {
    let Some(cluster) = cluster("branches") else { return };
    for branch in ["main", "topic", "other"] {
        push(&cluster, "acme/shop", branch, &format!("def {branch}_name(): pass\n"));
    }
    let open = |branch: Option<&str>, branches: &[&str]| {
        let branches: Vec<String> = branches.iter().map(|it| (*it).to_owned()).collect();
        let access = Access::of(vec![Rule::new("acme/shop", &branches).unwrap()]);
        let opened = cluster.open_allowed("acme/shop", branch, &access, IndexConfig::default());
        opened.map(|it| it.name).map_err(|it| it.to_string())
    };
    assert_eq!(open(None, &[]).unwrap(), "main");
    assert_eq!(open(None, &["topic"]).unwrap(), "topic");
    let told = open(Some("main"), &["to*", "x"]).unwrap_err();
    assert!(told.ends_with("it has: topic"), "{told}");
    // Nothing that may be read is like nothing that is there.
    let none = Access::of(vec![Rule::new("acme/nope", &[]).unwrap()]);
    let absent = cluster.open_allowed("acme/nope", None, &none, IndexConfig::default());
    let absent = absent.err().unwrap().to_string().replace("acme/nope", "acme/shop");
    assert_eq!(open(None, &["x"]).unwrap_err(), absent);
    let forbidden = cluster.open_allowed("acme/shop", None, &none, IndexConfig::default());
    assert_eq!(forbidden.err().unwrap().to_string(), absent);
    cluster.remove_repository("acme/shop").unwrap();
}

/// The body of a request that foreword does not send.
fn raw(method: &str, path: &str, body: &str) -> Value {
    let url = std::env::var("FOREWORD_OPENSEARCH").unwrap();
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.0\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn a_repository_that_names_documents_of_another_does_not_get_them() {
    let Some(cluster) = cluster("foreign") else { return };
    push(&cluster, "mine", "main", "def my_name(): pass\n");
    let index = cluster.index_name();
    let all = |repository: &str| {
        let query = json!({ "query": { "term": { "repository": repository } }, "size": 100 });
        let body = query.to_string();
        raw("POST", &format!("/{index}/_search"), &body)["hits"]["hits"].as_array().unwrap().clone()
    };
    let state_of = |repository: &str| {
        let all = all(repository);
        all.into_iter().find(|it| it["_source"]["kind"] == "repository").unwrap()
    };
    // One whose documents are in the same shard, where the identifier alone finds them.
    let victim = (0..30)
        .map(|it| format!("victim{it}"))
        .find(|victim| {
            push(&cluster, victim, "main", "def secret_name(): pass\n");
            let root = state_of(victim)["_source"]["state"]["branches"]["main"]["root"].clone();
            let id = root.as_str().unwrap();
            raw("GET", &format!("/{index}/_doc/{id}?routing=mine"), "")["found"] == true
        })
        .unwrap();
    let mut own = state_of("mine");
    let stolen = state_of(&victim)["_source"]["state"].clone();
    own["_source"]["state"] = stolen;
    let id = own["_id"].as_str().unwrap();
    let path = format!("/{index}/_doc/{id}?routing=mine&refresh=true");
    raw("PUT", &path, &own["_source"].to_string());
    let opened = cluster.open("mine", None, IndexConfig::default());
    let error = opened.err().unwrap();
    assert!(matches!(error, ClusterError::Missing { .. }), "{error}");
    raw("DELETE", &format!("/{index}"), "");
}

/// The table of docs/scale.md about several repositories: `FOREWORD_SEVERAL` has tasks (docs/evaluation.md) whose
/// repositories were pushed to the index `FOREWORD_SEVERAL_INDEX`.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "its result")]
fn questions_over_several_repositories() {
    let (Ok(url), Ok(tasks)) =
        (std::env::var("FOREWORD_OPENSEARCH"), std::env::var("FOREWORD_SEVERAL"))
    else {
        return skipped("questions_over_several_repositories");
    };
    let cluster =
        Cluster::connect(&url, &std::env::var("FOREWORD_SEVERAL_INDEX").unwrap(), None).unwrap();
    let mut open: BTreeMap<String, Branch<'_>> = BTreeMap::new();
    // By repository: for each order, questions with a right file among the first, five and ten.
    let mut hits: BTreeMap<String, Vec<[[bool; 3]; 4]>> = BTreeMap::new();
    for line in std::fs::read_to_string(tasks).unwrap().lines() {
        let task: Value = serde_json::from_str(line).unwrap();
        let own = task["repo"].as_str().unwrap();
        let outcome = outcome(&cluster, &mut open, &task, own);
        hits.entry(own.to_owned()).or_default().push(outcome);
    }
    println!("| half | order | @1 | @5 | @10 |");
    for half in 0..2 {
        let of = hits.values().skip(half).step_by(2);
        let of: Vec<&Vec<_>> = of.collect();
        for (at, order) in ["known repository", "by turns", "repository by repository", "merged"]
            .iter()
            .enumerate()
        {
            let mean = |n: usize| {
                let share = |all: &&Vec<[[bool; 3]; 4]>| {
                    all.iter().filter(|it| it[at][n]).count() as f64 / all.len() as f64
                };
                of.iter().map(share).sum::<f64>() / of.len() as f64
            };
            println!("| {half} | {order} | {:.3} | {:.3} | {:.3} |", mean(0), mean(1), mean(2));
        }
    }
}

/// The files of an order, each as its repository and path.
type Places = Vec<(String, String)>;

/// Whether a right file is among the first results, by order.
fn outcome<'c>(
    cluster: &'c Cluster,
    open: &mut BTreeMap<String, Branch<'c>>,
    task: &Value,
    own: &str,
) -> [[bool; 3]; 4] {
    let query = task["query_text"].as_str().unwrap();
    let mut results = |repository: &str| -> Vec<SearchResult> {
        let branch = open
            .entry(repository.to_owned())
            .or_insert_with(|| cluster.open(repository, None, IndexConfig::default()).unwrap());
        branch.answer(|it: &Snapshot| answer(it, query)).unwrap().results
    };
    let known: Places = results(own).into_iter().map(|it| (own.to_owned(), it.path)).collect();
    let [turns, one_by_one, merged] = orders(cluster, query, &mut results);
    let relevant = task["relevant"].as_array().unwrap();
    let right: Vec<&str> = relevant.iter().map(|it| it["path"].as_str().unwrap()).collect();
    [known, turns, one_by_one, merged].map(|list| {
        let mut files: Vec<&(String, String)> = Vec::new();
        for it in &list {
            if !files.contains(&it) {
                files.push(it);
            }
        }
        let rank = files.iter().position(|it| it.0 == own && right.contains(&&*it.1));
        [1, 5, 10].map(|n| rank.is_some_and(|it| it < n))
    })
}

/// The results of the ten likeliest repositories by turns, repository by repository, and merged.
fn orders(
    cluster: &Cluster,
    query: &str,
    results: &mut impl FnMut(&str) -> Vec<SearchResult>,
) -> [Places; 3] {
    let found = cluster.candidates(query, &Access::all(), 10).unwrap();
    let candidates = &found.candidates;
    let all: Vec<Vec<SearchResult>> = candidates.iter().map(|it| results(&it.repository)).collect();
    let inputs: Vec<MergeInput<'_>> = candidates
        .iter()
        .zip(&all)
        .map(|(it, results)| MergeInput { score: it.score, results })
        .collect();
    let place = |&(repository, rank): &(usize, usize)| {
        (candidates[repository].repository.clone(), all[repository][rank].path.clone())
    };
    let mut order = merge(&inputs, &found.terms);
    let merged = order.iter().map(place).collect();
    order.sort_unstable_by_key(|it| (it.1, it.0));
    let turns = order.iter().map(place).collect();
    order.sort_unstable();
    [turns, order.iter().map(place).collect(), merged]
}
