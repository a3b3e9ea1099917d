//! The contents of documents, in the form in which the layout of the index has them.
//!
//! Since version 3 they are values beside the documents: read as they are, while a document of an earlier version is
//! unpacked with its neighbours, which took two thirds of the cluster's time of a question over all repositories.

use reqwest::Method;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::{Cluster, MOST_OF_ALL, MOST_SOURCES};
use crate::error::ClusterError;

impl Cluster {
    /// The contents of documents of a repository as their field has them, in order; `None` for those that are not there.
    pub(crate) fn contents(
        &self,
        repository: &str,
        ids: &[&str],
    ) -> Result<Vec<Option<String>>, ClusterError> {
        if !self.has_contents_field() {
            let found = self.documents(repository, ids)?.into_iter();
            let data = |it: Option<Value>| Some(it?["data"].as_str()?.to_owned());
            return Ok(found.map(data).collect());
        }
        let mut found = FxHashMap::default();
        let mut read = 0;
        let mut left: Vec<&[&str]> = ids.chunks(MOST_SOURCES).rev().collect();
        while let Some(ids) = left.pop() {
            match self.contents_of(repository, ids) {
                Err(ClusterError::TooLarge { .. }) if ids.len() > 1 => {
                    let (first, second) = ids.split_at(ids.len() / 2);
                    left.extend([second, first]);
                }
                answer => {
                    let (contents, bytes) = answer?;
                    found.extend(contents);
                    read += bytes;
                }
            }
            if read > MOST_OF_ALL {
                return Err(ClusterError::TooLarge { most: MOST_OF_ALL });
            }
        }
        Ok(ids.iter().map(|it| found.remove(*it)).collect())
    }

    /// The contents of so few documents that one answer has them, by identifier; and the bytes of the answer.
    fn contents_of(
        &self,
        repository: &str,
        ids: &[&str],
    ) -> Result<(Vec<(String, String)>, u64), ClusterError> {
        // Whoever may write a repository may name documents of others in its tables: these are not its own.
        let filter =
            json!([{ "ids": { "values": ids } }, { "term": { "repository": repository } }]);
        let body = json!({
            "query": { "bool": { "filter": filter } }, "size": ids.len(), "sort": ["_doc"],
            "track_total_hits": false, "_source": false, "stored_fields": "_none_",
            "docvalue_fields": ["id", "contents"],
        });
        let path = self.path("_search", repository);
        let reply = self.read(Method::POST, &path, Some(body.to_string().into_bytes()))?;
        let bytes = reply.bytes;
        let mut body = reply.accepted()?;
        let shards = |it: &str| body["_shards"][it].as_u64().unwrap_or_default();
        if shards("failed") > 0 || body["timed_out"] == true {
            return Err(ClusterError::Partial {
                failed: shards("failed"),
                shards: shards("total"),
            });
        }
        let hits = body["hits"]["hits"].as_array_mut().map(std::mem::take).unwrap_or_default();
        let text = |it: &mut Value| match it[0].take() {
            Value::String(it) => Some(it),
            _ => None,
        };
        let one = |mut it: Value| {
            let fields = &mut it["fields"];
            Some((text(&mut fields["id"])?, text(&mut fields["contents"])?))
        };
        Ok((hits.into_iter().filter_map(one).collect(), bytes))
    }
}
