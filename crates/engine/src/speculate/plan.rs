//! The plan of a file, as values that are stored.

use std::fmt;

use bitcode::{Decode, Encode};

use crate::source::ContentHash;

/// What future edits of one file will need.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct FilePlan {
    /// The file, relative to the root.
    pub path: String,
    /// Hash of the text of the file that was read. A plan made from another text is stale; its blocks are still good
    /// where what they cite is unchanged.
    pub hash: ContentHash,
    /// Who made it, and with which settings.
    pub planner: PlannerKey,
    /// The files that blocks and forecasts cite, as they were, by path.
    pub inputs: Vec<Input>,
    /// Quotations, best first: [`super::BLOCKS`] at most of a model, more of the static planner, of which the cursor chooses.
    pub blocks: Vec<Block>,
    /// Guesses, best first; [`super::FORECASTS`] at most.
    pub forecasts: Vec<Forecast>,
}

/// A planner and its settings: plans with another key are not read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct PlannerKey {
    /// `static`, or the name of the model that planned.
    pub name: String,
    /// Changes with every setting that decides what a plan has.
    pub fingerprint: String,
}

/// A file that a plan rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct Input {
    /// The file, relative to the root.
    pub path: String,
    /// Hash of its text.
    pub hash: ContentHash,
}

/// Lines of a file as they were.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Place {
    /// The file, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub first_line: u32,
    /// Last line, 1-based, inclusive.
    pub last_line: u32,
    /// Hash of what is cited: the text of these lines, or what is shown of them.
    pub hash: ContentHash,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}", self.path, self.first_line, self.last_line)
    }
}

/// Code of the repository that is likely to be needed.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct Block {
    /// What it quotes. The hash is that of the text that [`Self::parts`] give.
    pub place: Place,
    /// How its text is put together from the file: whole statements under complete headers.
    pub parts: Vec<Part>,
    /// Why it is likely to be needed, the strongest reason first.
    pub evidence: Vec<Evidence>,
    /// Where in the planned file it was found to be needed, and how much there.
    pub found_at: Vec<FoundAt>,
    /// How likely, against the other blocks of the plan: the best has 1.
    pub score: f32,
}

impl Block {
    /// Whether it is the head of a file like the planned one, for who writes imports.
    pub fn is_head(&self) -> bool {
        self.evidence.first() == Some(&Evidence::Head)
    }
}

/// A place of the planned file at which a block was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct FoundAt {
    /// The line, 1-based, in the text that was read.
    pub line: u32,
    /// How much the block was wanted there, in percent of the block that was wanted most there.
    pub percent: u8,
}

/// A part of the text of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Part {
    /// Whole lines of the file.
    Lines {
        /// The first byte.
        start: u32,
        /// How many bytes.
        len: u32,
        /// Hash of these bytes, by which they are found again where the file has changed around them.
        check: u32,
    },
    /// Text that the file does not have: what stands in place of lines that are left out.
    Literal(String),
}

/// Why a block is likely to be needed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Evidence {
    /// It defines a name that the file uses.
    Defines(String),
    /// Its file imports this one, by this name.
    ImportedBy(String),
    /// It belongs to a file that this file imports, by this module name.
    Imported(String),
    /// It has these words of the file, the heaviest first.
    Words(Vec<String>),
    /// Its file is in the same directory.
    SameDirectory,
    /// Its file has the same name, apart from what marks tests, headers and the like.
    Sibling,
    /// It is written like lines of the file.
    Alike,
    /// It is the head of a file like this one.
    Head,
    /// Commits that changed the file changed it too, so many of the last ones.
    ChangedTogether(u32),
    /// What a model said of it.
    Stated(String),
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Defines(name) => write!(f, "defines {name}, which the file uses"),
            Self::ImportedBy(name) => write!(f, "imports this file as {name}"),
            Self::Imported(module) => write!(f, "imported as {module}"),
            Self::Words(words) => write!(f, "words: {}", words.join(", ")),
            Self::SameDirectory => f.write_str("same directory"),
            Self::Sibling => f.write_str("sibling of this file"),
            Self::Alike => f.write_str("written like this file"),
            Self::Head => f.write_str("head of a file like this one"),
            Self::ChangedTogether(1) => f.write_str("changed together in a commit"),
            Self::ChangedTogether(n) => write!(f, "changed together in {n} commits"),
            Self::Stated(text) => write!(f, "said by the model: {text}"),
        }
    }
}

impl Evidence {
    /// The kind of evidence, in one word, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Defines(_) => "defines",
            Self::ImportedBy(_) => "importer",
            Self::Imported(_) => "imported",
            Self::Words(_) => "lexical",
            Self::SameDirectory => "same_directory",
            Self::Sibling => "sibling",
            Self::Alike => "alike",
            Self::Head => "head",
            Self::ChangedTogether(_) => "changed_together",
            Self::Stated(_) => "stated",
        }
    }
}

/// Code that is likely to be written. It is a guess, and is marked as one wherever it is shown.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct Forecast {
    /// What kind of addition it is.
    pub kind: ForecastKind,
    /// Whether it has a body.
    pub form: ForecastForm,
    /// The name of what would be defined; empty where nothing is.
    pub name: String,
    /// The code, indented as it would stand in the file, with a newline at its end.
    pub code: String,
    /// Where it would stand.
    pub target: Target,
    /// What it is concluded from, the most telling first; never empty.
    pub evidence: Vec<Citation>,
    /// How likely, from 0 to 1.
    pub score: f32,
}

/// Where something would be written.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Target {
    /// The file, relative to the root; it need not exist yet.
    pub path: String,
    /// The line, 1-based, above which it would stand; one more than there are lines at the end of the file.
    pub line: u32,
}

/// Whether a forecast has a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum ForecastForm {
    /// Code that parses.
    Code,
    /// The line or lines that declare it.
    Signature,
}

impl ForecastForm {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Signature => "signature",
        }
    }
}

/// What kind of addition is forecast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum ForecastKind {
    /// A member that an abstract class, interface or trait asks for.
    MissingMember,
    /// A case that a match or switch does not have.
    MissingCase,
    /// Something that every sibling has: a constructor, a test, a method.
    SiblingPart,
    /// An entry beside its siblings where they are registered.
    Registration,
    /// What a comment says is to be done.
    Todo,
    /// A name that is used and defined nowhere.
    UndefinedName,
    /// The other half of something: the reader of what is written, the end of what is begun.
    Counterpart,
    /// The next element of a series.
    NextElement,
    /// A test of something that has none.
    MissingTest,
    /// What a model wrote.
    Model,
}

impl ForecastKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::MissingMember,
        Self::MissingCase,
        Self::SiblingPart,
        Self::Registration,
        Self::Todo,
        Self::UndefinedName,
        Self::Counterpart,
        Self::NextElement,
        Self::MissingTest,
        Self::Model,
    ];

    /// The name in reports and data.
    pub fn name(self) -> &'static str {
        match self {
            Self::MissingMember => "missing_member",
            Self::MissingCase => "missing_case",
            Self::SiblingPart => "sibling_part",
            Self::Registration => "registration",
            Self::Todo => "todo",
            Self::UndefinedName => "undefined_name",
            Self::Counterpart => "counterpart",
            Self::NextElement => "next_element",
            Self::MissingTest => "missing_test",
            Self::Model => "model",
        }
    }
}

/// Something in the repository that a forecast is concluded from.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Citation {
    /// The lines. The hash is that of their text.
    pub place: Place,
    /// What they show, in a few words: `declares fn parse`, `every sibling has it`.
    pub what: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let hash = ContentHash::of(b"text");
        let place = Place { path: "src/a.rs".into(), first_line: 3, last_line: 9, hash };
        let lines = Part::Lines { start: 10, len: 90, check: 7 };
        let block = Block {
            place: place.clone(),
            parts: vec![lines, Part::Literal("    // …\n".into())],
            evidence: vec![Evidence::Defines("parse".into()), Evidence::SameDirectory],
            found_at: vec![FoundAt { line: 8, percent: 70 }],
            score: 1.0,
        };
        let forecast = Forecast {
            kind: ForecastKind::MissingMember,
            form: ForecastForm::Signature,
            name: "close".into(),
            code: "fn close(&mut self);\n".into(),
            target: Target { path: "src/b.rs".into(), line: 12 },
            evidence: vec![Citation { place, what: "declares fn close".into() }],
            score: 0.5,
        };
        let plan = FilePlan {
            path: "src/b.rs".into(),
            hash,
            planner: PlannerKey { name: "static".into(), fingerprint: "1".into() },
            inputs: vec![Input { path: "src/a.rs".into(), hash }],
            blocks: vec![block],
            forecasts: vec![forecast],
        };
        assert_eq!(bitcode::decode::<FilePlan>(&bitcode::encode(&plan)).unwrap(), plan);
    }

    #[test]
    fn kinds_have_names_of_their_own() {
        let names: std::collections::BTreeSet<&str> =
            ForecastKind::ALL.into_iter().map(ForecastKind::name).collect();
        assert_eq!(names.len(), ForecastKind::ALL.len());
    }
}
