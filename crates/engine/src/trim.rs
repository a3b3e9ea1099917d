//! The token budget: how much of the text around the cursor is shown, which pieces fit and in which form, and what was
//! left out.

mod budget;
mod draft;
mod excerpt;
mod line_reader;
mod lines;
mod open_file;
mod passage;
mod ranges;
mod select;
mod shown;
mod standing;
mod surroundings;
mod title;
mod window;

pub use budget::{Budget, Count, Trim};
pub use draft::Form;
pub(crate) use excerpt::{Lines, Words};
pub use select::{DroppedCandidate, Piece, PieceBudget, Selection, VisibleText, select};
pub use standing::{Standing, standings};
pub(crate) use title::{BY_NAME, BY_WORD, Shown, extent, title_of};
pub use window::{Window, nearest_lines, window};
