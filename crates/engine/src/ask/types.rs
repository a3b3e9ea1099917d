//! The request, a piece of evidence, and the set of all evidence for a question.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{Kind, ReferenceKind};

use super::config::AskConfig;
use super::pasted::Origin;
use super::strength::{Strength, Weakness};
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
    /// Text that came with it: a traceback, compiler output, a diff. May be empty.
    pub pasted: &'r str,
    /// The repository's name, which carries no information in a question about it. May be empty.
    pub repository: &'r str,
    /// Filter of files; `None` for all.
    pub keep: Keep<'r>,
    /// Factors on the scores of chunks.
    pub prior: Prior<'r>,
    /// Embeddings of the question; `None` where only words count.
    pub meanings: Option<Meanings<'r>>,
    /// Tags that results must have or must not have; `None` for any.
    pub tags: Option<&'r TagFilter>,
    /// Answers and pages of the team and the user; `None` where there are none.
    pub custom: Option<&'r CustomSources>,
    /// Returns the cached map of the whole snapshot within a number of tokens. Without it the map is computed, which
    /// takes half a second for a million lines.
    pub map: Option<&'r dyn Fn(usize) -> Option<Arc<Map>>>,
    /// Token budget of all evidence.
    pub tokens: usize,
    /// Places that earlier answers of the conversation cited; they stay in the set. Path, first and last line.
    pub earlier: &'r [(String, u32, u32)],
    /// Texts that a model wrote, searched for beside the question: code that may answer it, or parts of the question.
    pub written: &'r [String],
    /// Numbers, from 0, of the passages ([`passages`](super::passages)) in the order that a model prefers; the others
    /// follow. Empty for the order of the search.
    pub order: &'r [usize],
    /// Limits on each kind of evidence; the limits in use without it.
    pub config: Option<&'r AskConfig>,
}

impl<'r> AskRequest<'r> {
    pub(super) fn config(&self) -> &'r AskConfig {
        self.config.unwrap_or_else(|| AskConfig::in_use())
    }
}

/// Kind of a question. One question may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuestionKind {
    /// The repository as a whole: its purpose and structure.
    Overview,
    /// A definition by its name.
    Symbol,
    /// A file, or lines in it, by path.
    Path,
    /// A traceback.
    Traceback,
    /// The message of a compiler or a test runner.
    Message,
    /// A diff.
    Diff,
    /// Lines that no test covers.
    Coverage,
    /// How to use, set up or run something.
    HowTo,
    /// How the code does something, or where.
    Behaviour,
}

impl QuestionKind {
    /// Name for programs, in one word.
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

/// Role of a piece of evidence, in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A place that the question or the pasted text names.
    Named,
    /// The team's answer to a similar question.
    Faq,
    /// A document about the whole, or about usage.
    Guide,
    /// A match of the question.
    Match,
    /// A match after the best ones, of which little is shown.
    Further,
    /// A definition of a name that a match uses.
    Definition,
    /// A caller of a match.
    Caller,
    /// A subtype or implementation of a match.
    Subtype,
    /// A test that uses a match.
    Test,
    /// A document that mentions it.
    Document,
    /// An issue, a pull request or a commit that mentions it.
    Discussion,
    /// A directory of the repository, with its documentation.
    Part,
    /// A piece that an earlier answer of the conversation cited.
    Earlier,
}

impl Role {
    /// All roles, in reading order.
    pub const ALL: [Self; 13] = [
        Self::Named,
        Self::Faq,
        Self::Guide,
        Self::Match,
        Self::Further,
        Self::Definition,
        Self::Caller,
        Self::Subtype,
        Self::Test,
        Self::Document,
        Self::Discussion,
        Self::Part,
        Self::Earlier,
    ];

    /// Name for programs, in one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::Faq => "faq",
            Self::Guide => "guide",
            Self::Match => "match",
            Self::Further => "further",
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

/// Reason for a piece of evidence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Why {
    /// A search for the question found it.
    Ranked(Reason),
    /// It defines this name, which the question names.
    Definition(String),
    /// The pasted text names the place.
    Pasted(Origin),
    /// The question names the path.
    Path,
    /// A search for a text that a model wrote found it.
    ModelText,
    /// It uses this name.
    Uses(String, ReferenceKind),
    /// It uses this name, but perhaps that of another definition.
    PossiblyUses(String),
    /// This definition uses it.
    UsedBy(String),
    /// It describes the repository or a directory.
    Describes,
    /// It is among the most used definitions.
    Central,
    /// It reads or sets these environment variables.
    Environment(Vec<String>),
    /// An earlier answer cited it.
    Earlier,
    /// The team's answer names the place.
    TeamAnswer,
}

impl Why {
    /// Reason for programs, in one word.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Ranked(reason) => reason.code(),
            Self::Definition(_) => "defines",
            Self::Pasted(origin) => origin.name(),
            Self::Path => "path",
            Self::ModelText => "written",
            Self::Uses(..) => "uses",
            Self::PossiblyUses(_) => "possibly_uses",
            Self::UsedBy(_) => "used_by",
            Self::Describes => "describes",
            Self::Central => "central",
            Self::Environment(_) => "environment",
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
            Self::ModelText => f.write_str("matches what the model wrote for the question"),
            Self::Uses(name, ReferenceKind::Base) => write!(f, "extends {name}"),
            Self::Uses(name, _) => write!(f, "uses {name}"),
            Self::PossiblyUses(name) => write!(f, "possibly uses {name}"),
            Self::UsedBy(name) => write!(f, "used by {name}"),
            Self::Describes => f.write_str("describes it"),
            Self::Central => f.write_str("much of the repository uses it"),
            Self::Environment(names) => write!(f, "reads or sets {}", names.join(", ")),
            Self::Earlier => f.write_str("cited earlier"),
            Self::TeamAnswer => f.write_str("the team's answer names it"),
        }
    }
}

/// A line that shows how a longer definition works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyLine {
    /// Line number, 1-based.
    pub line: u32,
    /// The line without surrounding white space.
    pub text: String,
}

/// A piece of evidence: whole, unchanged lines of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceItem {
    /// Role among the evidence.
    pub role: Role,
    /// The file, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Bytes of `text` in the file.
    pub bytes: Range<usize>,
    /// Dotted name of the definition there or around it; empty when there is none.
    pub symbol: String,
    /// Kind of that definition.
    pub kind: Option<Kind>,
    /// First and last line of the whole definition.
    pub extent: (u32, u32),
    /// Its signature in one line; empty without a definition.
    pub signature: String,
    /// First paragraph of its documentation, without comment marks; empty when there is none.
    pub summary: String,
    /// Lines that show how it works; empty where the text is short.
    pub key_lines: Vec<KeyLine>,
    /// All reasons, the most important first.
    pub why: Vec<Why>,
    /// The team's or the user's source; `None` for code and documents of the repository.
    pub source: Option<SourceOrigin>,
    /// The compiler's or test's message about it; for a team's answer, its missing places.
    pub message: Option<String>,
    /// The lines as in the file, without the last line break.
    pub text: String,
    /// Tokens of `text`.
    pub tokens: usize,
}

impl EvidenceItem {
    /// Whether the piece is lines from the middle of a type, which may be as long as its file.
    pub fn is_inside_type(&self) -> bool {
        self.kind.is_some_and(has_members) && self.start_line > self.extent.0
    }
}

/// Whether definitions of this kind hold methods or other members.
pub(super) fn has_members(kind: Kind) -> bool {
    matches!(kind, Kind::Class | Kind::Interface | Kind::Enum | Kind::Module | Kind::Implementation)
}

/// All evidence for a question.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceSet {
    /// Kinds of the question, at least one.
    pub kinds: Vec<QuestionKind>,
    /// Pieces in reading order; item 0 is cited as `[1]`.
    pub evidence: Vec<EvidenceItem>,
    /// Whether the evidence is enough to answer.
    pub strength: Strength,
    /// Error messages in the pasted text.
    pub messages: Vec<String>,
}

impl EvidenceSet {
    /// The repository lacks what the question is about: nothing was found, or its telling words occur nowhere.
    pub fn is_absent(&self) -> bool {
        self.evidence.is_empty() || matches!(self.strength.weakness(), Some(Weakness::Absent(_)))
    }
}
