//! Finds the repositories that have a name.

use reqwest::Method;
use serde_json::{Value, json};

use crate::across::Access;
use crate::client::Cluster;
use crate::error::ClusterError;

/// Repositories that are counted. All files of a repository are in one shard, so that their counts are exact.
const MOST_REPOSITORIES: usize = 1000;

/// A repository whose files have a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameHolder {
    /// The repository.
    pub repository: String,
    /// Files that define the name, in any branch.
    pub defining: u64,
    /// Files that define or use it, in any branch.
    pub files: u64,
}

impl Cluster {
    /// The repositories with files that define or use a name: those that define it first, then those with more files, then
    /// by name. At most 1,000, of those that may be read.
    pub fn holders(&self, name: &str, access: &Access) -> Result<Vec<NameHolder>, ClusterError> {
        if !self.has_index()? {
            return Ok(Vec::new());
        }
        let [defined, used] = ["definitions", "uses"].map(|it| self.rank_feature(it, name, 1.0));
        let mut filters = access.filters();
        filters.push(json!({ "term": { "kind": "file" } }));
        let body = json!({
            "size": 0,
            "query": { "bool": {
                "filter": filters,
                "should": [defined, used], "minimum_should_match": 1,
            } },
            "aggs": { "repositories": {
                "terms": { "field": "repository", "size": MOST_REPOSITORIES },
                "aggs": { "defining": { "filter": defined } },
            } },
        });
        let reply = self.search_everywhere(&body)?;
        let groups = reply["aggregations"]["repositories"]["buckets"].as_array();
        let mut res: Vec<NameHolder> = groups.into_iter().flatten().filter_map(holder).collect();
        res.retain(|it| access.reads_repository(&it.repository));
        res.sort_by(|a, b| {
            let key = |it: &NameHolder| (it.defining == 0, std::cmp::Reverse(it.files));
            key(a).cmp(&key(b)).then_with(|| a.repository.cmp(&b.repository))
        });
        Ok(res)
    }

    /// A search over all repositories. A shard that fails is an error: the answer would be that of a part.
    fn search_everywhere(&self, body: &Value) -> Result<Value, ClusterError> {
        let reply = self.search_shards(body)?;
        let failed = reply["_shards"]["failed"].as_u64().unwrap_or_default();
        match failed > 0 || reply["timed_out"] == true {
            true => Err(ClusterError::Partial {
                failed,
                shards: reply["_shards"]["total"].as_u64().unwrap_or_default(),
            }),
            false => Ok(reply),
        }
    }

    /// A search over all repositories, answered by the shards that can (`_shards`).
    pub(crate) fn search_shards(&self, body: &Value) -> Result<Value, ClusterError> {
        let path = format!("/{}/_search", self.index_name());
        self.read(Method::POST, &path, Some(body.to_string().into_bytes()))?.accepted()
    }
}

fn holder(group: &Value) -> Option<NameHolder> {
    Some(NameHolder {
        repository: group["key"].as_str()?.to_owned(),
        defining: group["defining"]["doc_count"].as_u64()?,
        files: group["doc_count"].as_u64()?,
    })
}
