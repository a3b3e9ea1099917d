//! Pushes to and searches on a real OpenSearch, whose address `FOREWORD_OPENSEARCH` has; ci/test starts one
//! (ci/opensearch/cluster).
//! Without it, these tests are skipped by name.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod errors;
mod faults;
mod layouts;
mod parity;
mod proxy;
mod pushes;
mod several;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use foreword_cluster::{Cluster, ClusterError, PushReport, PushRequest};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::source::Source;
use serde_json::Value;

/// A cluster with an index of this test alone.
fn cluster(test: &str) -> Option<Cluster> {
    let Ok(url) = std::env::var("FOREWORD_OPENSEARCH") else {
        skipped(test);
        return None;
    };
    Some(Cluster::connect(&url, &format!("{test}-{}", nanoseconds()), None).unwrap())
}

/// Another connection to the same index.
fn again(cluster: &Cluster) -> Cluster {
    let url = std::env::var("FOREWORD_OPENSEARCH").unwrap();
    Cluster::connect(&url, cluster.index_name(), None).unwrap()
}

/// The cluster's answer to a request of its operator.
fn request(method: &str, path: &str, body: &str) -> Value {
    let url = std::env::var("FOREWORD_OPENSEARCH").unwrap();
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    let kind = "content-type: application/json";
    let head = format!("{method} {path} HTTP/1.0\r\nhost: {address}\r\n{kind}\r\n");
    let length = body.len();
    let request = format!("{head}content-length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let body: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(body["error"], Value::Null, "{method} {path}");
    body
}

/// All documents of an index with all their values, as the cluster's operator sees them.
fn everything(index: &str) -> Vec<Value> {
    let values = r#"{"docvalue_fields": ["contents"]}"#;
    let mut body = request("GET", &format!("/{index}/_search?size=10000"), values);
    body["hits"]["hits"].as_array_mut().map(std::mem::take).unwrap()
}

/// Not through `println!`, which the test harness swallows.
fn skipped(test: &str) {
    let line = format!("{test} (FOREWORD_OPENSEARCH is not set; see ci/opensearch/cluster)\n");
    std::io::stderr().write_all(format!("skipped: {line}").as_bytes()).unwrap();
    let Some(list) = std::env::var_os("FOREWORD_SKIPPED") else { return };
    let mut list = std::fs::OpenOptions::new().append(true).create(true).open(list).unwrap();
    list.write_all(line.as_bytes()).unwrap();
}

fn nanoseconds() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as i64
}

/// The sources of a crate of this repository.
fn sources(krate: &str) -> Vec<Source> {
    sources_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(krate).join("src"))
}

/// Most bytes of a file, as when indexing.
const MOST_BYTES: usize = 1 << 20;

/// The texts below a directory, without hidden ones.
fn sources_of(root: &Path) -> Vec<Source> {
    let mut res = Vec::new();
    let mut left = vec![root.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            if entry.file_name().to_string_lossy().starts_with('.') || kind.is_symlink() {
                continue;
            }
            if kind.is_dir() {
                left.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path)
                && text.len() <= MOST_BYTES
                && !text.contains('\0')
            {
                let path = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                res.push(Source { path, text });
            }
        }
    }
    res
}

fn snapshot(sources: Vec<Source>) -> Snapshot {
    Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
}

/// Pushes a repository.
fn push_as(
    cluster: &Cluster,
    repository: &str,
    snapshot: &Snapshot,
) -> Result<PushReport, ClusterError> {
    let version = nanoseconds();
    let request = PushRequest { repository, branch: "main", snapshot, version, force: false };
    cluster.push(&request, &|_| {})
}

fn push(cluster: &Cluster, branch: &str, snapshot: &Snapshot) -> PushReport {
    let version = nanoseconds();
    let request = PushRequest { repository: "shop", branch, snapshot, version, force: false };
    cluster.push(&request, &|_| {}).unwrap()
}
