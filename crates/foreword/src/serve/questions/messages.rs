//! The question of a conversation: the user's last message, text pasted with it, and the earlier messages.

use foreword_model::chat::Message;
use foreword_session::ask::intent::is_in_another_language;
use foreword_session::ask::sources::{follow_up, places_in};
use foreword_session::usage::MAX_QUESTION_BYTES;
use serde_json::{Map, Value};

use crate::serve::http::error::ApiError;

/// Maximum number of places of earlier answers kept in the evidence.
const PLACES: usize = 6;

/// Maximum number of earlier messages shown to a model.
const MESSAGES: usize = 12;

/// Maximum number of messages read from a conversation.
const MAX_MESSAGES: usize = 1_000;

/// A question and its conversation.
#[derive(Clone)]
pub(crate) struct Question {
    /// The first paragraph of the user's message.
    pub(crate) question: String,
    /// The rest of the message: a traceback, for example.
    pub(crate) pasted: String,
    /// The search query.
    pub(crate) searched: String,
    /// Earlier messages, oldest first.
    pub(crate) earlier: Vec<Message>,
    /// The user's message before.
    previous: String,
    /// Places that earlier answers cited.
    pub(crate) places: Vec<(String, u32, u32)>,
    /// Required tags; a tag after `!` is excluded.
    pub(crate) tags: Vec<String>,
}

impl Question {
    /// Splits the user's message into question and pasted text; keeps the last of the earlier messages and `places`.
    pub(crate) fn new(
        text: &str,
        mut earlier: Vec<Message>,
        mut places: Vec<(String, u32, u32)>,
    ) -> Self {
        let (question, pasted) =
            text.split_once("\n\n").or_else(|| text.split_once("\n```")).unwrap_or((text, ""));
        // A paragraph of this length is pasted text.
        let (question, pasted) = match question.len() > MAX_QUESTION_BYTES {
            true => text.split_at(question.floor_char_boundary(MAX_QUESTION_BYTES)),
            false => (question, pasted),
        };
        let before = earlier.iter().rev().find(|it| matches!(it, Message::User(_)));
        let previous = before.map_or("", Message::text);
        let previous = previous[..previous.floor_char_boundary(MAX_QUESTION_BYTES)].to_owned();
        let searched = follow_up(question, &previous);
        places.truncate(PLACES);
        let from = earlier.len().saturating_sub(MESSAGES);
        Self {
            question: question.to_owned(),
            pasted: pasted.to_owned(),
            searched,
            earlier: earlier.split_off(from),
            previous,
            places,
            tags: Vec::new(),
        }
    }

    /// The question searched by the words of the one before, for a follow-up in another language, whose own words the
    /// repository lacks. `None` for other questions.
    pub(super) fn as_follow_up(&self) -> Option<Self> {
        let searched = self.previous.clone();
        let is_follow_up = !searched.is_empty() && is_in_another_language(&self.question);
        is_follow_up.then(|| Self { searched, ..self.clone() })
    }
}

/// A question, as a client of OpenAI's asks it.
pub(crate) struct ChatQuestion {
    pub(crate) question: Question,
    /// The model name that the client sends: a repository's name, or any other.
    pub(crate) model: String,
    pub(crate) stream: bool,
    /// Whether a stream ends with the number of tokens (`stream_options`).
    pub(crate) counts_tokens: bool,
}

impl ChatQuestion {
    pub(crate) fn parse(body: &Map<String, Value>) -> Result<Self, ApiError> {
        let all = body.get("messages").and_then(Value::as_array);
        let all = all.ok_or_else(|| ApiError::bad_request("messages: a list is expected"))?;
        if all.len() > MAX_MESSAGES {
            let message = format!("messages: at most {MAX_MESSAGES} are read");
            return Err(ApiError::bad_request(message));
        }
        let mut messages: Vec<Message> = all.iter().filter_map(message).collect();
        let last = messages.iter().rposition(|it| matches!(it, Message::User(_)));
        let last = last.ok_or_else(|| ApiError::bad_request("messages: none is of the user"))?;
        let text = messages[last].text().to_owned();
        messages.truncate(last);
        let mut places: Vec<(String, u32, u32)> = Vec::new();
        for it in messages.iter().rev().filter(|it| matches!(it, Message::Assistant { .. })) {
            places.extend(places_in(it.text()));
        }
        Ok(Self {
            question: Question::new(&text, messages, places),
            model: body.get("model").and_then(Value::as_str).unwrap_or("foreword").to_owned(),
            counts_tokens: body
                .get("stream_options")
                .is_some_and(|it| it["include_usage"] == Value::Bool(true)),
            stream: body.get("stream").and_then(Value::as_bool).unwrap_or(false),
        })
    }
}

/// A message of the user or the assistant.
pub(super) fn message(value: &Value) -> Option<Message> {
    let text = match &value["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|it| it["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => return None,
    };
    match value["role"].as_str()? {
        "user" => Some(Message::User(text)),
        "assistant" => Some(Message::Assistant { text, tool_calls: Vec::new() }),
        _ => None,
    }
}
