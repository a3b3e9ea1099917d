//! An embedding model from a file, in this process.
//!
//! As for completions, the model is loaded once and has a thread of its own (`thread`), which answers one request after another.
//! Texts are read one at a time, each as a sequence of its own, since on a processor several at once are hardly faster and a
//! request that is dropped is noticed between two texts. How the vectors of a text's tokens become one is what the file says
//! (`pooling_type`): the mean, the first or the last. A text that is longer than the model reads is cut at its last token.

mod thread;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::error::GgufError;
use super::{family, header};
use crate::error::ModelError;
use thread::{Job, Thread};

/// How an embedding model is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmbedderSettings {
    /// Tokens of a text at the most, of those that the model was trained for; 0 for [`WINDOW`].
    pub window: usize,
    /// Threads; 0 for half of the cores, since vectors are made while somebody works.
    pub threads: usize,
}

/// Tokens of a text without the setting: longer than a chunk is. Memory is taken for so many.
pub const WINDOW: usize = 2048;

/// An embedding model that was loaded from a file.
#[derive(Debug)]
pub struct GgufEmbedder {
    path: PathBuf,
    name: String,
    window: usize,
    thread: Thread,
}

impl GgufEmbedder {
    /// Loads the model of a file; that takes as long as reading the file does.
    pub fn open(path: &Path, settings: EmbedderSettings) -> Result<Self, GgufError> {
        header::check(path)?;
        let (thread, loaded) = Thread::start(path, settings)?;
        let name = family::names(&loaded.model, path).into_iter().next().unwrap_or_default();
        Ok(Self { path: path.to_owned(), name, window: loaded.window, thread })
    }

    /// What the file calls its model, else the file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tokens of a text that are read.
    pub fn window(&self) -> usize {
        self.window
    }

    /// The vectors of texts, in their order, of unit length; fails where `deadline` passes before all are made.
    pub async fn embed(
        &self,
        texts: &[String],
        deadline: Option<Instant>,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let (reply, answer) = tokio::sync::oneshot::channel();
        let job = Job { texts: texts.to_vec(), deadline, reply };
        self.thread.send(job).map_err(|()| self.failed("it was told to end"))?;
        match answer.await {
            Ok(Ok(Some(vectors))) => Ok(vectors),
            Ok(Ok(None)) => Err(ModelError::Timeout { url: self.path.display().to_string() }),
            Ok(Err(reason)) => Err(self.failed(&reason)),
            Err(_) => Err(self.failed("its thread has ended")),
        }
    }

    fn failed(&self, reason: &str) -> ModelError {
        GgufError::Failed { path: self.path.clone(), reason: reason.to_owned() }.into()
    }
}
