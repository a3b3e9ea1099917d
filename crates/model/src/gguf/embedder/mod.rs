//! An embedding model from a file, in this process.
//!
//! The model is loaded once and has its own thread (`thread`), which processes requests in order. Texts are processed
//! one at a time: on a processor batches are hardly faster, and a dropped request is noticed between texts. The file
//! says how token vectors are pooled (`pooling_type`): mean, first or last. Longer texts are cut at the model's last
//! token.

mod thread;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::error::GgufError;
use super::{family, header};
use crate::error::ModelError;
use thread::{Job, Thread};

/// Settings of an embedding model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmbedderSettings {
    /// Maximum tokens of a text, capped at the model's trained context; 0 for [`WINDOW`].
    pub window: usize,
    /// Threads; 0 for half of the cores, to leave the rest to the user.
    pub threads: usize,
}

/// Default maximum tokens of a text: longer than a chunk. Memory is allocated for it up front.
pub const WINDOW: usize = 2048;

/// An embedding model from a file.
#[derive(Debug)]
pub struct GgufEmbedder {
    path: PathBuf,
    name: String,
    window: usize,
    thread: Thread,
}

impl GgufEmbedder {
    /// Loads a model file; takes as long as reading it.
    pub fn open(path: &Path, settings: EmbedderSettings) -> Result<Self, GgufError> {
        header::check(path)?;
        let (thread, loaded) = Thread::start(path, settings)?;
        let name = family::names(&loaded.model, path).into_iter().next().unwrap_or_default();
        Ok(Self { path: path.to_owned(), name, window: loaded.window, thread })
    }

    /// Name of the model in the file, or the file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Maximum tokens of a text.
    pub fn window(&self) -> usize {
        self.window
    }

    /// Unit-length vectors of texts, in order; fails if `deadline` passes first.
    pub async fn embed(
        &self,
        texts: &[String],
        deadline: Option<Instant>,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let (reply, answer) = tokio::sync::oneshot::channel();
        let job = Job { texts: texts.to_vec(), deadline, reply };
        self.thread.send(job).map_err(|()| self.failed("it is shutting down"))?;
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
