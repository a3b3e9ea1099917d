//! One line of a repository's feedback.

use serde::{Deserialize, Serialize};

/// A vote on one place of an answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Event {
    /// Seconds since 1970.
    pub at: u64,
    /// Good or bad.
    pub verdict: Verdict,
    /// Who voted.
    pub source: Source,
    /// The kind of answer.
    pub about: About,
    /// The question or query; empty for a completion.
    #[serde(default)]
    pub question: String,
    /// The lines that the vote is about.
    #[serde(flatten)]
    pub place: Place,
}

/// Whether a place was useful.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The result helped.
    Good,
    /// It did not.
    Bad,
}

/// The source of a vote.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A person, by `foreword feedback` or in the inspector.
    Person,
    /// An editor, whose user accepted a completion or typed something else.
    Editor,
    /// An agent that read a place after finding it.
    Agent,
}

impl Source {
    /// Weight of a vote relative to a person's: actions are weaker evidence than statements.
    pub fn weight(self) -> f32 {
        match self {
            Self::Person => 1.0,
            Self::Editor | Self::Agent => 0.3,
        }
    }
}

/// Kind of the answer.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// An answer of `ask`.
    Ask,
    /// Results of a search.
    Search,
    /// A completion.
    Completion,
}

/// A place in the repository.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Relative to the root.
    pub path: String,
    /// First and last line, 1-based, inclusive; 0 for the whole file.
    #[serde(default)]
    pub start_line: u32,
    /// The last line, inclusive.
    #[serde(default)]
    pub end_line: u32,
    /// The dotted name of the definition there; empty without one.
    #[serde(default)]
    pub symbol: String,
}

/// Maximum bytes of a stored question.
const MAX_QUESTION: usize = 1_000;

/// Maximum bytes of a path and of a symbol.
const MAX_NAME: usize = 500;

impl Event {
    /// The event with its texts cut to these lengths.
    #[must_use]
    pub fn bounded(&self) -> Self {
        let cut = |text: &str, most: usize| text[..text.floor_char_boundary(most)].to_owned();
        let Place { path, symbol, .. } = &self.place;
        let place =
            Place { path: cut(path, MAX_NAME), symbol: cut(symbol, MAX_NAME), ..self.place };
        Self { question: cut(&self.question, MAX_QUESTION), place, ..*self }
    }
}
