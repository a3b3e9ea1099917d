//! Suggestions: requested, prefetched, displayed, accepted and dismissed.

use std::sync::Arc;
use std::time::Instant;

use foreword_session::answer::complete::Suggestion;
use foreword_session::clock::unix_seconds;
use foreword_session::feedback::{About, Event, Place, Source, Verdict};
use lsp_server::RequestId;
use serde_json::Value;

use super::pending::{Reply, Subject, SuggestionRequest};
use super::state::Server;
use crate::lsp::suggestion::{BufferCursor, DisplayedSuggestion, Visibility, render};
use crate::lsp::worker::{SuggestOutcome, SuggestTask, Task, Trigger};

impl Server {
    pub(super) fn suggest(&mut self, id: RequestId, cursor: BufferCursor, reply: Reply) {
        let (id, reply) = match self.pending.attach(&cursor, id, reply) {
            Ok(()) => return,
            Err(unattached) => unattached,
        };
        self.supersede(&cursor.uri);
        if !self.configuration.settings.enabled {
            return self.client.respond(id, &Value::Null);
        }
        if let Some(displayed) = &mut self.displayed {
            if let Some(rest) = displayed.rest(&cursor) {
                displayed.visibility = Visibility::Displayed;
                let answer = render(&rest, &reply.presentation);
                self.report(&SuggestOutcome::Suggestion(rest));
                return self.client.respond(id, &answer);
            }
            if displayed.is_dismissed_by(&cursor) {
                self.interactions.dismiss(&cursor.uri, &displayed.line());
                let (uri, sources) = (cursor.uri.clone(), displayed.suggestion.sources.clone());
                self.observe(&uri, &sources, Verdict::Bad);
            }
        }
        let mut task = self.suggest_task(&cursor, reply.trigger);
        task.edit = self.edit_search(&cursor, &reply.presentation);
        let task = Task::Suggest(task);
        let request = SuggestionRequest { cursor, reply: Some(reply) };
        self.start(Some(id), Subject::Suggestion(request), task);
    }

    fn suggest_task(&mut self, cursor: &BufferCursor, trigger: Trigger) -> SuggestTask {
        self.apply_buffers();
        let path = self.documents.path(&cursor.uri);
        if let Some((repository, relative)) = path.as_ref().and_then(|it| self.indexed(it)) {
            repository.activity().visit(&relative, cursor.line());
        }
        let cells = self.documents.cells_before(&cursor.uri);
        let text = match cells.is_empty() {
            true => Arc::clone(&cursor.text),
            false => format!("{cells}{}", cursor.text).into(),
        };
        SuggestTask {
            path,
            text,
            offset: cells.len() + cursor.offset,
            trigger,
            edit: None,
            settings: self.configuration.settings.clone(),
            received_at: Instant::now(),
        }
    }

    /// Answers older requests about a file with null.
    fn supersede(&mut self, uri: &str) {
        for id in self.pending.supersede(uri) {
            self.client.respond(id, &Value::Null);
        }
    }

    /// The outcome; a text that the user typed over is not shown again unasked.
    pub(super) fn unless_dismissed(
        &self,
        request: &SuggestionRequest,
        outcome: SuggestOutcome,
    ) -> SuggestOutcome {
        let SuggestionRequest { cursor, reply } = request;
        // An item of a menu does not disturb.
        let is_automatic = reply.as_ref().is_none_or(|it| it.trigger == Trigger::Automatic);
        match outcome {
            SuggestOutcome::Suggestion(it)
                if is_automatic
                    && self.interactions.is_dismissed(&cursor.uri, &cursor.line_with(&it.text)) =>
            {
                SuggestOutcome::Dismissed
            }
            outcome => outcome,
        }
    }

    /// Sends a suggestion to the editor; a prefetched one waits for a request.
    pub(super) fn finish_suggestion(
        &mut self,
        id: Option<RequestId>,
        request: SuggestionRequest,
        suggestion: Option<Suggestion>,
    ) {
        let SuggestionRequest { cursor, reply } = request;
        let visibility = match &reply {
            Some(_) => Visibility::Displayed,
            None => Visibility::Prefetched,
        };
        if let (Some(id), Some(reply)) = (id, reply) {
            let result = suggestion.as_ref().map(|it| render(it, &reply.presentation));
            self.client.respond(id, &result.unwrap_or_default());
        }
        self.displayed =
            suggestion.map(|suggestion| DisplayedSuggestion { cursor, suggestion, visibility });
    }

    /// Records an accepted suggestion and prefetches the next one.
    pub(super) fn accept(&mut self) {
        let Some(displayed) = self.displayed.take() else { return };
        self.note_accepted(&displayed);
        let DisplayedSuggestion { cursor, suggestion, .. } = &displayed;
        self.observe(&cursor.uri, &suggestion.sources, Verdict::Good);
        let cursor = displayed.accepted();
        self.supersede(&cursor.uri);
        let task = Task::Suggest(self.suggest_task(&cursor, Trigger::Automatic));
        let request = SuggestionRequest { cursor, reply: None };
        self.start(None, Subject::Suggestion(request), task);
    }

    pub(super) fn accept_partially(&mut self) {
        let Some(displayed) = self.displayed.take() else { return };
        self.note_accepted(&displayed);
        self.displayed = Some(displayed);
    }

    /// The places that an accepted suggestion was copied from count as visited.
    fn note_accepted(&mut self, displayed: &DisplayedSuggestion) {
        self.interactions.accept(&displayed.cursor.uri, &displayed.line());
        let path = self.documents.path(&displayed.cursor.uri);
        let found = path.and_then(|it| self.workspaces.of_file(&it));
        let Some((repository, _)) = found else { return };
        for (path, line) in displayed.suggestion.sources.iter().rev() {
            repository.activity().visit(path, *line);
        }
    }

    /// Records the outcome of a suggestion from these places as feedback, if the user enabled that (`feedback =
    /// "all"`).
    fn observe(&self, uri: &str, sources: &[(String, u32)], verdict: Verdict) {
        let path = self.documents.path(uri);
        let Some((repository, _)) = path.and_then(|it| self.workspaces.of_file(&it)) else {
            return;
        };
        let event = |(path, line): &(String, u32)| Event {
            at: unix_seconds(),
            verdict,
            source: Source::Editor,
            about: About::Completion,
            question: String::new(),
            place: Place {
                path: path.clone(),
                start_line: *line,
                end_line: *line,
                symbol: String::new(),
            },
        };
        repository.observe(&sources.iter().map(event).collect::<Vec<_>>());
    }
}
