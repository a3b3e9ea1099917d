//! The strength of the evidence as a value, with what it rests on, word by word.

use crate::preset::constants::ask::ENOUGH;

/// How strong the evidence is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strength {
    /// 0 to 1: which part of what the question is about the best evidence has; 1 where a place is named outright.
    pub score: f32,
    /// Words of the question that occur nowhere in the repository, as they were written, the most telling first.
    pub absent: Vec<String>,
    /// Words that occur, but not where the others do.
    pub scattered: Vec<String>,
    /// Words that only comments, tests, documents or data have, and that few repositories have.
    pub mentioned: Vec<String>,
    /// The words that were weighed, the heaviest first.
    pub words: Vec<WordStrength>,
}

/// A word of a question, and what the best evidence has of it.
#[derive(Clone, Debug, PartialEq)]
pub struct WordStrength {
    /// The word in lower case.
    pub word: String,
    /// What it tells.
    pub weight: f32,
    /// In how many chunks it is, in any form.
    pub frequency: u32,
    /// Whether most repositories have it.
    pub is_common: bool,
    /// What the best evidence has of it: 0, 1, or between where it has another form.
    pub found: f32,
    /// What any of the results has of it.
    pub near: f32,
    /// What the path and the name of the result with the best path and name have of it.
    pub titled: f32,
    /// Where it stands in the repository.
    pub occurrence: Occurrence,
    /// Whether the question writes it as a name: with a capital, inside of the sentence.
    pub is_name: bool,
}

/// Why the evidence is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weakness {
    /// Nothing of what the question asks for was found.
    Nothing,
    /// Words of the question occur nowhere.
    Absent(Vec<String>),
    /// Words of the question are only mentioned: in comments, tests, documents or data.
    Mentioned(Vec<String>),
    /// All words occur, but nowhere together.
    Scattered(Vec<String>),
}

impl Strength {
    /// Whether the evidence is enough to answer.
    pub fn is_enough(&self) -> bool {
        self.score >= ENOUGH
    }

    /// What is missing; `None` if the evidence is enough.
    pub fn weakness(&self) -> Option<Weakness> {
        match () {
            () if self.is_enough() => None,
            () if !self.absent.is_empty() => Some(Weakness::Absent(self.absent.clone())),
            () if !self.mentioned.is_empty() => Some(Weakness::Mentioned(self.mentioned.clone())),
            () if !self.scattered.is_empty() => Some(Weakness::Scattered(self.scattered.clone())),
            () => Some(Weakness::Nothing),
        }
    }
}

/// The most telling place in which a word stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Occurrence {
    /// No file has it.
    #[default]
    Nowhere,
    /// Tests, documents, examples, data or other projects' code have it.
    Outside,
    /// The code has it, in a line or a plain comment.
    Body,
    /// The documentation of a definition of the code has it.
    Doc,
    /// A path of the code, or the name of a definition around it.
    Path,
    /// A definition of the code is called by it, or by a name that has it as a part.
    Definition,
}

impl Occurrence {
    /// Its name in one word, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nowhere => "nowhere",
            Self::Outside => "outside",
            Self::Body => "body",
            Self::Doc => "doc",
            Self::Path => "path",
            Self::Definition => "definition",
        }
    }
}
