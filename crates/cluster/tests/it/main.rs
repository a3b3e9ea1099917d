//! Pushes to and searches on a real OpenSearch, whose address `FOREWORD_OPENSEARCH` has; `ci/opensearch/test` starts one.
//! Without it, these tests are skipped by name.

mod parity;
mod pushes;

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use foreword_cluster::{Cluster, PushReport, PushRequest};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::source::Source;

/// A cluster with an index of this test alone.
fn cluster(test: &str) -> Option<Cluster> {
    let Ok(url) = std::env::var("FOREWORD_OPENSEARCH") else {
        println!("skipped: {test} (FOREWORD_OPENSEARCH is not set; see ci/opensearch/test)");
        return None;
    };
    Some(Cluster::connect(&url, &format!("{test}-{}", nanoseconds()), None).unwrap())
}

fn nanoseconds() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as i64
}

/// The sources of a crate of this repository.
fn sources(krate: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(krate);
    let mut res = Vec::new();
    let mut left = vec![root.join("src")];
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let path = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                res.push(Source { path, text });
            }
        }
    }
    res
}

fn snapshot(sources: Vec<Source>) -> Snapshot {
    Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
}

fn push(cluster: &Cluster, branch: &str, snapshot: &Snapshot) -> PushReport {
    let version = nanoseconds();
    let request = PushRequest { repository: "shop", branch, snapshot, version, force: false };
    cluster.push(&request, &|_| {}).unwrap()
}
