//! Removes branches and repositories.

use reqwest::Method;
use serde_json::json;

use crate::client::Cluster;
use crate::error::ClusterError;
use crate::repository::StateEntry;

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
            self.check_key(repository, &held)?;
            if held.state.branches.remove(branch).is_none() {
                return Err(no_branch(repository, branch, &held));
            }
            if held.state.branches.is_empty() {
                return self.remove_repository(repository);
            }
            held.state.sweep = Some(0);
            if self.swap(repository, &held)?.is_some() {
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
