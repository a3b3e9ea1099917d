//! The scripts of pages and components.

use std::ops::Range;

use crate::language::Language;
use crate::span::Span;

/// All scripts of one language in a page or a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Their language.
    pub language: Language,
    /// The byte ranges between their tags, ascending and disjoint.
    pub regions: Vec<Range<usize>>,
    /// Their syntax errors, as [`defects`](super::Parse::defects) has those of a file of one language.
    pub defects: Vec<Span>,
}
