//! The outcome of a request's context, for records and response headers.

use serde::Serialize;

/// The outcome of a request's context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ContextOutcome {
    /// Not attempted: the request is not a code completion, or asks for no context.
    #[default]
    Untouched,
    /// Context for the position in the file.
    File,
    /// The file is unknown: context by words alone.
    Lexical,
    /// The context was too late.
    Late,
    /// The context could not be computed.
    Failed,
    /// The file is a secret by its name: no model is asked.
    Refused,
}

impl ContextOutcome {
    pub(crate) const ALL: [Self; 6] =
        [Self::Untouched, Self::File, Self::Lexical, Self::Late, Self::Failed, Self::Refused];

    /// The value of the header `x-foreword-context`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Untouched => "untouched",
            Self::File => "file",
            Self::Lexical => "lexical",
            Self::Late => "late",
            Self::Failed => "failed",
            Self::Refused => "refused",
        }
    }
}

/// The position of a request's cursor.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Location {
    /// The root of the repository.
    pub(crate) workspace: Option<String>,
    /// The file, relative to it.
    pub(crate) path: Option<String>,
    /// 1-based.
    pub(crate) line: Option<usize>,
    /// 1-based, in characters.
    pub(crate) column: Option<usize>,
    /// Confidence in the position, between 0 and 1.
    pub(crate) confidence: f64,
    /// How the file was found, or why not.
    pub(crate) how: String,
}

/// A piece of a prompt.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Snippet {
    pub(crate) filepath: String,
    pub(crate) body: String,
    /// Higher is better; 1 for the client's own snippets.
    pub(crate) score: f32,
}
