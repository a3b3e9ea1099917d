//! A model file (GGUF) in this process, run by llama.cpp without server or network.
//!
//! The model is loaded once and has its own thread, which processes requests in order (`thread`). Its key-value cache
//! is kept: of the next prompt only the part that differs from the last one is processed (`reader`). Special tokens of
//! the prompt become token numbers; their spellings in other text never do (`tokens`). A model with an unknown format,
//! or without its format's tokens, is refused (`family`).
//!
//! Embedding models have a different thread ([`embedder`]).
//!
//! llama.cpp's log is discarded, except that errors from loading a file become part of our error (`log_capture`). Some
//! damaged files would abort the process, so files are checked first (`header`, `duplicates`).

mod choice;
mod duplicates;
pub mod embedder;
pub(crate) mod error;
mod family;
mod header;
mod job;
mod load;
mod log_capture;
mod reader;
mod settings;
mod text;
mod thread;
pub(crate) mod tokens;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foreword_engine::compose::Format;
use tokio::sync::mpsc::unbounded_channel;

pub use error::GgufError;
pub use settings::{CONTEXT, Settings};

use crate::counter::TokenCounter;
use crate::error::ModelError;
use crate::request::{CompletionFuture, CompletionRequest, CompletionResponse, Model, Sink};
use job::{Event, Job};
use thread::Thread;
use tokens::{Tokens, VocabularyCounter};

/// A completion model from a file.
pub struct Gguf {
    path: PathBuf,
    name: String,
    trained: usize,
    window: usize,
    tokens: Arc<Tokens>,
    thread: Thread,
}

impl Gguf {
    /// Loads a model file; takes as long as reading it.
    pub fn open(path: &Path, settings: Settings) -> Result<Self, GgufError> {
        header::check(path)?;
        let (thread, loaded) = Thread::start(path, settings)?;
        let name = family::names(&loaded.model, path).into_iter().next().unwrap_or_default();
        let trained = loaded.model.n_ctx_train() as usize;
        let tokens = Arc::new(Tokens::new(loaded.model));
        Ok(Self { path: path.to_owned(), name, trained, window: loaded.window, tokens, thread })
    }

    /// Name of the model in the file, or the file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Context window in tokens, for prompt and answer.
    pub fn window(&self) -> usize {
        self.window
    }

    /// Prompt format of the model: the given one, else that of its name in the file. Never guessed; the model must have
    /// its tokens.
    pub fn format(&self, named: Option<&str>) -> Result<&'static Format, GgufError> {
        family::format(&self.tokens, &self.path, named)
    }

    /// A counter by the model's own tokenizer.
    pub fn counter(&self, format: &'static Format) -> TokenCounter {
        TokenCounter::of_model(VocabularyCounter::new(Arc::clone(&self.tokens), &self.path, format))
    }

    /// Token numbers of a text in this format, as given to the model, without a start token.
    pub fn tokenise(&self, text: &str, format: &'static Format) -> Vec<i32> {
        self.tokens.tokenise(text, format.specials).iter().map(|it| it.0).collect()
    }

    /// Context that the model was trained for, in tokens.
    pub fn trained(&self) -> usize {
        self.trained
    }

    /// Converts a request for the thread.
    fn job(&self, request: &CompletionRequest) -> Result<(Job, Replies), ModelError> {
        let rendered = request.fill.prompt.as_ref().ok_or(ModelError::NoPrompt)?;
        let specials = Format::named(rendered.format).map_or(&[][..], |it| it.specials);
        let prompt = self.tokens.prompt(&rendered.text, specials);
        if prompt.len() >= self.window {
            let (path, tokens) = (self.path.clone(), prompt.len());
            let (window, trained) = (self.window, self.trained);
            return Err(GgufError::TooLong { path, tokens, window, trained }.into());
        }
        let (reply, replies) = unbounded_channel();
        let stops = request.stops();
        let (request, closing) = (request.clone(), self.thread.closing());
        Ok((Job { prompt, stops, request, reply, closing }, replies))
    }

    fn failed(&self, reason: impl Into<String>) -> ModelError {
        GgufError::Failed { path: self.path.clone(), reason: reason.into() }.into()
    }
}

type Replies = tokio::sync::mpsc::UnboundedReceiver<Event>;

impl Model for Gguf {
    fn title(&self) -> String {
        format!("{} from {} (llama.cpp in this process)", self.name, self.path.display())
    }

    fn complete<'a>(
        &'a self,
        request: &'a CompletionRequest,
        sink: Sink<'a>,
    ) -> CompletionFuture<'a> {
        Box::pin(async move {
            let (job, mut replies) = self.job(request)?;
            self.thread.send(job).map_err(|()| self.failed("it is shutting down"))?;
            while let Some(event) = replies.recv().await {
                match event {
                    Event::Text(text) => sink(&text),
                    Event::Finished(Ok(response)) => return self.in_time(response),
                    Event::Finished(Err(reason)) => return Err(self.failed(reason)),
                }
            }
            Err(self.failed("its thread has ended"))
        })
    }

    fn close(&self) {
        self.thread.close();
    }
}

impl Gguf {
    /// Turns an empty response at the deadline into an error.
    fn in_time(
        &self,
        response: Option<CompletionResponse>,
    ) -> Result<CompletionResponse, ModelError> {
        response.ok_or_else(|| ModelError::Timeout { url: self.path.display().to_string() })
    }
}

#[cfg(test)]
mod tests;
