//! The thread of an embedding model.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use tokio::sync::oneshot;

use super::{EmbedderSettings, WINDOW};
use crate::gguf::error::GgufError;
use crate::gguf::load::{self, load_embedder};
use crate::gguf::settings::{check_threads, startable};

/// Texts for the thread.
pub(super) struct Job {
    pub(super) texts: Vec<String>,
    pub(super) deadline: Option<Instant>,
    /// Closed when the request is dropped.
    pub(super) reply: oneshot::Sender<Vectors>,
}

/// Vectors of texts; `None` after the deadline, or an error.
pub(super) type Vectors = Result<Option<Vec<Vec<f32>>>, String>;

/// A thread that embeds texts.
#[derive(Debug)]
pub(super) struct Thread {
    running: Mutex<Option<(Sender<Job>, JoinHandle<()>)>>,
    closing: Arc<AtomicBool>,
}

/// A loaded model.
pub(super) struct LoadedModel {
    pub(super) model: Arc<LlamaModel>,
    pub(super) window: usize,
}

impl Thread {
    /// Starts the thread and waits until the model is loaded.
    pub(super) fn start(
        path: &Path,
        settings: EmbedderSettings,
    ) -> Result<(Self, LoadedModel), GgufError> {
        let failed = |reason: String| GgufError::Failed { path: path.to_owned(), reason };
        let (jobs, to_do) = channel();
        let (ready, loaded) = channel();
        let closing = Arc::new(AtomicBool::new(false));
        let worker = Worker { path: path.to_owned(), settings, closing: Arc::clone(&closing) };
        let builder = std::thread::Builder::new().name("gguf-embed".to_owned());
        let handle = builder.spawn(move || worker.run(&ready, &to_do));
        let handle = handle.map_err(|it| failed(it.to_string()))?;
        // The channel closes only if the thread panicked.
        let loaded =
            loaded.recv().map_err(|_| failed("llama.cpp could not load it".to_owned()))??;
        Ok((Self { running: Mutex::new(Some((jobs, handle))), closing }, loaded))
    }

    /// Sends a job to the thread; fails if it has ended.
    pub(super) fn send(&self, job: Job) -> Result<(), ()> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.as_ref().ok_or(())?.0.send(job).map_err(drop)
    }
}

impl Drop for Thread {
    /// Ends the thread, interrupting its current job.
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((jobs, handle)) = running {
            drop(jobs);
            // A thread that panicked has also ended.
            let _ = handle.join();
        }
    }
}

/// State and body of the thread.
struct Worker {
    path: PathBuf,
    settings: EmbedderSettings,
    closing: Arc<AtomicBool>,
}

impl Worker {
    fn run(&self, ready: &Sender<Result<LoadedModel, GgufError>>, jobs: &Receiver<Job>) {
        let model = match load_embedder(&self.path) {
            Ok(model) => Arc::new(model),
            Err(error) => return drop(ready.send(Err(error))),
        };
        let mut reader = match Reader::new(&model, &self.path, self.settings) {
            Ok(reader) => reader,
            Err(error) => return drop(ready.send(Err(error))),
        };
        let loaded = LoadedModel { model: Arc::clone(&model), window: reader.window };
        if ready.send(Ok(loaded)).is_err() {
            return;
        }
        for job in jobs {
            let Job { texts, deadline, reply } = job;
            let is_late = || deadline.is_some_and(|it| Instant::now() >= it);
            let is_wanted =
                || !reply.is_closed() && !self.closing.load(Ordering::Relaxed) && !is_late();
            let vectors = reader.embed(&texts, &is_wanted);
            // Fails if the request was dropped.
            let _ = reply.send(vectors);
        }
    }
}

/// Computes embeddings.
struct Reader<'m> {
    model: &'m LlamaModel,
    context: LlamaContext<'m>,
    batch: LlamaBatch<'static>,
    window: usize,
    threads: usize,
    /// The token after every text, if the model has one.
    end: Option<LlamaToken>,
}

/// Number of the only sequence.
const SEQUENCE: i32 = 0;

impl<'m> Reader<'m> {
    /// Allocates memory for a text of the configured length, capped at the model's trained context.
    fn new(
        model: &'m LlamaModel,
        path: &Path,
        settings: EmbedderSettings,
    ) -> Result<Self, GgufError> {
        let wanted = if settings.window == 0 { WINDOW } else { settings.window };
        let window = u32::try_from(wanted).unwrap_or(u32::MAX).min(model.n_ctx_train()).max(1);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = if settings.threads == 0 { cores.div_ceil(2) } else { settings.threads };
        let threads = startable(wanted);
        // Non-causal models must process a text in one step.
        let params = LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(window))
            .with_n_batch(window)
            .with_n_ubatch(window)
            .with_n_threads(threads as i32)
            .with_n_threads_batch(threads as i32)
            .with_embeddings(true)
            .with_no_perf(true);
        let context = load::context(model, path, params)?;
        let window = context.n_ctx().min(window) as usize;
        let around = model.vocab().tokenize(b"", true, false);
        let end = around.last().copied().filter(|it| around.len() > 1 || !is_first(model, *it));
        Ok(Self { model, context, batch: LlamaBatch::new(window, 1), window, threads, end })
    }

    /// The vectors of texts; `None` if cancelled.
    fn embed(&mut self, texts: &[String], is_wanted: &dyn Fn() -> bool) -> Vectors {
        check_threads(self.threads)?;
        let mut res = Vec::with_capacity(texts.len());
        for text in texts {
            if !is_wanted() {
                return Ok(None);
            }
            res.push(self.vector(text)?);
        }
        Ok(Some(res))
    }

    fn vector(&mut self, text: &str) -> Result<Vec<f32>, String> {
        let tokens = self.tokens(text);
        if tokens.is_empty() {
            return Err("its tokenizer gives nothing for a text".to_owned());
        }
        self.batch.clear();
        for (at, token) in tokens.iter().enumerate() {
            let added = self.batch.add(*token, at as i32, &[SEQUENCE], true);
            added.map_err(|it| it.to_string())?;
        }
        self.context.clear_kv_cache();
        self.context.decode(&mut self.batch).map_err(|it| it.to_string())?;
        let vector = self.context.embeddings_seq_ith(SEQUENCE).map_err(|it| it.to_string())?;
        Ok(unit(vector))
    }

    /// Tokens of a text, cut to the window, with the model's start and end tokens. No spelling is special.
    fn tokens(&self, text: &str) -> Vec<LlamaToken> {
        let mut res = self.model.vocab().tokenize(text.as_bytes(), true, false);
        if res.len() > self.window {
            res.truncate(self.window);
            if let (Some(last), Some(end)) = (res.last_mut(), self.end) {
                *last = end;
            }
        }
        res
    }
}

/// Whether this is the start token of every text.
fn is_first(model: &LlamaModel, token: LlamaToken) -> bool {
    model.vocab().tokenize(b"x", true, false).first() == Some(&token)
}

/// Scales a vector to unit length; a zero vector is unchanged.
fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
    let by = if length > 0.0 { 1.0 / length } else { 1.0 };
    vector.iter().map(|it| it * by).collect()
}
