//! A likely place, as a value.

use std::ops::Range;

use foreword_chunk::Kind;

use super::features::Feature;
use super::reason::NextReason;

/// A likely place of the next edit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// The file, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The line of its best reason.
    pub best_line: u32,
    /// Dotted name of the enclosing definition; empty where there is none.
    pub symbol: String,
    /// Its kind.
    pub kind: Option<Kind>,
    /// Chance, 0 to 1, that it is edited next or later.
    pub confidence: f32,
    /// Whether the code says that it must change: it uses what is no longer there, or passes another number of
    /// arguments.
    pub is_certain: bool,
    /// Reasons, the best first.
    pub reasons: Vec<NextReason>,
    /// Edits that follow from the latest ones; none where the text is not known.
    pub edits: Vec<ProposedEdit>,
    /// What the confidence is computed from.
    pub features: Vec<Feature>,
}

/// An edit that follows from the latest ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedEdit {
    /// What it does, in one word.
    pub kind: &'static str,
    /// Replaced bytes, in whole lines.
    pub range: Range<usize>,
    /// The new lines.
    pub text: String,
}
