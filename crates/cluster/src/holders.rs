//! Finds the repositories that have a name.

use std::sync::Arc;

use reqwest::Method;
use serde_json::{Value, json};

use crate::across::Access;
use crate::client::Cluster;
use crate::error::ClusterError;

/// Repositories whose names are listed (OpenSearch's `search.max_buckets`).
const MOST_NAMES: usize = 65_535;

/// Symbols that are looked for at once.
const MOST_SYMBOLS: usize = 64;

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

/// The repositories that have a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameHolders {
    /// Those that define it first, then those with more files, then by name.
    pub repositories: Vec<NameHolder>,
    /// True if there are more.
    pub is_cut: bool,
}

impl Cluster {
    /// The repositories with files that define or use a name, of those that may be read. Where there are more than `most`,
    /// those with the most files that define it, then those with the most that have it, are kept. All files of a repository
    /// are in one shard, so that their counts are exact.
    pub fn holders(
        &self,
        name: &str,
        access: &Access,
        most: usize,
    ) -> Result<NameHolders, ClusterError> {
        if !self.has_index()? {
            return Ok(NameHolders::default());
        }
        let [defined, used] = ["definitions", "uses"].map(|it| self.rank_feature(it, name, 1.0));
        let mut filters = self.filters_of(access)?;
        filters.push(json!({ "term": { "kind": "file" } }));
        let body = json!({
            "size": 0,
            "query": { "bool": {
                "filter": filters,
                "should": [defined, used], "minimum_should_match": 1,
            } },
            "aggs": { "repositories": {
                "terms": {
                    "field": "repository",
                    "size": most,
                    "order": [{ "defining": "desc" }, { "_count": "desc" }, { "_key": "asc" }],
                },
                "aggs": { "defining": { "filter": defined } },
            } },
        });
        let reply = self.search_everywhere(&body)?;
        let found = &reply["aggregations"]["repositories"];
        let groups = found["buckets"].as_array().into_iter().flatten();
        let mut repositories: Vec<NameHolder> = groups.filter_map(holder).collect();
        repositories.retain(|it| access.reads_repository(&it.repository));
        repositories.sort_by(|a, b| {
            let key = |it: &NameHolder| (it.defining == 0, std::cmp::Reverse(it.files));
            key(a).cmp(&key(b)).then_with(|| a.repository.cmp(&b.repository))
        });
        let is_cut = found["sum_other_doc_count"].as_u64().is_some_and(|it| it > 0);
        Ok(NameHolders { repositories, is_cut })
    }

    /// The repositories whose precise facts have one of these symbols, of those that may be read: at most `most`, those with the
    /// most files first, then by name.
    pub fn symbol_holders(
        &self,
        symbols: &[String],
        access: &Access,
        most: usize,
    ) -> Result<Vec<String>, ClusterError> {
        if symbols.is_empty() || !self.has_index()? {
            return Ok(Vec::new());
        }
        let used = symbols.iter().take(MOST_SYMBOLS).map(|it| self.rank_feature("uses", it, 1.0));
        let mut filters = self.filters_of(access)?;
        filters.push(json!({ "term": { "kind": "facts" } }));
        let order = json!([{ "_count": "desc" }, { "_key": "asc" }]);
        let body = json!({
            "size": 0,
            "query": { "bool": {
                "filter": filters, "should": used.collect::<Vec<_>>(), "minimum_should_match": 1,
            } },
            "aggs": { "repositories": {
                "terms": { "field": "repository", "size": most, "order": order },
            } },
        });
        let reply = self.search_everywhere(&body)?;
        let groups = reply["aggregations"]["repositories"]["buckets"].as_array();
        let names = groups.into_iter().flatten().filter_map(|it| it["key"].as_str());
        Ok(names.filter(|it| access.reads_repository(it)).map(str::to_owned).collect())
    }

    /// The filters of a search over all repositories that may be read.
    pub(crate) fn filters_of(&self, access: &Access) -> Result<Vec<Value>, ClusterError> {
        let names = match access.has_many_patterns() {
            true => self.repository_names()?,
            false => None,
        };
        Ok(access.filters(names.as_ref().map(|it| it.as_slice())))
    }

    /// The names of all repositories, sorted, as they were some seconds ago at most; `None` of too many.
    fn repository_names(&self) -> Result<Option<Arc<Vec<String>>>, ClusterError> {
        if let Some(known) = self.kept.as_ref().and_then(|it| it.names()) {
            return Ok(Some(known));
        }
        let body = json!({
            "size": 0, "track_total_hits": false,
            "query": { "term": { "kind": "repository" } },
            "aggs": { "repositories": { "terms": { "field": "repository", "size": MOST_NAMES } } },
        });
        let reply = self.search_everywhere(&body)?;
        let found = &reply["aggregations"]["repositories"];
        if found["sum_other_doc_count"].as_u64() != Some(0) {
            return Ok(None);
        }
        let names = found["buckets"].as_array().into_iter().flatten();
        let mut names: Vec<String> =
            names.filter_map(|it| Some(it["key"].as_str()?.to_owned())).collect();
        names.sort_unstable();
        let names = Arc::new(names);
        self.kept.iter().for_each(|it| it.put_names(&names));
        Ok(Some(names))
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
