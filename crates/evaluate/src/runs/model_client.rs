//! Completes holes by a model server with the pieces of a method, and scores the completions.
//!
//! The prompt is rendered in the model's own format as the product renders it, from the window and the pieces of the
//! method; the answer is cleaned as for an editor ([`mod@foreword_model::clean`]). The temperature is 0 and each
//! request is made once: answers are cached on disk by request ([`cache`]), so that an interrupted run continues, and a
//! second run with other baselines requests only theirs.

pub mod cache;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use foreword_chunk::Language;
use foreword_engine::compose::{self, Format, Part, compose};
use foreword_engine::trim::Window;
use foreword_model::clean::{InsertionPoint, Writer as Kind, clean};
use foreword_model::embedded::Extent;
use foreword_model::http::{Api, Server, completion_body};
use foreword_model::request::{
    CompletionRequest, CompletionResponse, Fill, FinishReason, Model as _, RenderedPrompt,
};
use foreword_model::{request, wait};
use serde::Serialize;

use crate::measures::coverage::{ContextPiece, Coverage};
use crate::measures::{chrf, edit_similarity, exact_match, first_lines};
use cache::Cache;

/// Model server and its settings.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    pub(crate) url: String,
    /// The API, by name; detected when absent.
    pub(crate) api: Option<String>,
    /// The model, or its format; the server's own when absent.
    pub(crate) name: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) max_tokens: usize,
    pub(crate) patience: Duration,
    pub(crate) cache: PathBuf,
}

/// A connected model that can fill holes.
#[derive(Debug)]
pub struct ModelClient {
    server: Server,
    format: &'static Format,
    max_tokens: usize,
    patience: Duration,
    cache: Cache,
    asked: AtomicUsize,
    known: AtomicUsize,
}

/// The model of a run.
#[derive(Clone, Debug, Serialize)]
pub struct ModelInfo {
    /// The model, its address and its API.
    pub(crate) model: String,
    pub(crate) format: &'static str,
    pub(crate) max_tokens: usize,
    #[serde(skip)]
    pub(crate) asked: usize,
    #[serde(skip)]
    pub(crate) known: usize,
}

/// The text around a hole.
#[derive(Clone, Debug)]
pub struct HoleText<'s> {
    pub(crate) repository: &'s str,
    /// The cursor's file.
    pub(crate) path: &'s str,
    /// The visible text before the cursor.
    pub(crate) prefix: &'s str,
    /// The text after it.
    pub(crate) suffix: Cow<'s, str>,
}

impl<'s> HoleText<'s> {
    /// The text of a window. A hole of whole lines is completed on an empty line, as in an editor: the line feed after it
    /// belongs to the suffix.
    pub fn new(repository: &'s str, path: &'s str, window: &'s Window, truth: &str) -> Self {
        let begins_line = window.prefix.is_empty() || window.prefix.ends_with('\n');
        let suffix = match begins_line && truth.ends_with('\n') {
            true => Cow::Owned(format!("\n{}", window.suffix)),
            false => Cow::Borrowed(window.suffix.as_str()),
        };
        Self { repository, path, prefix: &window.prefix, suffix }
    }
}

impl ModelClient {
    /// Connects to the server and checks that the model can fill holes.
    pub fn connect(at: &ModelSettings) -> Result<Self> {
        let known = || Api::ALL.map(Api::name).join(", ");
        let api = match at.api.as_deref() {
            None => None,
            Some(name) => Some(Api::named(name).with_context(|| {
                format!("--model-api {name}: no such way to ask; there are {}", known())
            })?),
        };
        let name = at.name.as_deref();
        let (server, format) = wait(async {
            let server = Server::connect(&at.url, api, name, at.key.clone()).await?;
            server.ensure_suffix().await?;
            let format = server.format(name).await?;
            Ok::<_, foreword_model::ModelError>((server, format))
        })
        .context(
            "completions cannot be made (here --model is the address, --model-name the model or its format)",
        )?;
        Ok(Self {
            server,
            format,
            max_tokens: at.max_tokens,
            patience: at.patience,
            cache: Cache::open(&at.cache)?,
            asked: AtomicUsize::new(0),
            known: AtomicUsize::new(0),
        })
    }

    /// Describes the model for a run.
    pub fn info(&self) -> ModelInfo {
        ModelInfo {
            model: self.server.title(),
            format: self.format.name,
            max_tokens: self.max_tokens,
            asked: self.asked.load(Ordering::Relaxed),
            known: self.known.load(Ordering::Relaxed),
        }
    }

    /// Completes a hole with `pieces` in the order of the prompt.
    pub fn complete(&self, spot: &HoleText<'_>, pieces: &[ContextPiece]) -> Result<String> {
        let request = self.request(spot, pieces);
        let raw = self.answer(&request)?;
        let point = InsertionPoint {
            prefix: spot.prefix,
            suffix: &spot.suffix,
            stop: request.fill.prompt.as_ref().map_or(&[], |it| it.stop.as_slice()),
            specials: self.format.specials,
            extent: request.extent,
            writer: if self.server.api() == Api::Chat { Kind::Chat } else { Kind::Base },
        };
        Ok(clean(&raw, &point).text)
    }

    fn request(&self, spot: &HoleText<'_>, pieces: &[ContextPiece]) -> CompletionRequest {
        CompletionRequest {
            fill: self.fill(spot, pieces),
            // No limit on lines: the measures cut the answer to the length of the truth.
            extent: Extent::Block(usize::MAX - 1),
            max_tokens: self.max_tokens,
            stop: Vec::new(),
            temperature: 0.0,
            n: 1,
            deadline: None,
            stop_check: None,
        }
    }

    fn fill(&self, spot: &HoleText<'_>, pieces: &[ContextPiece]) -> Fill {
        let language = Language::of_path(spot.path, "");
        let line_comment = language.and_then(Language::line_comment);
        let hole = compose::Hole {
            repository: spot.repository,
            path: spot.path,
            line_comment,
            language_name: language.map(Language::name),
            prefix: spot.prefix,
            suffix: &spot.suffix,
        };
        let parts: Vec<Part<'_>> =
            pieces.iter().map(|it| Part { path: &it.path, text: &it.text }).collect();
        let prompt = compose(self.format, &hole, &parts);
        let piece = |it: &ContextPiece| request::ContextPiece {
            path: it.path.clone(),
            text: it.text.clone(),
        };
        Fill {
            path: spot.path.to_owned(),
            language: language.map(Language::name),
            line_comment,
            prefix: spot.prefix.to_owned(),
            suffix: spot.suffix.clone().into_owned(),
            pieces: pieces.iter().map(piece).collect(),
            prompt: Some(RenderedPrompt {
                format: self.format.name,
                text: prompt.text,
                stop: prompt.stop,
            }),
            ..Fill::default()
        }
    }

    /// The raw answer to a request, cached.
    fn answer(&self, request: &CompletionRequest) -> Result<String> {
        let body = completion_body(self.server.api(), self.server.model(), request)?;
        let key = Cache::key(&[&self.server.title(), self.server.api().path(), &body.to_string()]);
        if let Some(known) = self.cache.get(&key) {
            self.known.fetch_add(1, Ordering::Relaxed);
            return Ok(known);
        }
        let deadline = Some(Instant::now() + self.patience);
        let request = CompletionRequest { deadline, ..request.clone() };
        let CompletionResponse { choices, .. } = wait(self.server.complete(&request, &mut |_| {}))?;
        let choice = choices.into_iter().next().context("the model gave no answer")?;
        ensure!(
            matches!(choice.finish_reason, FinishReason::Stop | FinishReason::Length),
            "the model's answer was cut off ({}); raise --model-timeout if it is slow",
            choice.finish_reason.name()
        );
        self.cache.put(&key, &choice.text)?;
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(choice.text)
    }
}

/// Scores a completion against the truth, cut to the truth's number of lines.
pub fn score(coverage: &mut Coverage, completion: &str, truth: &str) {
    coverage.chrf = Some(chrf(&first_lines(completion, truth), truth));
    coverage.exact = Some(exact_match(completion, truth));
    coverage.similarity = Some(edit_similarity(completion, truth));
}
