//! One way to ask any model: a hole or a conversation in, text out, in a stream if wanted.
//!
//! An answer is a future: to cancel is to drop it, and a model that talks to a server hangs up then. A request has a
//! deadline; what there is by then is the answer, and nothing by then is an error that says so.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use crate::ModelError;
use crate::embedded::Extent;

/// Something that completes code or converses.
pub trait Model: Send + Sync {
    /// What answers, for people: its kind, its name, and where it is.
    fn title(&self) -> String;

    /// Answers a request. `sink` is handed the raw text of the first choice as it comes; a model that does not stream
    /// hands over all of it at once. The answer's texts are raw too: [`crate::clean`] makes them fit.
    fn answer<'a>(&'a self, request: &'a Request, sink: Sink<'a>) -> Answering<'a>;

    /// Ends what the model does in this process, before the process ends itself. Nothing to do for most.
    fn close(&self) {}
}

/// Takes pieces of text as they come.
pub type Sink<'a> = &'a mut (dyn FnMut(&str) + Send);

/// An answer that is being made.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<Answer, ModelError>> + Send + 'a>>;

/// What a model is asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// A hole or a conversation.
    pub ask: Ask,
    /// How much is wanted.
    pub extent: Extent,
    /// Tokens of an answer at the most.
    pub max_tokens: usize,
    /// What ends an answer, beside what the prompt says.
    pub stop: Vec<String>,
    /// 0 for the likeliest answer.
    pub temperature: f32,
    /// How many choices are wanted; a model may give fewer.
    pub n: usize,
    /// When an answer is no use any more.
    pub deadline: Option<Instant>,
    /// Ends an answer of which nothing more can be used.
    pub enough: Option<Enough>,
}

impl Request {
    /// What ends the text of a hole: the prompt's own stop strings, those of the request, and for one line the line's
    /// end.
    pub fn stops(&self, fill: &Fill) -> Vec<String> {
        let of_prompt = fill.prompt.iter().flat_map(|it| it.stop.iter());
        let mut res: Vec<String> = of_prompt.chain(&self.stop).cloned().collect();
        let line = fill.prefix.rsplit('\n').next().unwrap_or_default();
        // At the end of a finished line the next line is wanted, and it begins with a line feed.
        let within_line = !fill.suffix.starts_with(['\n', '\r']) && !fill.suffix.is_empty();
        if self.extent == Extent::Line && within_line && !line.trim().is_empty() {
            res.push("\n".to_owned());
        }
        res
    }

    /// Whether nothing more of a text can be used.
    pub fn is_enough(&self, text: &str) -> bool {
        self.enough.as_ref().is_some_and(|it| (it.0)(text))
    }
}

/// Says of the text that a model has written so far whether nothing more of it can be used.
#[derive(Clone)]
pub struct Enough(Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl Enough {
    /// That which `says` so.
    pub fn new(says: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(says))
    }
}

impl std::fmt::Debug for Enough {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Enough")
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub enum Ask {
    /// The text of a hole.
    Fill(Fill),
    /// The next turn of a conversation.
    Chat(Vec<Turn>),
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
    /// The text before the cursor: the window for a model that is sent it, the whole for the embedded one.
    pub prefix: String,
    /// The text after it.
    pub suffix: String,
    /// The pieces of context, in the order of the prompt.
    pub pieces: Vec<Shown>,
    /// The prompt in the model family's own format, where one was rendered.
    pub prompt: Option<Rendered>,
}

/// A piece of context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its file.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A rendered prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The name of its format.
    pub format: &'static str,
    /// The text, special tokens spelled out.
    pub text: String,
    /// What ends the answer.
    pub stop: Vec<String>,
}

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// `system`, `user` or `assistant`.
    pub role: &'static str,
    /// What was said.
    pub text: String,
}

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Best first.
    pub choices: Vec<Choice>,
    /// Tokens of the prompt, where the model says so.
    pub prompt_tokens: Option<u64>,
    /// Those of them that it had read for an earlier request, where it says so.
    pub cached_tokens: Option<u64>,
}

/// One of the texts of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// As the model wrote it.
    pub text: String,
    /// How sure it is, between 0 and 1, where it says so.
    pub confidence: Option<f64>,
    /// Why it ends.
    pub end: End,
}

/// Why a text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The model was done, or met a stop string.
    Stop,
    /// It had as many tokens as were allowed.
    Length,
    /// The deadline came.
    Deadline,
    /// The model did not say; its connection closed without a word, for example.
    Unknown,
}

impl End {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            End::Stop => "stop",
            End::Length => "length",
            End::Deadline => "deadline",
            End::Unknown => "unknown",
        }
    }
}
