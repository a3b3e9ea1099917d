//! Errors name what to do; a stub answers, so these need no OpenSearch.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use foreword_cluster::{Access, Cluster, ClusterError, READ_PATIENCE, Rule};

const ABOUT: &str = r#"{"version": {"distribution": "opensearch", "number": "2.19.1"}}"#;

/// Answers requests in order, each with a status and a body, and says where.
fn stub(answers: Vec<(u16, &'static str)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (status, body) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 8192];
            let _ = stream.read(&mut request).unwrap();
            let head = format!("HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: ");
            let answer = format!("{head}{}\r\n\r\n{body}", body.len());
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    url
}

#[track_caller]
fn check(answers: Vec<(u16, &'static str)>, words: &[&str]) {
    let error = |url: &str| -> Result<(), ClusterError> {
        Cluster::connect(url, "code", None)?.branches("shop").map(drop)
    };
    let said = error(&stub(answers)).unwrap_err().to_string();
    for word in words {
        assert!(said.contains(word), "{word:?} is not in {said:?}");
    }
}

#[test]
fn something_else_than_opensearch_is_told() {
    check(vec![(200, r#"{"tagline": "hello"}"#)], &["no OpenSearch", "2.10"]);
    let elastic = r#"{"version": {"number": "8.1.0"}}"#;
    check(vec![(200, elastic)], &["no OpenSearch (version 8.1.0)"]);
    let old = r#"{"version": {"distribution": "opensearch", "number": "2.3.0"}}"#;
    check(vec![(200, old)], &["opensearch 2.3.0", "2.10"]);
}

/// A server ends in its own runtime, which `serve --cluster` panicked in.
#[test]
fn a_cluster_may_be_dropped_in_another_runtime() {
    let cluster = Cluster::connect(&stub(vec![(200, ABOUT)]), "code", None).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async { drop(cluster) });
}

#[test]
fn a_wrong_user_is_told() {
    check(vec![(401, "")], &["(401)", "FOREWORD_CLUSTER_USER", "FOREWORD_CLUSTER_PASSWORD"]);
    check(vec![(200, ABOUT), (403, "{}")], &["(403)", "index code"]);
}

#[test]
fn an_index_of_another_layout_is_told() {
    let newer = r#"{"code": {"mappings": {"_meta": {"foreword": 9, "compatible": 8}}}}"#;
    check(vec![(200, ABOUT), (200, newer)], &["another layout (9,", "writes 3", "--cluster-index"]);
    let foreign = r#"{"code": {"mappings": {}}}"#;
    check(vec![(200, ABOUT), (200, foreign)], &["none of foreword's"]);
}

#[test]
fn a_refusal_is_told_in_the_clusters_words() {
    let refused = r#"{"error": {"root_cause": [{"reason": "index is closed"}]}}"#;
    check(vec![(200, ABOUT), (400, refused)], &["(400)", "index is closed"]);
}

/// A cluster that sends without end, after its name.
fn endless() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for n in 0.. {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 8192];
            let _ = stream.read(&mut request).unwrap();
            let head = "HTTP/1.1 200 x\r\nconnection: close\r\n\r\n";
            let body = if n == 0 { ABOUT } else { "[" };
            let mut is_open = stream.write_all(format!("{head}{body}").as_bytes()).is_ok();
            let part = vec![b' '; 1 << 20];
            let mut sent = 0;
            while n > 0 && is_open && sent < 1 << 30 {
                is_open = stream.write_all(&part).is_ok();
                sent += part.len();
            }
            assert!(sent < 1 << 30, "a gigabyte was read");
        }
    });
    url
}

#[test]
fn an_answer_without_end_is_not_read_to_it() {
    let cluster = Cluster::connect(&endless(), "code", None).unwrap();
    let error = cluster.branches("shop").unwrap_err();
    assert!(matches!(error, ClusterError::TooLarge { .. }), "{error}");
    assert!(error.to_string().contains("more than 33554432 bytes"), "{error}");
    assert!(cluster.meter().bytes() < 100 << 20, "{}", cluster.meter().bytes());
}

/// Tells its version, and then takes requests without a word; counts them.
fn silent(asked: Arc<AtomicUsize>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for n in 0.. {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 8192];
            let _ = stream.read(&mut request).unwrap();
            asked.fetch_add(1, Ordering::Relaxed);
            if n == 0 {
                let head = "HTTP/1.1 200 x\r\nconnection: close\r\n\r\n";
                stream.write_all(format!("{head}{ABOUT}").as_bytes()).unwrap();
            } else {
                open.push(stream);
            }
        }
    });
    url
}

#[test]
fn a_deadline_ends_the_wait_for_a_cluster_that_is_silent() {
    let cluster = Cluster::connect(&silent(Arc::default()), "code", None).unwrap();
    let start = Instant::now();
    let error = cluster.until(start + Duration::from_millis(300)).branches("shop").unwrap_err();
    assert!(matches!(error, ClusterError::Late), "{error}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let past = cluster.until(Instant::now()).branches("shop").unwrap_err();
    assert!(matches!(past, ClusterError::Late), "{past}");
    assert_eq!(cluster.meter().failures(), 1);
}

#[test]
fn a_question_to_a_silent_cluster_ends_by_itself_and_a_few_tries_are_all() {
    assert!(READ_PATIENCE <= Duration::from_secs(10));
    let asked = Arc::new(AtomicUsize::new(0));
    let url = silent(Arc::clone(&asked));
    let limits = (None, Duration::from_secs(1));
    let cluster = Cluster::connect_until(&url, "code", None, limits).unwrap();
    let start = Instant::now();
    let error = cluster.branches("shop").unwrap_err();
    assert!(matches!(error, ClusterError::Silent { .. }), "{error}");
    assert!(error.to_string().contains("said nothing for 1 s"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(asked.load(Ordering::Relaxed), 2, "the version, and one read");
}

#[test]
fn shards_that_do_not_answer_are_counted() {
    let here = r#"{"code": {"mappings": {"_meta": {"foreword": 1}}}}"#;
    let counts = r#"{"hits": {"total": {"value": 10}}, "aggregations": {"terms": {"buckets": {"0": {"doc_count": 1}}}}}"#;
    let found = r#"{"_shards": {"total": 3, "failed": 1}, "hits": {"hits": [
        {"_score": 2.5, "fields": {"repository": ["acme/shop"]}},
        {"_score": 1.5, "fields": {"repository": ["evil/vault"]}}]}}"#;
    let url = stub(vec![(200, ABOUT), (200, here), (200, counts), (200, found)]);
    let cluster = Cluster::connect(&url, "code", None).unwrap();
    let access = Access::of(vec![Rule::new("acme/*", &[]).unwrap()]);
    let found = cluster.candidates("orders", &access, 10).unwrap();
    assert_eq!((found.failed_shards, found.shards), (1, 3));
    // A cluster that does not filter shows nothing more.
    let names: Vec<&str> = found.candidates.iter().map(|it| &*it.repository).collect();
    assert_eq!(names, ["acme/shop"]);
    assert_eq!(found.terms[0].term, "orders");
}
