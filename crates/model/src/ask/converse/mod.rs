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
use crate::ask::without_controls;
use crate::chat::{ChatRequest, ChatResponse, Delivery, Message, ToolCall};
use crate::error::ModelError;
use crate::http::Server;
use crate::request::{FinishReason, Sink};

/// What a model is told, without the line that names the version.
const INSTRUCTIONS: &str = include_str!("../prompts/answer.md");

/// How often the model may be asked, the last time without tools.
const TURNS: usize = 4;

/// How many calls of tools are answered.
const CALLS: usize = 8;

/// The longest name of a tool that is read, in characters, and the longest arguments, in bytes.
const MAX_NAME: usize = 80;
const MAX_ARGUMENTS: usize = 4 << 10;

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
    let deadline = Instant::now() + limits.timeout;
    let mut answer = ModelAnswer { end: "unknown", ..ModelAnswer::default() };
    answer.evidence.clone_from(&conversation.gathered.evidence);
    let mut toolbox = Toolbox::new(conversation, limits.more_tokens);
    let mut messages = first_messages(conversation);
    for turn in 1..=TURNS {
        let is_last = turn == TURNS || answer.calls.len() >= CALLS;
        let request = ChatRequest {
            messages: messages.clone(),
            tools: if is_last { Vec::new() } else { tools::offered() },
            max_tokens: Some(limits.max_tokens),
            temperature: Some(0.0),
            deadline: Some(deadline),
            delivery: Delivery::Streamed,
            ..ChatRequest::default()
        };
        let mut sink = |text: &str| watch(Progress::Text(text));
        let response = ask(server, &request, conversation, &mut answer, &mut sink).await?;
        let Some(response) = response.filter(|it| !it.tool_calls.is_empty() && !is_last) else {
            break;
        };
        let ChatResponse { text, tool_calls, .. } = response;
        let tool_calls: Vec<ToolCall> = tool_calls.into_iter().take(CALLS).map(bounded).collect();
        messages.push(Message::Assistant { text, tool_calls: tool_calls.clone() });
        for call in &tool_calls {
            messages.push(answered(call, &mut toolbox, &mut answer, &mut *watch));
        }
    }
    Ok(answer)
}

/// A call whose name and arguments are no longer than they may be: both go back to the model, and are shown.
fn bounded(mut call: ToolCall) -> ToolCall {
    call.name = without_controls(&call.name).chars().take(MAX_NAME).collect();
    if call.arguments.len() > MAX_ARGUMENTS {
        "null".clone_into(&mut call.arguments);
    }
    call
}

/// Answers a call of a tool: the message that the model reads.
fn answered(
    call: &ToolCall,
    toolbox: &mut Toolbox<'_>,
    answer: &mut ModelAnswer,
    watch: &mut (dyn FnMut(Progress<'_>) + Send),
) -> Message {
    let known = answer.evidence.len();
    let (output, text) = match answer.calls.len() < CALLS {
        true => toolbox.call(call, &mut answer.evidence),
        false => Toolbox::refuse(call),
    };
    watch(Progress::Call(&output, &answer.evidence[known..]));
    answer.calls.push(output);
    Message::Tool { call_id: call.id.clone(), name: call.name.clone(), text }
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
