//! The token budget: how much of the text around the cursor is shown, which pieces fit and in which form, and what was
//! dropped.

mod budget;
mod draft;
mod excerpt;
mod line_reader;
mod lines;
mod open_file;
mod passage;
mod ranges;
mod ranked_candidate;
mod select;
mod shown;
mod surroundings;
mod title;
mod window;

pub use budget::{Budget, Count, Trim};
pub use draft::Form;
pub(crate) use excerpt::{Lines, Words};
pub use ranked_candidate::{RankedCandidate, ranked_candidates};
pub use select::{DroppedCandidate, Piece, PieceBudget, Selection, select};
pub(crate) use title::{TitleInput, extent, title_of};
pub use window::{VisibleText, Window, nearest_lines, window};
