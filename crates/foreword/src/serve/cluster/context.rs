//! `POST /v1/context`: the prompt at a cursor in a file of one repository, as `context --json` has it.

use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use foreword_cluster::Access;
use foreword_engine::compose::Format;
use foreword_engine::index::Snapshot;
use foreword_engine::preset::Preset;
use foreword_engine::prompt::TooSmall;
use foreword_engine::scope::{Activity, Cursor};
use foreword_engine::speculate::ShownForecasts;
use foreword_model::TokenCounter;
use foreword_session::activity::ActivityElsewhere;
use foreword_session::answer::place::offset_of;
use foreword_session::answer::prompt::output::{ContextOutput, StageTimes};
use foreword_session::answer::prompt::{
    COMPLETION_TOKENS, PromptRequest, compose, format_of, limit_budget,
};
use foreword_session::host::{AnalyzedTexts, admit_anywhere, large_text};
use foreword_session::usage::{check_length, usage};
use serde::Deserialize;

use super::questions::{Names, Place, Texts, answered};
use super::{ClusterApp, PromptSettings};
use crate::serve::http::error::ApiError;

/// The body of a request.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ContextBody {
    repository: String,
    branch: Option<String>,
    file: String,
    /// From 1; without, the end of the file.
    line: Option<usize>,
    /// From 1, in characters; without, the end of the line.
    column: Option<usize>,
    /// The text of the file; without, as it was pushed.
    text: Option<String>,
    /// Texts of other files.
    texts: Texts,
    /// Files that were opened or edited last, latest first.
    recent: Names,
    intent: String,
    model: Option<String>,
    budget: Option<usize>,
}

/// A request whose body was checked.
struct PromptQuestion<'q> {
    settings: &'q PromptSettings,
    body: ContextBody,
    /// The repository's name, without its owner.
    repository: String,
    recent: Vec<String>,
    texts: AnalyzedTexts,
    format: &'static Format,
    counter: TokenCounter,
    preset: Preset,
    /// That the budget was limited.
    note: Option<String>,
    start: Instant,
}

/// A cursor in a text.
struct CursorText {
    cursor: Cursor,
    activity: Activity,
    lines_before: usize,
    note: Option<String>,
}

pub(super) async fn context(
    State(app): State<Arc<ClusterApp>>,
    Extension(access): Extension<Access>,
    body: Bytes,
) -> Result<Response, ApiError> {
    answered(app, 3, &body, move |app, mut body: ContextBody| {
        let place = Place::new(&access, &body.repository, body.branch.take())?;
        let question = PromptQuestion::new(app, place.name(), body)?;
        place.answer(app, |snapshot| question.answer(snapshot))
    })
    .await
}

impl<'q> PromptQuestion<'q> {
    fn new(app: &'q ClusterApp, repository: &str, mut body: ContextBody) -> anyhow::Result<Self> {
        let (start, settings) = (Instant::now(), &app.prompts);
        admit_anywhere(&body.file)?;
        check_length("intent", &body.intent)?;
        if body.line == Some(0) || body.column == Some(0) {
            return Err(usage("lines and columns count from 1"));
        }
        let model = body.model.as_deref().unwrap_or(&settings.model);
        let format = format_of(model).map_err(|it| usage(format!("model {model}: {it}")))?;
        let counter = TokenCounter::for_format(format, settings.tokenizer.as_deref())?;
        let mut preset = settings.shape.preset(body.budget.unwrap_or(settings.budget))?;
        let most = format.window_of(model).saturating_sub(COMPLETION_TOKENS);
        let note = limit_budget(&mut preset, most, &counter);
        Ok(Self {
            settings,
            repository: repository.to_owned(),
            recent: std::mem::take(&mut body.recent).all(),
            texts: std::mem::take(&mut body.texts).analyzed(app)?,
            body,
            format,
            counter,
            preset,
            note,
            start,
        })
    }

    fn answer(&self, pushed: &Snapshot) -> anyhow::Result<String> {
        let open = self.start.elapsed().as_secs_f64() * 1e3;
        let snapshot = &pushed.with_packed(&self.texts)?;
        let CursorText { cursor, activity, lines_before, note } = self.cursor(snapshot)?;
        let request = PromptRequest {
            repository: &self.repository,
            snapshot,
            cursor: &cursor,
            activity: &activity,
            preset: &self.preset,
            format: self.format,
            counter: &self.counter,
            deadline: None,
            is_fresh: true,
            forecasts: ShownForecasts::beside(None, 0),
        };
        let run = compose(request, &self.settings.setup.analyzer);
        let run = run.map_err(|it| match it.downcast::<TooSmall>() {
            Ok(it) => usage(format!("{it}; raise budget")),
            Err(it) => it,
        })?;
        let times = StageTimes::new(open, &run.stages);
        let mut res = ContextOutput::new(&request, &run.answer, lines_before, times);
        res.notes.extend(note.into_iter().chain(self.note.clone()));
        Ok(serde_json::to_string(&res)?)
    }

    /// The cursor in the text of the request, or in that of the snapshot.
    fn cursor(&self, snapshot: &Snapshot) -> anyhow::Result<CursorText> {
        let ContextBody { file, line, column, text, intent, .. } = &self.body;
        let found = snapshot.file(file);
        let pushed = || found.map(|it| snapshot.text(it));
        let text = text.as_deref().map(Into::into).or_else(pushed);
        let absent = |it: &str| usage(format!("{it}: there is no such file; send its text"));
        let text = text.ok_or_else(|| absent(file))?;
        let offset = match *line {
            None => text.len(),
            Some(line) => offset_of(&text, line, *column)
                .map_err(|error| usage(format!("{file}:{line}: {error}")))?,
        };
        let most = self.settings.setup.max_text_bytes();
        let (part, at) = large_text::analysable(file, &text, offset, most);
        let is_cut = part.len() < text.len();
        let recent = self.recent.iter().map(|it| match snapshot.file(it) {
            Some(_) => Ok(it.clone()),
            None => Err(usage(format!("recent: there is no file {it}"))),
        });
        let elsewhere =
            ActivityElsewhere { recent: recent.collect::<Result<_, _>>()?, ..Default::default() };
        let cursor = Cursor::new(file.clone(), part, at)?.with_intent(intent.clone());
        let (cursor, activity) = elsewhere.at(cursor);
        Ok(CursorText {
            cursor,
            activity,
            lines_before: text[..offset - at].matches('\n').count(),
            note: is_cut.then(|| large_text::note(text.len())),
        })
    }
}
