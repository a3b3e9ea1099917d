//! The language server's main loop: reads messages and passes slow work to worker threads. The submodules implement the
//! parts of the protocol.

mod capabilities;
mod client;
mod commands;
mod configuration;
mod inline_completion;
mod lifecycle;
mod menu_completion;
mod next_edits;
mod outcome;
mod pending;
mod progress;
mod state;
mod suggest;
mod synchronization;

use crossbeam_channel::select;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::pending::{PendingRequest, Subject};
use self::state::Phase;
pub(super) use self::state::Server;
use super::suggestion::ACCEPTED_COMMAND;
use super::transport::Incoming;
use super::worker::{Job, JobResult, Output, Task};

impl Server {
    /// Serves until `exit` or the end of input; returns true after an orderly `shutdown`.
    pub(super) fn run(mut self) -> bool {
        let input = self.input.clone();
        let completed = self.completed.clone();
        loop {
            select! {
                recv(input) -> message => match message {
                    Ok(Incoming { message: Message::Notification(it), .. })
                        if it.method == "exit" => break,
                    Ok(Incoming { message, pass }) => {
                        self.message(message);
                        // The message counted as queued until now.
                        drop(pass);
                    }
                    Err(_) => break,
                },
                recv(completed) -> it => if let Ok(it) = it { self.finish(it) },
            }
        }
        self.workspaces.store_sessions();
        self.phase == Phase::ShutDown
    }

    fn message(&mut self, message: Message) {
        match message {
            Message::Request(it) if self.phase == Phase::ShutDown => {
                self.client.fail(it.id, ErrorCode::InvalidRequest, "the server was shut down");
            }
            Message::Request(it) => self.request(it),
            Message::Notification(it) => self.notification(it),
            Message::Response(it) => self.response(it),
        }
    }

    fn request(&mut self, it: Request) {
        tracing::debug!(id = %it.id, method = it.method, "request");
        match it.method.as_str() {
            "textDocument/inlineCompletion" => {
                let Some(params) = self.params(&it) else { return };
                self.inline_completion(it.id, params);
            }
            "textDocument/completion" => {
                let Some(params) = self.params(&it) else { return };
                self.menu_completion(it.id, &params);
            }
            "workspace/symbol" => self.workspace_symbol(it.id, &it.params),
            "textDocument/codeAction" => self.code_actions(it.id, &it.params),
            "textDocument/copilotInlineEdit" => self.inline_edit(it.id, &it.params),
            "workspace/textDocumentContent" => self.page_content(it.id, &it.params),
            "workspace/executeCommand" => self.execute_command(it.id, &it.params),
            "shutdown" => self.shut_down(it.id),
            "initialize" => {
                self.client.fail(it.id, ErrorCode::InvalidRequest, "initialized already");
            }
            other => {
                tracing::debug!(method = other, "a request that is not served");
                let message = format!("{other}: unsupported method");
                self.client.fail(it.id, ErrorCode::MethodNotFound, &message);
            }
        }
    }

    /// Parses the parameters of a request; answers malformed ones with an error.
    fn params<T: DeserializeOwned>(&self, it: &Request) -> Option<T> {
        match serde_json::from_value(it.params.clone()) {
            Ok(params) => Some(params),
            Err(error) => {
                // The error's text may quote the parameters, so it is not logged.
                tracing::warn!(id = %it.id, method = it.method, "malformed parameters");
                self.client.fail(it.id.clone(), ErrorCode::InvalidParams, &error.to_string());
                None
            }
        }
    }

    fn notification(&mut self, it: Notification) {
        match it.method.as_str() {
            "initialized" => self.initialized(),
            "textDocument/didOpen" => self.did_open(it.params),
            "textDocument/didChange" => self.did_change(it.params),
            "textDocument/didClose" => self.did_close(it.params),
            "textDocument/didSave" => self.did_save(&it.params),
            "textDocument/didFocus" => self.did_focus(&it.params),
            // copilot.el tells this instead of asking for it.
            "workspace/executeCommand" if it.params["command"] == ACCEPTED_COMMAND => {
                self.accepted(&it.params["arguments"]);
            }
            // Copilot's message: a partially accepted suggestion is likely to be accepted whole.
            "textDocument/didPartiallyAcceptCompletion" => self.accept_partially(),
            "workspace/didChangeWorkspaceFolders" => self.change_folders(&it.params),
            "workspace/didChangeConfiguration" => self.did_change_configuration(&it.params),
            "$/cancelRequest" => self.cancel(&it.params["id"]),
            // The protocol allows servers to ignore unknown notifications.
            _ => {}
        }
    }

    fn response(&mut self, it: Response) {
        if it.id == RequestId::from(configuration::REQUEST_ID.to_owned())
            && let Ok(Value::Array(sections)) = it.response_result
        {
            self.configure(sections.into_iter().next().unwrap_or_default());
        }
    }

    /// Queues a job for the worker threads; [`Self::finish`] receives its output.
    fn start(&mut self, id: Option<RequestId>, subject: Subject, task: Task) {
        let (number, cancelled) = self.pending.add(id, subject);
        // Cannot fail: worker threads live as long as the sender.
        drop(self.jobs.send(Job { number, cancelled, task }));
    }

    fn cancel(&mut self, id: &Value) {
        for id in self.pending.cancel(id) {
            tracing::debug!(%id, "cancelled");
            self.client.fail(id, ErrorCode::RequestCanceled, "cancelled");
        }
    }

    /// Answers the request of a job.
    fn finish(&mut self, completed: JobResult) {
        let Some(request) = self.pending.take(completed.number) else { return };
        let PendingRequest { id, subject, .. } = request;
        match (id, subject, completed.output) {
            (id, Subject::Suggestion(request), Output::Suggestion(outcome)) => {
                let outcome = self.unless_dismissed(&request, outcome);
                if id.is_some() {
                    self.report(&outcome);
                }
                self.finish_suggestion(id, request, outcome.suggestion());
            }
            (Some(id), _, Output::Symbols(symbols)) => self.client.respond(id, &symbols),
            (Some(id), _, Output::ContextPage(page)) => self.open_page(id, page),
            (Some(id), _, Output::EditAtCursor(range, text)) => {
                self.finish_edit_at_cursor(id, range, &text);
            }
            (Some(id), Subject::Jump, Output::NextEdits(Ok(place))) => self.show_place(id, &place),
            (Some(id), _, Output::NextEdits(Ok(answer))) => self.client.respond(id, &answer),
            (Some(id), _, Output::NextEdits(Err(message))) => {
                self.client.fail(id, ErrorCode::RequestFailed, &message);
            }
            (Some(id), _, Output::Suggestion(_)) => self.client.respond(id, &Value::Null),
            (None, ..) => {}
        }
    }

    fn workspace_symbol(&mut self, id: RequestId, params: &Value) {
        let query = params.get("query").and_then(Value::as_str).unwrap_or_default();
        let task = Task::Symbols(query.to_owned());
        self.apply_buffers();
        self.start(Some(id), Subject::Symbols, task);
    }
}
