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
use super::ghost::{ACCEPTED, Shape, Shown, line_of, told};
use super::memory;
use super::pages::{Pages, SCHEME};
use super::places::Places;
use super::position::Encoding;
use super::settings::Settings;
use super::signals::{Signals, Visit};
use super::worker::{self, Done, Job, Outcome, Suggest, Work};
use crate::answer::complete::{Prompted, Suggestion};
use crate::host::{Host, Indexing};

/// What an editor calls to see the prompt at a place, with its URI and position.
const SHOW: &str = "foreword.showContext";

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
    /// It opens documents that it is asked to open.
    opens: bool,
    /// It asks for the text of documents that are no files.
    asks_text: bool,
}

/// A question that is being worked on.
struct Pending {
    number: u64,
    /// None while nobody has asked: it is what will be asked next.
    id: Option<RequestId>,
    stop: Arc<AtomicBool>,
    about: About,
}

enum About {
    Suggestion { uri: String, text: Arc<str>, offset: usize, ask: Option<Ask> },
    Symbols,
    Page,
}

/// How a suggestion was asked for.
struct Ask {
    shape: Shape,
    is_invoked: bool,
}

pub(super) struct Server {
    connection: Connection,
    places: Arc<Places>,
    documents: Documents,
    encoding: Encoding,
    /// What the editor said of settings at the start.
    options: Value,
    settings: Settings,
    editor: Editor,
    jobs: Sender<Job>,
    done: Receiver<Done>,
    pending: Vec<Pending>,
    /// How many jobs there were.
    jobs_begun: u64,
    shown: Option<Shown>,
    signals: Signals,
    /// Whether what an earlier session left was taken up.
    has_recalled: bool,
    pages: Pages,
    is_shut_down: bool,
}

impl Server {
    /// Waits for `initialize` and answers it.
    pub(super) fn new(
        host: Host,
        model: Option<Prompted>,
        connection: Connection,
    ) -> anyhow::Result<Self> {
        let (id, params) = connection.initialize_start()?;
        let flag =
            |path: &str| params.pointer(path).is_some_and(|it| !it.is_null() && *it != false);
        let editor = Editor {
            ghost_text: flag("/capabilities/textDocument/inlineCompletion"),
            registers: flag("/capabilities/textDocument/inlineCompletion/dynamicRegistration"),
            settings: flag("/capabilities/workspace/configuration"),
            progress: flag("/capabilities/window/workDoneProgress"),
            opens: flag("/capabilities/window/showDocument/support"),
            asks_text: flag("/capabilities/workspace/textDocumentContent"),
        };
        let offered = params.pointer("/capabilities/general/positionEncodings").cloned();
        let offered: Vec<PositionEncodingKind> =
            offered.and_then(|it| serde_json::from_value(it).ok()).unwrap_or_default();
        let encoding = Encoding::choose(&offered);
        let places = Arc::new(Places::new(host, model, folders(&params)));
        let (jobs, done) = worker::start(&places)?;
        let mut res = Self {
            connection,
            places,
            documents: Documents::default(),
            encoding,
            options: params.get("initializationOptions").cloned().unwrap_or_default(),
            settings: Settings::default(),
            editor,
            jobs,
            done,
            pending: Vec::new(),
            jobs_begun: 0,
            shown: None,
            signals: Signals::default(),
            has_recalled: false,
            pages: Pages::default(),
            is_shut_down: false,
        };
        res.take_settings(Value::Null);
        res.answer(id, &res.introduction());
        Ok(res)
    }

    fn introduction(&self) -> Value {
        let ghost_text = self.editor.ghost_text && !self.editor.registers;
        let mut capabilities = json!({
            "positionEncoding": self.encoding.kind(),
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "workspaceSymbolProvider": true,
            "executeCommandProvider": { "commands": [ACCEPTED, SHOW] },
            "codeActionProvider": { "codeActionKinds": ["source"] },
            "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        });
        if self.editor.asks_text {
            capabilities["workspace"]["textDocumentContent"] = json!({ "schemes": [SCHEME] });
        }
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
        self.keep();
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
                self.start(Some(it.id), About::Symbols, work);
            }
            "textDocument/codeAction" => self.answer(it.id, &actions(&it.params)),
            "workspace/textDocumentContent" => {
                let uri = it.params.get("uri").and_then(Value::as_str).unwrap_or_default();
                match self.pages.get(uri) {
                    Some(text) => self.answer(it.id, &json!({ "text": text })),
                    None => self.fail(it.id, ErrorCode::InvalidParams, "there is no such page"),
                }
            }
            "workspace/executeCommand" => match it.params.get("command").and_then(Value::as_str) {
                Some(ACCEPTED) => {
                    self.answer(it.id, &Value::Null);
                    self.accept();
                }
                Some(SHOW) => self.show(it.id, &it.params["arguments"]),
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
            // Copilot's: what was taken in part is likely to be taken whole.
            "textDocument/didPartiallyAcceptCompletion" => self.accept_part(),
            "workspace/didChangeWorkspaceFolders" => self.change_folders(&it.params),
            "workspace/didChangeConfiguration" if self.editor.settings => self.ask_settings(),
            "workspace/didChangeConfiguration" => {
                let section = it.params.pointer("/settings/foreword").cloned();
                self.take_settings(section.unwrap_or_default());
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
            self.take_settings(sections.into_iter().next().unwrap_or_default());
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

    /// Takes what the editor says of settings, over what it said at the start.
    fn take_settings(&mut self, section: Value) {
        self.settings = Settings::read(&self.options, section).unwrap_or_else(|why| {
            self.notify("window/showMessage", json!({ "type": 2, "message": why }));
            Settings::default()
        });
        if self.settings.remember && !std::mem::replace(&mut self.has_recalled, true) {
            let folders = self.places.folders();
            let known = folders.iter().filter_map(|it| self.places.of_folder(it));
            let visits: Vec<Visit> = known.flat_map(|it| memory::recall(&it)).collect();
            self.signals.recall(&visits);
        }
    }

    /// Keeps for the next session what the user wants to be kept.
    fn keep(&self) {
        if !self.settings.remember {
            return;
        }
        let mut roots = Vec::new();
        for repository in self.places.folders().iter().filter_map(|it| self.places.of_folder(it)) {
            let root = &repository.workspace().root;
            if !roots.contains(root) {
                roots.push(root.clone());
                // It is a convenience; the editor is gone and nobody could be told.
                drop(memory::keep(&repository, &self.signals.visits(), self.signals.outcomes()));
            }
        }
    }

    /// Indexes a folder, and shows how far that is where the editor has a place for it.
    fn watch(&mut self, folder: PathBuf) {
        let (places, sender) = (Arc::clone(&self.places), self.connection.sender.clone());
        let shows = self.editor.progress;
        let watch = move || {
            let Some(repository) = places.of_folder(&folder) else { return };
            let token = format!("foreword-index-{}", repository.workspace().root.display());
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
        let ask = Ask { shape, is_invoked };
        let Some((id, ask)) = self.join(&uri, &text, offset, id, ask) else { return };
        self.supersede(&uri);
        if !self.settings.enabled {
            return self.answer(id, &Value::Null);
        }
        if let Some(shown) = &mut self.shown {
            if let Some(rest) = shown.rest(&uri, &text, offset) {
                shown.is_told = true;
                return self.answer(id, &told(&rest, &ask.shape));
            }
            if shown.is_refused_by(&uri, &text, offset) {
                self.signals.dismiss(&uri, &shown.line());
            }
        }
        self.documents.touch(&uri);
        let work = self.work(&uri, &text, offset, is_invoked);
        self.start(Some(id), About::Suggestion { uri, text, offset, ask: Some(ask) }, work);
    }

    /// Gives a question to the job that already works on it; gives it back where there is none.
    fn join(
        &mut self,
        uri: &str,
        text: &str,
        offset: usize,
        id: RequestId,
        ask: Ask,
    ) -> Option<(RequestId, Ask)> {
        let is_it = |it: &&mut Pending| match &it.about {
            About::Suggestion { uri: of, text: its, offset: at, ask: None } => {
                of == uri && *at == offset && **its == *text
            }
            _ => false,
        };
        match self.pending.iter_mut().find(is_it).filter(|_| !ask.is_invoked) {
            Some(Pending { id: of, about: About::Suggestion { ask: its, .. }, .. }) => {
                *of = Some(id);
                *its = Some(ask);
                None
            }
            _ => Some((id, ask)),
        }
    }

    fn work(&mut self, uri: &str, text: &str, offset: usize, is_invoked: bool) -> Work {
        self.tell_buffers();
        let path = crate::uri::path_of(uri);
        if let Some(path) = &path {
            self.signals.visit(path, text[..offset].matches('\n').count() as u32 + 1);
        }
        Work::Suggest(Suggest {
            path,
            text: text.to_owned(),
            offset,
            recent: self.documents.recent(uri),
            visits: self.signals.visits(),
            edited: self.documents.edited(uri),
            is_invoked,
            settings: self.settings.clone(),
            asked_at: Instant::now(),
        })
    }

    /// The suggestion was taken. What stands behind it is what will be asked for next, so that is begun at once.
    fn accept(&mut self) {
        let Some(shown) = self.shown.take() else { return };
        let sources = self.sources(&shown);
        self.signals.accept(&shown.uri, &shown.line(), &sources);
        let (text, offset) = shown.accepted();
        self.supersede(&shown.uri);
        let work = self.work(&shown.uri, &text, offset, false);
        let (uri, text) = (shown.uri, text.into());
        self.start(None, About::Suggestion { uri, text, offset, ask: None }, work);
    }

    fn accept_part(&mut self) {
        let Some(shown) = &self.shown else { return };
        let (uri, line, sources) = (shown.uri.clone(), shown.line(), self.sources(shown));
        self.signals.accept(&uri, &line, &sources);
    }

    /// The places that a suggestion comes from.
    fn sources(&self, shown: &Shown) -> Vec<Visit> {
        let home = crate::uri::path_of(&shown.uri).and_then(|it| self.places.of_file(&it));
        let Some((repository, _)) = home else { return Vec::new() };
        let root = &repository.workspace().root;
        let sources = shown.suggestion.sources.iter();
        sources.map(|(path, line)| Visit { path: root.join(path), line: *line }).collect()
    }

    /// Shows the prompt at a place.
    fn show(&mut self, id: RequestId, arguments: &Value) {
        let uri = arguments[0].as_str().unwrap_or_default();
        let position = serde_json::from_value::<Position>(arguments[1].clone());
        let (Some(document), Ok(position)) = (self.documents.get(uri), position) else {
            let what = format!("{SHOW} wants the URI of an open document and a position in it");
            return self.fail(id, ErrorCode::InvalidParams, &what);
        };
        let text = document.text.to_string();
        let offset = self.encoding.offset(&text, position);
        let path = document.path.clone();
        let recent = self.documents.recent(uri);
        self.tell_buffers();
        self.start(Some(id), About::Page, Work::Show { path, text, offset, recent });
    }

    /// Opens a page in the editor; the answer says where it is.
    fn open_page(&mut self, id: RequestId, made: Result<String, String>) {
        let placed = made.and_then(|text| match self.editor.asks_text {
            true => Ok(self.pages.add(text)),
            false => {
                let path = self.pages.write(&text).map_err(|it| format!("{it:#}"))?;
                Ok(crate::uri::of_path(&path))
            }
        });
        match placed {
            Ok(uri) => {
                if self.editor.opens {
                    let params = json!({ "uri": uri, "takeFocus": true });
                    self.ask("foreword-show", "window/showDocument", params);
                }
                self.answer(id, &json!({ "uri": uri }));
            }
            Err(why) => self.fail(id, ErrorCode::RequestFailed, &why),
        }
    }

    fn start(&mut self, id: Option<RequestId>, about: About, work: Work) {
        let stop = Arc::new(AtomicBool::new(false));
        self.jobs_begun += 1;
        let number = self.jobs_begun;
        self.pending.push(Pending { number, id, stop: Arc::clone(&stop), about });
        // The threads live as long as the sender does.
        drop(self.jobs.send(Job { number, stop, work }));
    }

    /// Answers older questions about a file with nothing.
    fn supersede(&mut self, uri: &str) {
        let is_older =
            |it: &mut Pending| matches!(&it.about, About::Suggestion { uri: of, .. } if of == uri);
        let older: Vec<Pending> = self.pending.extract_if(.., is_older).collect();
        for it in older {
            it.stop.store(true, Ordering::Relaxed);
            if let Some(id) = it.id {
                self.answer(id, &Value::Null);
            }
        }
    }

    fn cancel(&mut self, id: &Value) {
        let is_it = |it: &mut Pending| {
            it.id.as_ref().is_some_and(|it| serde_json::to_value(it).is_ok_and(|it| it == *id))
        };
        let cancelled: Vec<Pending> = self.pending.extract_if(.., is_it).collect();
        for it in cancelled {
            it.stop.store(true, Ordering::Relaxed);
            if let Some(id) = it.id {
                self.fail(id, ErrorCode::RequestCanceled, "cancelled");
            }
        }
    }

    fn finish(&mut self, done: Done) {
        let Some(at) = self.pending.iter().position(|it| it.number == done.number) else { return };
        let Pending { id, about, .. } = self.pending.remove(at);
        match (id, about, done.result) {
            (id, About::Suggestion { uri, text, offset, ask }, Outcome::Suggestion(found)) => {
                let is_invoked = ask.as_ref().is_some_and(|it| it.is_invoked);
                let line = |it: &Suggestion| line_of(&text[..offset], &it.text);
                let is_welcome =
                    |it: &Suggestion| is_invoked || !self.signals.is_refused(&uri, &line(it));
                let found = found.filter(is_welcome);
                let is_told = ask.is_some();
                if let (Some(id), Some(Ask { shape, .. })) = (id, ask) {
                    self.answer(id, &found.as_ref().map_or(Value::Null, |it| told(it, &shape)));
                }
                self.shown =
                    found.map(|suggestion| Shown { uri, text, offset, suggestion, is_told });
            }
            (Some(id), _, Outcome::Symbols(found)) => self.answer(id, &found),
            (Some(id), _, Outcome::Page(made)) => self.open_page(id, made),
            (Some(id), _, Outcome::Suggestion(_)) => self.answer(id, &Value::Null),
            (None, ..) => {}
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

/// What can be done at a place: the prompt can be shown.
fn actions(params: &Value) -> Value {
    let (uri, position) = (params.pointer("/textDocument/uri"), params.pointer("/range/start"));
    let wanted = params.pointer("/context/only").and_then(Value::as_array);
    let is_wanted = wanted.is_none_or(|it| it.iter().any(|it| *it == "source" || *it == ""));
    let (Some(uri), Some(position), true) = (uri, position, is_wanted) else { return json!([]) };
    let title = "foreword: show context here";
    let command = json!({ "title": title, "command": SHOW, "arguments": [uri, position] });
    json!([{ "title": title, "kind": "source", "command": command }])
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
