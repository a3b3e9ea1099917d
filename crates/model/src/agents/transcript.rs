//! Requests and answers for one file, one JSON object a line, for interrupted runs and replays.
//!
//! ```text
//! {"version":1,"path":…,"hash":…,"planner":…}                  the file, its text, and the planner's key
//! {"stage":…,"request":…,"said":[…],"answer":{…},"usage":{…}}  one for each answer of the model
//! ```
//!
//! `request` is a hash of everything that affects the answer. An answer is reused only for the same hash; so a replay computes
//! the messages again from the repository and compares them.

use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use foreword_engine::source::ContentHash;
use serde_json::{Value, json};

use super::Cost;
use crate::chat::{ChatRequest, ChatResponse, Message, ToolCall};
use crate::request::FinishReason;

/// Format version; other versions are not read.
const VERSION: u64 = 1;

/// Maximum bytes of a transcript.
const MAX_BYTES: u64 = 64 << 20;

/// Errors of transcripts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// The transcript cannot be written. The run ends, since paid answers could be lost.
    #[error("the transcript {} cannot be written: {source}; make room, or move the index with --index-dir", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The transcript is missing or unreadable.
    #[error("there is no transcript {}; `foreword speculate` writes one for each file", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The transcript belongs to another text of the file or another planner.
    #[error(
        "the transcript of {path} is of another {what}; plan it again with `foreword speculate {path}`"
    )]
    Other {
        /// The planned file.
        path: String,
        /// The difference.
        what: &'static str,
    },
    /// A replay makes a request that differs from the recorded one.
    #[error(
        "the replay of {path} differs at request {request}: the repository is another than when it was recorded; \
         check out that revision, or plan the file again"
    )]
    Differs {
        /// The planned file.
        path: String,
        /// Which request, from 1.
        request: usize,
    },
}

/// Identifies the input of a transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TranscriptHeader {
    /// The planned file, relative to the root.
    pub path: String,
    /// Hash of its text.
    pub hash: String,
    /// Fingerprint of the planner's key.
    pub planner: String,
}

/// Whether requests beyond the transcript are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Resume,
    Replay,
}

/// The recorded answers for one file.
#[derive(Debug)]
pub struct Transcript {
    header: TranscriptHeader,
    mode: Mode,
    /// Path of the file; `None` in memory.
    path: Option<PathBuf>,
    file: Option<File>,
    /// Recorded exchanges.
    known: Exchanges,
    /// Number of exchanges already used.
    used: usize,
}

/// Requests with their answers, each with the byte at which its line ends.
type Exchanges = Vec<(Exchange, u64)>;

/// One request and its answer.
#[derive(Debug)]
struct Exchange {
    request: String,
    response: ChatResponse,
}

impl Transcript {
    /// A transcript in memory.
    pub fn in_memory(header: TranscriptHeader) -> Self {
        Self { header, mode: Mode::Resume, path: None, file: None, known: Vec::new(), used: 0 }
    }

    /// Continues the transcript at `path` if it has this header; else starts a new one, which replaces it at the first answer.
    pub fn resume(path: &Path, header: TranscriptHeader) -> Self {
        let mut res = Self { path: Some(path.to_owned()), ..Self::in_memory(header) };
        if let Some((found, known)) = read(path)
            && found == res.header
        {
            res.known = known;
        }
        res
    }

    /// Reads the transcript at `path` for a replay.
    pub fn replay(path: &Path, header: TranscriptHeader) -> Result<Self, TranscriptError> {
        let missing = || TranscriptError::Missing { path: path.to_owned() };
        let (found, known) = read(path).ok_or_else(missing)?;
        let other = |what| TranscriptError::Other { path: header.path.clone(), what };
        if found.path != header.path {
            return Err(other("file"));
        }
        if found.hash != header.hash {
            return Err(other("text of the file"));
        }
        if found.planner != header.planner {
            return Err(other("model, prompt or limit"));
        }
        Ok(Self { mode: Mode::Replay, known, ..Self::in_memory(header) })
    }

    /// Number of unused answers.
    pub fn left(&self) -> usize {
        self.known.len() - self.used
    }

    /// The recorded answer if `request` is the next one. Otherwise later answers are discarded.
    pub(super) fn answer(
        &mut self,
        request: &str,
    ) -> Result<Option<ChatResponse>, TranscriptError> {
        if let Some((it, _)) = self.known.get(self.used).filter(|it| it.0.request == request) {
            self.used += 1;
            return Ok(Some(it.response.clone()));
        }
        if self.mode == Mode::Replay {
            let path = self.header.path.clone();
            return Err(TranscriptError::Differs { path, request: self.used + 1 });
        }
        self.known.truncate(self.used);
        Ok(None)
    }

    /// Records an answer before it is used.
    pub(super) fn record(
        &mut self,
        (stage, key, request): (&str, &str, &ChatRequest),
        response: &ChatResponse,
        spent: &Cost,
    ) -> Result<(), TranscriptError> {
        let line = exchange(stage, key, request, response, spent).to_string() + "\n";
        let end = self.append(&line)?;
        let known = Exchange { request: key.to_owned(), response: response.clone() };
        self.known.push((known, end));
        self.used += 1;
        Ok(())
    }

    /// Appends a line and returns its end.
    fn append(&mut self, line: &str) -> Result<u64, TranscriptError> {
        let Some(path) = self.path.clone() else { return Ok(0) };
        let head = header_line(&self.header);
        let from = self.known.last().map_or(0, |it| it.1);
        let text = if from == 0 { format!("{head}{line}") } else { line.to_owned() };
        let written = self.write(&path, from, &text);
        written.map_err(|source| TranscriptError::Write { path, source })?;
        Ok(from + text.len() as u64)
    }

    fn write(&mut self, path: &Path, from: u64, text: &str) -> std::io::Result<()> {
        if self.file.is_none() {
            if let Some(dir) = path.parent() {
                std::fs::create_dir_all(dir)?;
            }
            let open = File::options().create(true).truncate(false).write(true).open(path)?;
            self.file = Some(open);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        file.set_len(from)?;
        file.seek(SeekFrom::Start(from))?;
        file.write_all(text.as_bytes())
    }
}

/// Hash of everything that affects the answer to a request.
pub(super) fn key(stage: &str, request: &ChatRequest) -> String {
    let tools: Vec<&str> = request.tools.iter().map(|it| it.name.as_str()).collect();
    let schema = request.schema.as_ref().map(|it| &it.name);
    let max_tokens = request.max_tokens;
    let text = format!("{stage}\0{:?}\0{tools:?}\0{schema:?}\0{max_tokens:?}", request.messages);
    ContentHash::of(text.as_bytes()).to_string()
}

fn header_line(it: &TranscriptHeader) -> String {
    let value = json!({
        "version": VERSION, "path": it.path, "hash": it.hash, "planner": it.planner,
    });
    format!("{value}\n")
}

fn exchange(
    stage: &str,
    key: &str,
    request: &ChatRequest,
    response: &ChatResponse,
    spent: &Cost,
) -> Value {
    // Messages since the model's last answer; earlier ones are in earlier lines.
    let is_answer = |it: &Message| matches!(it, Message::Assistant { .. });
    let from = request.messages.iter().rposition(is_answer).map_or(0, |it| it + 1);
    let said = |it: &Message| json!({ "role": it.role(), "text": it.text() });
    let call = |it: &ToolCall| json!({ "id": it.id, "name": it.name, "arguments": it.arguments });
    json!({
        "stage": stage, "request": key,
        "said": request.messages[from..].iter().map(said).collect::<Vec<_>>(),
        "answer": {
            "text": response.text, "finish": finish(response.finish_reason),
            "tool_calls": response.tool_calls.iter().map(call).collect::<Vec<_>>(),
        },
        "usage": {
            "prompt_tokens": spent.prompt_tokens, "answer_tokens": spent.answer_tokens,
            "millis": spent.millis,
        },
    })
}

const FINISH: [(FinishReason, &str); 5] = [
    (FinishReason::Stop, "stop"),
    (FinishReason::Length, "length"),
    (FinishReason::Deadline, "deadline"),
    (FinishReason::ToolCalls, "tool_calls"),
    (FinishReason::Unknown, "unknown"),
];

fn finish(reason: FinishReason) -> &'static str {
    FINISH.iter().find(|it| it.0 == reason).map_or("unknown", |it| it.1)
}

/// Reads the header and the complete lines.
fn read(path: &Path) -> Option<(TranscriptHeader, Exchanges)> {
    let size = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?.len();
    let bytes = if size <= MAX_BYTES { std::fs::read(path).ok()? } else { return None };
    let mut lines = bytes.split_inclusive(|it| *it == b'\n').filter(|it| it.ends_with(b"\n"));
    let first = lines.next()?;
    let value: Value = serde_json::from_slice(first).ok()?;
    let text = |name: &str| value[name].as_str().map(str::to_owned);
    let header = TranscriptHeader {
        path: text("path").filter(|_| value["version"] == VERSION)?,
        hash: text("hash")?,
        planner: text("planner")?,
    };
    let mut end = first.len() as u64;
    let mut known = Vec::new();
    for line in lines {
        let Some(exchange) = serde_json::from_slice(line).ok().and_then(|it| parse(&it)) else {
            break;
        };
        end += line.len() as u64;
        known.push((exchange, end));
    }
    Some((header, known))
}

fn parse(value: &Value) -> Option<Exchange> {
    let answer = &value["answer"];
    let text = |it: &Value| it.as_str().map(str::to_owned);
    let call = |it: &Value| {
        let (id, name) = (text(&it["id"])?, text(&it["name"])?);
        Some(ToolCall { id, name, arguments: text(&it["arguments"])? })
    };
    let reason = answer["finish"].as_str()?;
    let response = ChatResponse {
        text: text(&answer["text"])?,
        tool_calls: answer["tool_calls"].as_array()?.iter().map(call).collect::<Option<_>>()?,
        finish_reason: FINISH.iter().find(|it| it.1 == reason)?.0,
        ..ChatResponse::default()
    };
    Some(Exchange { request: text(&value["request"])?, response })
}
