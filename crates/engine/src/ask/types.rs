//! The request, the evidence and the whole result of gathering it.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{Kind, ReferenceKind};

use super::config::AskConfig;
use super::pasted::Origin;
use super::strength::Strength;
use crate::custom::{CustomSources, SourceOrigin, TagFilter};
use crate::evidence::Reason;
use crate::index::bm25::Keep;
use crate::map::Map;
use crate::retrieve::{Meanings, Prior};

/// A question about a repository.
#[derive(Default)]
pub struct AskRequest<'r> {
    /// The question, in words.
    pub question: &'r str,
    /// What came with it: a traceback, the output of a compiler, a diff. May be empty.
    pub pasted: &'r str,
    /// The name of the repository, which says nothing in a question about it. May be empty.
    pub repository: &'r str,
    /// Which files are looked at; `None` for all.
    pub keep: Keep<'r>,
    /// What is known of chunks beside their texts.
    pub prior: Prior<'r>,
    /// What the question means; `None` where only words count.
    pub meanings: Option<Meanings<'r>>,
    /// Tags that what is found must have or must not have; `None` for any.
    pub tags: Option<&'r TagFilter>,
    /// What a team and the user say; `None` where they say nothing.
    pub custom: Option<&'r CustomSources>,
    /// Gives the map of the whole snapshot within so many tokens where it is cached; without it the map is made anew, which
    /// takes half a second for a million lines.
    pub map: Option<&'r dyn Fn(usize) -> Option<Arc<Map>>>,
    /// Tokens of all evidence together.
    pub tokens: usize,
    /// Places that earlier answers of the conversation cited: they stay in the set. Path, first and last line.
    pub earlier: &'r [(String, u32, u32)],
    /// Texts that a model wrote to be searched for beside the question: code that may answer it, parts of the question.
    pub written: &'r [String],
    /// The order of the passages ([`passages`](super::passages)) in which a model would read them, by their number from 0;
    /// those that it does not name follow. Empty for the order at hand.
    pub order: &'r [usize],
    /// How much of each kind is gathered; the numbers in use without it.
    pub config: Option<&'r AskConfig>,
}

impl<'r> AskRequest<'r> {
    pub(super) fn config(&self) -> &'r AskConfig {
        self.config.unwrap_or_else(|| AskConfig::in_use())
    }
}

/// What a question is about. One question may be of several kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuestionKind {
    /// The repository as a whole: what it is, how it is built up.
    Overview,
    /// A definition by its name.
    Symbol,
    /// A file, or lines of it, by their path.
    Path,
    /// A traceback.
    Traceback,
    /// The message of a compiler or of a test runner.
    Message,
    /// A diff.
    Diff,
    /// Lines that no test runs.
    Coverage,
    /// How something is used, set up or run.
    HowTo,
    /// How the code does something, or where.
    Behaviour,
}

impl QuestionKind {
    /// Its name in one word, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Symbol => "symbol",
            Self::Path => "path",
            Self::Traceback => "traceback",
            Self::Message => "message",
            Self::Diff => "diff",
            Self::Coverage => "coverage",
            Self::HowTo => "how_to",
            Self::Behaviour => "behaviour",
        }
    }
}

/// What a piece of evidence is for, in the order in which one reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The question, or what was pasted with it, names the place.
    Named,
    /// The team's answer to such a question.
    Faq,
    /// A document that says what the whole is, or how to use it.
    Guide,
    /// It matches the question.
    Match,
    /// It defines a name that a match uses.
    Definition,
    /// It uses a match.
    Caller,
    /// It extends or implements a match.
    Subtype,
    /// A test that uses a match.
    Test,
    /// A document that speaks of it.
    Document,
    /// An issue, a pull request or a commit that speaks of it.
    Discussion,
    /// A part of the repository: a directory, with what its own documentation says.
    Part,
    /// An earlier answer of the conversation cited it.
    Earlier,
}

impl Role {
    /// All roles, in the order in which one reads them.
    pub const ALL: [Self; 12] = [
        Self::Named,
        Self::Faq,
        Self::Guide,
        Self::Match,
        Self::Definition,
        Self::Caller,
        Self::Subtype,
        Self::Test,
        Self::Document,
        Self::Discussion,
        Self::Part,
        Self::Earlier,
    ];

    /// Its name in one word, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::Faq => "faq",
            Self::Guide => "guide",
            Self::Match => "match",
            Self::Definition => "definition",
            Self::Caller => "caller",
            Self::Subtype => "subtype",
            Self::Test => "test",
            Self::Document => "document",
            Self::Discussion => "discussion",
            Self::Part => "part",
            Self::Earlier => "earlier",
        }
    }
}

/// Why something is evidence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Why {
    /// The question was searched for, and this was found.
    Ranked(Reason),
    /// The question names this definition.
    Definition(String),
    /// What was pasted names the place.
    Pasted(Origin),
    /// The question names the path.
    Path,
    /// What a model wrote beside the question was searched for, and this was found.
    ModelText,
    /// It uses this name.
    Uses(String, ReferenceKind),
    /// This definition uses it.
    UsedBy(String),
    /// It says what the repository, or a part of it, is.
    Describes,
    /// It is among the most used definitions.
    Central,
    /// An earlier answer cited it.
    Earlier,
    /// The team says that it is here.
    TeamAnswer,
}

impl Why {
    /// The reason in one word, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Ranked(reason) => reason.code(),
            Self::Definition(_) => "defines",
            Self::Pasted(origin) => origin.name(),
            Self::Path => "path",
            Self::ModelText => "written",
            Self::Uses(..) => "uses",
            Self::UsedBy(_) => "used_by",
            Self::Describes => "describes",
            Self::Central => "central",
            Self::Earlier => "earlier",
            Self::TeamAnswer => "told",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ranked(reason) => write!(f, "{reason}"),
            Self::Definition(name) => write!(f, "defines {name}, which the question names"),
            Self::Pasted(Origin::Traceback) => f.write_str("a frame of the traceback"),
            Self::Pasted(Origin::Message) => f.write_str("a message names it"),
            Self::Pasted(Origin::Diff) => f.write_str("a hunk of the diff"),
            Self::Pasted(Origin::Coverage) => f.write_str("no test runs it"),
            Self::Path => f.write_str("the question names it"),
            Self::ModelText => f.write_str("like what a model wrote for the question"),
            Self::Uses(name, ReferenceKind::Base) => write!(f, "extends {name}"),
            Self::Uses(name, _) => write!(f, "uses {name}"),
            Self::UsedBy(name) => write!(f, "used by {name}"),
            Self::Describes => f.write_str("says what it is"),
            Self::Central => f.write_str("much of the repository uses it"),
            Self::Earlier => f.write_str("cited before"),
            Self::TeamAnswer => f.write_str("the team says so"),
        }
    }
}

/// A line that says much, of a longer definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyLine {
    /// Its number, 1-based.
    pub line: u32,
    /// The line, without the white space around it.
    pub text: String,
}

/// A piece of evidence: whole lines of a file, as they stand.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceItem {
    /// What it is for.
    pub role: Role,
    /// The file, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// The bytes of `text` in the file.
    pub bytes: Range<usize>,
    /// The dotted name of the definition there, or of the one around it; empty when there is none.
    pub symbol: String,
    /// The kind of that definition.
    pub kind: Option<Kind>,
    /// All lines of that definition, where the evidence is only some of them.
    pub extent: (u32, u32),
    /// Its signature in one line; empty without a definition.
    pub signature: String,
    /// The first paragraph of its documentation, without comment marks; empty when there is none.
    pub summary: String,
    /// The lines that say how it works; empty where the text is short.
    pub key_lines: Vec<KeyLine>,
    /// All reasons, the most important first.
    pub why: Vec<Why>,
    /// What it is from, where it is not the repository's code and documents: what a team or a user added.
    pub source: Option<SourceOrigin>,
    /// What a compiler or a test said of it; of a team's answer, which of its places are gone.
    pub message: Option<String>,
    /// The lines, as they stand in the file, without the last line break.
    pub text: String,
    /// Tokens of `text`.
    pub tokens: usize,
}

/// What was gathered for a question.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceSet {
    /// What kinds of question it is, at least one.
    pub kinds: Vec<QuestionKind>,
    /// In the order in which one reads it to understand; item 0 is cited as `[1]`.
    pub evidence: Vec<EvidenceItem>,
    /// Whether that is enough to answer.
    pub strength: Strength,
    /// What went wrong, in the words of the program whose output was pasted.
    pub messages: Vec<String>,
}
