//! The thread of a completion model, which loads the model and processes requests in order.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use llama_cpp_2::model::LlamaModel;

use super::choice::{Sampling, Streaming, likeliest, write};
use super::error::GgufError;
use super::job::{Event, Job};
use super::load::load;
use super::reader::{Progress, Reader};
use super::settings::Settings;
use crate::request::{CompletionRequest, CompletionResponse, FinishReason};

/// A thread that completes.
pub(super) struct Thread {
    running: Mutex<Option<Running>>,
    closing: Arc<AtomicBool>,
}

struct Running {
    jobs: Sender<Job>,
    handle: JoinHandle<()>,
}

/// A loaded model.
pub(super) struct LoadedModel {
    pub(super) model: Arc<LlamaModel>,
    pub(super) window: usize,
}

impl Thread {
    /// Starts the thread and waits until the model is loaded.
    pub(super) fn start(path: &Path, settings: Settings) -> Result<(Self, LoadedModel), GgufError> {
        let failed =
            |reason: &str| GgufError::Failed { path: path.to_owned(), reason: reason.into() };
        let (jobs, to_do) = channel();
        let (ready, loaded) = channel();
        let closing = Arc::new(AtomicBool::new(false));
        let worker = Worker { path: path.to_owned(), settings };
        let builder = std::thread::Builder::new().name("gguf".to_owned());
        let handle = builder.spawn(move || worker.run(&ready, &to_do));
        let handle = handle.map_err(|it| failed(&it.to_string()))?;
        // The channel closes only if the thread panicked.
        let loaded = loaded.recv().map_err(|_| failed("llama.cpp could not load it"))??;
        let running = Mutex::new(Some(Running { jobs, handle }));
        Ok((Self { running, closing }, loaded))
    }

    /// Flag that tells jobs to end.
    pub(super) fn closing(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.closing)
    }

    /// Sends a job to the thread; fails if it has ended.
    pub(super) fn send(&self, job: Job) -> Result<(), ()> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let running = running.as_ref().ok_or(())?;
        running.jobs.send(job).map_err(drop)
    }

    /// Ends the thread, interrupting its current job.
    pub(super) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Running { jobs, handle }) = running {
            drop(jobs);
            // A thread that panicked has also ended.
            let _ = handle.join();
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.close();
    }
}

/// State and body of the thread.
struct Worker {
    path: PathBuf,
    settings: Settings,
}

impl Worker {
    fn run(&self, ready: &Sender<Result<LoadedModel, GgufError>>, jobs: &Receiver<Job>) {
        let model = match load(&self.path) {
            Ok(model) => Arc::new(model),
            Err(error) => return drop(ready.send(Err(error))),
        };
        let mut reader = match Reader::new(&model, &self.path, self.settings) {
            Ok(reader) => reader,
            Err(error) => return drop(ready.send(Err(error))),
        };
        let loaded = LoadedModel { model: Arc::clone(&model), window: reader.window() };
        if ready.send(Ok(loaded)).is_err() {
            return;
        }
        for job in jobs {
            let res = complete(&mut reader, &model, &job);
            // Fails if the request was cancelled.
            let _ = job.reply.send(Event::Finished(res));
        }
    }
}

/// `None` if the deadline passed before any text, or the request was cancelled.
fn complete(
    reader: &mut Reader<'_>,
    model: &LlamaModel,
    job: &Job,
) -> Result<Option<CompletionResponse>, String> {
    let is_wanted = || job.is_wanted() && !job.is_late();
    let Progress::Read(cached) = reader.read(&job.prompt, &is_wanted)? else { return Ok(None) };
    if reader.logits().iter().any(|it| it.is_nan()) {
        return Err("its weights give no numbers, so the file may be damaged".to_owned());
    }
    let mut res = CompletionResponse {
        choices: Vec::new(),
        prompt_tokens: Some(job.prompt.len() as u64),
        cached_tokens: Some(cached as u64),
    };
    let CompletionRequest { max_tokens, n, temperature, .. } = job.request;
    // With no tokens to generate, the prompt is only cached.
    if max_tokens == 0 {
        return Ok(Some(res));
    }
    let firsts = likeliest(reader.logits(), n);
    for (number, first) in firsts.into_iter().enumerate() {
        if number > 0 && reader.read(&job.prompt, &is_wanted)? == Progress::Stopped {
            break;
        }
        let sampling = match temperature > 0.0 {
            true => Sampling::random(temperature, number),
            false => Sampling::Greedy(first),
        };
        let streaming = if number == 0 { Streaming::On } else { Streaming::Off };
        let Some(choice) = write(reader, model, job, sampling, streaming)? else { break };
        res.choices.push(choice);
    }
    let has_begun = res
        .choices
        .first()
        .is_some_and(|it| it.finish_reason != FinishReason::Deadline || !it.text.is_empty());
    Ok(has_begun.then_some(res))
}
