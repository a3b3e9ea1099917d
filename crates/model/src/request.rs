//! The interface of completion models: a hole in a file in, text out, streamed on request.
//!
//! A completion is a future; dropping it cancels the request and closes the connection to a server. At the deadline the
//! text so far is the completion; no text by then is an error. Conversations have their own requests (`chat`).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use crate::embedded::Extent;
use crate::error::ModelError;

/// A model that completes code.
pub trait Model: Send + Sync {
    /// Kind, name and location of the model, for people.
    fn title(&self) -> String;

    /// Completes a hole. `sink` receives the raw text of the first choice as it arrives, or at once from a model that
    /// does not stream. The response is raw too; see [`crate::clean`].
    fn complete<'a>(
        &'a self,
        request: &'a CompletionRequest,
        sink: Sink<'a>,
    ) -> CompletionFuture<'a>;

    /// Releases resources before the process ends.
    fn close(&self) {}
}

/// Receives text as it arrives.
pub type Sink<'a> = &'a mut (dyn FnMut(&str) + Send);

/// A completion in progress.
pub type CompletionFuture<'a> =
    Pin<Box<dyn Future<Output = Result<CompletionResponse, ModelError>> + Send + 'a>>;

/// A hole to complete, with limits.
#[derive(Clone, Debug)]
pub struct CompletionRequest {
    /// The hole and its surroundings.
    pub fill: Fill,
    /// Requested length.
    pub extent: Extent,
    /// Maximum number of tokens of a completion.
    pub max_tokens: usize,
    /// Stop strings besides those of the prompt.
    pub stop: Vec<String>,
    /// 0 for the likeliest completion.
    pub temperature: f32,
    /// Number of choices wanted; a model may return fewer.
    pub n: usize,
    /// Time after which a completion is useless.
    pub deadline: Option<Instant>,
    /// Stops a completion early when further text would be cut.
    pub stop_check: Option<StopCheck>,
}

impl CompletionRequest {
    /// Stop strings of the prompt and the request, and a line feed if only the rest of a line is wanted.
    pub fn stops(&self) -> Vec<String> {
        let of_prompt = self.fill.prompt.iter().flat_map(|it| it.stop.iter());
        let mut res: Vec<String> = of_prompt.chain(&self.stop).cloned().collect();
        let line = self.fill.prefix.rsplit('\n').next().unwrap_or_default();
        // After a complete line the completion is the next line, which starts with a line feed.
        let suffix = &self.fill.suffix;
        let within_line = !suffix.starts_with(['\n', '\r']) && !suffix.is_empty();
        if self.extent == Extent::Line && within_line && !line.trim().is_empty() {
            res.push("\n".to_owned());
        }
        res
    }

    /// Whether any text after `text` would be cut.
    pub fn should_stop(&self, text: &str) -> bool {
        self.stop_check.as_ref().is_some_and(|it| (it.0)(text))
    }
}

/// Decides from the text so far whether to stop a completion.
#[derive(Clone)]
pub struct StopCheck(Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl StopCheck {
    /// Creates a check.
    pub fn new(should_stop: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(should_stop))
    }
}

impl std::fmt::Debug for StopCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StopCheck")
    }
}

/// A hole and the surroundings that a model may read.
#[derive(Clone, Debug, Default)]
pub struct Fill {
    /// The file.
    pub path: String,
    /// Name of the language, if known.
    pub language: Option<&'static str>,
    /// Line comment marker of the language.
    pub line_comment: Option<&'static str>,
    /// The text before the cursor: the window for a model that reads a prompt, all of it for one that reads files.
    pub prefix: String,
    /// The text after the cursor.
    pub suffix: String,
    /// Context pieces in prompt order.
    pub pieces: Vec<ContextPiece>,
    /// Files likely to resemble the cursor's, without that file; only for a model that reads files.
    pub nearby: Vec<Arc<str>>,
    /// The prompt in the model family's format, if rendered.
    pub prompt: Option<RenderedPrompt>,
}

/// A piece of context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextPiece {
    /// The file.
    pub path: String,
    /// The text.
    pub text: String,
}

/// A prompt in a model family's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedPrompt {
    /// Name of the format.
    pub format: &'static str,
    /// The text, with special tokens spelled out.
    pub text: String,
    /// Stop strings.
    pub stop: Vec<String>,
}

/// A model's completions of one hole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompletionResponse {
    /// Best first.
    pub choices: Vec<Choice>,
    /// Tokens of the prompt, if the model reports them.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the prompt that the model had cached, if it reports them.
    pub cached_tokens: Option<u64>,
}

/// One completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Raw text.
    pub text: String,
    /// Confidence between 0 and 1, if the model reports it.
    pub confidence: Option<f64>,
    /// Reason for the end.
    pub finish_reason: FinishReason,
}

/// Reason for the end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// The model finished, or wrote a stop string.
    Stop,
    /// The maximum number of tokens was reached.
    Length,
    /// The model calls tools (conversations only).
    ToolCalls,
    /// The deadline passed.
    Deadline,
    /// No reason given, for example because the connection closed early.
    Unknown,
}

impl FinishReason {
    /// Name in the API.
    pub fn name(self) -> &'static str {
        match self {
            FinishReason::Stop => "stop",
            FinishReason::Length => "length",
            FinishReason::ToolCalls => "tool_calls",
            FinishReason::Deadline => "deadline",
            FinishReason::Unknown => "unknown",
        }
    }
}
