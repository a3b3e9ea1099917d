//! What is searched for beside a question: text and code that a model supposes would answer it (hypothetical document
//! embeddings, HyDE, Gao et al. 2023; here for a search by words), and the parts of the question.
//!
//! It comes beside the question and never instead of it. What has nothing in common with the repository is not used.

use std::time::{Duration, Instant};

use foreword_engine::ask::Passage;
use foreword_engine::index::Snapshot;
use foreword_engine::index::terms::{identifiers, terms_of};
use serde_json::{Value, json};

use super::join::join;
use super::{instructions, plain, reason};
use crate::chat::{AnswerSchema, ChatRequest, Delivery, Message};
use crate::error::ModelError;
use crate::http::Server;

/// What a model writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WriteKind {
    /// A paragraph of documentation that would answer the question.
    Plain,
    /// Code that would, in the repository's main language.
    Code,
    /// Code that would, as this repository writes it: imports, signature, documentation.
    Idiom,
    /// The smaller questions that it consists of.
    Parts,
}

impl WriteKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Code, Self::Idiom, Self::Parts];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Code => "code",
            Self::Idiom => "idiom",
            Self::Parts => "parts",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    fn prompt(self) -> &'static str {
        match self {
            Self::Plain => include_str!("../prompts/write-plain.md"),
            Self::Code => include_str!("../prompts/write-code.md"),
            Self::Idiom => include_str!("../prompts/write-idiom.md"),
            Self::Parts => include_str!("../prompts/write-parts.md"),
        }
    }
}

/// What is to be written.
pub struct WriteRequest<'w> {
    /// What is asked about.
    pub snapshot: &'w Snapshot,
    /// The question.
    pub question: &'w str,
    /// What is written.
    pub kinds: &'w [WriteKind],
    /// Pieces of the repository, for its idiom.
    pub passages: &'w [Passage],
    /// How long all of it may take.
    pub timeout: Duration,
    /// Requests at a time.
    pub parallel: usize,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Texts to search for beside the question.
    pub texts: Vec<String>,
    /// What was not used, and why.
    pub notes: Vec<String>,
}

/// Tokens of what a model writes.
const MAX_TOKENS: usize = 300;

/// Bytes of a text that is searched for; a server may not know `max_tokens`.
const MAX_BYTES: usize = 3_000;

/// How many parts of a question are searched for.
const PARTS: usize = 4;

/// How many pieces show the idiom.
const IDIOM: usize = 3;

/// At least this share of what is written must be words that the repository has. By chance, a text of random tokens has a few.
const KNOWN: f32 = 0.4;

/// Has a model write what is searched for beside a question. Never fails: what cannot be had is noted.
pub async fn write(server: &Server, request: &WriteRequest<'_>) -> Written {
    let deadline = Instant::now() + request.timeout;
    let asked = request.kinds.iter().map(|kind| ask(server, request, *kind, deadline));
    let answers = join(asked.collect(), request.parallel).await;
    let mut res = Written::default();
    for (kind, answer) in request.kinds.iter().zip(answers) {
        let texts = answer.map_err(|it| reason(&it)).and_then(|it| read(*kind, &it));
        match texts.and_then(|it| usable(request.snapshot, it)) {
            Ok(texts) => res.texts.extend(texts.iter().map(|it| search_text(request, *kind, it))),
            Err(why) => res.notes.push(format!("{}: {why}", kind.name())),
        }
    }
    res
}

async fn ask(
    server: &Server,
    request: &WriteRequest<'_>,
    kind: WriteKind,
    deadline: Instant,
) -> Result<String, ModelError> {
    let schema = (kind == WriteKind::Parts).then(|| AnswerSchema {
        name: "questions".to_owned(),
        schema: json!({
            "type": "object",
            "properties": {
                "questions": { "type": "array", "maxItems": PARTS, "items": { "type": "string", "maxLength": 200 } },
            },
            "required": ["questions"],
            "additionalProperties": false,
        }),
    });
    let chat = ChatRequest {
        messages: vec![
            Message::System(instructions(kind.prompt())),
            Message::User(question(request, kind)),
        ],
        schema,
        max_tokens: Some(MAX_TOKENS),
        temperature: Some(0.0),
        deadline: Some(deadline),
        delivery: Delivery::Whole,
        ..ChatRequest::default()
    };
    Ok(server.chat(&chat, &mut |_| {}).await?.text)
}

/// The message of the user.
fn question(request: &WriteRequest<'_>, kind: WriteKind) -> String {
    let mut text = String::new();
    if kind == WriteKind::Code {
        text = format!("Main language: {}\n", main_language(request.snapshot));
    }
    if kind == WriteKind::Idiom {
        for it in request.passages.iter().take(IDIOM) {
            text.push_str(&plain(&format!("{}\n```\n{}\n```\n\n", it.path, it.text)));
        }
    }
    format!("{text}Question: {}\n", request.question)
}

/// The language of most files of code.
fn main_language(snapshot: &Snapshot) -> &'static str {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    let is_code = |it: &_| matches!(snapshot.role(*it), foreword_engine::index::FileRole::Code);
    for file in snapshot.files().filter(is_code) {
        let Some(language) = snapshot.language(file) else { continue };
        let name = language.name();
        match counts.iter_mut().find(|it| it.0 == name) {
            Some(known) => known.1 += 1,
            None => counts.push((name, 1)),
        }
    }
    counts.into_iter().max_by_key(|it| (it.1, std::cmp::Reverse(it.0))).map_or("any", |it| it.0)
}

/// The texts of an answer.
fn read(kind: WriteKind, answer: &str) -> Result<Vec<String>, String> {
    let cut = |text: &str| text[..text.floor_char_boundary(MAX_BYTES)].trim().to_owned();
    if kind != WriteKind::Parts {
        return Ok(vec![cut(&without_fence(answer))]);
    }
    let value: Value = serde_json::from_str(without_fence(answer).trim())
        .map_err(|_| "the model did not answer in JSON".to_owned())?;
    let parts = value["questions"].as_array().ok_or("the model named no questions")?;
    Ok(parts.iter().filter_map(Value::as_str).map(cut).take(PARTS).collect())
}

/// A text without the marks of a code block around it.
fn without_fence(text: &str) -> String {
    let lines = text.lines().filter(|it| !it.trim_start().starts_with("```"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The texts, if enough of their words are words of the repository.
fn usable(snapshot: &Snapshot, mut texts: Vec<String>) -> Result<Vec<String>, String> {
    texts.retain(|it| !it.is_empty());
    let (mut all, mut known) = (0_usize, 0_usize);
    for text in &texts {
        identifiers(text, |start, end| {
            terms_of(&text[start..end], &mut String::new(), |term, is_whole| {
                if is_whole && term.len() > 2 {
                    all += 1;
                    known += usize::from(snapshot.document_frequency(term) > 0);
                }
            });
        });
    }
    match known as f32 >= KNOWN * all as f32 && (known > 0 || texts.is_empty()) {
        true => Ok(texts),
        false => {
            Err(format!("what the model wrote is not of this repository ({known} of {all} words)"))
        }
    }
}

/// What is searched for: a part by itself, all else with the question's own words.
fn search_text(request: &WriteRequest<'_>, kind: WriteKind, text: &str) -> String {
    match kind {
        WriteKind::Parts => text.to_owned(),
        WriteKind::Plain => format!("{}\n\n{text}", request.question),
        WriteKind::Code | WriteKind::Idiom => {
            format!("{}\n\n```\n{}\n```\n", request.question, text.replace("```", ""))
        }
    }
}

#[cfg(test)]
mod tests;
