//! The content of customisation files, as values.

use globset::GlobSet;

use super::tags::TagRule;
use crate::evidence::Feature;
use crate::index::{ChunkId, Snapshot};
use crate::preset::constants::custom::{DEMOTED, PINNED};

/// Location of a text that a team wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The file, relative to the root; absolute for the user's own files.
    pub path: String,
    /// First and last line, 1-based, inclusive.
    pub lines: (u32, u32),
    /// These lines.
    pub text: String,
}

/// A frequent question and its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaqEntry {
    /// The question.
    pub question: String,
    /// The answer, as Markdown.
    pub answer: String,
    /// Places of the code.
    pub places: Vec<FaqPlace>,
    /// Location of the entry.
    pub at: Location,
}

/// A place in the repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaqPlace {
    /// A file or a directory, relative to the root.
    pub path: String,
    /// First and last line, 1-based, inclusive; `None` for all.
    pub lines: Option<(u32, u32)>,
}

/// Summary of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirectorySummary {
    /// The directory, relative to the root, with a trailing slash.
    pub directory: String,
    /// Its summary.
    pub summary: String,
    /// Location of the summary.
    pub at: Location,
}

/// Paths whose scores change.
#[derive(Clone, Debug, Default)]
pub struct PathRules {
    /// Paths with a higher score.
    pub pinned: GlobSet,
    /// Paths with a lower score.
    pub demoted: GlobSet,
}

/// The content of all customisation files.
#[derive(Clone, Debug, Default)]
pub struct Customisation {
    /// Frequent questions, in the order of the files.
    pub faq: Vec<FaqEntry>,
    /// Directory summaries, in the order of the files.
    pub directories: Vec<DirectorySummary>,
    /// The team's own tags, and built-in ones with a weight.
    pub tags: Vec<TagRule>,
    /// Pinned and demoted paths.
    pub paths: PathRules,
}

impl Customisation {
    /// Whether it changes scores.
    pub fn weighs(&self) -> bool {
        !self.paths.pinned.is_empty()
            || !self.paths.demoted.is_empty()
            || self.tags.iter().any(|it| !it.is_neutral())
    }

    /// Factor on a chunk's score; `None` where no rule applies.
    pub fn factor(&self, snapshot: &Snapshot, chunk: ChunkId) -> Option<(Feature, f32)> {
        let path = snapshot.path(chunk.file);
        let of_path = |set: &GlobSet, factor| if set.is_match(path) { factor } else { 1.0 };
        let mut res = of_path(&self.paths.pinned, PINNED) * of_path(&self.paths.demoted, DEMOTED);
        for tag in self.tags.iter().filter(|it| !it.is_neutral()) {
            if tag.is_on_chunk(snapshot, chunk) {
                res *= tag.weight;
            }
        }
        ((res - 1.0).abs() > f32::EPSILON).then_some((Feature::Customisation, res))
    }
}

impl FaqPlace {
    /// Whether the place exists.
    pub fn exists(&self, snapshot: &Snapshot) -> bool {
        let directory = format!("{}/", self.path.trim_end_matches('/'));
        match (snapshot.file(&self.path), self.lines) {
            (Some(file), Some((_, last))) => last <= snapshot.size(file).1,
            (Some(_), None) => true,
            (None, None) => snapshot.files_under(&directory).next().is_some(),
            (None, Some(_)) => false,
        }
    }
}

impl std::fmt::Display for FaqPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.lines {
            Some((first, last)) => write!(f, "{}:{first}-{last}", self.path),
            None => f.write_str(&self.path),
        }
    }
}

impl FaqEntry {
    /// Its places that no longer exist.
    pub fn missing_places(&self, snapshot: &Snapshot) -> Vec<&FaqPlace> {
        self.places.iter().filter(|it| !it.exists(snapshot)).collect()
    }
}

/// Source of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceOrigin {
    /// The team's answer to this question.
    Faq(String),
    /// The team's summary of this directory.
    Directory(String),
    /// A page, by title.
    Page(String),
    /// An issue, by number and title.
    Issue(u64, String),
    /// A pull request, by number and title.
    PullRequest(u64, String),
    /// A commit, by the start of its hash and the first line of its message.
    Commit(String, String),
}

impl SourceOrigin {
    /// Name for programs, in one word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Faq(_) => "faq",
            Self::Directory(_) => "directory",
            Self::Page(_) => "page",
            Self::Issue(..) => "issue",
            Self::PullRequest(..) => "pull_request",
            Self::Commit(..) => "commit",
        }
    }
}

impl std::fmt::Display for SourceOrigin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Faq(question) => write!(f, "FAQ: {question}"),
            Self::Directory(directory) => write!(f, "about {directory}"),
            Self::Page(title) => write!(f, "page: {title}"),
            Self::Issue(number, title) => write!(f, "issue #{number}: {title}"),
            Self::PullRequest(number, title) => write!(f, "pull request #{number}: {title}"),
            Self::Commit(id, title) => write!(f, "commit {id}: {title}"),
        }
    }
}
