//! The tools, with their descriptions for models.

use serde_json::Value;

use super::schema;
use crate::usage::usage;

/// A tool that can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Code for a question, words, a name or a pattern.
    Search,
    /// Code to read before an edit.
    Context,
    /// Definitions and uses of a name, or the outline of a file.
    Symbols,
    /// The most referred-to definitions of the repository.
    Map,
    /// Lines of a file, with their numbers.
    ReadLines,
}

impl Tool {
    /// All tools, in display order.
    pub const ALL: [Self; 5] =
        [Self::Search, Self::Context, Self::Symbols, Self::Map, Self::ReadLines];

    /// The tool of a name among `offered`; the error lists their names.
    pub fn named(name: &str, offered: &[Self]) -> anyhow::Result<Self> {
        offered.iter().copied().find(|it| it.name() == name).ok_or_else(|| {
            let all: Vec<&str> = offered.iter().map(|it| it.name()).collect();
            usage(format!("{name}: no such tool; there are {}", all.join(", ")))
        })
    }

    /// The name in calls.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Context => "context",
            Self::Symbols => "symbols",
            Self::Map => "map",
            Self::ReadLines => "read",
        }
    }

    /// A title for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Search => "Search code",
            Self::Context => "Gather context",
            Self::Symbols => "Definitions, uses, outlines",
            Self::Map => "Map of the repository",
            Self::ReadLines => "Read lines",
        }
    }

    /// Purpose and use, for a model.
    pub fn description(self) -> &'static str {
        match self {
            Self::Search => {
                "Find code by a question in plain words (\"where are sessions expired\"), a few words, a symbol's name, or, with mode exact or regex, a pattern. Returns ranked `path:start-end kind symbol` with excerpts, best first: whole functions and classes, not lines. One call replaces several greps. For every use of a name take `symbols`."
            }
            Self::Context => {
                "What to read before an edit, in one call: for a file and line, or for a task in words. Returns the code itself, then the definitions it uses, its callers, its tests, and related code, each as `path:start-end`. To look for one thing take `search`."
            }
            Self::Symbols => {
                "With name: every definition and use of a symbol, each use with its line and the function it is in. Complete, not ranked: take it before renaming or changing a signature. With file: an outline of its imports and definitions with line ranges, cheaper than reading it."
            }
            Self::Map => {
                "An overview of the repository: its most referred-to files with the signatures of their main definitions. Take it first in a repository you do not know, or with focus for one part of it."
            }
            Self::ReadLines => {
                "Read lines of one file with their numbers, within a token budget. Use it when `search` or `symbols` has named a place and its excerpt is not enough."
            }
        }
    }

    /// The properties of its own arguments.
    pub(super) fn properties(self) -> Value {
        match self {
            Self::Search => schema::search(),
            Self::Context => schema::edit_context(),
            Self::Symbols => schema::symbols(),
            Self::Map => schema::map(),
            Self::ReadLines => schema::read_lines(),
        }
    }

    /// The JSON schema of its arguments; `repository` describes the repositories that a call may name.
    pub fn input_schema(self, repository: &str) -> Value {
        let required: &[&str] = match self {
            Self::Search => &["query"],
            Self::ReadLines => &["file"],
            Self::Context | Self::Symbols | Self::Map => &[],
        };
        schema::input(self.properties(), required, repository)
    }
}
