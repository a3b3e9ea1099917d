//! Writes many documents in requests of a bounded size.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Cluster, LONGEST_WAIT, MOST_DOCUMENTS, PATIENCE, Reply, Request};
use crate::error::ClusterError;

/// Bytes of one bulk request.
const BULK: usize = 4 << 20;

/// An operation of a bulk request.
pub(crate) struct BulkItem {
    pub(crate) id: String,
    /// The document; `None` deletes it.
    pub(crate) document: Option<Value>,
}

impl Cluster {
    /// Writes documents. What the cluster has no room for now is sent again, more slowly each time, for so long at most.
    /// Returns the bytes.
    fn bulk(
        &self,
        repository: &str,
        items: Vec<BulkItem>,
        longest: Duration,
    ) -> Result<u64, ClusterError> {
        let path = self.path("_bulk", repository);
        let start = Instant::now();
        let mut pause = Duration::from_millis(100);
        let mut left: Vec<Vec<u8>> = items.into_iter().map(lines_of).collect();
        let mut bytes = 0;
        while !left.is_empty() {
            let body = left.concat();
            bytes += body.len() as u64;
            let request = Request { method: Method::POST, path: &path, body: Some(body) };
            let mut reply = self.repeated(&request, (longest, PATIENCE))?.accepted()?;
            let results = reply["items"].as_array_mut().map(std::mem::take).unwrap_or_default();
            let mut again = Vec::new();
            for (lines, result) in left.into_iter().zip(results) {
                let result = result.as_object().and_then(|it| it.values().next()).cloned();
                let result = result.unwrap_or_default();
                let result = Reply::new(status_of(&result), result);
                match result.status {
                    429 | 503 if !result.is_blocked() => again.push(lines),
                    // What is to be deleted may be gone.
                    404 => {}
                    _ => drop(result.accepted()?),
                }
            }
            if !again.is_empty() {
                if start.elapsed() > longest {
                    return Err(ClusterError::Busy { seconds: start.elapsed().as_secs() });
                }
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_secs(10));
            }
            left = again;
        }
        Ok(bytes)
    }
}

fn status_of(result: &Value) -> u16 {
    result["status"].as_u64().unwrap_or_default() as u16
}

/// Groups operations into requests of a bounded size.
pub(crate) struct BulkWriter<'c> {
    cluster: &'c Cluster,
    repository: &'c str,
    items: Vec<BulkItem>,
    size: usize,
    /// Longest repetition of a request.
    longest: Duration,
    /// Bytes sent.
    pub(crate) bytes: u64,
}

impl<'c> BulkWriter<'c> {
    pub(crate) fn new(cluster: &'c Cluster, repository: &'c str) -> Self {
        Self::with_patience(cluster, repository, LONGEST_WAIT)
    }

    pub(crate) fn with_patience(
        cluster: &'c Cluster,
        repository: &'c str,
        longest: Duration,
    ) -> Self {
        Self { cluster, repository, items: Vec::new(), size: 0, longest, bytes: 0 }
    }

    /// Adds an operation on a document of about `size` bytes.
    pub(crate) fn add(&mut self, item: BulkItem, size: usize) -> Result<(), ClusterError> {
        self.items.push(item);
        self.size += size;
        if self.size >= BULK || self.items.len() >= MOST_DOCUMENTS { self.flush() } else { Ok(()) }
    }

    /// Sends what is left.
    pub(crate) fn flush(&mut self) -> Result<(), ClusterError> {
        self.size = 0;
        let items = std::mem::take(&mut self.items);
        self.bytes += self.cluster.bulk(self.repository, items, self.longest)?;
        Ok(())
    }
}

fn lines_of(item: BulkItem) -> Vec<u8> {
    let lines = match item.document {
        Some(document) => format!("{}\n{document}\n", json!({ "index": { "_id": item.id } })),
        None => format!("{}\n", json!({ "delete": { "_id": item.id } })),
    };
    lines.into_bytes()
}
