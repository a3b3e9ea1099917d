//! The interface of models that complete code: a hole in a file goes in, text comes out, streamed if wanted.
//!
//! A completion is a future: dropping it cancels it, and a model behind a server then closes its connection. A request
//! may have a deadline; the text written by then is the completion, and no text by then is an error that says so.
//! Conversations are requests of their own (`chat`).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use crate::embedded::Extent;
use crate::error::ModelError;

/// A model that completes code.
pub trait Model: Send + Sync {
    /// The model's kind, name and location, for people.
    fn title(&self) -> String;

    /// Completes a hole. `sink` receives the raw text of the first choice as it arrives; a model that does not stream
    /// passes all of it at once. The texts of the response are raw too: [`crate::clean`] makes them fit.
    fn complete<'a>(
        &'a self,
        request: &'a CompletionRequest,
        sink: Sink<'a>,
    ) -> CompletionFuture<'a>;

    /// Releases what the model holds in this process, before the process ends. Most models hold nothing.
    fn close(&self) {}
}

/// Receives pieces of text as they arrive.
pub type Sink<'a> = &'a mut (dyn FnMut(&str) + Send);

/// A completion in progress.
pub type CompletionFuture<'a> =
    Pin<Box<dyn Future<Output = Result<CompletionResponse, ModelError>> + Send + 'a>>;

/// A hole to be completed, and the limits of the completion.
#[derive(Clone, Debug)]
pub struct CompletionRequest {
    /// The hole and its surroundings.
    pub fill: Fill,
    /// How much is wanted.
    pub extent: Extent,
    /// Maximum number of tokens of a completion.
    pub max_tokens: usize,
    /// Strings that end a completion, beside those of the prompt.
    pub stop: Vec<String>,
    /// 0 for the likeliest completion.
    pub temperature: f32,
    /// How many choices are wanted; a model may give fewer.
    pub n: usize,
    /// When a completion is of no use any more.
    pub deadline: Option<Instant>,
    /// Stops a completion early when nothing more of it can be used.
    pub stop_check: Option<StopCheck>,
}

impl CompletionRequest {
    /// What ends the text of a hole: the prompt's own stop strings, those of the request, and for one line the line's
    /// end.
    pub fn stops(&self) -> Vec<String> {
        let of_prompt = self.fill.prompt.iter().flat_map(|it| it.stop.iter());
        let mut res: Vec<String> = of_prompt.chain(&self.stop).cloned().collect();
        let line = self.fill.prefix.rsplit('\n').next().unwrap_or_default();
        // At the end of a finished line the next line is wanted, and it begins with a line feed.
        let suffix = &self.fill.suffix;
        let within_line = !suffix.starts_with(['\n', '\r']) && !suffix.is_empty();
        if self.extent == Extent::Line && within_line && !line.trim().is_empty() {
            res.push("\n".to_owned());
        }
        res
    }

    /// Whether nothing after `text` can be used.
    pub fn should_stop(&self, text: &str) -> bool {
        self.stop_check.as_ref().is_some_and(|it| (it.0)(text))
    }
}

/// Decides from the text written so far whether nothing more of a completion can be used.
#[derive(Clone)]
pub struct StopCheck(Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl StopCheck {
    /// A check by `should_stop`.
    pub fn new(should_stop: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(should_stop))
    }
}

impl std::fmt::Debug for StopCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StopCheck")
    }
}

/// A hole, and what a model may see of its surroundings.
#[derive(Clone, Debug, Default)]
pub struct Fill {
    /// The path of the file.
    pub path: String,
    /// The name of its language, where it is known.
    pub language: Option<&'static str>,
    /// What begins a comment to the end of a line in it.
    pub line_comment: Option<&'static str>,
    /// The text before the cursor: the window for a model that reads a prompt, the whole for one that reads files.
    pub prefix: String,
    /// The text after it.
    pub suffix: String,
    /// The pieces of context, in the order of the prompt.
    pub pieces: Vec<ContextPiece>,
    /// Files that are likely to resemble the cursor's, without that file; only for a model that reads files.
    pub nearby: Vec<Arc<str>>,
    /// The prompt in the model family's own format, where one was rendered.
    pub prompt: Option<RenderedPrompt>,
}

/// A piece of context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextPiece {
    /// Its file.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A prompt in a model family's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedPrompt {
    /// The name of the format.
    pub format: &'static str,
    /// The text, special tokens spelled out.
    pub text: String,
    /// What ends the completion.
    pub stop: Vec<String>,
}

/// A model's completions of one hole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompletionResponse {
    /// Best first.
    pub choices: Vec<Choice>,
    /// Tokens of the prompt, where the model reports them.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the prompt that were cached from an earlier request, where the model reports them.
    pub cached_tokens: Option<u64>,
}

/// One completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The text as the model wrote it.
    pub text: String,
    /// How sure the model is, between 0 and 1, where it reports that.
    pub confidence: Option<f64>,
    /// Why the text ends.
    pub finish_reason: FinishReason,
}

/// Why a text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// The model was done, or met a stop string.
    Stop,
    /// The maximum number of tokens was reached.
    Length,
    /// The model calls tools; in conversations only.
    ToolCalls,
    /// The deadline passed.
    Deadline,
    /// The model gave no reason; its connection was closed early, for example.
    Unknown,
}

impl FinishReason {
    /// In a word.
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
