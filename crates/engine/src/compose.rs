//! Renders chosen pieces and the text around the cursor into a model family's own prompt.
//!
//! What a model was trained on is data: a [`Format`] is a row of a table, and one small renderer follows its steps.
//! Prompts are rendered here and not by the server of the model, because servers leave out what helps (the name of
//! the repository, the path of the file, a separator between files) or ignore the suffix without saying so.
//!
//! Text of the repository never becomes structure: [`neutralise`] breaks every spelling that the model's tokenizer
//! would read as a special token, and what marks a new file at the start of a line. This holds for the pieces, for
//! paths, and for the text around the cursor too, which may be longer in the prompt than in the file; so
//! [`Prompt::segments`] speak of the prompt.

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
