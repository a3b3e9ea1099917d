//! A real model at an address: what it writes in a hole beside the pieces that a method shows, and how near that is to
//! what stood there.
//!
//! The prompt is rendered in the model's own format as the product renders it, from the window and the pieces of the
//! method; the answer is cleaned as an editor would get it ([`mod@foreword_model::clean`]). It is asked with temperature 0
//! and each request once: answers are kept on disk by what was asked ([`cache`]), so a run that is cut off goes on where
//! it stopped, and a second run with other baselines asks only for these.

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

/// Which model is asked, and how.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// Where the server is.
    pub url: String,
    /// The way to ask it, by name; found out when it is not said.
    pub api: Option<String>,
    /// The model, or its format; the server's own when it is not said.
    pub name: Option<String>,
    /// What the server wants to see.
    pub key: Option<String>,
    /// Tokens of an answer at the most.
    pub max_tokens: usize,
    /// How long an answer may take.
    pub patience: Duration,
    /// Where answers are kept.
    pub cache: PathBuf,
}

/// A model that is there and can fill holes.
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

/// What a run was written by.
#[derive(Clone, Debug, Serialize)]
pub struct ModelInfo {
    /// The model, its address and how it was asked.
    pub model: String,
    /// The format of the prompts.
    pub format: &'static str,
    /// Tokens of an answer at the most.
    pub max_tokens: usize,
    /// Answers that were made for this run.
    #[serde(skip)]
    pub asked: usize,
    /// Answers that were known.
    #[serde(skip)]
    pub known: usize,
}

/// Where something is written.
#[derive(Clone, Debug)]
pub struct HoleText<'s> {
    /// `owner/name`.
    pub repository: &'s str,
    /// The cursor's file.
    pub path: &'s str,
    /// The text before the cursor that the model sees.
    pub prefix: &'s str,
    /// The text after it.
    pub suffix: Cow<'s, str>,
}

impl<'s> HoleText<'s> {
    /// Beside the text of a window. Whole lines are written where a line is empty, as in an editor: the line feed
    /// behind them stands after the cursor.
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
    /// Finds the model, and that it can fill holes as it is going to be asked.
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

    /// What a run with it was written by.
    pub fn info(&self) -> ModelInfo {
        ModelInfo {
            model: self.server.title(),
            format: self.format.name,
            max_tokens: self.max_tokens,
            asked: self.asked.load(Ordering::Relaxed),
            known: self.known.load(Ordering::Relaxed),
        }
    }

    /// What the model writes beside `pieces`, which stand in the order of the prompt.
    pub fn write(&self, spot: &HoleText<'_>, pieces: &[ContextPiece]) -> Result<String> {
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
            // As many lines as the model likes: the measures cut it to those of the truth.
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

    /// The raw answer to a request, made once.
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

/// Notes how near a completion is to what stood there; how much a model writes on is no merit and no fault.
pub fn measure(coverage: &mut Coverage, completion: &str, truth: &str) {
    coverage.chrf = Some(chrf(&first_lines(completion, truth), truth));
    coverage.exact = Some(exact_match(completion, truth));
    coverage.similarity = Some(edit_similarity(completion, truth));
}
