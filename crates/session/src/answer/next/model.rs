//! The next-edit model (`[models.edit]`): asked for one place, within a budget of time, and its answer checked.
//!
//! It is asked only by who wants next edits, never while somebody types. A later question cancels an earlier one: its
//! connection is closed, which stops the server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail, ensure};
use foreword_engine::compose::edit::{EditChannel, EditFormat, EditPrompt, is_plain, new_region};
use foreword_engine::index::Snapshot;
use foreword_engine::next::{ProposedEdit, edits_since_commit, written_edit};
use foreword_model::chat::{ChatRequest, Message};
use foreword_model::embedded::Extent;
use foreword_model::http::Server;
use foreword_model::request::{
    CompletionRequest, Fill, FinishReason, Model as _, RenderedPrompt, StopCheck,
};
use serde::Serialize;
use tokio::sync::{Mutex, watch};
use tokio::time::timeout;

use super::prompt::{RegionPrompt, region_prompt};
use super::{LikelyPlace, LikelyPlaces, likely_edit};
use crate::backend::EditSettings;

/// Default duration of an answer with its connection: whoever goes from edit to edit does not wait longer.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Tokens of an answer: those of the region, at two bytes each, and this many more.
const MORE_TOKENS: usize = 256;

/// Bytes of a token of an answer, at most, for servers that ignore the limit of tokens.
const BYTES_PER_TOKEN: usize = 8;

/// A next-edit model, for the lifetime of a process.
pub struct EditModel {
    settings: EditSettings,
    /// Connected by the first question, so that it may start later.
    server: Mutex<Option<Arc<Server>>>,
    /// Number of questions.
    questions: watch::Sender<u64>,
}

/// What became of a question.
#[derive(Clone, Debug, Serialize)]
pub struct ModelReport {
    /// The model, or the address of its server.
    pub name: String,
    /// The file of the place.
    pub path: String,
    /// The line of the place, from 1.
    pub line: u32,
    /// `proposed`, `unchanged` or `failed`.
    pub outcome: &'static str,
    /// Why nothing is proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Duration in milliseconds.
    pub elapsed_ms: f64,
}

impl ModelReport {
    /// The sentence for people; none if an edit is proposed.
    pub fn sentence(&self) -> Option<String> {
        let Self { name, path, line, .. } = self;
        match (&self.problem, self.outcome) {
            (Some(problem), _) => Some(format!(
                "the next-edit model ({name}) proposes nothing at {path}:{line}: {problem}"
            )),
            (None, "unchanged") => {
                Some(format!("the next-edit model ({name}) would change nothing at {path}:{line}"))
            }
            (None, _) => None,
        }
    }
}

impl EditModel {
    /// A model that is not connected yet.
    pub fn new(settings: EditSettings) -> Self {
        Self { settings, server: Mutex::default(), questions: watch::Sender::new(0) }
    }

    /// Asks at the likeliest place that has no edit yet, or at the place with this index if it has none, and adds the
    /// edit to it. `None` without such a place, or where nothing was changed. Must be called within a tokio runtime.
    pub async fn add_edit(
        &self,
        snapshot: &Arc<Snapshot>,
        found: &mut LikelyPlaces,
        only: Option<usize>,
    ) -> Option<ModelReport> {
        let is_meant = |at: usize| only.is_none_or(|it| it == at);
        let mut places = found.places.iter().enumerate();
        let at = places.find(|it| it.1.edits.is_empty() && is_meant(it.0))?.0;
        if found.edits == 0 {
            return None;
        }
        let (path, line) = (found.places[at].path.clone(), found.places[at].best_line);
        let start = Instant::now();
        let answer = self.ask(snapshot, (&path, line)).await;
        let (edit, problem) = match answer.and_then(|it| apart(it, &path, found)) {
            Ok(edit) => (edit, None),
            Err(error) => (None, Some(format!("{error:#}"))),
        };
        let outcome = match (&edit, &problem) {
            (Some(_), _) => "proposed",
            (None, None) => "unchanged",
            (None, Some(_)) => "failed",
        };
        if let Some(it) = edit {
            found.places[at].edits.push(likely_edit(snapshot, &path, it));
        }
        let elapsed_ms = start.elapsed().as_secs_f64() * 1e3;
        Some(ModelReport { name: self.name(), path, line, outcome, problem, elapsed_ms })
    }

    /// A place of the snapshot with the edit that the model would make there; `None` if it would change nothing. Must be
    /// called within a tokio runtime.
    ///
    /// # Errors
    /// If it does not answer in time, or its answer must not be proposed.
    pub async fn edit_of(
        &self,
        snapshot: &Arc<Snapshot>,
        place: &LikelyPlace,
    ) -> anyhow::Result<Option<LikelyPlace>> {
        let edit = self.ask(snapshot, (&place.path, place.best_line)).await?;
        let with = |it| LikelyPlace {
            edits: vec![likely_edit(snapshot, &place.path, it)],
            ..place.clone()
        };
        Ok(edit.map(with))
    }

    /// The edit that the model would make around a line; `None` if it would change nothing.
    ///
    /// # Errors
    /// If it does not answer in time, or its answer must not be proposed.
    async fn ask(
        &self,
        snapshot: &Arc<Snapshot>,
        place: (&str, u32),
    ) -> anyhow::Result<Option<ProposedEdit>> {
        let mut own = 0;
        self.questions.send_modify(|it| {
            *it += 1;
            own = *it;
        });
        let budget = self.settings.limits.timeout.unwrap_or(TIMEOUT);
        tokio::select! {
            answer = timeout(budget, self.answer(snapshot, place)) => answer
                .unwrap_or_else(|_| Err(anyhow!("it did not answer within {} ms", budget.as_millis()))),
            () = self.is_over(own) => Err(anyhow!("a later request came")),
        }
    }

    /// Ends when there is a later question.
    async fn is_over(&self, own: u64) {
        // Without a sender there would be no later question, and this is the sender.
        drop(self.questions.subscribe().wait_for(|it| *it != own).await);
    }

    async fn answer(
        &self,
        snapshot: &Arc<Snapshot>,
        (path, line): (&str, u32),
    ) -> anyhow::Result<Option<ProposedEdit>> {
        let server = self.server().await?;
        let format = self.settings.format.unwrap_or_else(|| EditFormat::of_model(server.model()));
        let (copy, path) = (Arc::clone(snapshot), path.to_owned());
        // Composing takes as long as a search.
        let composed = tokio::task::spawn_blocking(move || {
            region_prompt(&copy, (&path, line), format).map(|it| (path, it))
        });
        let (path, it) = composed.await.context("the prompt was not made")??;
        let region = &it.text[it.region.clone()];
        ensure!(is_plain(format, region), "the lines there have marks of its prompts");
        let answer = self.generate(&server, (format, &it)).await;
        if answer.is_err() {
            // The server may be another one by the next question.
            *self.server.lock().await = None;
        }
        let new = new_region(format, region, &it.prompt.prefill, &answer?)?;
        let edits = edits_since_commit(snapshot);
        let edit = written_edit(snapshot, (&path, it.region), &new, &edits)?;
        Ok(edit)
    }

    /// The text that the model writes.
    async fn generate(
        &self,
        server: &Server,
        (format, it): (&'static EditFormat, &RegionPrompt),
    ) -> anyhow::Result<String> {
        let tokens = it.region.len() / 2 + MORE_TOKENS;
        let tokens = self.settings.limits.max_tokens.map_or(tokens, |it| it.min(tokens));
        let most = tokens * BYTES_PER_TOKEN;
        let path = match format.channel {
            EditChannel::Prompt => {
                let request = completion(format, &it.prompt, (tokens, most));
                let response = server.complete(&request, &mut |_| {}).await?;
                let choice = response.choices.into_iter().next().context("it has no answer")?;
                return finished(choice.text, choice.finish_reason, most);
            }
            EditChannel::Message => None,
            EditChannel::MessageAt(path) => Some(path),
        };
        let system = format.system.map(|it| Message::System(it.to_owned()));
        let user = Message::User(it.prompt.text.clone());
        let request = ChatRequest {
            messages: system.into_iter().chain([user]).collect(),
            max_tokens: Some(tokens),
            max_bytes: Some(most),
            stop: it.prompt.stop.clone(),
            temperature: Some(0.0),
            path,
            ..ChatRequest::default()
        };
        let response = server.chat(&request, &mut |_| {}).await?;
        finished(response.text, response.finish_reason, most)
    }

    /// The connected server.
    async fn server(&self) -> anyhow::Result<Arc<Server>> {
        let mut server = self.server.lock().await;
        if let Some(known) = &*server {
            return Ok(Arc::clone(known));
        }
        let EditSettings { url, api, model, key, .. } = &self.settings;
        let connected = Server::connect(url, *api, model.as_deref(), key.clone()).await?;
        Ok(Arc::clone(server.insert(Arc::new(connected))))
    }

    fn name(&self) -> String {
        self.settings.model.clone().unwrap_or_else(|| self.settings.url.clone())
    }
}

/// The edit, if no other edit of the file has lines of it.
fn apart(
    edit: Option<ProposedEdit>,
    path: &str,
    found: &LikelyPlaces,
) -> anyhow::Result<Option<ProposedEdit>> {
    let Some(own) = edit else { return Ok(None) };
    let others = found.places.iter().filter(|it| it.path == path).flat_map(|it| &it.edits);
    let overlaps = |it: &ProposedEdit| {
        it.range.start < own.range.end.max(own.range.start + 1)
            && own.range.start < it.range.end.max(it.range.start + 1)
    };
    ensure!(!others.map(|it| &it.edit).any(overlaps), "another edit follows on the same lines");
    Ok(Some(own))
}

fn completion(
    format: &'static EditFormat,
    prompt: &EditPrompt,
    (max_tokens, most): (usize, usize),
) -> CompletionRequest {
    let prompt = RenderedPrompt {
        format: format.name,
        text: prompt.text.clone(),
        stop: prompt.stop.clone(),
    };
    CompletionRequest {
        fill: Fill { prompt: Some(prompt), ..Fill::default() },
        extent: Extent::Block(usize::MAX),
        max_tokens,
        stop: Vec::new(),
        temperature: 0.0,
        n: 1,
        deadline: None,
        stop_check: Some(StopCheck::new(move |text| text.len() > most)),
    }
}

/// The text of an answer that came to its end.
fn finished(text: String, reason: FinishReason, most: usize) -> anyhow::Result<String> {
    ensure!(text.len() <= most, "its answer did not end");
    match reason {
        FinishReason::Stop => Ok(text),
        FinishReason::Length => bail!("its answer did not end"),
        FinishReason::Deadline | FinishReason::ToolCalls | FinishReason::Unknown => {
            bail!("its answer broke off")
        }
    }
}
