//! The document of a repository: its branches, compared and swapped, so that a push never undoes another.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::client::Cluster;
use crate::error::ClusterError;
use crate::keys::repository_id;

/// A branch on the cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BranchState {
    /// Its first page.
    pub(crate) root: String,
    /// Identifies the files and contents ([`foreword_engine::index::Snapshot::id`]).
    pub snapshot: String,
    /// Grows with newer states: nanoseconds since the epoch, of the commit or of the push of a directory.
    pub version: i64,
    /// Files.
    pub files: u32,
    /// Chunks.
    pub chunks: u32,
    /// The least average length of a chunk that features of its files were computed with.
    pub(crate) least_average: f32,
    /// Version of the analysis ([`foreword_engine::index::IndexConfig::exported_version`]); unknown of earlier pushes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) analysis: Option<u32>,
}

/// The branches of a repository, and who removes what they no longer need.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RepositoryState {
    pub(crate) branches: BTreeMap<String, BranchState>,
    /// Signs of life of the process that removes documents (`sweep`); nobody may push meanwhile.
    #[serde(default)]
    pub(crate) sweep: Option<u64>,
    /// The key that all branches were pushed with ([`crate::ClusterKey::id`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
}

/// The state with its place in the order of writes; `None` for a repository that is not there.
pub(crate) struct StateEntry {
    pub(crate) state: RepositoryState,
    pub(crate) place: Option<(u64, u64)>,
}

/// The place of a write in the order of writes.
fn place_of(reply: &Value) -> (u64, u64) {
    let number = |field: &str| reply[field].as_u64().unwrap_or_default();
    (number("_seq_no"), number("_primary_term"))
}

impl Cluster {
    /// The state of a repository.
    pub(crate) fn state(&self, repository: &str) -> Result<StateEntry, ClusterError> {
        let path = self.path(&format!("_doc/{}", repository_id(repository)), repository);
        let reply = self.read(Method::GET, &path, None)?;
        if reply.status == 404 {
            return Ok(StateEntry { state: RepositoryState::default(), place: None });
        }
        let body = reply.accepted()?;
        if body["_source"]["repository"] != repository {
            return Ok(StateEntry {
                state: RepositoryState::default(),
                place: Some(place_of(&body)),
            });
        }
        let state = serde_json::from_value(body["_source"]["state"].clone());
        let damaged = |_| ClusterError::Damaged {
            repository: repository.to_owned(),
            what: "the list of branches",
        };
        Ok(StateEntry { state: state.map_err(damaged)?, place: Some(place_of(&body)) })
    }

    /// Writes the state if nobody else has since it was read; its new place, or `None` if somebody has.
    pub(crate) fn swap(
        &self,
        repository: &str,
        held: &StateEntry,
    ) -> Result<Option<(u64, u64)>, ClusterError> {
        let condition = match held.place {
            Some((number, term)) => format!("if_seq_no={number}&if_primary_term={term}"),
            None => "op_type=create".to_owned(),
        };
        let operation = format!("_doc/{}?{condition}&refresh=true", repository_id(repository));
        let mut document =
            json!({ "kind": "repository", "repository": repository, "state": held.state });
        // For those who look at all repositories: names of branches cannot be skipped in a path.
        let analyses: BTreeSet<u32> =
            held.state.branches.values().filter_map(|it| it.analysis).collect();
        document["state"]["analyses"] = json!(analyses);
        let body = document.to_string().into_bytes();
        let reply = self.write(Method::PUT, &self.path(&operation, repository), Some(body))?;
        if reply.status == 409 {
            return Ok(None);
        }
        reply.accepted().map(|it| Some(place_of(&it)))
    }

    /// Refuses a repository that was pushed with another key than that in use.
    pub(crate) fn check_key(
        &self,
        repository: &str,
        held: &StateEntry,
    ) -> Result<(), ClusterError> {
        let (pushed, asked) = (held.state.key.as_deref(), self.storage.key_id());
        if held.state.branches.is_empty() || pushed == asked {
            return Ok(());
        }
        let name = |it: Option<&str>| match it {
            Some(id) => format!("with the key {id}"),
            None => "without a key".to_owned(),
        };
        let (pushed, asked) = (name(pushed), name(asked));
        Err(ClusterError::OtherKey { repository: repository.to_owned(), pushed, asked })
    }

    /// The branches of a repository.
    pub fn branches(
        &self,
        repository: &str,
    ) -> Result<BTreeMap<String, BranchState>, ClusterError> {
        if !self.has_index()? {
            return Ok(BTreeMap::new());
        }
        Ok(self.state(repository)?.state.branches)
    }
}
