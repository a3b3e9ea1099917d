//! `POST /v1/ask`: the evidence for a question about one repository, as `ask --json` has it, and if wanted the answer of the
//! server's chat model.

use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use foreword_cluster::Access;
use foreword_engine::ask::{AskRequest, EvidenceSet, gather};
use foreword_engine::index::Snapshot;
use foreword_model::ask::{Contents, Conversation, ModelAnswer, ReadElsewhere, converse};
use foreword_model::{TokenCounter, wait};
use foreword_session::answer::tokens;
use foreword_session::ask::intent::is_courtesy;
use foreword_session::ask::model::ChatModel;
use foreword_session::ask::output::{AnswerOutput, AskOutput, evidence};
use foreword_session::ask::verdict::missing;
use foreword_session::custom::Adjustments;
use foreword_session::filter::Filter;
use foreword_session::host::AnalyzedTexts;
use foreword_session::usage::{check_length, usage};
use serde::Deserialize;

use super::ClusterApp;
use super::questions::{Names, Place, Texts, answered};
use crate::many::one::BranchWork;
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
    /// Whether the chat model answers.
    answer: bool,
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

/// The evidence for a question.
struct PushedEvidence {
    snapshot: Snapshot,
    gathered: EvidenceSet,
    missing: Option<String>,
}

pub(super) async fn ask(
    State(app): State<Arc<ClusterApp>>,
    Extension(access): Extension<Access>,
    body: Bytes,
) -> Result<Response, ApiError> {
    // Those that wait hold no thread.
    let wants_answer = serde_json::from_slice::<AnswerFlag>(&body).is_ok_and(|it| it.answer);
    let mut permit = None;
    if wants_answer {
        let acquired = Arc::clone(&app.conversations).acquire_owned().await;
        permit = Some(acquired.map_err(|it| ApiError::internal(&it.into()))?);
    }
    answered(app, 2, &body, move |app, mut body: AskBody| {
        // It is held to the end of the work, which goes on without its client.
        let _permit = permit;
        let place = Place::new(&access, &body.repository, body.branch.take())?;
        let wants_answer = body.answer;
        let mut question = AskQuestion::new(app, place.name(), body)?;
        if !wants_answer {
            return place.answer(app, |snapshot| question.gather(snapshot)?.json(&question, None));
        }
        let chat = app.chat.as_ref().ok_or_else(|| {
            usage("answer: this server has no chat model; its operator sets models.chat")
        })?;
        let model = wait(ChatModel::connect(chat, question.tokens))?;
        question.tokens = model.evidence_tokens;
        let over: BranchWork<'_> = &|pushed, work| {
            work(&pushed.with_packed(&question.texts)?);
            Ok(())
        };
        let gather = |pushed: &Snapshot| question.gather(pushed);
        place.answer_and_read(app, model.limits.timeout, (gather, over), |found, read| {
            found.answered(&question, &model, read)
        })
    })
    .await
}

/// What is known of a body before it is answered.
#[derive(Deserialize)]
struct AnswerFlag {
    #[serde(default)]
    answer: bool,
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

    fn gather(&self, pushed: &Snapshot) -> anyhow::Result<PushedEvidence> {
        let snapshot = pushed.with_packed(&self.texts)?;
        if let Some(path) = self.filter.unmatched_path(&snapshot) {
            let nearest = Filter::nearest_paths(&snapshot, path).join(", ");
            return Err(usage(format!("path {path}: nothing is there; nearest: {nearest}")));
        }
        let request = AskRequest {
            question: &self.question,
            pasted: &self.pasted,
            repository: &self.repository,
            tokens: self.tokens,
            ..AskRequest::default()
        };
        let gathered = self.adjustments.apply(&request, &snapshot, &self.filter, |request| {
            gather(&snapshot, &request, &|text| self.counter.count(text))
        });
        let missing = missing(&snapshot, &gathered);
        Ok(PushedEvidence { snapshot, gathered, missing })
    }
}

impl PushedEvidence {
    /// The evidence, with that of a chat model's answer.
    fn json(
        &self,
        question: &AskQuestion,
        of: Option<(&str, &ModelAnswer)>,
    ) -> anyhow::Result<String> {
        let mut res = AskOutput::new(&self.snapshot, &question.question, &self.gathered);
        res.missing = self.missing.as_deref();
        if let Some((by, answer)) = of {
            res.answer = Some(AnswerOutput::new(by, answer));
            res.evidence = evidence(&answer.evidence);
        }
        res.elapsed_ms = question.start.elapsed().as_secs_f64() * 1e3;
        Ok(serde_json::to_string(&res)?)
    }

    /// The chat model's answer; it may read on in the same branch.
    fn answered(
        &self,
        question: &AskQuestion,
        model: &ChatModel,
        read: ReadElsewhere<'_>,
    ) -> anyhow::Result<String> {
        let mut conversation = Conversation {
            contents: Contents::Elsewhere(read),
            repository: question.repository.clone(),
            question: question.question.clone(),
            pasted: question.pasted.clone(),
            earlier: Vec::new(),
            gathered: self.gathered.clone(),
            missing: self.missing.clone(),
        };
        if question.pasted.is_empty() && is_courtesy(&question.question) {
            conversation.gathered.evidence.clear();
            conversation.missing = None;
        }
        let answer = wait(converse(&model.server, &conversation, model.limits, &mut |_| {}))?;
        self.json(question, Some((model.name(), &answer)))
    }
}
