//! Renders selected pieces and the text around the cursor in a model family's prompt format.
//!
//! Formats are data: a [`Format`] is a row of a table, and one renderer follows its steps. Prompts are rendered here
//! rather than by the model's server, because servers omit useful parts (the repository's name, the path, a separator
//! between files) or silently ignore the suffix.
//!
//! Repository text never becomes structure: [`neutralise`] breaks every special token in it.

pub mod edit;
mod format;
#[cfg(test)]
mod golden;
mod lookup;
mod names;
mod neutral;
mod prompt;
mod render;
mod table;

pub use format::{Evidence, Format, Keep, Model, Order, Step};
pub use neutral::neutralise;
pub use prompt::{Hole, Origin, Part, Prompt, Segment};
pub use render::{compose, piece};
