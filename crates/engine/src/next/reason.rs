//! Reasons for a likely edit, as values and as text.

use std::fmt;

use super::change::ChangeKind;

/// Reason for a likely edit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NextReason {
    /// It has a name that the edits changed.
    Name {
        /// The name.
        name: String,
        /// The change.
        change: ChangeKind,
    },
    /// It is like a line that was replaced.
    Alike {
        /// The replaced line, without indentation.
        line: String,
    },
    /// The edits use a name of another file that this file does not import.
    Import {
        /// The name.
        name: String,
    },
    /// Its file usually changes with an edited one.
    CoChange {
        /// The edited file.
        path: String,
        /// Number of commits that changed both.
        commits: u32,
        /// Share of the edited file's commits, in per cent.
        percent: u32,
    },
    /// Its file tests the edited one, by name.
    Test {
        /// The edited file.
        path: String,
    },
    /// It is the end of a test that usually changes with an edited file.
    End {
        /// The edited file.
        path: String,
    },
    /// It is in an edited file, at some distance from the edits.
    Near,
}

impl NextReason {
    /// Name for programs, in one word.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Name { change, .. } => change.code(),
            Self::Alike { .. } => "alike",
            Self::Import { .. } => "import",
            Self::CoChange { .. } => "co-change",
            Self::Test { .. } => "test",
            Self::End { .. } => "end",
            Self::Near => "near",
        }
    }
}

impl fmt::Display for NextReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { name, change } => match change {
                ChangeKind::Gone => write!(f, "has {name}, which is not defined any more"),
                ChangeKind::Renamed(new) => write!(f, "has {name}, which was renamed to {new}"),
                ChangeKind::Replaced(new) => {
                    write!(f, "has {name}, which {new} replaced elsewhere")
                }
                ChangeKind::Removed => write!(f, "has {name}, which was removed elsewhere"),
                ChangeKind::Signature => write!(f, "uses {name}, whose signature changed"),
                ChangeKind::New => write!(f, "has {name}, which is new"),
                ChangeKind::Body => write!(f, "uses {name}, which changed"),
                ChangeKind::Used => write!(f, "has {name}, which the edits added elsewhere"),
                ChangeKind::Variant(new) => write!(f, "has {name}, a variant beside the new {new}"),
                ChangeKind::Beside(new) => write!(f, "has {name}, beside the new {new}"),
            },
            Self::Alike { line } => write!(f, "is like a line that was replaced: {line}"),
            Self::Import { name } => write!(f, "does not import {name} yet"),
            Self::CoChange { path, commits, percent } => {
                let commits = match commits {
                    1 => "1 commit".to_owned(),
                    n => format!("{n} commits"),
                };
                write!(f, "changed together with {path} in {commits} ({percent} %)")
            }
            Self::Test { path } => write!(f, "tests {path}"),
            Self::End { path } => write!(f, "is the end of a test that changes with {path}"),
            Self::Near => write!(f, "is in an edited file"),
        }
    }
}
