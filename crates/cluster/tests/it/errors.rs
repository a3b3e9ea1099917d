//! Errors name what to do; a stub answers, so these need no OpenSearch.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use foreword_cluster::{Cluster, ClusterError};

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

#[test]
fn a_wrong_user_is_told() {
    check(vec![(401, "")], &["(401)", "FOREWORD_CLUSTER_USER", "FOREWORD_CLUSTER_PASSWORD"]);
    check(vec![(200, ABOUT), (403, "{}")], &["(403)", "index code"]);
}

#[test]
fn an_index_of_another_layout_is_told() {
    let newer = r#"{"code": {"mappings": {"_meta": {"foreword": 2}}}}"#;
    check(vec![(200, ABOUT), (200, newer)], &["another layout (2,", "writes 1", "--cluster-index"]);
    let foreign = r#"{"code": {"mappings": {}}}"#;
    check(vec![(200, ABOUT), (200, foreign)], &["none of foreword's"]);
}

#[test]
fn a_refusal_is_told_in_the_clusters_words() {
    let refused = r#"{"error": {"root_cause": [{"reason": "index is closed"}]}}"#;
    check(vec![(200, ABOUT), (400, refused)], &["(400)", "index is closed"]);
}
