//! The endpoints about many repositories: the JSON of `search` and `symbols` with `--cluster` (docs/json.md); and what all
//! endpoints have in common.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use foreword_cluster::{Access, ClusterError};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_model::ModelError;
use foreword_model::ask::ReadElsewhere;
use foreword_session::answer::search::{Pattern, QueryForm, Question};
use foreword_session::custom::Adjustments;
use foreword_session::filter::Filter;
use foreword_session::host::{AnalyzedTexts, analyze_texts};
use foreword_session::usage::{PAGES, UsageError, check_length, usage};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::ClusterApp;
use crate::many;
use crate::many::one::{BranchWork, PushedBranch};
use crate::many::pattern::PatternQuestion;
use crate::many::search::{ManyQuestion, PATIENCE};
use crate::serve::http::error::{ApiError, json_response};
use crate::serve::protocols::request::object;

/// Default and maximum number of results.
const RESULTS: (usize, usize) = (10, 100);

/// Default and maximum number of lines that match a pattern.
const LINES: (usize, usize) = (100, 1000);

/// Repositories and patterns that a request names at most.
const MOST_NAMES: usize = 100;

/// Texts of files that are in no branch, by path; null for files that are gone.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Texts(BTreeMap<String, Option<String>>);

impl Texts {
    pub(super) fn analyzed(self, app: &ClusterApp) -> anyhow::Result<AnalyzedTexts> {
        if self.0.len() > MOST_NAMES {
            return Err(usage(format!("texts has more than {MOST_NAMES} files; push them")));
        }
        analyze_texts(&app.prompts.setup, self.0, &IndexConfig::default().chunk)
    }
}

/// The repository that a request is about.
pub(super) struct Place {
    access: Access,
    repository: String,
    branch: Option<String>,
}

impl Place {
    pub(super) fn new(
        access: &Access,
        repository: &str,
        branch: Option<String>,
    ) -> anyhow::Result<Self> {
        let access = only(access, &Names::One(repository.to_owned()))?;
        let Some(repository) = access.single().map(str::to_owned) else {
            return Err(usage(
                "repository is a pattern; name one, which /v1/search finds by a question",
            ));
        };
        Ok(Self { access, repository, branch })
    }

    /// The only one of these names.
    pub(super) fn of_names(
        access: &Access,
        names: &Names,
        branch: Option<String>,
    ) -> anyhow::Result<Self> {
        match names.as_slice() {
            [it] => Self::new(access, it, branch),
            _ => Err(usage("repository: name one")),
        }
    }

    /// The repository's name, without its owner.
    pub(super) fn name(&self) -> &str {
        self.repository.rsplit('/').next().unwrap_or_default()
    }

    /// The answer that `work` makes of the branch.
    pub(super) fn answer(
        &self,
        app: &ClusterApp,
        work: impl Fn(&Snapshot) -> anyhow::Result<String>,
    ) -> anyhow::Result<String> {
        let (repository, branch) = (&*self.repository, self.branch.as_deref());
        let cluster = &app.cluster.until(Instant::now() + PATIENCE);
        let of = PushedBranch { cluster, access: &self.access, repository, branch };
        of.answer(work, |_, it| it)
    }

    /// The answer that `then` makes of work over the branch; it may read on for a while.
    pub(super) fn answer_and_read<T>(
        &self,
        app: &ClusterApp,
        longer: Duration,
        (work, over): (impl Fn(&Snapshot) -> anyhow::Result<T>, BranchWork<'_>),
        then: impl Fn(T, ReadElsewhere<'_>) -> anyhow::Result<String>,
    ) -> anyhow::Result<String> {
        let (repository, branch) = (&*self.repository, self.branch.as_deref());
        let cluster = &app.cluster.until(Instant::now() + PATIENCE + longer);
        let of = PushedBranch { cluster, access: &self.access, repository, branch };
        of.answer_and_read(work, over, then)
    }
}

/// Counts of answers, by the endpoint and whether it was answered.
#[derive(Default)]
pub(super) struct Answers([[AtomicU64; 2]; ENDPOINTS.len()]);

/// The endpoints that are counted.
const ENDPOINTS: [&str; 5] = ["search", "symbols", "ask", "context", "map"];

/// One name or several.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Names {
    One(String),
    Several(Vec<String>),
}

impl Default for Names {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl Names {
    fn as_slice(&self) -> &[String] {
        match self {
            Self::One(it) => std::slice::from_ref(it),
            Self::Several(all) => all,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    pub(super) fn all(self) -> Vec<String> {
        match self {
            Self::One(it) => vec![it],
            Self::Several(all) => all,
        }
    }
}

/// How a query is meant.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// By quotes and slashes around it, else as a question, words or a name.
    #[default]
    Auto,
    /// As text that a line contains.
    Exact,
    /// As a regular expression.
    Regex,
}

/// The body of `/v1/search`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SearchBody {
    query: String,
    mode: Mode,
    /// Names and patterns; without, all that may be read.
    repository: Names,
    branch: Option<String>,
    limit: Option<usize>,
    tokens: Option<usize>,
    path: Names,
    lang: Names,
    kind: Names,
    tag: Names,
    /// Places without text.
    brief: bool,
}

/// `POST /v1/search`.
pub(super) async fn search(
    State(app): State<Arc<ClusterApp>>,
    Extension(access): Extension<Access>,
    body: Bytes,
) -> Result<Response, ApiError> {
    answered(app, 0, &body, move |app, body: SearchBody| {
        if body.query.trim().is_empty() {
            return Err(usage("query is empty; give a question, words or a name"));
        }
        check_length("query", &body.query)?;
        if let Some(pattern) = body.pattern() {
            return lines(app, &access, &body, pattern);
        }
        let access = only(&access, &body.repository)?;
        let adjustments = Adjustments::of_tags(&body.tag.all())?;
        let limit = body.limit.unwrap_or(RESULTS.0).clamp(1, RESULTS.1);
        let (query, tokens) = (&*body.query, body.tokens);
        let asked = ManyQuestion {
            question: Question { query, limit, tokens, meanings: None, adjustments: &adjustments },
            filter: &Filter::new(&body.path.all(), &body.lang.all(), &body.kind.all())?,
            branch: body.branch.as_deref(),
            deadline: Instant::now() + PATIENCE,
        };
        let mut res = many::search::search(&app.cluster, &access, &asked)?;
        if body.brief {
            res.remove_texts();
        }
        Ok(serde_json::to_string(&res)?)
    })
    .await
}

impl SearchBody {
    /// The lines to look for; `None` for words.
    fn pattern(&self) -> Option<Pattern<'_>> {
        let form = match self.mode {
            Mode::Auto => QueryForm::of(&self.query),
            Mode::Exact => QueryForm::Exact(&self.query),
            Mode::Regex => QueryForm::Regex(&self.query),
        };
        form.pattern(self.limit.unwrap_or(LINES.0).clamp(1, LINES.1))
    }
}

/// The lines that match a pattern.
fn lines(
    app: &ClusterApp,
    access: &Access,
    body: &SearchBody,
    pattern: Pattern<'_>,
) -> anyhow::Result<String> {
    let SearchBody { repository, path, lang, kind, tag, tokens, .. } = body;
    if !kind.is_empty() || !tag.is_empty() || tokens.is_some() {
        return Err(usage("patterns match lines, which have no kind, tag or tokens"));
    }
    let asked = PatternQuestion {
        query: &body.query,
        pattern,
        filter: &Filter::new(path.as_slice(), lang.as_slice(), &[])?,
        branch: body.branch.as_deref(),
        deadline: Instant::now() + PATIENCE,
    };
    let access = only(access, repository)?;
    let mut res = many::pattern::search(&app.cluster, &access, &asked)?;
    if body.brief {
        res.remove_texts();
    }
    Ok(serde_json::to_string(&res)?)
}

/// What is asked for of what may be read.
pub(super) fn only(access: &Access, names: &Names) -> anyhow::Result<Access> {
    let names = names.as_slice();
    if names.len() > MOST_NAMES {
        return Err(usage(format!("repository has more than {MOST_NAMES} names; use patterns")));
    }
    access.only(names).map_err(|it| usage(it.to_string()))
}

/// Parses a body, answers it in JSON on a thread for computations, and counts it.
pub(super) async fn answered<B: DeserializeOwned + Send + 'static>(
    app: Arc<ClusterApp>,
    endpoint: usize,
    body: &[u8],
    work: impl FnOnce(&ClusterApp, B) -> anyhow::Result<String> + Send + 'static,
) -> Result<Response, ApiError> {
    let body = serde_json::from_value(Value::Object(object(body)?))
        .map_err(|it| ApiError::bad_request(format!("the body is no such request: {it}")))?;
    let counted = Arc::clone(&app);
    let res = tokio::task::spawn_blocking(move || work(&app, body)).await;
    let res = res.map_err(|it| ApiError::internal(&it.into()))?;
    counted.answers.0[endpoint][usize::from(res.is_err())].fetch_add(1, Ordering::Relaxed);
    match res {
        Ok(it) => {
            Ok(([(header::CONTENT_TYPE, "application/json; charset=utf-8")], it).into_response())
        }
        Err(error) => Err(refusal(&error)),
    }
}

/// What a client is told: nothing about the cluster, and the same of what is not there and what may not be read.
fn refusal(error: &anyhow::Error) -> ApiError {
    let (status, message) = match error.downcast_ref() {
        Some(ClusterError::NoRepository { repository }) => (
            StatusCode::NOT_FOUND,
            format!("there is no repository {repository:?} that this token may read"),
        ),
        Some(it @ ClusterError::NoBranch { .. }) => (StatusCode::NOT_FOUND, it.to_string()),
        Some(ClusterError::Late | ClusterError::Silent { .. }) => {
            (StatusCode::GATEWAY_TIMEOUT, "the cluster did not answer in time".to_owned())
        }
        Some(it) => {
            tracing::error!("a question was not answered: {it}");
            (StatusCode::BAD_GATEWAY, "the cluster did not answer; tell its operator".to_owned())
        }
        None if error.is::<UsageError>() => (StatusCode::BAD_REQUEST, error.to_string()),
        None if error.is::<ModelError>() => {
            tracing::error!("the chat model did not answer: {error:#}");
            (StatusCode::BAD_GATEWAY, "the chat model did not answer; tell its operator".to_owned())
        }
        None => return ApiError::internal(error),
    };
    ApiError::new(status, message)
}

/// The same for an agent.
pub(super) fn told(error: &anyhow::Error) -> anyhow::Error {
    usage(refusal(error).message())
}

/// `GET /health`.
pub(super) async fn health(State(app): State<Arc<ClusterApp>>) -> Response {
    json_response(&json!({ "status": "ok", "uptime_s": app.started.elapsed().as_secs() }))
}

/// `GET /metrics`, for Prometheus.
pub(super) async fn metrics(State(app): State<Arc<ClusterApp>>) -> Response {
    let mut res = String::from(
        "# HELP foreword_cluster_answers_total Questions that are over.\n# TYPE foreword_cluster_answers_total counter\n",
    );
    let of_agents = [&app.agent_calls.done, &app.agent_calls.failed];
    let of_endpoints = app.answers.0.iter().map(|it| [&it[0], &it[1]]);
    let doors = ENDPOINTS.into_iter().zip(of_endpoints).chain([("mcp", of_agents)]);
    for (name, counts) in doors {
        for (end, n) in ["done", "failed"].iter().zip(counts) {
            let n = n.load(Ordering::Relaxed);
            let _ = writeln!(
                res,
                "foreword_cluster_answers_total{{door=\"{name}\",end=\"{end}\"}} {n}"
            );
        }
    }
    let meter = app.cluster.meter();
    for (name, help, n) in [
        ("failures", "Requests to the cluster that failed.", meter.failures()),
        ("bytes", "Bytes of the cluster's answers.", meter.bytes()),
    ] {
        let name = format!("foreword_cluster_{name}_total");
        let _ = writeln!(res, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {n}");
    }
    let name = "foreword_cluster_request_seconds";
    let _ = writeln!(res, "# HELP {name} Requests to the cluster.\n# TYPE {name} histogram");
    let mut all = 0;
    for (bound, n) in meter.durations() {
        let bound = bound.map_or_else(|| "+Inf".to_owned(), |it| it.to_string());
        let _ = writeln!(res, "{name}_bucket{{le=\"{bound}\"}} {n}");
        all = n;
    }
    let _ = writeln!(res, "{name}_sum {}\n{name}_count {all}", meter.seconds());
    let headers = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (headers, res).into_response()
}

/// Answers requests that match no route.
pub(super) async fn fallback(uri: Uri) -> ApiError {
    let message = format!(
        "there is nothing at {}; a server of a cluster has /v1/search, /v1/symbols, /v1/ask, /v1/context, /v1/map and /mcp ({PAGES}/scale.md)",
        uri.path()
    );
    ApiError::new(StatusCode::NOT_FOUND, message)
}
