//! The loop: messages in, jobs out; answers of jobs in, answers out. No message waits for a job.
//!
//! Of one file the newest question counts: when it comes, the older ones are answered with nothing at once, since an
//! editor that moved on need not have taken them back.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, select};
use foreword_engine::index::Change;
use foreword_engine::source::Source;
use gen_lsp_types::{
    CompletionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InlineCompletionParams, Position, PositionEncodingKind, Range,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::documents::Documents;
use super::places::Places;
use super::position::Encoding;
use super::settings::Settings;
use super::worker::{self, Done, Job, Outcome, Suggest, Work};
use crate::answer::complete::Suggestion;
use crate::host::{Host, Indexing};

/// What an editor calls when a suggestion was taken.
const ACCEPTED: &str = "foreword.accepted";

/// The id of our question for settings.
const SETTINGS: &str = "foreword-settings";

/// How long indexing is watched for the editor's progress bar.
const WATCHED: Duration = Duration::from_mins(10);

/// What the editor can do.
#[derive(Clone, Copy, Default)]
struct Editor {
    ghost_text: bool,
    /// It wants to be told later that there is ghost text.
    registers: bool,
    settings: bool,
    progress: bool,
}

/// A question that is being worked on.
struct Pending {
    id: RequestId,
    stop: Arc<AtomicBool>,
    about: About,
}

enum About {
    Suggestion { uri: String, text: Arc<str>, offset: usize, shape: Shape },
    Symbols,
}

/// How a suggestion is told.
#[derive(Clone)]
enum Shape {
    /// Ghost text, in a range of its own or in that of the menu's selected item, which it must begin with.
    Ghost { range: Range, begin: String },
    /// An item of the menu, for editors without ghost text.
    Item { at: Position, word: String },
}

/// The suggestion that the editor got last.
struct Shown {
    uri: String,
    text: Arc<str>,
    offset: usize,
    suggestion: Suggestion,
}

pub(super) struct Server {
    connection: Connection,
    places: Arc<Places>,
    documents: Documents,
    encoding: Encoding,
    settings: Settings,
    editor: Editor,
    jobs: Sender<Job>,
    done: Receiver<Done>,
    pending: Vec<Pending>,
    shown: Option<Shown>,
    is_shut_down: bool,
}

impl Server {
    /// Waits for `initialize` and answers it.
    pub(super) fn new(host: Host, connection: Connection) -> anyhow::Result<Self> {
        let (id, params) = connection.initialize_start()?;
        let flag =
            |path: &str| params.pointer(path).is_some_and(|it| !it.is_null() && *it != false);
        let editor = Editor {
            ghost_text: flag("/capabilities/textDocument/inlineCompletion"),
            registers: flag("/capabilities/textDocument/inlineCompletion/dynamicRegistration"),
            settings: flag("/capabilities/workspace/configuration"),
            progress: flag("/capabilities/window/workDoneProgress"),
        };
        let offered = params.pointer("/capabilities/general/positionEncodings").cloned();
        let offered: Vec<PositionEncodingKind> =
            offered.and_then(|it| serde_json::from_value(it).ok()).unwrap_or_default();
        let encoding = Encoding::choose(&offered);
        let places = Arc::new(Places::new(host, folders(&params)));
        let (jobs, done) = worker::start(&places)?;
        let mut res = Self {
            connection,
            places,
            documents: Documents::default(),
            encoding,
            settings: Settings::default(),
            editor,
            jobs,
            done,
            pending: Vec::new(),
            shown: None,
            is_shut_down: false,
        };
        res.take_settings(params.get("initializationOptions").cloned());
        res.answer(id, &res.introduction());
        Ok(res)
    }

    fn introduction(&self) -> Value {
        let ghost_text = self.editor.ghost_text && !self.editor.registers;
        let mut capabilities = json!({
            "positionEncoding": self.encoding.kind(),
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "workspaceSymbolProvider": true,
            "executeCommandProvider": { "commands": [ACCEPTED] },
            "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        });
        if ghost_text {
            capabilities["inlineCompletionProvider"] = true.into();
        }
        if !self.editor.ghost_text {
            capabilities["completionProvider"] = json!({ "resolveProvider": false });
        }
        let this = json!({ "name": "foreword", "version": env!("CARGO_PKG_VERSION") });
        json!({ "capabilities": capabilities, "serverInfo": this })
    }

    /// Serves until `exit` or the end of input; true when `shutdown` came before it.
    pub(super) fn run(mut self) -> bool {
        let input = self.connection.receiver.clone();
        let done = self.done.clone();
        loop {
            select! {
                recv(input) -> message => match message {
                    Ok(Message::Notification(it)) if it.method == "exit" => break,
                    Ok(message) => self.take(message),
                    Err(_) => break,
                },
                recv(done) -> it => if let Ok(it) = it { self.finish(it) },
            }
        }
        self.is_shut_down
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Request(it) if self.is_shut_down => {
                self.fail(it.id, ErrorCode::InvalidRequest, "the server was shut down");
            }
            Message::Request(it) => self.request(it),
            Message::Notification(it) => self.notification(it),
            Message::Response(it) => self.response(it),
        }
    }

    fn request(&mut self, it: Request) {
        match it.method.as_str() {
            "textDocument/inlineCompletion" => {
                let Some(params) = self.params(&it) else { return };
                self.ghost(it.id, params);
            }
            "textDocument/completion" => {
                let Some(params) = self.params(&it) else { return };
                self.item(it.id, &params);
            }
            "workspace/symbol" => {
                let query = it.params.get("query").and_then(Value::as_str).unwrap_or_default();
                let work = Work::Symbols(query.to_owned());
                self.tell_buffers();
                self.start(it.id, About::Symbols, work);
            }
            "workspace/executeCommand" => match it.params.get("command").and_then(Value::as_str) {
                Some(ACCEPTED) => {
                    self.shown = None;
                    self.answer(it.id, &Value::Null);
                }
                _ => self.fail(it.id, ErrorCode::InvalidParams, "there is no such command"),
            },
            "shutdown" => {
                self.is_shut_down = true;
                self.answer(it.id, &Value::Null);
            }
            "initialize" => self.fail(it.id, ErrorCode::InvalidRequest, "initialized already"),
            other => {
                let what = format!("{other}: not served");
                self.fail(it.id, ErrorCode::MethodNotFound, &what);
            }
        }
    }

    /// The parameters of a request; one of another shape is answered here.
    fn params<T: DeserializeOwned>(&mut self, it: &Request) -> Option<T> {
        match serde_json::from_value(it.params.clone()) {
            Ok(params) => Some(params),
            Err(error) => {
                self.fail(it.id.clone(), ErrorCode::InvalidParams, &error.to_string());
                None
            }
        }
    }

    fn notification(&mut self, it: Notification) {
        match it.method.as_str() {
            "initialized" => self.initialized(),
            "textDocument/didOpen" => {
                if let Ok(it) = serde_json::from_value::<DidOpenTextDocumentParams>(it.params) {
                    self.documents.open(&it.text_document.uri.0, it.text_document.text);
                }
            }
            "textDocument/didChange" => {
                if let Ok(it) = serde_json::from_value::<DidChangeTextDocumentParams>(it.params) {
                    let uri = &it.text_document.text_document_identifier.uri.0;
                    self.documents.change(uri, it.content_changes, self.encoding);
                }
            }
            "textDocument/didClose" => {
                if let Ok(it) = serde_json::from_value::<DidCloseTextDocumentParams>(it.params) {
                    self.close(&it.text_document.uri.0);
                }
            }
            "textDocument/didSave" => {
                if let Some(path) = uri_of(&it.params).and_then(crate::uri::path_of) {
                    self.places.forget(&path);
                }
            }
            "textDocument/didFocus" => {
                if let Some(uri) = uri_of(&it.params).filter(|it| self.documents.get(it).is_some())
                {
                    self.documents.touch(uri);
                }
            }
            "workspace/didChangeWorkspaceFolders" => self.change_folders(&it.params),
            "workspace/didChangeConfiguration" if self.editor.settings => self.ask_settings(),
            "workspace/didChangeConfiguration" => {
                let settings = it.params.pointer("/settings/foreword").cloned();
                self.take_settings(settings);
            }
            "$/cancelRequest" => self.cancel(&it.params["id"]),
            // What editors tell beside is nothing that must be understood.
            _ => {}
        }
    }

    fn response(&mut self, it: Response) {
        if it.id == RequestId::from(SETTINGS.to_owned())
            && let Ok(Value::Array(sections)) = it.response_result
        {
            self.take_settings(sections.into_iter().next());
        }
    }

    /// What can be asked of the editor only now.
    fn initialized(&mut self) {
        if self.editor.registers {
            let options = json!({ "documentSelector": [{ "pattern": "**" }] });
            let method = "textDocument/inlineCompletion";
            let registration =
                json!({ "id": "ghost", "method": method, "registerOptions": options });
            self.ask(
                "foreword-register",
                "client/registerCapability",
                json!({ "registrations": [registration] }),
            );
        }
        if self.editor.settings {
            self.ask_settings();
        }
        for folder in self.places.folders() {
            self.watch(folder);
        }
    }

    fn ask_settings(&mut self) {
        self.ask(
            SETTINGS,
            "workspace/configuration",
            json!({ "items": [{ "section": "foreword" }] }),
        );
    }

    fn take_settings(&mut self, value: Option<Value>) {
        self.settings = Settings::read(value).unwrap_or_else(|why| {
            self.notify("window/showMessage", json!({ "type": 2, "message": why }));
            Settings::default()
        });
    }

    /// Indexes a folder, and shows how far that is where the editor has a place for it.
    fn watch(&mut self, folder: PathBuf) {
        let (places, sender) = (Arc::clone(&self.places), self.connection.sender.clone());
        let shows = self.editor.progress;
        let watch = move || {
            let Some(repository) = places.of_folder(&folder) else { return };
            let token = format!("foreword-index-{}", repository.workspace().name);
            let send = |method: &str, params: Value| {
                let _ = sender.send(Notification::new(method.to_owned(), params).into());
            };
            let progress =
                |value: Value| send("$/progress", json!({ "token": token, "value": value }));
            let mut begun = false;
            let mut report = |it: Indexing| {
                let percentage = it.done * 100 / it.total.max(1);
                if shows && !begun {
                    let id = RequestId::from(token.clone());
                    let params = json!({ "token": token });
                    let create =
                        Request::new(id, "window/workDoneProgress/create".to_owned(), params);
                    let _ = sender.send(create.into());
                    progress(
                        json!({ "kind": "begin", "title": "foreword: indexing", "percentage": percentage }),
                    );
                    begun = true;
                } else if shows {
                    let message = format!("{} of {} files", it.done, it.total);
                    progress(
                        json!({ "kind": "report", "message": message, "percentage": percentage }),
                    );
                }
            };
            // Whoever asks later sees what was in the way.
            drop(repository.view_with(Some(WATCHED), &mut report));
            if begun {
                progress(json!({ "kind": "end" }));
            }
        };
        // Without a thread for it the folder is indexed when something is asked.
        drop(std::thread::Builder::new().name("watch".to_owned()).spawn(watch));
    }

    fn change_folders(&mut self, params: &Value) {
        let paths = |key: &str| -> Vec<PathBuf> {
            let list = params.pointer(key).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(|it| crate::uri::path_of(it.get("uri")?.as_str()?)).collect()
        };
        let added = paths("/event/added");
        self.places.change(added.clone(), &paths("/event/removed"));
        added.into_iter().for_each(|it| self.watch(it));
    }

    fn close(&mut self, uri: &str) {
        let Some(path) = self.documents.close(uri) else { return };
        if let Some((repository, relative)) = self.places.of_file(&path) {
            repository.apply(Change::Remove(relative));
        }
        self.places.forget(&path);
    }

    /// Lays the buffers that changed over their repositories, those that others may see.
    fn tell_buffers(&mut self) {
        for (path, text) in self.documents.take_new() {
            let Some((repository, relative)) = self.places.of_file(&path) else { continue };
            if self.places.is_indexed(&path, &repository, &relative) {
                let source = Source { path: relative, text: text.to_string() };
                repository.apply(Change::Write(source));
            }
        }
    }

    fn ghost(&mut self, id: RequestId, it: InlineCompletionParams) {
        let place = it.text_document_position_params;
        let uri = place.text_document.uri.0;
        let Some(document) = self.documents.get(&uri) else { return self.answer(id, &Value::Null) };
        let text = Arc::clone(&document.text);
        let offset = self.encoding.offset(&text, place.position);
        let is_invoked = serde_json::to_value(it.context.trigger_kind).is_ok_and(|it| it == 1);
        let at = self.encoding.position(&text, offset);
        let Some(selected) = it.context.selected_completion_info else {
            let shape = Shape::Ghost { range: Range { start: at, end: at }, begin: String::new() };
            return self.suggest(id, uri, text, offset, shape, is_invoked);
        };
        // The item of the menu is taken for typed; what is suggested goes on behind it.
        let span = self.encoding.span(&text, selected.range);
        let typed = format!("{}{}{}", &text[..span.start], selected.text, &text[span.end..]);
        let offset = span.start + selected.text.len();
        let shape = Shape::Ghost { range: selected.range, begin: selected.text };
        self.suggest(id, uri, typed.into(), offset, shape, is_invoked);
    }

    fn item(&mut self, id: RequestId, it: &CompletionParams) {
        let place = &it.text_document_position_params;
        let uri = place.text_document.uri.0.clone();
        let Some(document) = self.documents.get(&uri) else { return self.answer(id, &Value::Null) };
        let text = Arc::clone(&document.text);
        let offset = self.encoding.offset(&text, place.position);
        let at = self.encoding.position(&text, offset);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let start = text[..offset].rfind(|c| !is_word(c)).map_or(0, |it| it + 1);
        let start = (start..=offset).find(|it| text.is_char_boundary(*it)).unwrap_or(offset);
        let shape = Shape::Item { at, word: text[start..offset].to_owned() };
        self.suggest(id, uri, text, offset, shape, true);
    }

    fn suggest(
        &mut self,
        id: RequestId,
        uri: String,
        text: Arc<str>,
        offset: usize,
        shape: Shape,
        is_invoked: bool,
    ) {
        self.supersede(&uri);
        if !self.settings.enabled {
            return self.answer(id, &Value::Null);
        }
        if let Some(rest) = self.shown.as_ref().and_then(|it| it.rest(&uri, &text, offset)) {
            return self.answer(id, &told(&rest, &shape));
        }
        self.documents.touch(&uri);
        self.tell_buffers();
        let work = Work::Suggest(Suggest {
            path: crate::uri::path_of(&uri),
            text: text.to_string(),
            offset,
            recent: self.documents.recent(&uri),
            is_invoked,
            settings: self.settings.clone(),
            asked_at: Instant::now(),
        });
        self.start(id, About::Suggestion { uri, text, offset, shape }, work);
    }

    fn start(&mut self, id: RequestId, about: About, work: Work) {
        let stop = Arc::new(AtomicBool::new(false));
        self.pending.push(Pending { id: id.clone(), stop: Arc::clone(&stop), about });
        // The threads live as long as the sender does.
        drop(self.jobs.send(Job { id, stop, work }));
    }

    /// Answers older questions about a file with nothing.
    fn supersede(&mut self, uri: &str) {
        let is_older =
            |it: &mut Pending| matches!(&it.about, About::Suggestion { uri: of, .. } if of == uri);
        let older: Vec<Pending> = self.pending.extract_if(.., is_older).collect();
        for it in older {
            it.stop.store(true, Ordering::Relaxed);
            self.answer(it.id, &Value::Null);
        }
    }

    fn cancel(&mut self, id: &Value) {
        let is_it = |it: &mut Pending| serde_json::to_value(&it.id).is_ok_and(|it| it == *id);
        let cancelled: Vec<Pending> = self.pending.extract_if(.., is_it).collect();
        for it in cancelled {
            it.stop.store(true, Ordering::Relaxed);
            self.fail(it.id, ErrorCode::RequestCanceled, "cancelled");
        }
    }

    fn finish(&mut self, done: Done) {
        let Some(at) = self.pending.iter().position(|it| it.id == done.id) else { return };
        let it = self.pending.remove(at);
        match (it.about, done.result) {
            (About::Suggestion { uri, text, offset, shape }, Outcome::Suggestion(found)) => {
                self.answer(it.id, &found.as_ref().map_or(Value::Null, |it| told(it, &shape)));
                self.shown = found.map(|suggestion| Shown { uri, text, offset, suggestion });
            }
            (_, Outcome::Symbols(found)) => self.answer(it.id, &found),
            (About::Symbols, Outcome::Suggestion(_)) => self.answer(it.id, &Value::Null),
        }
    }

    fn answer(&self, id: RequestId, result: &Value) {
        self.send(Response::new_ok(id, result).into());
    }

    fn fail(&self, id: RequestId, code: ErrorCode, message: &str) {
        self.send(Response::new_err(id, code as i32, message.to_owned()).into());
    }

    fn notify(&self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params).into());
    }

    fn ask(&self, id: &str, method: &str, params: Value) {
        self.send(Request::new(RequestId::from(id.to_owned()), method.to_owned(), params).into());
    }

    /// When nobody reads any more, the loop ends with its input.
    fn send(&self, message: Message) {
        drop(self.connection.sender.send(message));
    }
}

impl Shown {
    /// What is left of the suggestion when the user has typed into it.
    fn rest(&self, uri: &str, text: &str, offset: usize) -> Option<Suggestion> {
        let typed = offset.checked_sub(self.offset).filter(|_| uri == self.uri)?;
        let suggestion = &self.suggestion;
        let begin = suggestion.text.get(..typed)?;
        let same = text.len() == self.text.len() + typed
            && text.get(..self.offset)? == &self.text[..self.offset]
            && text.get(self.offset..offset)? == begin
            && text.get(offset..)? == &self.text[self.offset..];
        let rest = suggestion.text[typed..].to_owned();
        (same && !rest.trim().is_empty())
            .then_some(Suggestion { text: rest, confidence: suggestion.confidence })
    }
}

/// A suggestion as the editor wants it.
fn told(it: &Suggestion, shape: &Shape) -> Value {
    let accepted = json!({ "title": "accepted", "command": ACCEPTED, "arguments": [] });
    match shape {
        Shape::Ghost { range, begin } => json!({ "items": [{
            "insertText": format!("{begin}{}", it.text),
            "range": range,
            "command": accepted,
        }] }),
        Shape::Item { at, word } => {
            let label: String =
                it.text.trim().lines().next().unwrap_or_default().chars().take(60).collect();
            json!({ "isIncomplete": true, "items": [{
                "label": format!("{word}{label}"),
                "labelDetails": { "description": "foreword" },
                "kind": 1,
                "preselect": false,
                "sortText": "\u{7f}foreword",
                "filterText": word,
                "documentation": it.text,
                "textEdit": { "range": { "start": at, "end": at }, "newText": it.text },
                "command": accepted,
            }] })
        }
    }
}

/// The folders that an editor opens with.
fn folders(params: &Value) -> Vec<PathBuf> {
    let listed = params.get("workspaceFolders").and_then(Value::as_array).into_iter().flatten();
    let mut uris: Vec<&str> = listed.filter_map(|it| it.get("uri")?.as_str()).collect();
    if uris.is_empty() {
        uris.extend(params.get("rootUri").and_then(Value::as_str));
    }
    uris.into_iter().filter_map(crate::uri::path_of).filter(|it| it.is_dir()).collect()
}

fn uri_of(params: &Value) -> Option<&str> {
    params.pointer("/textDocument/uri")?.as_str()
}
