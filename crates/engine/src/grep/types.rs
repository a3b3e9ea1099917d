//! The request and the answer of a search for a pattern.

use foreword_chunk::Kind;

use crate::index::FileId;

/// Longer lines, in characters, are cut around their match; `…` marks a cut.
pub const MAX_LINE_CHARS: usize = 240;

/// Treatment of upper and lower case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// Case counts if the pattern has an upper-case letter.
    #[default]
    Smart,
    /// Case counts.
    Sensitive,
    /// Case is ignored.
    Insensitive,
}

/// Request for a search by pattern.
#[derive(Clone, Copy, Default)]
pub struct GrepRequest<'r> {
    /// The text or the regular expression.
    ///
    /// It may span lines if it contains a line break (or, in an expression, `\n`); otherwise `.` and classes match within
    /// a line.
    pub pattern: &'r str,
    /// Whether it is a regular expression; otherwise it is literal.
    pub regex: bool,
    /// Treatment of upper and lower case.
    pub case: Case,
    /// Whether a match must be whole words: no letter, digit or underscore of any script on either side.
    pub word: bool,
    /// Filter of files; `None` for all.
    pub keep: Option<&'r (dyn Fn(FileId) -> bool + Sync)>,
    /// Maximum number of returned matches; all are counted.
    pub limit: usize,
    /// Bytes of texts that are read at most where contents are elsewhere; `None` for 32 MiB.
    pub most_bytes: Option<u64>,
    /// Number of lines returned before and after a match; fewer where all matches together would have more than 100,000.
    pub context: u32,
}

/// A line that matches; of a pattern that spans lines, the lines that a match touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepMatch {
    /// The file.
    pub path: String,
    /// The line in which the match begins, 1-based.
    pub line: u32,
    /// Where in the line it begins, in characters, 1-based.
    pub column: u32,
    /// The line without its line break; at most about [`MAX_LINE_CHARS`] characters of it, which include the beginning of
    /// the match.
    pub text: String,
    /// The dotted name of the innermost definition that encloses the match; empty if there is none.
    pub symbol: String,
    /// The kind of that definition.
    pub kind: Option<Kind>,
    /// The lines before, each cut like `text`.
    pub before: Vec<String>,
    /// The lines after, each cut like `text`.
    pub after: Vec<String>,
}

/// The answer to a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrepAnswer {
    /// In order of path and line, at most one per line.
    pub matches: Vec<GrepMatch>,
    /// The number of matches, including those beyond the limit.
    pub total: usize,
    /// The number of files with matches.
    pub files: usize,
    /// Number of files searched: those read, and those without a match by the index.
    pub searched: usize,
    /// Number of files that could match and were not read, the last by path: their contents are elsewhere and too many.
    pub unread: usize,
    /// Whether there are, or could be, more matches than returned.
    pub truncated: bool,
}

/// Why a pattern cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GrepError {
    /// It is empty.
    #[error("the pattern is empty: it would match every line; say what to search for")]
    Empty,
    /// It is not a valid regular expression.
    #[error(
        "`{pattern}` is not a regular expression: {what}; to search for it as it stands, search for exact text"
    )]
    Syntax {
        /// The pattern.
        pattern: String,
        /// The problem.
        what: String,
    },
    /// It would need too much memory.
    #[error(
        "`{pattern}` needs too much memory: {what}; use smaller repetitions, or search for exact text"
    )]
    TooLarge {
        /// The pattern.
        pattern: String,
        /// The limit that it exceeds.
        what: String,
    },
}
