//! Additional search texts: hypothetical answers as prose or code (HyDE, Gao et al. 2023; here for lexical search), and
//! the parts of a question.
//!
//! They are added to the question and never replace it. Texts whose words the repository does not have are rejected.

use std::time::{Duration, Instant};

use foreword_engine::ask::Passage;
use foreword_engine::index::Snapshot;
use foreword_engine::index::terms::{identifiers, terms_of};
use serde_json::{Value, json};

use super::join::join;
use super::preset::{IDIOM_PIECES, MAX_PARTS, MIN_KNOWN_WORDS};
use super::{plain, reason, single_request};
use crate::chat::{AnswerSchema, ChatRequest};
use crate::error::ModelError;
use crate::http::Server;

/// Kinds of search text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WriteKind {
    /// A paragraph of documentation that could answer the question.
    Plain,
    /// Code that could answer it, in the repository's main language.
    Code,
    /// The same in the repository's idiom: imports, signature, documentation.
    Idiom,
    /// The parts of the question.
    Parts,
}

impl WriteKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Code, Self::Idiom, Self::Parts];

    /// Name in settings.
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

/// Search texts to write.
pub struct WriteRequest<'w> {
    /// The repository.
    pub snapshot: &'w Snapshot,
    /// The question.
    pub question: &'w str,
    /// Kinds to write.
    pub kinds: &'w [WriteKind],
    /// Pieces of the repository that show its idiom.
    pub passages: &'w [Passage],
    /// Total time limit.
    pub timeout: Duration,
    /// Number of parallel requests.
    pub parallel: usize,
}

/// The texts written by a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchTexts {
    /// Additional search texts.
    pub texts: Vec<String>,
    /// Rejected texts, with reasons.
    pub notes: Vec<String>,
}

/// Maximum tokens of a response.
const MAX_TOKENS: usize = 300;

/// Maximum bytes of a search text, for servers that ignore `max_tokens`.
const MAX_BYTES: usize = 3_000;

/// Writes additional search texts with a model. Never fails: failures become notes.
pub async fn write(server: &Server, request: &WriteRequest<'_>) -> SearchTexts {
    let deadline = Instant::now() + request.timeout;
    let asked = request.kinds.iter().map(|kind| ask(server, request, *kind, deadline));
    let answers = join(asked.collect(), request.parallel).await;
    let mut res = SearchTexts::default();
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
                "questions": { "type": "array", "maxItems": MAX_PARTS, "items": { "type": "string", "maxLength": 200 } },
            },
            "required": ["questions"],
            "additionalProperties": false,
        }),
    });
    let message = question(request, kind);
    let chat =
        ChatRequest { schema, ..single_request(kind.prompt(), message, MAX_TOKENS, deadline) };
    Ok(server.chat(&chat, &mut |_| {}).await?.text)
}

/// The user message.
fn question(request: &WriteRequest<'_>, kind: WriteKind) -> String {
    let mut text = String::new();
    if kind == WriteKind::Code {
        text = format!("Main language: {}\n", main_language(request.snapshot));
    }
    if kind == WriteKind::Idiom {
        for it in request.passages.iter().take(IDIOM_PIECES) {
            text.push_str(&plain(&format!("{}\n```\n{}\n```\n\n", it.path, it.text)));
        }
    }
    format!("{text}Question: {}\n", request.question)
}

/// The language of most code files.
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

/// The texts of a response.
fn read(kind: WriteKind, answer: &str) -> Result<Vec<String>, String> {
    let cut = |text: &str| text[..text.floor_char_boundary(MAX_BYTES)].trim().to_owned();
    if kind != WriteKind::Parts {
        return Ok(vec![cut(&without_fence(answer))]);
    }
    let value: Value = serde_json::from_str(without_fence(answer).trim())
        .map_err(|_| "the model did not answer in JSON".to_owned())?;
    let parts = value["questions"].as_array().ok_or("the model named no questions")?;
    Ok(parts.iter().filter_map(Value::as_str).map(cut).take(MAX_PARTS).collect())
}

/// Removes the lines of a code fence.
fn without_fence(text: &str) -> String {
    let lines = text.lines().filter(|it| !it.trim_start().starts_with("```"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The texts, if the repository has enough of their words.
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
    match known as f32 >= MIN_KNOWN_WORDS * all as f32 && (known > 0 || texts.is_empty()) {
        true => Ok(texts),
        false => Err(format!(
            "the model's text does not fit this repository ({known} of {all} words known)"
        )),
    }
}

/// The search query: parts stand alone, other kinds are added to the question.
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
