//! What is kept of a request, so that a user can see later what was asked, what was added, and why.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::serve::observation::explanation::Explanation;
use crate::serve::protocols::request::Ask;

/// One request and what became of it. Times are milliseconds.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Record {
    /// Also the value of the header `x-foreword-request`.
    pub(crate) id: String,
    /// Since 1970.
    pub(crate) at: u64,
    /// The protocol: `llama.cpp`, `openai`, `mistral`, `deepseek`, `ollama` or `tabby`.
    pub(crate) door: &'static str,
    /// Where it was sent.
    pub(crate) endpoint: String,
    /// What the client calls itself.
    pub(crate) client: Option<String>,
    /// The body as it came.
    #[serde(serialize_with = "json")]
    pub(crate) request: Arc<str>,
    /// The same as it was understood, to be replayed.
    #[serde(skip)]
    pub(crate) ask: Option<Arc<Ask>>,
    /// Where the cursor was found, or why it was not.
    pub(crate) place: Place,
    /// What was made of the context.
    pub(crate) context: Context,
    /// How the context came about; null where there was none.
    pub(crate) trace: Explanation,
    /// The pieces of the prompt, in its order.
    pub(crate) snippets: Arc<[Snippet]>,
    /// What the model was sent.
    pub(crate) prompt: Option<Arc<str>>,
    /// What the client was answered, as text.
    pub(crate) answer: String,
    /// The HTTP status of the answer; 0 while there is none.
    pub(crate) status: u16,
    /// How it ended.
    pub(crate) end: Ending,
    /// Milliseconds by stage.
    pub(crate) timings: Timings,
    /// What the model's server says of itself and of its cache.
    pub(crate) model: ModelSays,
    /// What the user did with it, where the client tells.
    pub(crate) verdict: Option<Verdict>,
    /// What should be known.
    pub(crate) notes: Vec<String>,
}

/// A piece of a prompt.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Snippet {
    pub(crate) filepath: String,
    pub(crate) body: String,
    /// Higher is better; 1 for what the client brought.
    pub(crate) score: f32,
}

/// Where a request's cursor is.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Place {
    /// The root of the repository.
    pub(crate) workspace: Option<String>,
    /// The file, relative to it.
    pub(crate) path: Option<String>,
    /// 1-based.
    pub(crate) line: Option<usize>,
    /// 1-based, in characters.
    pub(crate) column: Option<usize>,
    /// How sure that is, between 0 and 1.
    pub(crate) confidence: f64,
    /// How it was found, or why it was not.
    pub(crate) how: String,
}

/// What was made of the context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Context {
    /// Nothing was tried: the request asks for no completion of code, or not to be touched.
    #[default]
    Untouched,
    /// There was context from the file's place.
    File,
    /// The file is not known: there was context by words alone.
    Lexical,
    /// It came too late.
    Late,
    /// It could not be made.
    Failed,
}

impl Context {
    /// The value of the header `x-foreword-context`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Untouched => "untouched",
            Self::File => "file",
            Self::Lexical => "lexical",
            Self::Late => "late",
            Self::Failed => "failed",
        }
    }
}

/// How a request ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ending {
    /// It has not.
    #[default]
    Running,
    /// With an answer.
    Done,
    /// The client went away.
    Cancelled,
    /// With an error.
    Failed,
}

/// Milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Timings {
    /// Until the file was found.
    pub(crate) locate: f64,
    /// From there until the prompt was made.
    pub(crate) context: f64,
    /// From sending it to the first piece of text.
    pub(crate) first: f64,
    /// From sending it to the end.
    pub(crate) model: f64,
    /// All of it.
    pub(crate) total: f64,
    /// All but the model: what foreword costs.
    pub(crate) own: f64,
}

/// What the model's server says, as far as it does.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct ModelSays {
    /// What answered.
    pub(crate) title: String,
    /// Its HTTP status; 0 for the embedded model.
    pub(crate) status: u16,
    /// Tokens of the prompt.
    pub(crate) prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub(crate) answer_tokens: Option<u64>,
    /// Tokens of the prompt that were in its cache already.
    pub(crate) cached_tokens: Option<u64>,
    /// Milliseconds for the prompt.
    pub(crate) prompt_ms: Option<f64>,
    /// Milliseconds for the answer.
    pub(crate) answer_ms: Option<f64>,
}

/// What the user did with a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    /// It was shown.
    Viewed,
    /// It was taken.
    Accepted,
    /// It was sent away.
    Dismissed,
}

/// A record in a line.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    id: String,
    at: u64,
    door: &'static str,
    endpoint: String,
    client: Option<String>,
    place: Place,
    context: Context,
    status: u16,
    end: Ending,
    timings: Timings,
    prompt_tokens: Option<u64>,
    cached_tokens: Option<u64>,
    answer_bytes: usize,
    verdict: Option<Verdict>,
    notes: usize,
}

impl Record {
    /// Without texts.
    pub(crate) fn summary(&self) -> Summary {
        Summary {
            id: self.id.clone(),
            at: self.at,
            door: self.door,
            endpoint: self.endpoint.clone(),
            client: self.client.clone(),
            place: self.place.clone(),
            context: self.context,
            status: self.status,
            end: self.end,
            timings: self.timings,
            prompt_tokens: self.model.prompt_tokens,
            cached_tokens: self.model.cached_tokens,
            answer_bytes: self.answer.len(),
            verdict: self.verdict,
            notes: self.notes.len(),
        }
    }

    /// About how many bytes it holds.
    pub(crate) fn bytes(&self) -> usize {
        let length = |it: &Option<Arc<str>>| it.as_ref().map_or(0, |it| it.len());
        let snippets = self.snippets.iter().map(|it| it.filepath.len() + it.body.len());
        let notes = self.notes.iter().map(String::len);
        let texts = self.request.len() + self.trace.bytes() + length(&self.prompt);
        let asked = self.ask.as_ref().map_or(0, |it| it.bytes());
        1024 + texts + asked + self.answer.len() + snippets.chain(notes).sum::<usize>()
    }
}

/// What is kept as text, since a tree of values takes several times its room, is JSON to those who ask.
fn json<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    value.serialize(serializer)
}
