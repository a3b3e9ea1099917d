//! Reasons why paths are not in the index, for people and for programs.

use std::fmt;
use std::io;

use crate::root::{is_replaced, is_too_many_open};

/// A skipped path with its reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkippedPath {
    /// Relative to the root, separated by `/`; lossy if the name is not Unicode. A directory includes all paths below
    /// it.
    pub path: String,
    /// The reason.
    pub reason: SkipReason,
}

/// The reason why a path was skipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SkipReason {
    /// An ignore file excludes the path.
    Ignored {
        /// The ignore file, relative to the root if it lies below, else absolute; `configuration` for rules of the
        /// caller.
        by: String,
        /// The pattern as written.
        rule: String,
        /// The line of the pattern, 1-based.
        line: Option<u32>,
    },
    /// The name or the content indicates keys or passwords. No ignore file can include the path.
    Secret {
        /// The built-in rule that matched.
        rule: &'static str,
    },
    /// Third-party code, an environment, or build output.
    Vendored {
        /// The built-in rule that matched.
        rule: &'static str,
    },
    /// A hidden directory, except well-known ones with source code.
    Hidden,
    /// The storage of a version control system.
    VersionControl,
    /// An index written by this program. No ignore file can include it.
    Index,
    /// Not text, by name or first bytes.
    Binary,
    /// Above the size limit; never read.
    TooLarge {
        /// The size of the file in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Minified text: lines of thousands of bytes.
    Minified {
        /// The evidence.
        why: String,
    },
    /// Generated text, by header or name.
    Generated {
        /// The evidence.
        why: String,
    },
    /// Possibly text, but not in a supported encoding.
    NotText {
        /// The problem.
        why: String,
    },
    /// The operating system reported an error.
    Unreadable {
        /// The kind of error.
        kind: io::ErrorKind,
        /// The error message.
        error: String,
    },
    /// A directory that vanished, or a path that was replaced, while the tree was read. The next query reads it again.
    Changed,
    /// A file that was removed while the tree was read.
    Gone,
    /// The process has too many open files; see [`LoadError::TooManyOpenFiles`](crate::LoadError).
    TooManyOpenFiles,
    /// A link to a path in the tree, which is indexed under its own name.
    SymlinkInside {
        /// Where the link leads, relative to the root.
        target: String,
    },
    /// A link to a path outside of the tree.
    SymlinkOutside {
        /// Where the link leads.
        target: String,
    },
    /// A link to itself or to a directory above it.
    SymlinkLoop,
    /// A link to a missing path.
    SymlinkDangling {
        /// The target as written.
        target: String,
    },
    /// A pipe, socket or device; never opened.
    SpecialFile,
    /// The name is not valid Unicode.
    NameNotUnicode,
    /// A bug: the analysis of this file panicked.
    Internal,
}

impl SkipReason {
    /// The code of [`SkipReason::Unreadable`].
    pub(crate) const UNREADABLE: &'static str = "unreadable";

    /// Converts an error of the operating system about a file.
    pub(crate) fn unreadable(error: &io::Error) -> Self {
        match error {
            it if is_replaced(it) => Self::Changed,
            it if is_too_many_open(it) => Self::TooManyOpenFiles,
            it if it.kind() == io::ErrorKind::NotFound => Self::Gone,
            it => Self::Unreadable { kind: it.kind(), error: it.to_string() },
        }
    }

    /// Converts an error about a directory, whose files may have moved.
    pub(crate) fn unreadable_directory(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Changed,
            _ => Self::unreadable(error),
        }
    }

    /// Whether the reason holds as long as the metadata of the path are the same.
    pub(crate) fn is_lasting(&self) -> bool {
        match self {
            Self::Unreadable { kind, .. } => *kind == io::ErrorKind::PermissionDenied,
            it => !matches!(it, Self::Changed | Self::TooManyOpenFiles),
        }
    }

    /// Whether answers lack content that may belong in them.
    pub const fn is_missing_content(&self) -> bool {
        matches!(self, Self::Unreadable { .. } | Self::Changed | Self::TooManyOpenFiles)
    }

    /// A stable identifier of the variant, for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Ignored { .. } => "ignored",
            Self::Secret { .. } => "secret",
            Self::Vendored { .. } => "vendored",
            Self::Hidden => "hidden",
            Self::VersionControl => "version-control",
            Self::Index => "index",
            Self::Binary => "binary",
            Self::TooLarge { .. } => "too-large",
            Self::Minified { .. } => "minified",
            Self::Generated { .. } => "generated",
            Self::NotText { .. } => "not-text",
            Self::Unreadable { .. } => Self::UNREADABLE,
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::TooManyOpenFiles => "too-many-open-files",
            Self::SymlinkInside { .. } => "symlink-inside",
            Self::SymlinkOutside { .. } => "symlink-outside",
            Self::SymlinkLoop => "symlink-loop",
            Self::SymlinkDangling { .. } => "symlink-dangling",
            Self::SpecialFile => "special-file",
            Self::NameNotUnicode => "name-not-unicode",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ignored { by, rule, line: Some(line) } => {
                write!(f, "ignored by {by}:{line}: {rule}")
            }
            Self::Ignored { by, rule, line: None } => write!(f, "ignored by {by}: {rule}"),
            Self::Secret { rule } => write!(f, "may contain secrets ({rule})"),
            Self::Vendored { rule } => {
                write!(f, "vendored or built ({rule}); .forewordignore can include it")
            }
            Self::Hidden => f.write_str("hidden directory; .forewordignore can include it"),
            Self::VersionControl => f.write_str("version control storage"),
            Self::Index => f.write_str("an index of foreword"),
            Self::Binary => f.write_str("binary"),
            Self::TooLarge { size, limit } => {
                write!(f, "too large: {size} bytes, the limit is {limit}")
            }
            Self::Minified { why } => write!(f, "minified: {why}"),
            Self::Generated { why } => write!(f, "generated: {why}"),
            Self::NotText { why } => write!(f, "not text: {why}"),
            Self::Unreadable { error, .. } => write!(f, "cannot be read: {error}"),
            Self::Changed => f.write_str("changed during reading; the next query reads it again"),
            Self::Gone => f.write_str("no longer exists"),
            Self::TooManyOpenFiles => f.write_str("too many open files"),
            Self::SymlinkInside { target } => write!(f, "symlink inside: {target}"),
            Self::SymlinkOutside { target } => write!(f, "symlink outside: {target}"),
            Self::SymlinkLoop => f.write_str("symlink loop"),
            Self::SymlinkDangling { target } => write!(f, "dangling symlink: {target}"),
            Self::SpecialFile => f.write_str("pipe, socket or device"),
            Self::NameNotUnicode => f.write_str("the name is not valid Unicode"),
            Self::Internal => {
                f.write_str("the analysis failed because of a bug; please report the file")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignored_file_names_the_line_that_excludes_it() {
        let reason =
            SkipReason::Ignored { by: "a/.gitignore".into(), rule: "*.log".into(), line: Some(3) };
        assert_eq!(reason.to_string(), "ignored by a/.gitignore:3: *.log");
        assert_eq!(reason.code(), "ignored");
    }
}
