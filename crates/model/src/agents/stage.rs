//! The conversation of an agent. Each request is checked by the meter and answered by the transcript or the server; the last
//! answer must match the schema.

use std::time::{Duration, Instant};

use foreword_engine::speculate::{Block, StatedBlock, StatedForecast, StatedLines};

use super::answer::{self, Texts};
use super::tools::{self, Toolbox};
use super::transcript::{Transcript, key};
use super::{AgentConfig, AgentError, Charge, Cost, Meter, Subject, render};
use crate::chat::{AnswerSchema, ChatRequest, ChatResponse, Delivery, Message, ToolCall, Usage};
use crate::error::ModelError;
use crate::http::Server;
use crate::request::FinishReason;
use crate::tool_loop::{LoopLimits, ToolUser, tool_loop};

/// Maximum bytes of an answer with its calls, for servers that ignore `max_tokens`.
const MAX_BYTES: usize = 256 << 10;

/// Maximum attempts at a request after temporary failures.
const TRIES: usize = 4;

/// Bytes of an invalid answer repeated to the model.
const SHOWN: usize = 2_000;

/// Abilities of a server, assumed until it refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Abilities {
    tools: Ability,
    schema: Ability,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ability {
    Assumed,
    Refused,
}

impl Default for Abilities {
    fn default() -> Self {
        Self { tools: Ability::Assumed, schema: Ability::Assumed }
    }
}

/// Totals of both stages.
pub(super) struct StageEnd {
    pub(super) spent: Cost,
    pub(super) calls: usize,
    pub(super) problems: Vec<String>,
}

/// Runs the two agents on one file, one after the other.
pub(super) struct Stage<'a> {
    server: Option<&'a Server>,
    config: &'a AgentConfig,
    can: &'a mut Abilities,
    toolbox: Toolbox<'a>,
    transcript: &'a mut Transcript,
    meter: Meter<'a>,
    name: &'static str,
    /// Schema of this agent's answer.
    schema: Option<AnswerSchema>,
    end: StageEnd,
}

impl<'a> Stage<'a> {
    pub(super) fn new(
        (server, config, can): (Option<&'a Server>, &'a AgentConfig, &'a mut Abilities),
        toolbox: Toolbox<'a>,
        transcript: &'a mut Transcript,
        meter: Meter<'a>,
    ) -> Self {
        let end = StageEnd { spent: Cost::default(), calls: 0, problems: Vec::new() };
        Self { server, config, can, toolbox, transcript, meter, name: "", schema: None, end }
    }

    /// The lines that the tools have shown.
    pub(super) fn shown(&self) -> &[StatedLines] {
        self.toolbox.shown()
    }

    pub(super) fn end(self) -> StageEnd {
        self.end
    }

    /// Blocks chosen by the model, unchecked.
    pub(super) async fn retrieve(
        &mut self,
        subject: &Subject<'_>,
    ) -> Result<Vec<StatedBlock>, AgentError> {
        self.begin("retriever", answer::blocks_schema(self.texts()));
        let messages = render::retriever(subject, self.config);
        self.run(messages, self.config.retriever, answer::blocks).await
    }

    /// Forecasts by the model, unchecked.
    pub(super) async fn forecast(
        &mut self,
        subject: &Subject<'_>,
        blocks: &[Block],
    ) -> Result<Vec<StatedForecast>, AgentError> {
        self.begin("forecaster", answer::functions_schema(self.texts()));
        let messages = render::forecaster(subject, blocks, self.config);
        self.run(messages, self.config.forecaster, answer::functions).await
    }

    fn texts(&self) -> Texts {
        match self.server.is_some_and(|it| it.api().is_llama_cpp()) {
            true => Texts::Bounded,
            false => Texts::Free,
        }
    }

    fn begin(&mut self, name: &'static str, schema: AnswerSchema) {
        (self.name, self.schema) = (name, Some(schema));
        self.toolbox.begin();
    }

    /// Runs the conversation. An invalid answer is requested once more, then reported as a problem.
    async fn run<T>(
        &mut self,
        messages: Vec<Message>,
        limits: LoopLimits,
        parse: fn(&str) -> Result<Vec<T>, String>,
    ) -> Result<Vec<T>, AgentError> {
        let mut request = ChatRequest {
            messages,
            tools: tools::offered(),
            schema: self.schema.clone(),
            max_tokens: Some(self.config.max_tokens),
            max_bytes: Some(MAX_BYTES),
            temperature: Some(0.0),
            delivery: Delivery::Streamed,
            ..ChatRequest::default()
        };
        let last = tool_loop(self, &mut request, limits).await?.unwrap_or_default();
        let error = match parse(&last.text) {
            Ok(found) => return Ok(found),
            Err(error) => cut_off_or(&last, error),
        };
        let shown = last.text.floor_char_boundary(SHOWN);
        let (text, tool_calls) = (last.text[..shown].to_owned(), Vec::new());
        request.messages.push(Message::Assistant { text, tool_calls });
        let asked = format!("{error}. Answer with the JSON object alone, and be brief.");
        request.messages.push(Message::User(asked));
        (request.tools, request.schema) = (Vec::new(), self.schema.clone());
        let again = self.ask(&request).await?.unwrap_or_default();
        parse(&again.text).or_else(|error| {
            let error = cut_off_or(&again, error);
            self.end.problems.push(format!("{}: no readable answer: {error}", self.name));
            Ok(Vec::new())
        })
    }

    /// Sends a request, again after temporary failures.
    async fn ask_server(
        &mut self,
        request: &ChatRequest,
    ) -> Result<(ChatResponse, Cost), AgentError> {
        let Some(server) = self.server else {
            return Err(AgentError::Budget("there is no model to ask".to_owned()));
        };
        let (mut tries, mut wanted, mut spent) = (0, request.clone(), Cost::default());
        loop {
            let request = self.possible(&wanted);
            let most = self.most(&request);
            (self.meter)(Charge::Before(most)).map_err(AgentError::Budget)?;
            let start = Instant::now();
            let error = match server.chat(&request, &mut |_| {}).await {
                Ok(response) => {
                    spent.add(&cost((&request, &response), most, start.elapsed()));
                    return Ok((response, spent));
                }
                Err(error) => error,
            };
            if is_unreadable(&error) {
                let millis = start.elapsed().as_millis() as u64;
                spent.add(&Cost { millis, ..most });
                if request.tools.is_empty() {
                    return Ok((ChatResponse::default(), spent));
                }
                wanted.tools.clear();
                wanted.schema.clone_from(&self.schema);
            } else if !self.refuses(&request, &error) {
                tries += 1;
                let wait = self.wait_after(&error).filter(|_| tries < TRIES).ok_or(error)?;
                tokio::time::sleep(wait).await;
            }
        }
    }

    /// Removes what the server has refused from the request.
    fn possible(&self, request: &ChatRequest) -> ChatRequest {
        let mut res = request.clone();
        if self.can.tools == Ability::Refused && !res.tools.is_empty() {
            res.tools.clear();
            res.schema.clone_from(&self.schema);
        }
        if self.can.schema == Ability::Refused {
            res.schema = None;
        }
        res.deadline = Some(Instant::now() + self.config.timeout);
        res
    }

    /// Whether the error refuses tools or the schema; later requests then omit it.
    fn refuses(&mut self, request: &ChatRequest, error: &ModelError) -> bool {
        let ModelError::Refused { status: 200 | 400..=422 | 500..=501, message, .. } = error else {
            return false;
        };
        let message = message.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|it| message.contains(it));
        if !request.tools.is_empty() && says(&["tool", "function", "jinja", "template"]) {
            self.can.tools = Ability::Refused;
            return true;
        }
        if request.schema.is_some() && says(&["response_format", "schema", "format", "grammar"]) {
            self.can.schema = Ability::Refused;
            return true;
        }
        false
    }

    /// Time to wait before the next attempt; `None` if that is useless or too long.
    fn wait_after(&self, error: &ModelError) -> Option<Duration> {
        let wait = match error {
            ModelError::Busy { after, .. } => match after.trim().parse::<f64>() {
                Ok(seconds) if seconds >= 0.0 => Duration::try_from_secs_f64(seconds).ok()?,
                // A date, or nothing.
                _ => UNKNOWN_WAIT,
            },
            ModelError::Unreachable { .. } | ModelError::InvalidResponse { .. } => SHORT_WAIT,
            ModelError::Refused { status: 502..=504 | 529, .. } => UNKNOWN_WAIT,
            _ => return None,
        };
        (wait <= self.config.patience).then_some(wait)
    }

    /// Estimates an upper bound of a request's cost.
    fn most(&self, request: &ChatRequest) -> Cost {
        let tools = if request.tools.is_empty() { 0 } else { TOOLS };
        Cost {
            requests: 1,
            prompt_tokens: render::tokens(&request.messages) + tools,
            answer_tokens: self.config.max_tokens as u64,
            millis: 0,
        }
    }
}

/// Whether the server cannot parse its model's output, as llama.cpp reports, also within a stream. Only this answer is lost;
/// the server's abilities stay.
fn is_unreadable(error: &ModelError) -> bool {
    let ModelError::Refused { status: 200 | 500, message, .. } = error else { return false };
    message.contains("output that does not match")
}

/// The cost of a request as reported by the server, else estimated; `most` is its upper bound. A token has at least one
/// byte, so a report of more is an error of the server and counts as much as there can be.
fn cost((request, response): (&ChatRequest, &ChatResponse), most: Cost, took: Duration) -> Cost {
    let calls = response.tool_calls.iter().map(|it| render::text_tokens(&it.arguments));
    let written = render::text_tokens(&response.text) + calls.sum::<u64>();
    let bytes: u64 = request.messages.iter().map(|it| it.text().len() as u64 + TEMPLATE).sum();
    // Hidden reasoning is within the allowed tokens.
    let most_written = most.answer_tokens.max(written * render::BYTES_A_TOKEN);
    let reported = |tokens: Option<u64>, most: u64| tokens.map(|it| it.min(most));
    let Usage { prompt_tokens, answer_tokens, .. } = response.usage;
    Cost {
        requests: 1,
        prompt_tokens: reported(prompt_tokens, bytes + TOOLS * TEMPLATE)
            .unwrap_or(most.prompt_tokens),
        answer_tokens: reported(answer_tokens, most_written).unwrap_or(written),
        millis: took.as_millis() as u64,
    }
}

/// Bytes that a server's template adds to a message, or to each word of the tools' descriptions, at most.
const TEMPLATE: u64 = 64;

/// Estimated tokens of the tools' descriptions.
const TOOLS: u64 = 500;

/// Wait after a broken connection.
const SHORT_WAIT: Duration = Duration::from_secs(1);

/// Wait for a busy server that does not say how long.
const UNKNOWN_WAIT: Duration = Duration::from_secs(20);

/// The reason why an answer is unreadable.
fn cut_off_or(response: &ChatResponse, error: String) -> String {
    match response.finish_reason {
        FinishReason::Length => "the answer was too long and was cut off".to_owned(),
        FinishReason::Deadline => "the answer took too long and was cut off".to_owned(),
        _ => error,
    }
}

impl ToolUser for Stage<'_> {
    type Error = AgentError;

    async fn ask(&mut self, request: &ChatRequest) -> Result<Option<ChatResponse>, AgentError> {
        let key = key(self.name, request);
        if let Some(known) = self.transcript.answer(&key)? {
            return Ok(Some(known));
        }
        let (response, spent) = self.ask_server(request).await?;
        // A paid answer is recorded before it is used.
        self.transcript.record((self.name, &key, request), &response, &spent)?;
        self.end.spent.add(&spent);
        (self.meter)(Charge::After(spent)).map_err(AgentError::Budget)?;
        Ok(Some(response))
    }

    fn call(&mut self, call: &ToolCall) -> String {
        self.end.calls += 1;
        self.toolbox.call(call)
    }

    fn refuse(&mut self, _: &ToolCall) -> String {
        "there were too many calls; answer from what you have".to_owned()
    }
}
