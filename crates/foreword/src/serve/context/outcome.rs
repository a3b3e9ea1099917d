//! What the context of a request came to, as records and response headers state it.

use serde::Serialize;

/// What became of a request's context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ContextOutcome {
    /// None was tried: the request is no completion of code, or asks to be left untouched.
    #[default]
    Untouched,
    /// There is context for the position in the file.
    File,
    /// The file is not known: there is context by words alone.
    Lexical,
    /// It came too late.
    Late,
    /// It could not be computed.
    Failed,
}

impl ContextOutcome {
    pub(crate) const ALL: [Self; 5] =
        [Self::Untouched, Self::File, Self::Lexical, Self::Late, Self::Failed];

    /// The value of the header `x-foreword-context`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Untouched => "untouched",
            Self::File => "file",
            Self::Lexical => "lexical",
            Self::Late => "late",
            Self::Failed => "failed",
        }
    }
}

/// Where the cursor of a request is.
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
    /// How certain that is, between 0 and 1.
    pub(crate) confidence: f64,
    /// How it was found, or why it was not.
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
