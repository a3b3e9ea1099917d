//! Parts shared by several formats.

use crate::compose::format::Step::{Comment, CommentedText, IfParts, Path, Plain};
use crate::compose::format::{Model, Step};

/// A thousand tokens, in the sense of context windows.
pub(super) const K: usize = 1024;

pub(super) const fn model(pattern: &'static str, window: usize) -> Model {
    Model { pattern, window }
}

/// A piece for models trained on single files: comments above the text before the cursor.
pub(super) const COMMENTED: &[Step] =
    &[Comment("Path: "), Path, Plain("\n"), CommentedText, Plain("\n")];

/// Path of the edited file, after commented pieces.
pub(super) const CURRENT: Step = IfParts(&[Comment("Path: "), Path, Plain("\n")]);
