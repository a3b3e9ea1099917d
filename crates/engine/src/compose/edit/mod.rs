//! Prompts for next-edit models, which rewrite the code around the cursor.
//!
//! Their prompts contain recent edits, a region that may be rewritten, and in some formats the region before these
//! edits. As for other prompts, formats are rows of a table, and repository text never becomes structure.

mod format;
#[cfg(test)]
mod golden;
mod region;
mod render;
mod table;

pub use format::{EditFormat, EditStep, HistoryOrder};
pub use region::{EditRegion, PastEdit, RegionLines};
pub use render::{EditInput, EditPrompt, compose_edit};
