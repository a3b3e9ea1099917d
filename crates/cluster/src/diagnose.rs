//! Whether a cluster can be used, and what to do where it cannot.

use std::time::{SystemTime, UNIX_EPOCH};

use foreword_engine::index::IndexConfig;
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::Cluster;
use crate::error::ClusterError;

/// Share of a disk from which OpenSearch moves shards away, by default; at 95 % it forbids writes.
const FULL_DISK: u64 = 90;

/// Difference of clocks in seconds that is told. Nothing compares the cluster's clock with others: states are ordered by
/// the clocks of the machines that push.
const CLOCK_SKEW: i64 = 60;

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was checked.
    pub check: &'static str,
    /// Whether it is as it should be.
    pub ok: bool,
    /// How it is.
    pub found: String,
    /// What to do; empty if nothing.
    pub mend: String,
}

impl Finding {
    fn new(check: &'static str, found: impl Into<String>, mend: &str) -> Self {
        Self { check, ok: mend.is_empty(), found: found.into(), mend: mend.to_owned() }
    }

    /// An error, whose message ends with what to do.
    pub fn of_error(check: &'static str, error: &ClusterError) -> Self {
        let text = error.to_string();
        let (found, mend) = text.split_once("; ").unwrap_or((&text, "tell the cluster's operator"));
        Self::new(check, found, mend)
    }
}

impl Cluster {
    /// Checks the version, the index, its health and the disks. What this user may not see is said and is no fault.
    pub fn diagnose(&self) -> Vec<Finding> {
        let mut res = vec![self.check_name(), self.check_index()];
        if res.iter().all(|it| it.ok) {
            res.extend([self.check_health(), self.check_blocks(), self.check_disks()]);
        }
        res
    }

    fn check_name(&self) -> Finding {
        match self.check_version() {
            Ok(name) => Finding::new("cluster", name, ""),
            Err(error) => Finding::of_error("cluster", &error),
        }
    }

    fn check_index(&self) -> Finding {
        let name = self.index_name();
        match self.has_index().and_then(|it| it.then(|| self.count_repositories()).transpose()) {
            Ok(Some(it)) => it.finding(name),
            Ok(None) => Finding::new(
                "cluster index",
                format!("there is no index {name}"),
                "push a repository with `foreword push --cluster URL`, or name another with --cluster-index",
            ),
            Err(error) => Finding::of_error("cluster index", &error),
        }
    }

    /// Counts repositories, and among the first 10,000 those that cannot be read.
    fn count_repositories(&self) -> Result<RepositoryCounts, ClusterError> {
        let body = json!({
            "query": { "term": { "kind": "repository" } }, "size": 10_000, "track_total_hits": true,
            "_source": ["state.key", "state.analyses"],
        });
        let reply = self.search_shards(&body)?;
        let states = reply["hits"]["hits"].as_array().into_iter().flatten();
        let states = states.map(|it| &it["_source"]["state"]);
        let has_other_key = |it: &&Value| it["key"].as_str() != self.storage.key_id();
        let ours = u64::from(IndexConfig::default().exported_version());
        let analyses = |it: &Value| it["analyses"].as_array().cloned().unwrap_or_default();
        let is_other_version = |it: &&Value| analyses(it).iter().any(|it| *it != ours);
        Ok(RepositoryCounts {
            all: reply["hits"]["total"]["value"].as_u64().unwrap_or_default(),
            other_key: states.clone().filter(has_other_key).count(),
            other_version: states.filter(is_other_version).count(),
        })
    }

    /// An answer about the cluster itself; `None` where this user may not ask.
    fn about(&self, path: &str) -> Result<Option<Value>, ClusterError> {
        match self.read(Method::GET, path, None) {
            Err(ClusterError::Rights { .. }) => Ok(None),
            reply => reply?.accepted().map(Some),
        }
    }

    fn check_health(&self) -> Finding {
        let check = "cluster health";
        let health = match self.about(&format!("/_cluster/health/{}?timeout=1s", self.index_name()))
        {
            Ok(Some(it)) => it,
            other => return unseen(check, other),
        };
        let status = health["status"].as_str().unwrap_or("unknown");
        let number = |field: &str| health[field].as_u64().unwrap_or_default();
        let found = format!(
            "{status}: {} of {} shards on {} nodes",
            number("active_shards"),
            number("active_shards") + number("unassigned_shards") + number("initializing_shards"),
            number("number_of_data_nodes"),
        );
        let mend = match status {
            "green" => "",
            "yellow" => "copies of shards are missing: wait until a node is back, or add one",
            _ => {
                "some repositories cannot be read: bring the missing nodes back, or push again under another --cluster-index"
            }
        };
        Finding::new(check, found, mend)
    }

    fn check_blocks(&self) -> Finding {
        let check = "cluster writes";
        let settings = match self.about(&format!("/{}/_settings", self.index_name())) {
            Ok(Some(it)) => it,
            other => return unseen(check, other),
        };
        let blocks = &settings[self.index_name()]["settings"]["index"]["blocks"];
        let is_set = |it: &Value| it == "true" || it == true;
        let set: Vec<&String> = blocks
            .as_object()
            .into_iter()
            .flatten()
            .filter(|it| is_set(it.1))
            .map(|it| it.0)
            .collect();
        match set.as_slice() {
            [] => Finding::new(check, "allowed", ""),
            _ => Finding::new(
                check,
                format!("the index refuses writes ({set:?})"),
                "free the disk, then set index.blocks.read_only_allow_delete to null",
            ),
        }
    }

    fn check_disks(&self) -> Finding {
        let check = "cluster disks";
        let filter = "filter_path=nodes.*.name,nodes.*.timestamp,nodes.*.fs.total";
        let stats = match self.about(&format!("/_nodes/stats/fs?{filter}")) {
            Ok(Some(it)) => it,
            other => return unseen(check, other),
        };
        let mut nodes: Vec<(String, u64)> =
            stats["nodes"].as_object().into_iter().flatten().map(|it| used(it.1)).collect();
        nodes.sort();
        let found: Vec<String> =
            nodes.iter().map(|it| format!("{} {} % full", it.0, it.1)).collect();
        let skew = stats["nodes"].as_object().into_iter().flatten().filter_map(|it| skew(it.1));
        let skew = skew.max_by_key(|it| it.abs()).filter(|it| it.abs() >= CLOCK_SKEW);
        let clock = skew.map_or_else(String::new, |it| format!("; its clock differs by {it} s"));
        let mend = match nodes.iter().any(|it| it.1 >= FULL_DISK) {
            true => {
                "free or add disk: from 90 % shards are moved away, at 95 % writes are refused (the defaults)"
            }
            false => "",
        };
        Finding::new(check, found.join(", ") + &clock, mend)
    }
}

/// Numbers of repositories.
struct RepositoryCounts {
    all: u64,
    /// Pushed with another key than that in use, or with none.
    other_key: usize,
    /// With a branch that another version of foreword pushed.
    other_version: usize,
}

impl RepositoryCounts {
    fn finding(&self, index: &str) -> Finding {
        let Self { all, other_key, other_version } = *self;
        let mut found = vec![format!("{index}: {all} repositories")];
        let mut mend = Vec::new();
        if other_key > 0 {
            found.push(format!("{other_key} of them pushed with another key or none"));
            mend.push("name the file of their key with --cluster-key, or push them again with this one after push --remove-all");
        }
        if other_version > 0 {
            found.push(format!("{other_version} of them pushed by another version of foreword"));
            mend.push("push them again with this version, or use that one");
        }
        Finding::new("cluster index", found.join(", "), &mend.join("; "))
    }
}

/// The name of a node, and the share of its disk that is used.
fn used(node: &Value) -> (String, u64) {
    let bytes = |it: &str| node["fs"]["total"][it].as_u64().unwrap_or_default();
    let (total, free) = (bytes("total_in_bytes"), bytes("available_in_bytes"));
    let used = total.saturating_sub(free).saturating_mul(100) / total.max(1);
    (node["name"].as_str().unwrap_or("a node").to_owned(), used)
}

/// Seconds by which a node's clock is ahead of ours.
fn skew(node: &Value) -> Option<i64> {
    let ours = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(node["timestamp"].as_i64()? / 1000 - ours as i64)
}

fn unseen(check: &'static str, reply: Result<Option<Value>, ClusterError>) -> Finding {
    match reply {
        Ok(_) => Finding::new(check, "this user may not see it", ""),
        Err(error) => Finding::of_error(check, &error),
    }
}
