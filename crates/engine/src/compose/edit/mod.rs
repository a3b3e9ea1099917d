//! Prompts for models that rewrite the code around the cursor: next-edit models.
//!
//! They are asked otherwise than by a hole to fill: with the edits that were just made, with a region that they may rewrite,
//! and some with that region as it was before. As for holes, what a model was trained on is a row of a table, and text of
//! the repository never becomes structure.

mod format;
#[cfg(test)]
mod golden;
mod region;
mod render;
mod table;

pub use format::{EditFormat, EditStep, HistoryOrder};
pub use region::{EditRegion, PastEdit, RegionLines};
pub use render::{EditInput, EditPrompt, compose_edit};
