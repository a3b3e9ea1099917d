//! Whether a text has a syntax tree, and why not.

/// Whether a text has a syntax tree, and why not. Without one, chunks ignore structure.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ParseOutcome {
    /// There is a syntax tree.
    Parsed,
    /// The language is unknown, or has no grammar in this build.
    #[default]
    NoGrammar,
    /// The text is longer than 16 MiB.
    TooLong,
    /// The grammar would abort, hang or take unbounded memory.
    Hazardous,
    /// The parse exceeded its budget of steps.
    OverBudget,
    /// Most of the text is invalid in the language.
    Invalid,
    /// The parser was stopped because it took too long.
    TimedOut,
    /// The parser was stopped because it used too much memory.
    OutOfMemory,
    /// The parser's process ended during the parse.
    Crashed,
}

impl ParseOutcome {
    /// Every outcome, at the index of its number.
    pub const ALL: [Self; 9] = [
        Self::Parsed,
        Self::NoGrammar,
        Self::TooLong,
        Self::Hazardous,
        Self::OverBudget,
        Self::Invalid,
        Self::TimedOut,
        Self::OutOfMemory,
        Self::Crashed,
    ];

    /// Whether there is a tree.
    pub fn is_parsed(self) -> bool {
        self == Self::Parsed
    }

    /// Whether the parser was stopped, or would have been.
    pub fn is_stopped(self) -> bool {
        matches!(self, Self::Hazardous | Self::TimedOut | Self::OutOfMemory | Self::Crashed)
    }

    /// The outcome as an identifier for programs: `parsed`, `over-budget`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Parsed => "parsed",
            Self::NoGrammar => "no-grammar",
            Self::TooLong => "too-long",
            Self::Hazardous => "hazardous",
            Self::OverBudget => "over-budget",
            Self::Invalid => "invalid",
            Self::TimedOut => "timed-out",
            Self::OutOfMemory => "out-of-memory",
            Self::Crashed => "crashed",
        }
    }

    /// The outcome as a phrase that follows a path: `has a syntax tree`.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Parsed => "has a syntax tree",
            Self::NoGrammar => "has no language with a grammar",
            Self::TooLong => "is longer than 16 MiB",
            Self::Hazardous => "would make the grammar abort, hang or use unbounded memory",
            Self::OverBudget => "exceeded the parser's budget of steps",
            Self::Invalid => "is mostly invalid in its language",
            Self::TimedOut => "took too long to parse",
            Self::OutOfMemory => "took too much memory to parse",
            Self::Crashed => "crashed the parser",
        }
    }
}
