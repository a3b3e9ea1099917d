//! One line of a repository's feedback.

use serde::{Deserialize, Serialize};

/// A verdict on one place of an answer.
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
    /// What was asked or searched for; empty for a completion.
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

/// Who says so.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A person, by `foreword feedback` or in the inspector.
    Person,
    /// An editor, whose user accepted a completion or went on typing something else.
    Editor,
    /// An agent, which read a place after it had been found.
    Agent,
}

impl Source {
    /// What its word counts, of 1 for a person's: what somebody does says less than what somebody says.
    pub fn weight(self) -> f32 {
        match self {
            Self::Person => 1.0,
            Self::Editor | Self::Agent => 0.3,
        }
    }
}

/// What the verdict is on.
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
    /// The dotted name of the definition there; empty when there is none.
    #[serde(default)]
    pub symbol: String,
}

/// The longest question that is kept, in bytes.
const MAX_QUESTION: usize = 1_000;

/// The longest path and symbol.
const MAX_NAME: usize = 500;

impl Event {
    /// The same with texts of bounded length.
    pub fn bounded(&self) -> Self {
        let cut = |text: &str, most: usize| text[..text.floor_char_boundary(most)].to_owned();
        let Place { path, symbol, .. } = &self.place;
        let place =
            Place { path: cut(path, MAX_NAME), symbol: cut(symbol, MAX_NAME), ..self.place };
        Self { question: cut(&self.question, MAX_QUESTION), place, ..*self }
    }
}
