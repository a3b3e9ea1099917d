//! Removes documents that no branch has, one process at a time.
//!
//! The process says so in the repository's document, in the same swap that makes such documents, and gives signs of life
//! there every few seconds. Others wait. A document that has not changed for [`SILENCE`], by the clock of who waits, is
//! that of a dead process: another push takes over. So no two clocks are compared.

use std::time::{Duration, Instant};

use reqwest::Method;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use crate::bulk::{BulkItem, BulkWriter};
use crate::client::{Cluster, LONGEST_READ, MOST_DOCUMENTS};
use crate::error::ClusterError;
use crate::keys::repository_id;
use crate::repository::StateEntry;

/// Time between signs of life.
const BEAT: Duration = Duration::from_secs(2);

/// After this time without a sign of life a process counts as dead. One request takes less.
const SILENCE: Duration = Duration::from_secs(12);

/// Longest wait for others.
const PATIENCE: Duration = Duration::from_mins(10);

/// Time between two looks at the state.
const PAUSE: Duration = Duration::from_millis(500);

/// The right to remove documents of a repository, as long as nobody took it over.
struct Sweep<'c> {
    cluster: &'c Cluster,
    repository: &'c str,
    held: StateEntry,
    last_beat: Instant,
}

impl Sweep<'_> {
    /// Gives a sign of life if one is due; `false` if another process took over.
    fn goes_on(&mut self) -> Result<bool, ClusterError> {
        if self.last_beat.elapsed() < BEAT {
            return Ok(true);
        }
        self.last_beat = Instant::now();
        self.held.state.sweep = self.held.state.sweep.map(|it| it + 1);
        self.held.place = match self.cluster.swap(self.repository, &self.held)? {
            Some(place) => Some(place),
            None => return Ok(false),
        };
        Ok(true)
    }

    /// Lets others push.
    fn end(mut self) -> Result<(), ClusterError> {
        self.held.state.sweep = None;
        self.cluster.swap(self.repository, &self.held).map(drop)
    }
}

impl Cluster {
    /// The state of a repository, once nobody removes documents; with `sweep` if a process died while it did.
    pub(crate) fn unswept(
        &self,
        repository: &str,
        check: &dyn Fn(&StateEntry) -> Result<(), ClusterError>,
    ) -> Result<StateEntry, ClusterError> {
        let start = Instant::now();
        let (mut place, mut since) = (None, start);
        while start.elapsed() < PATIENCE {
            let held = self.state(repository)?;
            check(&held)?;
            if held.place != place {
                (place, since) = (held.place, Instant::now());
            }
            if held.state.sweep.is_none() || since.elapsed() >= SILENCE {
                return Ok(held);
            }
            std::thread::sleep(PAUSE);
        }
        let tries = (PATIENCE.as_millis() / PAUSE.as_millis()) as usize;
        Err(ClusterError::Contended { repository: repository.to_owned(), tries })
    }

    /// Removes what no branch has, if the state says that somebody does so; it says no more afterwards. Returns the number of
    /// removed documents.
    pub(crate) fn sweep(&self, repository: &str) -> Result<u64, ClusterError> {
        self.refresh()?;
        let held = self.state(repository)?;
        if held.state.sweep.is_none() {
            return Ok(0);
        }
        let mut sweep = Sweep { cluster: self, repository, held, last_beat: Instant::now() };
        let mut removed = 0;
        // What a branch of another version has is unknown, so nothing is removed.
        if let Ok(Some(needed)) = self.needed(&mut sweep) {
            let mut writer = BulkWriter::with_patience(self, repository, LONGEST_READ);
            for id in self.all_ids(&mut sweep)?.into_iter().filter(|it| !needed.contains(it)) {
                if !sweep.goes_on()? {
                    return Ok(removed);
                }
                removed += 1;
                writer.add(BulkItem { id, document: None }, 100)?;
            }
            if !sweep.goes_on()? {
                return Ok(removed);
            }
            writer.flush()?;
        }
        self.refresh()?;
        sweep.end()?;
        Ok(removed)
    }

    /// The documents that a branch has; `None` if another process took over.
    fn needed(&self, sweep: &mut Sweep<'_>) -> Result<Option<FxHashSet<String>>, ClusterError> {
        let repository = sweep.repository;
        let mut res = FxHashSet::default();
        res.insert(repository_id(repository));
        for it in sweep.held.state.branches.clone().into_values() {
            if !sweep.goes_on()? {
                return Ok(None);
            }
            let root = self.root(repository, &it.root)?;
            res.insert(it.root);
            res.extend(root.pages().cloned());
            res.extend(self.tables(repository, &root)?.into_iter().flat_map(|it| it.ids));
        }
        Ok(Some(res))
    }

    /// The identifiers of all documents of a repository; fewer if another process took over.
    fn all_ids(&self, sweep: &mut Sweep<'_>) -> Result<Vec<String>, ClusterError> {
        let repository = sweep.repository;
        let query = json!({
            "query": { "term": { "repository": repository } },
            "size": MOST_DOCUMENTS, "_source": false, "sort": ["_doc"],
        });
        let body = Some(query.to_string().into_bytes());
        let path = self.path("_search?scroll=1m", repository);
        let mut reply = self.read(Method::POST, &path, body)?.accepted()?;
        let mut res = Vec::new();
        loop {
            let hits = reply["hits"]["hits"].as_array().cloned().unwrap_or_default();
            res.extend(hits.iter().filter_map(|it| it["_id"].as_str()).map(str::to_owned));
            let scroll = reply["_scroll_id"].clone();
            if hits.is_empty() || !sweep.goes_on()? {
                let body = json!({ "scroll_id": scroll }).to_string().into_bytes();
                self.read(Method::DELETE, "/_search/scroll", Some(body))?;
                return Ok(res);
            }
            let next: Value = json!({ "scroll": "1m", "scroll_id": scroll });
            let body = Some(next.to_string().into_bytes());
            reply = self.read(Method::POST, "/_search/scroll", body)?.accepted()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use foreword_engine::index::{IndexConfig, Snapshot};
    use foreword_engine::source::Source;

    use super::*;
    use crate::push::PushRequest;

    /// The next state of a repository with one file.
    fn push(cluster: &Cluster, version: i64) -> u64 {
        let text = format!("def version_{version}(): pass\n");
        let source = Source { path: "a.py".to_owned(), text };
        let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
        let request = PushRequest {
            repository: "shop",
            branch: "main",
            snapshot: &snapshot,
            version,
            force: false,
        };
        cluster.push(&request, &|_| {}).unwrap().removed
    }

    #[test]
    fn a_process_that_died_while_it_removed_documents_is_replaced() {
        let Ok(url) = std::env::var("FOREWORD_OPENSEARCH") else {
            // Not through `println!`, which the test harness swallows.
            let why = b"skipped: a_process_that_died (FOREWORD_OPENSEARCH is not set; see ci/opensearch/cluster)\n";
            std::io::stderr().write_all(why).unwrap();
            return;
        };
        let index = format!("sweep-{}", std::process::id());
        let cluster = Cluster::connect(&url, &index, None).unwrap();
        push(&cluster, 1);
        let documents = cluster.count("shop").unwrap();
        let mut held = cluster.state("shop").unwrap();
        held.state.sweep = Some(3);
        held.place = cluster.swap("shop", &held).unwrap();
        let start = Instant::now();
        let mut dead = Sweep { cluster: &cluster, repository: "shop", held, last_beat: start };
        assert!(push(&cluster, 2) > 0);
        assert!(start.elapsed() >= SILENCE, "{:?}", start.elapsed());
        assert!(cluster.state("shop").unwrap().state.sweep.is_none());
        assert_eq!(cluster.count("shop").unwrap(), documents);
        assert!(!dead.goes_on().unwrap(), "it may remove nothing any more");
        cluster.remove_repository("shop").unwrap();
    }
}
