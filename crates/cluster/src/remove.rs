//! Removes branches, repositories, and documents that no branch has.

use std::time::Instant;

use reqwest::Method;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use crate::client::{BulkItem, BulkWriter, Cluster, MOST_DOCUMENTS};
use crate::error::ClusterError;
use crate::keys::repository_id;
use crate::repository::{LONGEST_SWEEP, StateEntry, now};

/// Attempts against other writers.
const TRIES: usize = 5;

impl Cluster {
    /// Removes a branch with all that no other branch has; without other branches, the repository. Returns the number of
    /// removed documents.
    pub fn remove_branch(&self, repository: &str, branch: &str) -> Result<u64, ClusterError> {
        if !self.has_index()? {
            return Err(ClusterError::NoRepository { repository: repository.to_owned() });
        }
        for _ in 0..TRIES {
            let mut held = self.state(repository)?;
            if held.place.is_none() {
                return Err(ClusterError::NoRepository { repository: repository.to_owned() });
            }
            if held.state.branches.remove(branch).is_none() {
                return Err(no_branch(repository, branch, &held));
            }
            if held.state.branches.is_empty() {
                return self.remove_repository(repository);
            }
            held.state.sweeping_since = Some(now());
            if self.swap(repository, &held)? {
                return self.sweep(repository);
            }
        }
        Err(ClusterError::Contended { repository: repository.to_owned(), tries: TRIES })
    }

    /// Removes all documents of a repository, and checks that none is left. Returns their number.
    pub fn remove_repository(&self, repository: &str) -> Result<u64, ClusterError> {
        if !self.has_index()? {
            return Err(ClusterError::NoRepository { repository: repository.to_owned() });
        }
        let query = json!({ "query": { "term": { "repository": repository } } });
        let operation = "_delete_by_query?conflicts=proceed&refresh=true";
        let mut removed = 0;
        for _ in 0..TRIES {
            self.refresh()?;
            let body = Some(query.to_string().into_bytes());
            let path = self.path(operation, repository);
            let reply = self.write(Method::POST, &path, body)?.accepted()?;
            removed += reply["deleted"].as_u64().unwrap_or_default();
            if self.count(repository)? == 0 {
                return Ok(removed);
            }
        }
        Err(ClusterError::Contended { repository: repository.to_owned(), tries: TRIES })
    }

    /// The number of documents of a repository, of any kind.
    pub fn count(&self, repository: &str) -> Result<u64, ClusterError> {
        let query = json!({ "query": { "term": { "repository": repository } } });
        let path = self.path("_count", repository);
        let reply = self.read(Method::POST, &path, Some(query.to_string().into_bytes()))?;
        Ok(reply.accepted()?["count"].as_u64().unwrap_or_default())
    }

    /// Removes what no branch has. The state says that this process does so; it says no more afterwards.
    pub(crate) fn sweep(&self, repository: &str) -> Result<u64, ClusterError> {
        let start = Instant::now();
        self.refresh()?;
        // What a branch of another version has is unknown, so nothing is removed.
        let needed = self.needed(repository).ok();
        let unneeded = |it: &String| needed.as_ref().is_some_and(|needed| !needed.contains(it));
        let mut writer = BulkWriter::new(self, repository);
        let mut removed = 0;
        for id in self.all_ids(repository)?.into_iter().filter(unneeded) {
            if start.elapsed() > LONGEST_SWEEP {
                break;
            }
            removed += 1;
            writer.add(BulkItem { id, document: None }, 100)?;
        }
        writer.flush()?;
        self.refresh()?;
        for _ in 0..TRIES {
            let mut held = self.state(repository)?;
            held.state.sweeping_since = None;
            if held.place.is_none() || self.swap(repository, &held)? {
                break;
            }
        }
        Ok(removed)
    }

    /// The documents that a branch has.
    fn needed(&self, repository: &str) -> Result<FxHashSet<String>, ClusterError> {
        let mut res = FxHashSet::default();
        res.insert(repository_id(repository));
        for it in self.state(repository)?.state.branches.into_values() {
            let root = self.root(repository, &it.root)?;
            res.insert(it.root);
            res.extend(root.pages().cloned());
            res.extend(self.tables(repository, &root)?.into_iter().flat_map(|it| it.ids));
        }
        Ok(res)
    }

    /// The identifiers of all documents of a repository.
    fn all_ids(&self, repository: &str) -> Result<Vec<String>, ClusterError> {
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
            if hits.is_empty() {
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

/// The error for a branch that is not there.
pub(crate) fn no_branch(repository: &str, branch: &str, held: &StateEntry) -> ClusterError {
    let known: Vec<&str> = held.state.branches.keys().map(String::as_str).collect();
    ClusterError::NoBranch {
        repository: repository.to_owned(),
        branch: branch.to_owned(),
        known: known.join(", "),
    }
}
