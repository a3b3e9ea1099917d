//! The answer to one question: the evidence, and the chat model's answer from it.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use foreword_engine::ask::{
    AskRequest, EvidenceItem, EvidenceSet, Passage, QuestionKind, gather, inert_quotations,
    lacks_information, passages,
};
use foreword_engine::index::Snapshot;
use foreword_engine::visible::printable;
use foreword_model::ModelError;
use foreword_model::ask::{Call, Contents, Conversation, Help, ModelAnswer, Progress, converse};
use foreword_session::answer::map;
use foreword_session::answer::tokens;
use foreword_session::ask::intent::{NO_QUESTION, asks_nothing, is_courtesy};
use foreword_session::ask::model::ChatModel;
use foreword_session::ask::output::{AnswerOutput, evidence, kinds, strength};
use foreword_session::ask::reading::{Look, lines, reading, sections};
use foreword_session::ask::sources::sources;
use foreword_session::ask::verdict::missing;
use foreword_session::backend::ChatSettings;
use foreword_session::filter::Filter;
use foreword_session::host::Repository;
use foreword_session::usage::UsageError;
use serde_json::{Value, json};

use super::messages::Question;
use crate::serve::http::error::ApiError;

/// Token budget of the evidence.
pub(super) const TOKENS: usize = 4_000;

/// Maximum wait for changes on the disk.
const PATIENCE: Duration = Duration::from_secs(10);

/// How an answer ended.
pub(crate) struct AnswerEnd {
    /// OpenAI's `finish_reason`.
    pub(crate) reason: &'static str,
    /// The evidence and the checks (docs/serve.md).
    pub(crate) details: Value,
}

/// An event while a question is answered.
#[derive(Clone, Copy)]
pub(crate) enum AnswerEvent<'e> {
    /// The evidence, before any answer. Sent first, and again if the model's window is too small for it.
    Evidence(&'e FoundEvidence),
    /// The next text of the answer: checked lines, or the reading list.
    Text(&'e str),
    /// A model's tool call and the evidence it returned.
    Call(&'e Call, &'e [EvidenceItem]),
    /// The list of cited places, after a model's answer.
    Sources(&'e str),
}

/// Receives the events.
pub(crate) type Watch<'w> = &'w mut (dyn FnMut(AnswerEvent<'_>) + Send);

/// The evidence, and the repository state it comes from.
pub(crate) struct FoundEvidence {
    snapshot: Arc<Snapshot>,
    pub(super) gathered: EvidenceSet,
    missing: Option<String>,
}

impl FoundEvidence {
    /// The values for clients, with these pieces of evidence.
    fn details(&self, items: &[EvidenceItem]) -> Value {
        json!({
            "snapshot": self.snapshot.id(),
            "strength": strength(&self.gathered.strength),
            "missing": self.missing,
            "evidence": evidence(items),
        })
    }

    /// True for a message that asks nothing and names no definition.
    fn is_about_nothing(&self, question: &str) -> bool {
        asks_nothing(question) && !self.gathered.kinds.contains(&QuestionKind::Symbol)
    }

    /// The reading list.
    fn list(&self) -> String {
        inert_quotations(&reading(&self.snapshot, &self.gathered, &LOOK)).into_owned()
    }

    /// The conversation of a question with its evidence.
    fn conversation(&self, repository: String, question: Question) -> Conversation<'_> {
        Conversation {
            contents: Contents::Here(&self.snapshot),
            repository,
            question: question.question,
            pasted: question.pasted,
            earlier: question.earlier,
            gathered: self.gathered.clone(),
            missing: self.missing.clone(),
        }
    }

    /// What follows a model's answer: the places that it cites, and the reading list if the model has no answer.
    fn below(&self, answer: &ModelAnswer) -> String {
        let mut res = sources(&answer.evidence, &answer.cited, &place);
        if !res.is_empty() {
            res = inert_quotations(&format!("\n{res}")).into_owned();
        }
        if lacks_information(&answer.text) {
            res.push_str(&format!("\n{}", self.list()));
        }
        res
    }

    /// The values for a page: with the reading list as headings, and item numbers below each.
    pub(crate) fn for_reading(&self) -> Value {
        let mut res = self.details(&self.gathered.evidence);
        res["kinds"] = json!(kinds(&self.gathered.kinds));
        res["messages"] = json!(self.gathered.messages);
        res["sections"] = json!(sections(&self.gathered));
        res
    }
}

/// Answers a question about a repository.
pub(crate) async fn respond(
    chat: Option<&ChatSettings>,
    repository: Arc<Repository>,
    question: &Question,
    watch: Watch<'_>,
) -> Result<AnswerEnd, ApiError> {
    let name = repository.workspace().name.clone();
    let (mut found, question) = find_in_conversation(&repository, question).await?;
    let is_courtesy = question.pasted.is_empty() && is_courtesy(&question.question);
    // A word of the code may look like a courtesy: without a model only what asks nothing gets no evidence.
    let is_nothing = is_courtesy && (chat.is_some() || found.is_about_nothing(&question.question));
    if is_nothing {
        found.gathered.evidence.clear();
        found.missing = None;
    }
    watch(AnswerEvent::Evidence(&found));
    let Some(settings) = chat else {
        let list = if is_nothing { NO_QUESTION.to_owned() } else { found.list() };
        watch(AnswerEvent::Text(&list));
        return Ok(AnswerEnd { reason: "stop", details: found.details(&found.gathered.evidence) });
    };
    let model = ChatModel::connect(settings, TOKENS).await.map_err(|it| unavailable(&it))?;
    if !is_courtesy && (model.evidence_tokens < TOKENS || model.helps()) {
        let help = help(&model, &found.snapshot, &question, &repository).await?;
        found = find(repository, &question, model.evidence_tokens, help).await?;
        watch(AnswerEvent::Evidence(&found));
    }
    let conversation = found.conversation(name, question);
    let mut progress = |it: Progress<'_>| match it {
        Progress::Text(text) => watch(AnswerEvent::Text(text)),
        Progress::Call(call, evidence) => watch(AnswerEvent::Call(call, evidence)),
    };
    let answer = converse(&model.server, &conversation, model.limits, &mut progress).await;
    let answer = answer.map_err(|it| unavailable(&it))?;
    let below = found.below(&answer);
    if !below.is_empty() {
        watch(AnswerEvent::Sources(&below));
    }
    Ok(finished(&model, &found, &answer))
}

/// The evidence for a question, and the question: a follow-up in another language, whose words the repository lacks, is
/// searched by those of the question before.
async fn find_in_conversation(
    repository: &Arc<Repository>,
    question: &Question,
) -> Result<(FoundEvidence, Question), ApiError> {
    let found = find(Arc::clone(repository), question, TOKENS, Help::default()).await?;
    if found.gathered.is_absent()
        && let Some(it) = question.as_follow_up()
    {
        let again = find(Arc::clone(repository), &it, TOKENS, Help::default()).await?;
        if !again.gathered.is_absent() {
            return Ok((again, it));
        }
    }
    Ok((found, question.clone()))
}

fn finished(model: &ChatModel, found: &FoundEvidence, answer: &ModelAnswer) -> AnswerEnd {
    let mut details = found.details(&answer.evidence);
    details["answer"] = json!(AnswerOutput::new(model.name(), answer));
    let reason = if answer.end == "stop" { "stop" } else { "length" };
    AnswerEnd { reason, details }
}

/// Finds the evidence, on a thread for blocking work.
pub(super) async fn find(
    repository: Arc<Repository>,
    question: &Question,
    most: usize,
    help: Help,
) -> Result<FoundEvidence, ApiError> {
    let question = question.clone();
    blocking(move || {
        let view = repository.view(Some(PATIENCE))?;
        let snapshot = &view.snapshot;
        let counter = tokens::general()?;
        let gathered = with_request(&repository, snapshot, &question, |request| {
            let (written, order) = (&help.written[..], &help.order[..]);
            let request = AskRequest { tokens: most, written, order, ..request };
            gather(snapshot, &request, &|text| counter.count(text))
        })?;
        let missing = missing(snapshot, &gathered);
        Ok(FoundEvidence { snapshot: view.snapshot, gathered, missing })
    })
    .await
}

/// The model's help before the answer (queries, order); empty if the settings disable it.
async fn help(
    model: &ChatModel,
    snapshot: &Arc<Snapshot>,
    question: &Question,
    repository: &Arc<Repository>,
) -> Result<Help, ApiError> {
    if !model.helps() {
        return Ok(Help::default());
    }
    let (asked, searched) = (question.clone(), Arc::clone(snapshot));
    let repository = Arc::clone(repository);
    let search = move || -> anyhow::Result<Vec<Passage>> {
        with_request(&repository, &searched, &asked, |request| passages(&searched, &request))
    };
    let help = model.help(snapshot, &question.searched, &blocking(search).await?).await;
    help.notes.iter().for_each(|it| tracing::warn!("the model does not help: {it}"));
    Ok(help)
}

/// Builds the request of a question, for both the model's reranking and the evidence.
fn with_request<T>(
    repository: &Repository,
    snapshot: &Snapshot,
    question: &Question,
    work: impl FnOnce(AskRequest<'_>) -> T,
) -> anyhow::Result<T> {
    let adjustments = repository.adjustments(snapshot, &question.tags)?;
    let meaning = repository.meaning(snapshot, &question.searched);
    let whole = |tokens| map::of(repository, snapshot, &[], tokens).ok();
    let request = AskRequest {
        question: &question.searched,
        pasted: &question.pasted,
        repository: &repository.workspace().name,
        meanings: meaning.meanings(),
        map: Some(&whole),
        earlier: &question.places,
        ..AskRequest::default()
    };
    Ok(adjustments.apply(&request, snapshot, &Filter::default(), work))
}

/// Runs work on a thread for blocking work.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|it| ApiError::internal(&it.into()))?.map_err(|it| match it.is::<UsageError>() {
        true => ApiError::bad_request(format!("{it:#}")),
        false => ApiError::internal(&it),
    })
}

/// The server that the settings name does not answer.
pub(super) fn unavailable(error: &ModelError) -> ApiError {
    let status = StatusCode::from_u16(foreword_model::http::status_of(error));
    ApiError::new(status.unwrap_or(StatusCode::BAD_GATEWAY), error.to_string())
}

fn place(it: &EvidenceItem) -> String {
    format!("{}:{}", plain(&it.path).replace('\n', "?"), lines(it))
}

fn plain(text: &str) -> String {
    printable(text).into_owned()
}

/// Text for programs, some of which show it on a terminal.
const LOOK: Look<'_> =
    Look { place: &place, strong: &str::to_owned, faint: &str::to_owned, plain: &plain };
