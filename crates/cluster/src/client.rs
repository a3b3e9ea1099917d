//! Requests to a cluster, and their repetition.

use std::time::{Duration, Instant};

use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::error::ClusterError;

/// Longest wait for one answer.
const PATIENCE: Duration = Duration::from_mins(1);

/// Longest repetition of a request while the cluster is too busy or restarts.
const LONGEST_WAIT: Duration = Duration::from_mins(2);

/// Longest repetition of a read, where somebody waits.
pub(crate) const LONGEST_READ: Duration = Duration::from_secs(5);

/// Bytes of one bulk request.
const BULK: usize = 4 << 20;

/// Documents asked for at once.
pub(crate) const MOST_DOCUMENTS: usize = 1000;

/// Documents whose contents are asked for at once; a file has some 20 kB.
const MOST_SOURCES: usize = 250;

/// Version of the mapping (`mapping.v1.json`).
const MAPPING_VERSION: u64 = 1;

/// The settings and mapping of a new index.
const MAPPING: &str = include_str!("mapping.v1.json");

/// A cluster and the index of foreword there.
pub struct Cluster {
    url: String,
    index: String,
    user: Option<(String, String)>,
    client: Client,
    runtime: tokio::runtime::Runtime,
}

/// A request.
struct Request<'r> {
    method: Method,
    path: &'r str,
    body: Option<Vec<u8>>,
}

/// An answer.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Reply {
    /// The body of a success.
    pub(crate) fn accepted(self) -> Result<Value, ClusterError> {
        if self.status < 300 {
            return Ok(self.body);
        }
        let error = &self.body["error"];
        let reason = error["root_cause"][0]["reason"].as_str().or_else(|| error["reason"].as_str());
        let reason = reason.map_or_else(|| self.body.to_string(), str::to_owned);
        let reason = reason.chars().take(300).collect();
        Err(ClusterError::Refused { status: self.status, reason })
    }
}

/// An operation of a bulk request.
pub(crate) struct BulkItem {
    pub(crate) id: String,
    /// The document; `None` deletes it.
    pub(crate) document: Option<Value>,
}

impl Cluster {
    /// Connects to the cluster at `url` and checks its version. `index` is the name of foreword's index there; a user with
    /// password is for clusters that ask for one.
    pub fn connect(
        url: &str,
        index: &str,
        user: Option<(String, String)>,
    ) -> Result<Self, ClusterError> {
        let url = url.trim_end_matches('/').to_owned();
        let unreachable = |reason: String| ClusterError::Unreachable { url: url.clone(), reason };
        let client =
            foreword_model::http::client(&url).map_err(|it| unreachable(it.to_string()))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let res = Self { url: url.clone(), index: index.to_owned(), user, client, runtime };
        let about = res.read(Method::GET, "/", None)?.accepted()?;
        let version = &about["version"];
        let (name, number) = (version["distribution"].as_str(), version["number"].as_str());
        let numbers: Vec<u32> =
            number.unwrap_or_default().split('.').map_while(|it| it.parse().ok()).collect();
        let fits = name == Some("opensearch")
            && matches!(numbers[..], [2, minor, ..] if minor >= 10)
                | matches!(numbers[..], [3, ..]);
        let found = match (name, number) {
            (Some(name), Some(number)) => format!("{name} {number}"),
            (None, Some(number)) => format!("no OpenSearch (version {number})"),
            _ => "no OpenSearch".to_owned(),
        };
        fits.then_some(res).ok_or(ClusterError::Version { url, found })
    }

    /// Makes the index if there is none, and checks its layout.
    pub(crate) fn ensure_index(&self) -> Result<(), ClusterError> {
        let path = format!("/{}", self.index);
        let found = self.write(Method::GET, &format!("{path}/_mapping"), None)?;
        if found.status == 404 {
            let made = self.write(Method::PUT, &path, Some(MAPPING.as_bytes().to_vec()))?;
            let is_there = made.status == 400
                && made.body["error"]["type"] == "resource_already_exists_exception";
            if !is_there {
                made.accepted()?;
            }
            return Ok(());
        }
        self.check_mapping(found)
    }

    /// Checks the layout of an index that should be there; `false` if it is not.
    pub(crate) fn has_index(&self) -> Result<bool, ClusterError> {
        let found = self.read(Method::GET, &format!("/{}/_mapping", self.index), None)?;
        if found.status == 404 {
            return Ok(false);
        }
        self.check_mapping(found).map(|()| true)
    }

    fn check_mapping(&self, found: Reply) -> Result<(), ClusterError> {
        let body = found.accepted()?;
        let version = &body[&self.index]["mappings"]["_meta"]["foreword"];
        if version.as_u64() == Some(MAPPING_VERSION) {
            return Ok(());
        }
        let found =
            version.as_u64().map_or_else(|| "none of foreword's".to_owned(), |it| it.to_string());
        Err(ClusterError::Mapping { index: self.index.clone(), found, expected: MAPPING_VERSION })
    }

    /// The name of the index.
    pub(crate) fn index(&self) -> &str {
        &self.index
    }

    /// The path of an operation on the index, for one repository.
    pub(crate) fn path(&self, operation: &str, repository: &str) -> String {
        let mark = if operation.contains('?') { '&' } else { '?' };
        format!("/{}/{operation}{mark}routing={}", self.index, escaped(repository))
    }

    /// The documents with these identifiers, in order; `None` for those that are not there.
    pub(crate) fn documents(
        &self,
        repository: &str,
        ids: &[&str],
    ) -> Result<Vec<Option<Value>>, ClusterError> {
        self.get_many(repository, ids, ("_mget", MOST_SOURCES))
    }

    /// For each identifier, in order, true if its document is there.
    pub(crate) fn are_there(
        &self,
        repository: &str,
        ids: &[&str],
    ) -> Result<Vec<bool>, ClusterError> {
        let found = self.get_many(repository, ids, ("_mget?_source=false", MOST_DOCUMENTS))?;
        Ok(found.iter().map(Option::is_some).collect())
    }

    /// The sources of documents, by an operation that takes so many identifiers.
    fn get_many(
        &self,
        repository: &str,
        ids: &[&str],
        (operation, most): (&str, usize),
    ) -> Result<Vec<Option<Value>>, ClusterError> {
        let mut res = Vec::new();
        let path = self.path(operation, repository);
        for ids in ids.chunks(most) {
            let body = json!({ "ids": ids }).to_string().into_bytes();
            let mut body = self.read(Method::POST, &path, Some(body))?.accepted()?;
            let Some(documents) = body["docs"].as_array_mut() else { continue };
            let found = |it: &mut Value| (it["found"] == true).then(|| it["_source"].take());
            res.extend(documents.iter_mut().map(found));
        }
        res.resize(ids.len(), None);
        Ok(res)
    }

    /// The results of several searches in a repository, in order.
    pub(crate) fn searches(
        &self,
        repository: &str,
        searches: &[Value],
    ) -> Result<Vec<Value>, ClusterError> {
        if searches.is_empty() {
            return Ok(Vec::new());
        }
        let head = json!({ "index": self.index, "routing": repository }).to_string();
        let mut body = Vec::new();
        for it in searches {
            for line in [&head, &it.to_string()] {
                body.extend_from_slice(line.as_bytes());
                body.push(b'\n');
            }
        }
        let mut reply = self.read(Method::POST, "/_msearch", Some(body))?.accepted()?;
        let answers = reply["responses"].as_array_mut().map(std::mem::take).unwrap_or_default();
        for it in &answers {
            let failed = it["_shards"]["failed"].as_u64().unwrap_or_default();
            if it.get("error").is_some() || failed > 0 || it["timed_out"] == true {
                let status = it["status"].as_u64().unwrap_or(503) as u16;
                Reply { status: status.max(300), body: it.clone() }.accepted()?;
            }
        }
        Ok(answers)
    }

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
            let mut reply = self.repeated(&request, longest)?.accepted()?;
            let results = reply["items"].as_array_mut().map(std::mem::take).unwrap_or_default();
            let mut again = Vec::new();
            for (lines, result) in left.into_iter().zip(results) {
                let result = result.as_object().and_then(|it| it.values().next()).cloned();
                let result = result.unwrap_or_default();
                match result["status"].as_u64().unwrap_or_default() as u16 {
                    429 | 503 => again.push(lines),
                    // What is to be deleted may be gone.
                    404 => {}
                    status => drop(Reply { status, body: result }.accepted()?),
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

    /// Makes what was written visible to searches.
    pub(crate) fn refresh(&self) -> Result<(), ClusterError> {
        let path = format!("/{}/_refresh", self.index);
        self.write(Method::POST, &path, None)?.accepted().map(drop)
    }

    /// A request that only reads; repeated for seconds.
    pub(crate) fn read(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
    ) -> Result<Reply, ClusterError> {
        self.repeated(&Request { method, path, body }, LONGEST_READ)
    }

    /// A request that may be repeated for minutes, because it leads to the same state.
    pub(crate) fn write(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
    ) -> Result<Reply, ClusterError> {
        self.repeated(&Request { method, path, body }, LONGEST_WAIT)
    }

    fn repeated(&self, request: &Request<'_>, longest: Duration) -> Result<Reply, ClusterError> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(100);
        loop {
            let reply = self.once(request);
            let is_passing = match &reply {
                Ok(it) => matches!(it.status, 429 | 502..=504),
                Err(error) => !error.is_builder() && (error.is_connect() || error.is_request()),
            };
            // An address at which nobody listens is told at once.
            let is_first = request.path == "/";
            if is_passing && !is_first && start.elapsed() + pause < longest {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_secs(10));
                continue;
            }
            return match reply {
                Ok(it) if matches!(it.status, 401 | 403) => Err(ClusterError::Rights {
                    url: self.url.clone(),
                    status: it.status,
                    index: self.index.clone(),
                }),
                Ok(it) => Ok(it),
                Err(error) => Err(ClusterError::Unreachable {
                    url: self.url.clone(),
                    reason: innermost(&error),
                }),
            };
        }
    }

    fn once(&self, request: &Request<'_>) -> Result<Reply, reqwest::Error> {
        let Request { method, path, body } = request;
        let mut request = self.client.request(method.clone(), format!("{}{path}", self.url));
        request = request.timeout(PATIENCE);
        if let Some((user, password)) = &self.user {
            request = request.basic_auth(user, Some(password));
        }
        if let Some(body) = body {
            let is_lines = ["/_msearch", "/_bulk"].iter().any(|it| path.contains(it));
            let kind = if is_lines { "application/x-ndjson" } else { "application/json" };
            request = request.header("content-type", kind).body(body.clone());
        }
        self.runtime.block_on(async {
            let reply = request.send().await?;
            let status = reply.status().as_u16();
            let bytes = reply.bytes().await?;
            Ok(Reply { status, body: serde_json::from_slice(&bytes).unwrap_or_default() })
        })
    }
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

/// A name in a URL.
fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

/// Text of the innermost cause.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
