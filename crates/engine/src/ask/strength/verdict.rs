//! Strength of the evidence as a value, with the numbers of each word.

use crate::preset::constants::ask::{ABSENT_SHARE, ENOUGH};

/// Strength of the evidence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strength {
    /// 0 to 1; 1 where the question names a place.
    pub score: f32,
    /// Query words that occur nowhere in the repository, as written, the heaviest first.
    pub absent: Vec<String>,
    /// Words that occur, but not in the best evidence.
    pub scattered: Vec<String>,
    /// Rare words that only tests, documents, examples, data or third-party code have.
    pub outside: Vec<String>,
    /// Rare words that no definition, path or documentation of the code has, only its lines and comments.
    pub in_bodies: Vec<String>,
    /// All query words, the heaviest first.
    pub words: Vec<WordStrength>,
}

/// A query word and how well the best evidence covers it.
#[derive(Clone, Debug, PartialEq)]
pub struct WordStrength {
    /// The word in lower case.
    pub word: String,
    /// Its weight.
    pub weight: f32,
    /// Number of chunks with any form of it.
    pub frequency: u32,
    /// Whether most repositories have it.
    pub is_common: bool,
    /// Share that the best evidence covers: 0, 1, or between for another form.
    pub found: f32,
    /// Share that all results together cover.
    pub near: f32,
    /// Share that the path and name of the best-titled result cover.
    pub titled: f32,
    /// Where it occurs.
    pub occurrence: Occurrence,
    /// Whether the question writes it as a name, with a capital within the sentence.
    pub is_name: bool,
}

/// Why the evidence is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weakness {
    /// Nothing tells the places that were found from others.
    Vague,
    /// Words of the question occur nowhere.
    Absent(Vec<String>),
    /// Words of the question occur only in tests, documents, examples, data or third-party code.
    Outside(Vec<String>),
    /// Words of the question occur only in lines of code and comments.
    InBodies(Vec<String>),
    /// All words occur, but nowhere together.
    Scattered(Vec<String>),
}

impl Strength {
    /// Whether the evidence is enough to answer.
    pub fn is_enough(&self) -> bool {
        self.score >= ENOUGH
    }

    /// The subject is absent if words that occur nowhere have much of the question's weight; one such word of many is
    /// phrasing.
    fn is_subject_absent(&self) -> bool {
        let sum = |of: &dyn Fn(&WordStrength) -> bool| -> f32 {
            self.words.iter().filter(|it| of(it)).map(|it| it.weight).sum()
        };
        let absent = sum(&|it| self.absent.contains(&it.word));
        !self.absent.is_empty() && absent >= ABSENT_SHARE * sum(&|_| true)
    }

    /// The weakness of the evidence; `None` if it is enough.
    pub fn weakness(&self) -> Option<Weakness> {
        match () {
            () if self.is_enough() => None,
            () if self.is_subject_absent() => Some(Weakness::Absent(self.absent.clone())),
            () if !self.absent.is_empty() => Some(Weakness::Scattered(self.absent.clone())),
            () if !self.outside.is_empty() => Some(Weakness::Outside(self.outside.clone())),
            () if !self.in_bodies.is_empty() => Some(Weakness::InBodies(self.in_bodies.clone())),
            () if !self.scattered.is_empty() => Some(Weakness::Scattered(self.scattered.clone())),
            () => Some(Weakness::Vague),
        }
    }
}

/// The best place of a word in the repository, worst first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Occurrence {
    /// No file has it.
    #[default]
    Nowhere,
    /// Tests, documents, examples, data or third-party code.
    Outside,
    /// A line of code or a plain comment.
    Body,
    /// The documentation of a definition.
    Doc,
    /// A path of the code, or the name of an enclosing definition.
    Path,
    /// The name of a definition, or a part of it.
    Definition,
}

impl Occurrence {
    /// Name for programs, in one word.
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
