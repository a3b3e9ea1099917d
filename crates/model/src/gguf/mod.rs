//! A model file (GGUF) in this process, by llama.cpp: no server, no network.
//!
//! The model is loaded once and has a thread of its own, which answers one request after another (`thread`). Its
//! key-value cache is kept: of the next prompt only what differs from the one before is read (`reader`). The prompt's
//! special tokens become their numbers; text around them never does, whatever it spells (`tokens`). A model whose
//! format is not known, or that lacks the tokens of its format, is refused (`family`).
//!
//! A model that embeds texts instead has a thread of another kind ([`embedder`]).
//!
//! llama.cpp's log is discarded; what it logs about a file that it cannot load becomes part of the error (`log_capture`).
//! Some damaged files would end the process instead, so a file is looked at first (`header`, `duplicates`).

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

/// A model that was loaded from a file.
pub struct Gguf {
    path: PathBuf,
    name: String,
    trained: usize,
    window: usize,
    tokens: Arc<Tokens>,
    thread: Thread,
}

impl Gguf {
    /// Loads the model of a file; that takes as long as reading the file does.
    pub fn open(path: &Path, settings: Settings) -> Result<Self, GgufError> {
        header::check(path)?;
        let (thread, loaded) = Thread::start(path, settings)?;
        let name = family::names(&loaded.model, path).into_iter().next().unwrap_or_default();
        let trained = loaded.model.n_ctx_train() as usize;
        let tokens = Arc::new(Tokens::new(loaded.model));
        Ok(Self { path: path.to_owned(), name, trained, window: loaded.window, tokens, thread })
    }

    /// What the file calls its model, else the file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tokens of a prompt and its answer at the most.
    pub fn window(&self) -> usize {
        self.window
    }

    /// The format in which the model is asked to fill a hole: the one that is named, else that of the model's name in
    /// the file, and in both cases one whose tokens the model has. Never a guess.
    pub fn format(&self, named: Option<&str>) -> Result<&'static Format, GgufError> {
        family::format(&self.tokens, &self.path, named)
    }

    /// Counts by the model's own tokenizer.
    pub fn counter(&self, format: &'static Format) -> TokenCounter {
        TokenCounter::of_model(VocabularyCounter::new(Arc::clone(&self.tokens), &self.path, format))
    }

    /// The numbers of the tokens of a text in this format, as the model would be given them, without what is put before
    /// a prompt.
    pub fn tokenise(&self, text: &str, format: &'static Format) -> Vec<i32> {
        self.tokens.tokenise(text, format.specials).iter().map(|it| it.0).collect()
    }

    /// Tokens that the model was trained to read.
    pub fn trained(&self) -> usize {
        self.trained
    }

    /// A request as the thread takes it.
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
            self.thread.send(job).map_err(|()| self.failed("it was told to end"))?;
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
    /// Nothing at all at the deadline is an error that says so.
    fn in_time(
        &self,
        response: Option<CompletionResponse>,
    ) -> Result<CompletionResponse, ModelError> {
        response.ok_or_else(|| ModelError::Timeout { url: self.path.display().to_string() })
    }
}

#[cfg(test)]
mod tests;
