//! Prompts for next-edit models, which rewrite the code around the cursor.
//!
//! Their prompts contain recent edits, a region that may be rewritten, and in some formats the region before these
//! edits. As for other prompts, formats are rows of a table, and repository text never becomes structure. The answer is
//! read by its format (`answer`).

mod answer;
mod blocks;
mod format;
#[cfg(test)]
mod golden;
mod region;
mod render;
mod table;

pub use answer::{AnswerFault, new_region};
pub use format::{AnswerForm, EditChannel, EditFormat, EditStep, HistoryOrder, Prefill};
pub use region::{EditRegion, PastEdit, RegionEdge, RegionLines, file_before};
pub use render::{EditInput, EditPrompt, compose_edit, is_plain};
