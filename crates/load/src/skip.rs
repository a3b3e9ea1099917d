//! Why a file is not there: every path that is left out has a reason, for people and for programs.

use std::fmt;

/// A path that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Relative to the root, `/`-separated; lossy where the name is not Unicode. A directory stands for all below.
    pub path: String,
    /// The reason.
    pub reason: SkipReason,
}

/// Why a path was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SkipReason {
    /// An ignore file says so.
    Ignored {
        /// The ignore file, relative to the root where it lies below, else absolute; `configuration` for rules of
        /// the caller.
        by: String,
        /// The pattern as written.
        rule: String,
        /// The line of the pattern, from 1.
        line: Option<u32>,
    },
    /// The name is one of those that hold keys and passwords; no ignore file brings it back.
    Secret {
        /// The built-in rule that matched.
        rule: &'static str,
    },
    /// Somebody else's code, an environment or the output of a build.
    Vendored {
        /// The built-in rule that matched.
        rule: &'static str,
    },
    /// A hidden directory that is not one of the well-known ones with source in them.
    Hidden,
    /// The storage of a version control system.
    VersionControl,
    /// Not text, by its name or its first bytes.
    Binary,
    /// Above the size limit; never read.
    TooLarge {
        /// The size of the file in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Text that no person reads or writes: lines of thousands of bytes.
    Minified {
        /// What gave it away.
        why: String,
    },
    /// Written by a program, by its own account or by its name.
    Generated {
        /// What gave it away.
        why: String,
    },
    /// Meant as text, perhaps, but in no encoding that can be read.
    NotText {
        /// What is wrong with it.
        why: String,
    },
    /// The operating system refused.
    Unreadable {
        /// What it said.
        error: String,
    },
    /// A link to something in the tree, which is there under its own name.
    SymlinkInside {
        /// Where the link leads, relative to the root.
        target: String,
    },
    /// A link that leads out of the tree.
    SymlinkOutside {
        /// Where the link leads.
        target: String,
    },
    /// A link that leads back to itself or to a directory above it.
    SymlinkLoop,
    /// A link to nothing.
    SymlinkDangling {
        /// What the link says.
        target: String,
    },
    /// A pipe, socket or device; never opened.
    SpecialFile,
    /// The name is not valid Unicode.
    NameNotUnicode,
    /// The analysis of this one file failed by a mistake of ours.
    Internal,
}

impl SkipReason {
    /// A stable word for programs; the same for all values of a variant.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Ignored { .. } => "ignored",
            Self::Secret { .. } => "secret",
            Self::Vendored { .. } => "vendored",
            Self::Hidden => "hidden",
            Self::VersionControl => "version-control",
            Self::Binary => "binary",
            Self::TooLarge { .. } => "too-large",
            Self::Minified { .. } => "minified",
            Self::Generated { .. } => "generated",
            Self::NotText { .. } => "not-text",
            Self::Unreadable { .. } => "unreadable",
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
            Self::Secret { rule } => write!(f, "may hold secrets ({rule})"),
            Self::Vendored { rule } => {
                write!(f, "vendored or built ({rule}); .forewordignore can bring it back")
            }
            Self::Hidden => f.write_str("hidden directory; .forewordignore can bring it back"),
            Self::VersionControl => f.write_str("storage of version control"),
            Self::Binary => f.write_str("binary"),
            Self::TooLarge { size, limit } => {
                write!(f, "too large: {size} bytes, the limit is {limit}")
            }
            Self::Minified { why } => write!(f, "minified: {why}"),
            Self::Generated { why } => write!(f, "generated: {why}"),
            Self::NotText { why } => write!(f, "not text: {why}"),
            Self::Unreadable { error } => write!(f, "cannot be read: {error}"),
            Self::SymlinkInside { target } => write!(f, "symlink inside: {target}"),
            Self::SymlinkOutside { target } => write!(f, "symlink outside: {target}"),
            Self::SymlinkLoop => f.write_str("symlink loop"),
            Self::SymlinkDangling { target } => write!(f, "symlink to nothing: {target}"),
            Self::SpecialFile => f.write_str("pipe, socket or device"),
            Self::NameNotUnicode => f.write_str("the name is not valid Unicode"),
            Self::Internal => {
                f.write_str("the analysis failed by a mistake of ours; please report the file")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignored_file_names_the_line_that_did_it() {
        let reason =
            SkipReason::Ignored { by: "a/.gitignore".into(), rule: "*.log".into(), line: Some(3) };
        assert_eq!(reason.to_string(), "ignored by a/.gitignore:3: *.log");
        assert_eq!(reason.code(), "ignored");
    }
}
