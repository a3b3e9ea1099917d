//! An answer by a chat model, which gets evidence and may request more with tools. Each line is verified while the
//! answer is streamed.
//!
//! Turns, calls, tokens, time and the length of the answer are all bounded. Dropping the future closes the connection,
//! which stops the model.

mod render;
mod stream;
mod tools;

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use foreword_engine::ask::{EvidenceItem, EvidenceSet, Problem, Verifier};
use foreword_engine::index::{IndexConfig, Snapshot};
use serde_json::Value;

pub use self::render::evidence_message;
use self::stream::{LineStream, StreamEnd};
use self::tools::Toolbox;
use super::preset::CONVERSATION;
use crate::chat::{ChatRequest, ChatResponse, Delivery, Message, ToolCall};
use crate::error::ModelError;
use crate::http::Server;
use crate::request::{FinishReason, Sink};
use crate::tool_loop::{ToolUser, tool_loop};

/// Instructions for the model, with a first line that names their version.
const INSTRUCTIONS: &str = include_str!("../prompts/answer.md");

/// Maximum bytes of an answer, for servers that ignore `max_tokens`.
const MAX_BYTES: usize = 64 << 10;

/// Limits of an answer.
#[derive(Clone, Copy, Debug)]
pub struct AnswerLimits {
    /// Maximum tokens of each response.
    pub max_tokens: usize,
    /// Maximum total time.
    pub timeout: Duration,
    /// Maximum tokens of evidence from tools.
    pub more_tokens: usize,
}

/// Work over a snapshot.
pub type SnapshotWork<'w> = &'w mut (dyn FnMut(&Snapshot) + Send);

/// Passes a snapshot to some work, again and again until nothing that it asks for is missing; an error says why that cannot be.
pub type ReadElsewhere<'c> = &'c (dyn Fn(SnapshotWork<'_>) -> Result<(), String> + Sync);

/// Where the contents of a repository are.
#[derive(Clone, Copy)]
pub enum Contents<'c> {
    /// In this snapshot.
    Here(&'c Snapshot),
    /// Elsewhere, so that they are read as they are asked for.
    Elsewhere(ReadElsewhere<'c>),
}

impl Contents<'_> {
    /// The result of work, which may be done several times.
    fn over<T: Send>(self, mut work: impl FnMut(&Snapshot) -> T + Send) -> Result<T, String> {
        match self {
            Self::Here(snapshot) => Ok(work(snapshot)),
            Self::Elsewhere(read) => {
                let mut res = None;
                read(&mut |snapshot| res = Some(work(snapshot)))?;
                res.ok_or_else(|| "the repository cannot be read".to_owned())
            }
        }
    }
}

/// A question with its evidence.
pub struct Conversation<'c> {
    /// The repository's index.
    pub contents: Contents<'c>,
    /// Name of the repository.
    pub repository: String,
    /// The question.
    pub question: String,
    /// Text pasted with the question.
    pub pasted: String,
    /// Earlier questions and answers, oldest first.
    pub earlier: Vec<Message>,
    /// The evidence.
    pub gathered: EvidenceSet,
    /// The gap in the evidence, if it is insufficient.
    pub missing: Option<String>,
}

impl Conversation<'_> {
    /// A message without evidence that lacks none: a greeting.
    fn asks_nothing(&self) -> bool {
        self.gathered.evidence.is_empty() && self.missing.is_none()
    }
}

/// A verified answer.
#[derive(Debug, Default)]
pub struct ModelAnswer {
    /// The answer, with marks at unsupported claims.
    pub text: String,
    /// Numbers of the cited evidence.
    pub cited: Vec<u32>,
    /// Unsupported claims.
    pub problems: Vec<Problem>,
    /// Number of citations and places in it, be they right or wrong.
    pub references: usize,
    /// Tool calls of the model.
    pub calls: Vec<Call>,
    /// All evidence; that from tools comes last.
    pub evidence: Vec<EvidenceItem>,
    /// Reason for the end: `stop`, `length`, `deadline`, `too_long`, `repeats` or `unknown`.
    pub end: &'static str,
}

/// A tool call and its result.
#[derive(Clone, Debug)]
pub struct Call {
    /// Name of the tool.
    pub tool: String,
    /// Arguments; null if they are not JSON.
    pub arguments: Value,
    /// Numbers of the evidence found.
    pub evidence: Vec<u32>,
    /// The error, if the call failed.
    pub error: Option<String>,
}

/// Progress of an answer.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'p> {
    /// The next verified line.
    Text(&'p str),
    /// A tool call, with the evidence that it added.
    Call(&'p Call, &'p [EvidenceItem]),
}

/// Runs the conversation. `watch` receives each verified line and each tool call as they come.
pub async fn converse(
    server: &Server,
    conversation: &Conversation<'_>,
    limits: AnswerLimits,
    watch: &mut (dyn FnMut(Progress<'_>) + Send),
) -> Result<ModelAnswer, ModelError> {
    let mut answer = ModelAnswer { end: "unknown", ..ModelAnswer::default() };
    answer.evidence.clone_from(&conversation.gathered.evidence);
    let toolbox = Toolbox::new(conversation, limits.more_tokens);
    let mut request = ChatRequest {
        messages: first_messages(conversation),
        tools: if conversation.asks_nothing() { Vec::new() } else { tools::offered() },
        max_tokens: Some(limits.max_tokens),
        temperature: Some(0.0),
        deadline: Some(Instant::now() + limits.timeout),
        delivery: Delivery::Streamed,
        ..ChatRequest::default()
    };
    let mut answering = AnswerState { server, conversation, answer, toolbox, watch };
    tool_loop(&mut answering, &mut request, CONVERSATION).await?;
    answering.mark_missing_citations();
    Ok(answering.answer)
}

/// State of an answer in progress.
struct AnswerState<'c> {
    server: &'c Server,
    conversation: &'c Conversation<'c>,
    answer: ModelAnswer,
    toolbox: Toolbox<'c>,
    watch: &'c mut (dyn FnMut(Progress<'_>) + Send),
}

impl AnswerState<'_> {
    /// An answer that names nothing of the repository is marked at its end.
    fn mark_missing_citations(&mut self) {
        let Self { answer, watch, .. } = self;
        let mark = Verifier::without_citations(&answer.text, answer.references);
        let is_plain = answer.evidence.is_empty() || !answer.problems.is_empty();
        let Some(mark) = mark.filter(|_| !is_plain) else { return };
        let end = if answer.text.ends_with('\n') { "" } else { "\n" };
        let mark = format!("{end}{mark}");
        watch(Progress::Text(&mark));
        answer.text.push_str(&mark);
        answer.problems.push(Problem::NoCitation);
    }

    /// Records a call and the evidence after index `known` that it added.
    fn note(&mut self, output: Call, known: usize) {
        (self.watch)(Progress::Call(&output, &self.answer.evidence[known..]));
        self.answer.calls.push(output);
    }
}

impl ToolUser for AnswerState<'_> {
    type Error = ModelError;

    async fn ask(&mut self, request: &ChatRequest) -> Result<Option<ChatResponse>, ModelError> {
        let Self { server, conversation, answer, watch, .. } = self;
        let mut sink = |text: &str| watch(Progress::Text(text));
        ask(server, request, conversation, answer, &mut sink).await
    }

    fn call(&mut self, call: &ToolCall) -> String {
        let known = self.answer.evidence.len();
        let (output, text) = self.toolbox.call(call, &mut self.answer.evidence);
        self.note(output, known);
        text
    }

    fn refuse(&mut self, call: &ToolCall) -> String {
        let (output, text) = Toolbox::refuse(call);
        self.note(output, self.answer.evidence.len());
        text
    }
}

/// Sends one request. `None` if a runaway answer was stopped.
async fn ask(
    server: &Server,
    request: &ChatRequest,
    conversation: &Conversation<'_>,
    answer: &mut ModelAnswer,
    sink: Sink<'_>,
) -> Result<Option<ChatResponse>, ModelError> {
    let evidence = answer.evidence.clone();
    let left = MAX_BYTES.saturating_sub(answer.text.len());
    let (response, end) = match conversation.contents {
        Contents::Here(snapshot) => {
            let lines = LineStream::new(snapshot, &evidence, left);
            streamed(server, request, lines, sink).await?
        }
        Contents::Elsewhere(_) => {
            whole(server, request, (conversation.contents, &evidence, left), sink).await?
        }
    };
    answer.text.push_str(&end.text);
    answer.problems.extend(end.problems);
    answer.references += end.references;
    for n in end.cited {
        if !answer.cited.contains(&n) {
            answer.cited.push(n);
        }
    }
    answer.end = match (&response, end.stopped_by) {
        (_, Some(why)) => why,
        (Some(it), None) => end_name(it.finish_reason),
        (None, None) => "unknown",
    };
    Ok(response.filter(|_| end.stopped_by.is_none()))
}

/// A response whose lines are verified as they come.
async fn streamed(
    server: &Server,
    request: &ChatRequest,
    mut lines: LineStream<'_>,
    sink: Sink<'_>,
) -> Result<(Option<ChatResponse>, StreamEnd), ModelError> {
    let stopped = Arc::clone(&lines.stopped);
    let mut take = |text: &str| lines.push(text, &mut *sink);
    let response =
        until_stopped(server.chat(request, &mut take), stopped.notified()).await.transpose()?;
    Ok((response, lines.finish(sink)))
}

/// A response that is verified when it is over: what its lines name is asked for together.
async fn whole(
    server: &Server,
    request: &ChatRequest,
    (contents, evidence, left): (Contents<'_>, &[EvidenceItem], usize),
    sink: Sink<'_>,
) -> Result<(Option<ChatResponse>, StreamEnd), ModelError> {
    let nothing = Snapshot::empty(IndexConfig::default());
    let mut lines = LineStream::new(&nothing, &[], left);
    let stopped = Arc::clone(&lines.stopped);
    let mut text = String::new();
    let mut take = |it: &str| {
        // It stops where a verified answer would.
        lines.push(it, &mut |_| {});
        text.push_str(it);
    };
    let response =
        until_stopped(server.chat(request, &mut take), stopped.notified()).await.transpose()?;
    let verified = contents.over(|snapshot| {
        let mut lines = LineStream::new(snapshot, evidence, left);
        lines.push(&text, &mut |_| {});
        lines.finish(&mut |_| {})
    });
    let end = verified.map_err(|reason| ModelError::NoRepository { reason })?;
    sink(&end.text);
    Ok((response, end))
}

/// The result of a future; `None` if `stop` completes first.
async fn until_stopped<T>(
    future: impl Future<Output = T>,
    stop: impl Future<Output = ()>,
) -> Option<T> {
    let (mut future, mut stop) = (pin!(future), pin!(stop));
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(it) => Poll::Ready(Some(it)),
        Poll::Pending => stop.as_mut().poll(context).map(|()| None),
    })
    .await
}

fn end_name(reason: FinishReason) -> &'static str {
    match reason {
        FinishReason::Stop => "stop",
        FinishReason::Length => "length",
        FinishReason::Deadline => "deadline",
        FinishReason::ToolCalls => "tool_calls",
        FinishReason::Unknown => "unknown",
    }
}

/// The instructions, the earlier messages, and the question with its evidence; without instructions and evidence if the
/// message asks nothing.
fn first_messages(conversation: &Conversation<'_>) -> Vec<Message> {
    let mut res = Vec::new();
    if !conversation.asks_nothing() {
        res.push(Message::System(super::instructions(INSTRUCTIONS)));
    }
    res.extend(conversation.earlier.iter().cloned());
    res.push(Message::User(match conversation.asks_nothing() {
        true => conversation.question.clone(),
        false => render::question(conversation),
    }));
    res
}
