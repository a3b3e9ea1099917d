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
    /// The parser crashed.
    Crashed,
    /// The parser crashed again, in a process of its own.
    CrashedTwice,
    /// Somebody ended the parser's process, which says nothing about the text.
    Interrupted,
    /// The parse would take long, or stopped the parser once; it is parsed when nobody waits.
    Deferred,
}

impl ParseOutcome {
    /// Every outcome, at the index of its number.
    pub const ALL: [Self; 12] = [
        Self::Parsed,
        Self::NoGrammar,
        Self::TooLong,
        Self::Hazardous,
        Self::OverBudget,
        Self::Invalid,
        Self::TimedOut,
        Self::OutOfMemory,
        Self::Crashed,
        Self::CrashedTwice,
        Self::Interrupted,
        Self::Deferred,
    ];

    /// Whether there is a tree.
    pub fn is_parsed(self) -> bool {
        self == Self::Parsed
    }

    /// An outcome of which another parse of the same text may differ. A limit of time or memory is final: the parser's
    /// process measures its own, which other programs do not change. A crash is final the second time.
    pub fn is_preliminary(self) -> bool {
        matches!(self, Self::Crashed | Self::Interrupted | Self::Deferred)
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
            Self::CrashedTwice => "crashed-twice",
            Self::Interrupted => "interrupted",
            Self::Deferred => "deferred",
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
            Self::Crashed => "crashed the parser; `foreword index` tries once more",
            Self::CrashedTwice => "crashed the parser twice",
            Self::Interrupted => {
                "was being parsed when the parser was killed; the next query tries again"
            }
            Self::Deferred => {
                "has no syntax tree yet, since parsing it takes long; `foreword index` does"
            }
        }
    }
}
