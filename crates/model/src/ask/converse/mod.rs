//! An answer by a chat model: it is shown the evidence, may ask for more, and what it says is checked line by line while it
//! is written.
//!
//! Everything is bounded: turns, calls, tokens, seconds, and the length of an answer whatever the server does. Dropping the
//! future closes the connection, so that the model stops at once.

mod render;
mod stream;
mod tools;

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use foreword_engine::ask::{EvidenceItem, Gathered, Problem};
use foreword_engine::index::Snapshot;
use serde_json::Value;

use self::stream::LineStream;
use self::tools::Toolbox;
use crate::chat::{ChatRequest, ChatResponse, Delivery, Message, ToolCall};
use crate::error::ModelError;
use crate::http::Server;
use crate::request::{FinishReason, Sink};
use crate::tool_loop::{LoopLimits, ToolUser, tool_loop};

/// What a model is told, without the line that names the version.
const INSTRUCTIONS: &str = include_str!("../prompts/answer.md");

/// How often the model may be asked, the last time without tools, and how many calls of tools are answered.
const LIMITS: LoopLimits = LoopLimits { turns: 4, calls: 8 };

/// The longest answer, in bytes; a server may not know `max_tokens`.
const MAX_BYTES: usize = 64 << 10;

/// The limits of an answer.
#[derive(Clone, Copy, Debug)]
pub struct AnswerLimits {
    /// Tokens that the model may write each time that it is asked.
    pub max_tokens: usize,
    /// How long all of it may take.
    pub timeout: Duration,
    /// Tokens of the evidence that tools add.
    pub more_tokens: usize,
}

/// What is asked.
pub struct Conversation<'c> {
    /// What is asked about.
    pub snapshot: &'c Snapshot,
    /// The name of the repository.
    pub repository: String,
    /// The question.
    pub question: String,
    /// What was pasted with it.
    pub pasted: String,
    /// Earlier questions and answers, the oldest first.
    pub earlier: Vec<Message>,
    /// The evidence.
    pub gathered: Gathered,
    /// What the evidence lacks, if it is not enough.
    pub missing: Option<String>,
}

/// The answer of a model, checked.
#[derive(Debug, Default)]
pub struct ModelAnswer {
    /// The answer, with a mark where something in it does not hold.
    pub text: String,
    /// The numbers of the evidence that it cites.
    pub cited: Vec<u32>,
    /// What in it does not hold.
    pub problems: Vec<Problem>,
    /// What the model asked for.
    pub calls: Vec<Call>,
    /// All evidence, that of tools last.
    pub evidence: Vec<EvidenceItem>,
    /// Why it ended: `stop`, `length`, `deadline`, `too_long`, `repeats` or `unknown`.
    pub end: &'static str,
}

/// A call of a tool, and what it gave.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name of the tool.
    pub tool: String,
    /// Its arguments; null where they are no JSON.
    pub arguments: Value,
    /// The numbers of the evidence that it gave.
    pub evidence: Vec<u32>,
    /// Why it gave none.
    pub error: Option<String>,
}

/// What happens while a model answers.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'p> {
    /// The next checked line.
    Text(&'p str),
    /// The model has asked for more; with it, the evidence that it got, numbered as the call says.
    Call(&'p Call, &'p [EvidenceItem]),
}

/// Has a model answer. `watch` is told of each checked line and of each call of a tool, as they come.
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
        tools: tools::offered(),
        max_tokens: Some(limits.max_tokens),
        temperature: Some(0.0),
        deadline: Some(Instant::now() + limits.timeout),
        delivery: Delivery::Streamed,
        ..ChatRequest::default()
    };
    let mut answering = Answering { server, conversation, answer, toolbox, watch };
    tool_loop(&mut answering, &mut request, LIMITS).await?;
    Ok(answering.answer)
}

/// An answer in the making.
struct Answering<'c> {
    server: &'c Server,
    conversation: &'c Conversation<'c>,
    answer: ModelAnswer,
    toolbox: Toolbox<'c>,
    watch: &'c mut (dyn FnMut(Progress<'_>) + Send),
}

impl Answering<'_> {
    /// Notes a call, with the evidence from `known` on that it gave.
    fn note(&mut self, output: Call, known: usize) {
        (self.watch)(Progress::Call(&output, &self.answer.evidence[known..]));
        self.answer.calls.push(output);
    }
}

impl ToolUser for Answering<'_> {
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

/// Asks once. `None` if the answer was cut off because it does not end.
async fn ask(
    server: &Server,
    request: &ChatRequest,
    conversation: &Conversation<'_>,
    answer: &mut ModelAnswer,
    sink: Sink<'_>,
) -> Result<Option<ChatResponse>, ModelError> {
    let evidence = answer.evidence.clone();
    let left = MAX_BYTES.saturating_sub(answer.text.len());
    let mut lines = LineStream::new(conversation.snapshot, &evidence, left);
    let stopped = Arc::clone(&lines.stopped);
    let mut take = |text: &str| lines.push(text, &mut *sink);
    let response = unless(server.chat(request, &mut take), stopped.notified()).await.transpose()?;
    let end = lines.finish(&mut *sink);
    answer.text.push_str(&end.text);
    answer.problems.extend(end.problems);
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

/// What a future gives; `None` if `stop` is ready before it.
async fn unless<T>(future: impl Future<Output = T>, stop: impl Future<Output = ()>) -> Option<T> {
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

/// The instructions, what was said before, and the question with its evidence.
fn first_messages(conversation: &Conversation<'_>) -> Vec<Message> {
    let mut res = vec![Message::System(super::instructions(INSTRUCTIONS))];
    res.extend(conversation.earlier.iter().cloned());
    res.push(Message::User(render::question(conversation)));
    res
}
