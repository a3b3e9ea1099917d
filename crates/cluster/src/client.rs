//! Requests to a cluster, and their repetition.

mod contents;
mod meter;
mod runtime;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::error::ClusterError;
use crate::kept::KeptBranches;
use crate::keys::{ClusterKey, Storage};
pub use meter::Meter;
use runtime::ClientRuntime;

/// Longest wait for the answer to a write.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Longest wait for the answer to a read, repetition included, unless the caller says otherwise ([`Cluster::connect_until`]).
pub const READ_PATIENCE: Duration = Duration::from_secs(10);

/// Longest repetition of a request while the cluster is too busy or restarts.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_mins(2);

/// Longest repetition of a read, where somebody waits.
pub(crate) const LONGEST_READ: Duration = Duration::from_secs(5);

/// Documents asked for at once.
pub(crate) const MOST_DOCUMENTS: usize = 1000;

/// Documents whose contents are asked for at once; a file has some 20 kB.
const MOST_SOURCES: usize = 250;

/// Most bytes of an answer: as parsed JSON it takes some times as many. 250 files take 5 MB; where they take more, half
/// of them is asked for.
const MOST_ANSWER: usize = 32 << 20;

/// Most bytes of all answers to one question for documents.
const MOST_OF_ALL: u64 = 1 << 30;

/// A cluster and the index of foreword there.
pub struct Cluster {
    url: String,
    index: String,
    user: Option<(String, String)>,
    client: Client,
    runtime: Arc<ClientRuntime>,
    meter: Arc<Meter>,
    /// When answers must be there.
    deadline: Option<Instant>,
    /// Longest wait for the answer to a read.
    read_patience: Duration,
    pub(crate) storage: Arc<Storage>,
    /// The layout of the index when it was last looked at; 0 before.
    pub(crate) layout: Arc<AtomicU64>,
    /// Known branches, if any are kept.
    pub(crate) kept: Option<Arc<KeptBranches>>,
}

/// A request.
pub(crate) struct Request<'r> {
    pub(crate) method: Method,
    pub(crate) path: &'r str,
    pub(crate) body: Option<Vec<u8>>,
}

/// An answer.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
    /// Bytes of the body.
    bytes: u64,
}

/// Why a request has no answer.
enum Failure {
    Transport(reqwest::Error),
    TooLarge,
}

impl Failure {
    /// Whether the request may be answered if it is sent again.
    fn is_passing(&self) -> bool {
        let Self::Transport(error) = self else { return false };
        !error.is_builder() && (error.is_connect() || error.is_request())
    }

    /// True if the node took the request and did not answer.
    fn is_silence(&self) -> bool {
        matches!(self, Self::Transport(error) if error.is_timeout() && !error.is_connect())
    }
}

impl From<reqwest::Error> for Failure {
    fn from(it: reqwest::Error) -> Self {
        Self::Transport(it)
    }
}

impl Reply {
    /// A part of an answer, read as one.
    pub(crate) fn new(status: u16, body: Value) -> Self {
        Self { status, body, bytes: 0 }
    }

    /// The body of a success.
    pub(crate) fn accepted(self) -> Result<Value, ClusterError> {
        if self.status < 300 {
            return Ok(self.body);
        }
        let error = &self.body["error"];
        let reason = error["root_cause"][0]["reason"].as_str().or_else(|| error["reason"].as_str());
        let reason = reason.map_or_else(|| self.body.to_string(), str::to_owned);
        let reason = reason.chars().take(300).collect();
        Err(match self.is_blocked() {
            true => ClusterError::Blocked { reason },
            false => ClusterError::Refused { status: self.status, reason },
        })
    }

    /// True if writes are forbidden until somebody acts. The status is that of a busy cluster, or of missing rights.
    pub(crate) fn is_blocked(&self) -> bool {
        self.body["error"]["type"] == "cluster_block_exception"
    }
}

impl Cluster {
    /// Connects to the cluster at `url` and checks its version. `index` is the name of foreword's index there; a user with
    /// password is for clusters that ask for one.
    pub fn connect(
        url: &str,
        index: &str,
        user: Option<(String, String)>,
    ) -> Result<Self, ClusterError> {
        Self::connect_until(url, index, user, (None, READ_PATIENCE))
    }

    /// [`Self::connect`], whose answers, the first one included, must be there at an instant, and each to a read after some time.
    pub fn connect_until(
        url: &str,
        index: &str,
        user: Option<(String, String)>,
        (deadline, read_patience): (Option<Instant>, Duration),
    ) -> Result<Self, ClusterError> {
        let url = url.trim_end_matches('/').to_owned();
        let unreachable = |reason: String| ClusterError::Unreachable { url: url.clone(), reason };
        let client =
            foreword_model::http::client(&url).map_err(|it| unreachable(it.to_string()))?;
        let res = Self {
            url: url.clone(),
            index: index.to_owned(),
            user,
            client,
            runtime: Arc::new(ClientRuntime::new()?),
            meter: Arc::default(),
            deadline,
            read_patience,
            storage: Arc::default(),
            layout: Arc::default(),
            kept: None,
        };
        res.check_version()?;
        Ok(res)
    }

    /// Checks that it is an OpenSearch of a version that is supported; its name and version.
    pub(crate) fn check_version(&self) -> Result<String, ClusterError> {
        let about = self.read(Method::GET, "/", None)?.accepted()?;
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
        match fits {
            true => Ok(found),
            false => Err(ClusterError::Version { url: self.url.clone(), found }),
        }
    }

    /// The same cluster, whose answers must be there at an instant, or earlier: the deadline of a question.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Self {
        Self {
            url: self.url.clone(),
            index: self.index.clone(),
            user: self.user.clone(),
            client: self.client.clone(),
            runtime: Arc::clone(&self.runtime),
            meter: Arc::clone(&self.meter),
            deadline: Some(self.deadline.map_or(deadline, |it| it.min(deadline))),
            read_patience: self.read_patience,
            storage: Arc::clone(&self.storage),
            layout: Arc::clone(&self.layout),
            kept: self.kept.clone(),
        }
    }

    /// The same cluster for further questions, each of which has its own deadline ([`Self::until`]).
    #[must_use]
    pub fn without_deadline(self) -> Self {
        Self { deadline: None, ..self }
    }

    /// The same cluster, where terms and contents are hashed and encrypted with a key.
    #[must_use]
    pub fn with_key(self, key: ClusterKey) -> Self {
        Self { storage: Arc::new(Storage { key: Some(key) }), ..self }
    }

    /// The same cluster for a server: what is read of branches is kept for further questions, up to so many bytes. Which state
    /// a branch is in is asked for each question.
    #[must_use]
    pub fn keeping(self, most_bytes: usize) -> Self {
        Self { kept: Some(Arc::new(KeptBranches::new(most_bytes))), ..self }
    }

    /// The name of foreword's index.
    pub fn index_name(&self) -> &str {
        &self.index
    }

    /// What was asked of the cluster so far, by this value and those made from it.
    pub fn meter(&self) -> &Meter {
        &self.meter
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
        let mut res = self.get_many(repository, ids, ("_mget", MOST_SOURCES))?;
        // Whoever may write a repository may name documents of others in its tables: these are not its own.
        let is_own = |it: &Value| it["repository"] == repository;
        res.iter_mut().for_each(|it| *it = it.take().filter(is_own));
        Ok(res)
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
        let mut read = 0;
        let mut left: Vec<&[&str]> = ids.chunks(most).rev().collect();
        while let Some(ids) = left.pop() {
            let body = json!({ "ids": ids }).to_string().into_bytes();
            let mut body = match self.read(Method::POST, &path, Some(body)) {
                Err(ClusterError::TooLarge { .. }) if ids.len() > 1 => {
                    let (first, second) = ids.split_at(ids.len() / 2);
                    left.extend([second, first]);
                    continue;
                }
                reply => {
                    let reply = reply?;
                    read += reply.bytes;
                    reply.accepted()?
                }
            };
            if read > MOST_OF_ALL {
                return Err(ClusterError::TooLarge { most: MOST_OF_ALL });
            }
            let documents = body["docs"].as_array_mut().map(std::mem::take).unwrap_or_default();
            let found = |mut it: Value| (it["found"] == true).then(|| it["_source"].take());
            let mut found: Vec<Option<Value>> = documents.into_iter().map(found).collect();
            found.resize(ids.len(), None);
            res.append(&mut found);
        }
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
        let mut reply = match self.read(Method::POST, "/_msearch", Some(body)) {
            Err(ClusterError::TooLarge { .. }) if searches.len() > 1 => {
                let (first, second) = searches.split_at(searches.len() / 2);
                let mut res = self.searches(repository, first)?;
                res.append(&mut self.searches(repository, second)?);
                return Ok(res);
            }
            reply => reply?.accepted()?,
        };
        let answers = reply["responses"].as_array_mut().map(std::mem::take).unwrap_or_default();
        for it in &answers {
            let failed = it["_shards"]["failed"].as_u64().unwrap_or_default();
            if it.get("error").is_some() || failed > 0 || it["timed_out"] == true {
                let status = it["status"].as_u64().unwrap_or(503) as u16;
                Reply::new(status.max(300), it.clone()).accepted()?;
            }
        }
        Ok(answers)
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
        self.repeated(&Request { method, path, body }, (LONGEST_READ, self.read_patience))
    }

    /// A request that may be repeated for minutes, because it leads to the same state.
    pub(crate) fn write(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
    ) -> Result<Reply, ClusterError> {
        self.repeated(&Request { method, path, body }, (LONGEST_WAIT, PATIENCE))
    }

    pub(crate) fn repeated(
        &self,
        request: &Request<'_>,
        (longest, patience): (Duration, Duration),
    ) -> Result<Reply, ClusterError> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(100);
        loop {
            let left = self.deadline.map(|it| it.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Err(ClusterError::Late);
            }
            let reply = self.once(request, left.map_or(patience, |it| it.min(patience)));
            let is_passing = match &reply {
                Ok(it) => matches!(it.status, 429 | 502..=504) && !it.is_blocked(),
                // Who waits for a read has waited long enough then.
                Err(it) => it.is_passing() && !(it.is_silence() && longest == LONGEST_READ),
            };
            // An address at which nobody listens is told at once.
            let is_first = request.path == "/";
            let has_time = start.elapsed() + pause < longest && left.is_none_or(|it| pause < it);
            if is_passing && !is_first && has_time {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_secs(10));
                continue;
            }
            return self.told(reply, start.elapsed());
        }
    }

    /// The answer, or what a user is told.
    fn told(&self, reply: Result<Reply, Failure>, waited: Duration) -> Result<Reply, ClusterError> {
        let is_late = self.deadline.is_some_and(|it| it <= Instant::now());
        match reply {
            Ok(it) if matches!(it.status, 401 | 403) && !it.is_blocked() => {
                Err(ClusterError::Rights {
                    url: self.url.clone(),
                    status: it.status,
                    index: self.index.clone(),
                })
            }
            Ok(it) => Ok(it),
            Err(Failure::TooLarge) => Err(ClusterError::TooLarge { most: MOST_ANSWER as u64 }),
            Err(Failure::Transport(error)) if is_late && error.is_timeout() => {
                Err(ClusterError::Late)
            }
            Err(it) if it.is_silence() => {
                Err(ClusterError::Silent { url: self.url.clone(), seconds: waited.as_secs() })
            }
            Err(Failure::Transport(error)) => {
                Err(ClusterError::Unreachable { url: self.url.clone(), reason: innermost(&error) })
            }
        }
    }

    fn once(&self, request: &Request<'_>, patience: Duration) -> Result<Reply, Failure> {
        let Request { method, path, body } = request;
        let mut request = self.client.request(method.clone(), format!("{}{path}", self.url));
        request = request.timeout(patience);
        if let Some((user, password)) = &self.user {
            request = request.basic_auth(user, Some(password));
        }
        if let Some(body) = body {
            let is_lines = ["/_msearch", "/_bulk"].iter().any(|it| path.contains(it));
            let kind = if is_lines { "application/x-ndjson" } else { "application/json" };
            request = request.header("content-type", kind).body(body.clone());
        }
        let start = Instant::now();
        let res: Result<(u16, Vec<u8>), Failure> = self.runtime.block_on(async {
            let reply = request.send().await?;
            let status = reply.status().as_u16();
            Ok((status, self.body_of(reply).await?))
        });
        self.meter.add(start.elapsed());
        if res.as_ref().map_or(true, |it| it.0 >= 500 || it.0 == 429) {
            self.meter.add_failure();
        }
        let (status, bytes) = res?;
        let body = serde_json::from_slice(&bytes).unwrap_or_default();
        Ok(Reply { status, body, bytes: bytes.len() as u64 })
    }

    /// Reads an answer of a bounded size.
    async fn body_of(&self, mut reply: reqwest::Response) -> Result<Vec<u8>, Failure> {
        let mut res = Vec::new();
        while let Some(chunk) = reply.chunk().await? {
            self.meter.add_bytes(chunk.len());
            if res.len() + chunk.len() > MOST_ANSWER {
                return Err(Failure::TooLarge);
            }
            res.extend_from_slice(&chunk);
        }
        Ok(res)
    }
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
