//! `POST /v1/ask`: the evidence for a question about one repository, as `ask --json` has it without a chat model.

use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use foreword_cluster::Access;
use foreword_engine::ask::{AskRequest, gather};
use foreword_engine::index::Snapshot;
use foreword_model::TokenCounter;
use foreword_session::answer::tokens;
use foreword_session::ask::output::AskOutput;
use foreword_session::ask::verdict::missing;
use foreword_session::custom::Adjustments;
use foreword_session::filter::Filter;
use foreword_session::host::AnalyzedTexts;
use foreword_session::usage::{check_length, usage};
use serde::Deserialize;

use super::ClusterApp;
use super::questions::{Names, Place, Texts, answered};
use crate::serve::http::error::ApiError;

/// Default and maximum number of tokens of the evidence.
const TOKENS: (usize, usize) = (4000, 100_000);

/// The body of a question.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AskBody {
    question: String,
    /// A traceback, output of a compiler or of tests, a diff.
    pasted: String,
    repository: String,
    branch: Option<String>,
    tokens: Option<usize>,
    path: Names,
    lang: Names,
    tag: Names,
    texts: Texts,
}

/// A question whose body was checked.
struct AskQuestion {
    question: String,
    pasted: String,
    /// The repository's name, without its owner.
    repository: String,
    tokens: usize,
    filter: Filter,
    adjustments: Adjustments,
    texts: AnalyzedTexts,
    counter: TokenCounter,
    start: Instant,
}

pub(super) async fn ask(
    State(app): State<Arc<ClusterApp>>,
    Extension(access): Extension<Access>,
    body: Bytes,
) -> Result<Response, ApiError> {
    answered(app, 2, &body, move |app, mut body: AskBody| {
        let place = Place::new(&access, &body.repository, body.branch.take())?;
        let question = AskQuestion::new(app, place.name(), body)?;
        place.answer(app, |snapshot| question.answer(snapshot))
    })
    .await
}

impl AskQuestion {
    fn new(app: &ClusterApp, repository: &str, body: AskBody) -> anyhow::Result<Self> {
        let start = Instant::now();
        let AskBody { question, pasted, tokens, .. } = body;
        if question.trim().is_empty() && pasted.trim().is_empty() {
            return Err(usage("question is empty; give one, or a traceback as pasted"));
        }
        check_length("question", &question)?;
        Ok(Self {
            question,
            pasted,
            repository: repository.to_owned(),
            tokens: tokens.unwrap_or(TOKENS.0).min(TOKENS.1),
            filter: Filter::new(&body.path.all(), &body.lang.all(), &[])?,
            adjustments: Adjustments::of_tags(&body.tag.all())?,
            texts: body.texts.analyzed(app)?,
            counter: tokens::general()?,
            start,
        })
    }

    fn answer(&self, pushed: &Snapshot) -> anyhow::Result<String> {
        let snapshot = &pushed.with_packed(&self.texts)?;
        if let Some(path) = self.filter.unmatched_path(snapshot) {
            let nearest = Filter::nearest_paths(snapshot, path).join(", ");
            return Err(usage(format!("path {path}: nothing is there; nearest: {nearest}")));
        }
        let request = AskRequest {
            question: &self.question,
            pasted: &self.pasted,
            repository: &self.repository,
            tokens: self.tokens,
            ..AskRequest::default()
        };
        let gathered = self.adjustments.apply(&request, snapshot, &self.filter, |request| {
            gather(snapshot, &request, &|text| self.counter.count(text))
        });
        let missing = missing(snapshot, &gathered);
        let mut res = AskOutput::new(snapshot, &self.question, &gathered);
        res.missing = missing.as_deref();
        res.elapsed_ms = self.start.elapsed().as_secs_f64() * 1e3;
        Ok(serde_json::to_string(&res)?)
    }
}
